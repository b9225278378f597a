"""How the frontend keeps the clauses: pure functions over values."""
