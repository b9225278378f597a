"""Frontends that lose their memory, and ranges that lose their segments."""
