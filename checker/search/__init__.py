"""Exhaustive search. It knows no brokers."""
