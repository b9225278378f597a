"""Frontends that share one range: they produce, roll, fence, seal and refresh."""
