"""Benchmarks: commands that print what they measured."""
