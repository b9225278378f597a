"""What makes a world of views finite, and what may go wrong in it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from immutables import Map

from checker.world.sharing.parts import BROKERS
from checker.world.views.orders import Members, Order, Racks, Sweep, in_words
from reference.frontend import Options
from spec.commands import Command
from spec.vocabulary import PolicyName, TopicPolicy

THREE = Options(brokers=BROKERS, replication_factor=3)
"""Three brokers, and a replica on each."""


class Fault(Enum):
    """What may go wrong."""

    LOSS = "a command is lost"
    SILENCE = "a command is applied and its answer lost"
    LATENESS = "a command that was given up is applied later"
    UNREAD = "a vnode does not answer a read"
    RESTART = "a frontend restarts with an empty memory"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The size of a world of views."""

    orders: tuple[tuple[Order, ...], ...]
    """For each frontend what it does, each once and in any order."""
    operator: tuple[Command, ...] = ()
    """What others command, each once and in any order."""
    before: tuple[Command, ...] = ()
    """What was commanded before anything else."""
    refreshes: tuple[int, ...] = (1, 0)
    """For each frontend how often it may read the control plane."""
    at_once: int = 1
    """How many reads of a frontend may be under way at once."""
    faults: int = 0
    """How many things may go wrong in all, whichever of the kinds below they are."""
    kinds: frozenset[Fault] = frozenset(Fault)
    options: Options = THREE
    policies: Map[PolicyName, TopicPolicy] = field(default_factory=Map)
    """What each policy name stands for."""

    def may(self, fault: Fault) -> bool:
        """Whether this kind of fault can happen at all."""
        return self.faults > 0 and fault in self.kinds

    @property
    def frontends(self) -> tuple[str, ...]:
        """The names of the frontends: f1, f2."""
        return tuple(f"f{number}" for number in range(1, len(self.orders) + 1))

    @property
    def readers(self) -> tuple[str, ...]:
        """The frontends that refresh."""
        return tuple(
            name for name, reads in zip(self.frontends, self.refreshes, strict=True) if reads
        )

    def slots_of(self, name: str) -> tuple[str, ...]:
        """The parts that hold one frontend's orders."""
        return tuple(slot for each, slot, _ in self.slots() if each == name)

    def slots(self) -> Iterator[tuple[str, str, Order]]:
        """Each order: its frontend, its part and what it is."""
        for name, orders in zip(self.frontends, self.orders, strict=True):
            for number, order in enumerate(orders, start=1):
                yield name, f"{name}.{number}", order

    def in_words(self) -> Mapping[str, str]:
        """What is bounded, for the report."""
        reads = map(str, self.refreshes)
        kinds = sorted(fault.value for fault in self.kinds)
        orders = (", ".join(map(in_words, each)) or "does nothing" for each in self.orders)
        return {
            "orders": _each(self.frontends, orders),
            "others": ", ".join(map(in_words, self.operator)) or "do nothing",
            "refreshes": _each(self.frontends, reads),
            "reads under way": f"at most {self.at_once} of a frontend",
            "faults": f"at most {self.faults}: {'; '.join(kinds)}" if self.faults else "none",
            "stores": "none: no batch is sent",
        }


def is_told(order: Order) -> bool:
    """Whether an order sends a command, so that it can be lost."""
    return not isinstance(order, Members | Racks | Sweep)


def _each(names: Iterable[str], words: Iterable[str]) -> str:
    return "; ".join(f"{name}: {said}" for name, said in zip(names, words, strict=True))
