"""How messages reach an adapter: a Python object, a child's pipes, a socket."""
