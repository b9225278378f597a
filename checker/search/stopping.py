"""How a search that is under way is asked to stop: a flag that it looks at between its rounds."""

from dataclasses import dataclass
from typing import Self


@dataclass(slots=True)
class Request:
    """Whether somebody asked, and whether a search is there to hear it."""

    is_made: bool = False
    listeners: int = 0

    def __enter__(self) -> Self:
        """Listen from now on."""
        self.listeners += 1
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no longer; what was asked for stays asked."""
        self.listeners -= 1


REQUEST = Request()
"""The one of this process: a signal handler makes it, searches look at it."""
