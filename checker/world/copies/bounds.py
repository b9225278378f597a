"""What makes a world of copies finite, and what may go wrong in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from checker.world.sharing import bounds as sharing
from checker.world.sharing.parts import BROKERS
from reference.coordinating import RetentionPolicy
from spec.vocabulary import Broker

SPARE = Broker("b4")
"""A broker that holds nothing at first, and may be given copies."""
REPLICAS = len(BROKERS)


class Fault(Enum):
    """What may go wrong."""

    STOP = "a broker stops, and comes back with its disk when it likes"
    SHORTAGE = "a batch misses a follower that is there"
    LOSS = "a batch, a fence or an answer is lost"
    SILENCE = "a command of the coordinator is lost, or applied and its answer lost"
    SUSPICION = "the coordinator takes a broker for dead that is not"
    REPORT = "a copy is reported as failed"
    MOVE = "an active segment is given another follower"
    TURN = "an active segment is given another primary"
    DISK = "a broker comes back without its disk"
    BREAK = "the coordinator's pass breaks off, or an answer to it is lost"


class Duty(Enum):
    """What the coordinator does."""

    FAILOVER = "failover"
    ORPHANS = "orphaned fences"
    OVERRUNS = "overruns"
    HEALING = "self-healing"
    RETENTION = "retention"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The size of a world of copies. Its last frontend is the one that the coordinator runs on."""

    batches: tuple[tuple[int, ...], ...] = ((1,), (1,))
    """For each frontend its batches, and for each batch how many records it has."""
    segments: int = 2
    """A plan that would open one more is not made."""
    roll_at: int = 1
    """How many records of one frontend fill a segment; 0 where size rolls nothing."""
    sweepers: tuple[str, ...] = ()
    """The frontends that ask for age rolls."""
    spares: int = 0
    """How many brokers there are beside the three that new segments are placed on."""
    duties: frozenset[Duty] = frozenset({Duty.FAILOVER, Duty.ORPHANS, Duty.OVERRUNS})
    policy: RetentionPolicy | None = None
    """How much retention keeps; none where nothing expires."""
    settles: bool = False
    """Whether the world is also judged on what it comes to in the end."""
    is_late: bool = False
    """Whether a batch may be under way for longer than a copy that it is for."""
    is_sure: bool = False
    """Whether a consumer is to be given only what stays."""
    reads: int = 0
    """How many records a consumer reads, through the first frontend."""
    faults: int = 1
    """How many things may go wrong in all, whichever of the kinds below they are."""
    kinds: frozenset[Fault] = frozenset({Fault.STOP})
    idle: frozenset[str] = frozenset()
    """The rules that these bounds leave nothing to do."""

    def may(self, fault: Fault) -> bool:
        """Whether this kind of fault can happen at all."""
        return self.faults > 0 and fault in self.kinds

    @property
    def frontends(self) -> tuple[str, ...]:
        """The names of the frontends: f1, f2."""
        return self.shared.frontends

    @property
    def coordinator(self) -> str:
        """The frontend that the coordinator runs on."""
        return self.frontends[-1]

    @property
    def reader(self) -> str:
        """The frontend that a consumer reads through."""
        return self.frontends[0]

    @property
    def brokers(self) -> tuple[Broker, ...]:
        """All brokers, the spare ones last."""
        return (*BROKERS, SPARE)[: REPLICAS + self.spares]

    @property
    def shared(self) -> sharing.Bounds:
        """The bounds of what frontends do, as the world of one range has them."""
        losses = frozenset({sharing.Fault.LOSS} if Fault.LOSS in self.kinds else ())
        return sharing.Bounds(
            batches=self.batches,
            segments=self.segments,
            roll_at=self.roll_at,
            refreshes=(0,) * len(self.batches),
            sweepers=self.sweepers,
            faults=self.faults,
            kinds=losses,
        )

    def slots(self) -> Iterator[tuple[str, int, int]]:
        """Each batch: its frontend, its number from 1 and its count of records."""
        return self.shared.slots()

    def in_words(self) -> Mapping[str, str]:
        """What is bounded, for the report."""
        words = dict(self.shared.in_words())
        kinds = "; ".join(sorted(fault.value for fault in self.kinds))
        duties = sorted(duty.value for duty in self.duties)
        copying = "is one step with the append; what a batch misses, a later one may bring"
        return {
            **{name: words[name] for name in ("batches", "segments", "size roll", "age rolls")},
            "fences": words["fences"],
            "brokers": ", ".join(self.brokers),
            "copying": copying,
            "coordinator": f"one, on {self.coordinator}, for {', '.join(duties)}"
            if duties
            else "none acts",
            "late batches": "outlive the copies that they are for"
            if self.is_late
            else "none is under way to a segment whose copies are removed",
            "reads": f"{self.reads}, through {self.reader}" if self.reads else "none",
            "faults": f"at most {self.faults}: {kinds}" if self.faults else "none",
            "time": words["time"],
            "memory": words["memory"],
        }
