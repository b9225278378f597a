"""What takes part in a race."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from bench.peers.fencecore import Size
from bench.peers.workshop import Ready, Workshop

OURS = "ours"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A checker with its options."""

    name: str
    """As the command line names it."""
    title: str
    """As the table names it."""
    prepare: Callable[[Workshop, Size], Ready]
    """Builds it for one size; raises MissingError where it cannot run here."""
    is_reduced: bool = False
    """Whether it leaves states out, so that its counts are others than those of a whole search."""

    @property
    def is_ours(self) -> bool:
        """Whether all others are compared with it."""
        return self.name == OURS

    def renamed(self, remark: str) -> Self:
        """Answer the same entrant as another line of the table."""
        return replace(self, name=f"{self.name}, {remark}", title=f"{self.title}, {remark}")
