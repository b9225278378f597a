"""What makes a world finite, and what may go wrong in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum


class Fault(Enum):
    """What may go wrong."""

    LOSS = "a batch, a fence or an answer is lost"
    SILENCE = "a command is lost, or applied and its answer lost"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The size of a world of frontends that reshape a topic."""

    batches: tuple[tuple[int, ...], ...] = ((0, 1), (1,))
    """For each frontend the key of each of its batches, which is its position."""
    reshapes: tuple[tuple[int, ...], ...] = ((), (0,))
    """For each frontend the range that it splits, or the two that it merges."""
    tries: int = 1
    """How often each of them begins."""
    bits: int = 1
    """The topic has two to the power of it positions."""
    splits: tuple[int, ...] = ()
    """The ranges that were split before, still empty."""
    segments: int = 2
    """A plan that would open one more in a range is not made."""
    refreshes: tuple[int, ...] = (0, 1)
    """For each frontend how often it may read the control plane."""
    is_healed: bool = False
    """Whether a coordinator seals what is fenced and still listed as active."""
    faults: int = 0
    """How many things may go wrong in all, whichever of the kinds below they are."""
    kinds: frozenset[Fault] = frozenset(Fault)

    def may(self, fault: Fault) -> bool:
        """Whether this kind of fault can happen at all."""
        return self.faults > 0 and fault in self.kinds

    @property
    def frontends(self) -> tuple[str, ...]:
        """The names of the frontends: f1, f2."""
        return tuple(f"f{number}" for number in range(1, len(self.batches) + 1))

    @property
    def readers(self) -> tuple[str, ...]:
        """The frontends that refresh."""
        return tuple(
            name for name, reads in zip(self.frontends, self.refreshes, strict=True) if reads
        )

    @property
    def reshapers(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The frontends that split or merge, each with its parents."""
        pairs = zip(self.frontends, self.reshapes, strict=True)
        return tuple((name, parents) for name, parents in pairs if parents)

    def slots(self) -> Iterator[tuple[str, int, int]]:
        """Each batch: its frontend, its number from 1 and its key."""
        for name, keys in zip(self.frontends, self.batches, strict=True):
            for number, key in enumerate(keys, start=1):
                yield name, number, key

    def in_words(self) -> Mapping[str, str]:
        """What is bounded, for the report."""
        kinds = sorted(fault.value for fault in self.kinds)
        fronts = self.frontends
        batches = [f"{name}: {_listed(keys)}" for name, keys in zip(fronts, self.batches)]  # noqa: B905 - same length
        reads = [f"{name}: {count}" for name, count in zip(fronts, self.refreshes, strict=True)]
        acts = [f"{name} {_act(parents)}" for name, parents in self.reshapers]
        tries = "1 try" if self.tries == 1 else f"{self.tries} tries"
        return {
            "batches": f"of one record each, by key: {'; '.join(batches)}",
            "keyspace": f"{1 << self.bits} positions",
            "split before": _listed(self.splits, "r"),
            "reshapes": f"{'; '.join(acts)}; {tries} each",
            "segments": f"at most {self.segments} in a range",
            "refreshes": "; ".join(reads),
            "orphaned fences": "healed" if self.is_healed else "not healed",
            "faults": f"at most {self.faults}: {'; '.join(kinds)}" if self.faults else "none",
            "replicas": "one a segment, whose broker does not stop",
            "memory": "no frontend restarts",
        }


def _listed(numbers: tuple[int, ...], prefix: str = "") -> str:
    return ", ".join(f"{prefix}{number}" for number in numbers) or "none"


def _act(parents: tuple[int, ...]) -> str:
    return f"{'splits' if len(parents) == 1 else 'merges'} {_listed(parents, 'r')}"
