"""What looks: worlds, search, replay and the command line."""
