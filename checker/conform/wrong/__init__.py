"""Brokers with one mistake each: the faults that the source tells of or warns of."""
