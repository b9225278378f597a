"""Changes of consumers that have no number, each with a law that notices it."""

from checker.world.alone.nameless import Nameless
from checker.world.reading.rules import Rules

CHANGES: tuple[Nameless[Rules], ...] = ()
