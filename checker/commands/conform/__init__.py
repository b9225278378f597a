"""`malachi-model conform`: any broker, in any language, judged against the reference."""
