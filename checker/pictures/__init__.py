"""Pictures made from code and from runs of the machine, never by hand."""
