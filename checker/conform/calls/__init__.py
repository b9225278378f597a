"""Every function of the source as a call of the protocol, one module a chapter."""
