"""What stands between the participants: what is left to happen, a consumer and its page."""

from dataclasses import dataclass

from immutables import Map

from spec.replies import Refusal
from spec.vocabulary import (
    START,
    Broker,
    ConsumeCursor,
    Count,
    Group,
    Page,
    RangeId,
    Record,
    SegmentId,
)

GROUP = Group("g")
Past = Map[SegmentId, tuple[Record, ...]]
"""A ghost: each segment's acknowledged records, kept when they expire."""


def past_of(past: Past, range_id: RangeId) -> tuple[Record, ...]:
    """All that was ever acknowledged in a range, in the order of its segments."""
    return tuple(
        record
        for segment_id, records in sorted(past.items())
        if segment_id.range_id == range_id
        for record in records
    )


@dataclass(frozen=True, slots=True)
class Left:
    """What may still happen to the topic, in any order of the kinds."""

    keys: tuple[int, ...] = ()
    """The keys of the records that are still produced, in this order."""
    spares: int = 0
    """Batches that open a head and never arrive."""
    rolls: int = 0
    shapes: tuple[tuple[int, ...], ...] = ()
    """The ranges that are split, or pairs that are merged, in this order."""
    own: tuple[tuple[int, ...], ...] = ()
    """The same, run by the frontend that reads."""
    expiries: int = 0
    shortages: int = 0
    """Batches that reach their primary and no majority."""
    failovers: int = 0
    deaths: int = 0
    """Restarts of the frontend that writes."""
    remakes: int = 0
    """How often the topic is deleted and created again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A page on its way to the consumer, with what it was asked with and how it came about."""

    budget: Count
    answer: Page | Refusal
    reads: tuple[tuple[Broker, SegmentId], ...]
    """The stores that were asked, in order."""
    is_failed: bool = False
    """Whether one of them answered an error."""


@dataclass(frozen=True, slots=True)
class Consumer:
    """A consumer of one range, and where it stands in its stream."""

    range_id: RangeId
    cursor: ConsumeCursor = START
    asked: Asked | None = None
    promised: ConsumeCursor | None = None
    """A ghost: what its last commit that was answered said."""


@dataclass(frozen=True, slots=True)
class Troubles:
    """How much more may go wrong for the frontend that reads."""

    failures: int = 0
    """Reads that a store answers with an error."""
    restarts: int = 0
    mutes: int = 0
    """Recoveries in which the primaries of open segments are mute."""
    commits: int = 0
    crashes: int = 0
    """How often the consumer starts again from what was committed."""
