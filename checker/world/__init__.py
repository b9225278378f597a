"""The closed worlds around the reference."""
