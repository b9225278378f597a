"""Every call that a recording may hold, one module a chapter."""
