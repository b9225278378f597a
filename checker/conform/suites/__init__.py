"""Named scenarios: each file is one, its name is its id, and neither ever means another."""
