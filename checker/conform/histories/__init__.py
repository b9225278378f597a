"""What clients of a running cluster saw: whether a queue for each key explains it."""
