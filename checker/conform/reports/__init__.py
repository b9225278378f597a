"""What came of a run, for people, for CI, and for other tools."""
