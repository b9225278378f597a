"""What makes a world finite, and what may go wrong in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from checker.world.reading.parts import Left, Troubles


@dataclass(frozen=True, slots=True)
class Bounds:
    """The size of a world in which a consumer reads what is written, reshaped and expires."""

    future: Left
    before: Left = field(default_factory=Left)
    """What has happened when the world begins, in the order of these fields."""
    troubles: Troubles = field(default_factory=Troubles)
    bits: int = 1
    budgets: tuple[int, ...] = (1, 2)
    """The sizes of the pages that the consumer asks for."""
    is_recovered_at_once: bool = True
    """Whether a refresh recovers every range before anybody reads; else in a step of its own."""
    is_absence_eof: bool = False
    """Whether a store that does not hold a segment answers `eof`; else an error."""
    is_retention_orderly: bool = True
    """Whether the oldest sealed segment of a range goes first; else the newest of several does, as
    where all of them are too many bytes."""

    def in_words(self) -> Mapping[str, str]:
        """What is bounded, for the report."""
        future, troubles = self.future, self.troubles
        return {
            "begins": "with a store that holds more than its edge"
            if self.before.failovers
            else "with an empty topic",
            "records": f"by key: {', '.join(map(str, future.keys)) or 'none'}",
            "unsent batches": str(future.spares),
            "rolls": str(future.rolls),
            "reshapes": _acts(future.shapes),
            "reshapes by the reader": _acts(future.own),
            "expiries": str(future.expiries),
            "short batches": str(future.shortages),
            "failovers": str(future.failovers),
            "restarts of the writer": str(future.deaths),
            "remakes of the topic": str(future.remakes),
            "pages": f"of {' or '.join(map(str, self.budgets))} record"
            + "s" * (self.budgets[-1] != 1),
            "failed reads": str(troubles.failures),
            "restarts of the reader": str(troubles.restarts),
            "mute recoveries": str(troubles.mutes),
            "commits": str(troubles.commits),
            "restarts of the consumer": str(troubles.crashes),
            "keyspace": f"{1 << self.bits} positions",
            "recovery": "with the refresh" if self.is_recovered_at_once else "after the refresh",
            "absent segments": "eof" if self.is_absence_eof else "an error",
            "retention": "oldest first" if self.is_retention_orderly else "newest first",
            "writers": "one, whose acts are one step each",
        }


def _acts(shapes: tuple[tuple[int, ...], ...]) -> str:
    words = [" and ".join(f"r{seq}" for seq in parents) for parents in shapes]
    return ", then ".join(words) or "none"
