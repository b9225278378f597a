"""What ties the clauses to code, tests, laws and defects, so that none stands alone."""
