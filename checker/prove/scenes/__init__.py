"""Calls of every function with numbers in it, on values that are drawn."""
