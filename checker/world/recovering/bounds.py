"""What makes a world of restarts and of expiry finite."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from checker.world.sharing import bounds as sharing


@dataclass(frozen=True, slots=True)
class Bounds:
    """The size of such a world: that of frontends which share a range, and what befalls them."""

    shared: sharing.Bounds
    restarts: Mapping[str, int] = field(default_factory=dict)
    """How often a frontend may restart; only one that refreshes can."""
    retainer: str | None = None
    """The frontend that removes segments by retention, as soon as they are sealed."""
    expiries: int = 0
    """How many segments may expire."""

    unreached: frozenset[str] = frozenset()
    """Goals of a shared range that these bounds leave out."""
    idle: frozenset[str] = frozenset()
    """Rules that these bounds leave nothing to do."""
    idle_in_raft: frozenset[str] = frozenset()
    """The same in the mode `raft` alone."""
    woken: frozenset[str] = frozenset()
    """Rules that would have nothing to do but for what befalls these frontends."""

    @property
    def places(self) -> tuple[str, ...]:
        """The parts that hold the copies of a segment."""
        return tuple(f"s{seq}" for seq in range(self.shared.segments))

    @property
    def slots(self) -> tuple[str, ...]:
        """The parts that hold the batches."""
        return tuple(f"{name}.{number}" for name, number, _ in self.shared.slots())

    def in_words(self) -> Mapping[str, str]:
        """What is bounded, for the report."""
        restarts = "; ".join(f"{name}: {times}" for name, times in sorted(self.restarts.items()))
        expiries = f"{self.retainer}: at most {self.expiries}" if self.retainer else "none"
        return {
            **self.shared.in_words(),
            "memory": f"restarts of {restarts}" if restarts else "no frontend restarts",
            "expiry": expiries,
        }
