"""Any broker, in any language, judged against the reference."""
