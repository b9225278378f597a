"""The values of FenceCore's parts."""

from typing import NamedTuple


class Segment(NamedTuple):
    """What the control plane lists of a segment."""

    is_sealed: bool
    start: int
    length: int
    """0 while it is active."""

    @property
    def end(self) -> int:
        """The offset behind the last record of a sealed segment."""
        return self.start + self.length


class Store(NamedTuple):
    """One segment as its store has it."""

    appended: int
    is_fenced: bool


Segments = tuple[Segment, ...]
Cached = int | None
"""A segment's number, or none."""
Pending = tuple[int | None, ...]
"""By place in a segment: the frontend to which an acknowledgement is under way."""
Acked = frozenset[int]
"""The places in a segment whose records were acknowledged to clients."""


def replaced(pending: Pending, place: int, owner: int | None) -> Pending:
    """Answer the pending acknowledgements with another owner at one place."""
    return (*pending[:place], owner, *pending[place + 1 :])
