"""Generic mutants of the reference: small wrong changes that a law or a test has to notice."""
