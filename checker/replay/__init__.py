"""Recorded traces of a broker, run again call by call beside the reference."""
