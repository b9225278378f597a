"""The laws, one module a chapter."""
