"""What makes a world finite, and what may go wrong in it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from checker.world.sharing.parts import record_of
from reference.producing import encoded_size
from spec.vocabulary import ByteSize


class Fault(Enum):
    """What may go wrong."""

    LOSS = "a batch, a fence or an answer is lost"
    DELAY = "a fence or its answer takes longer than the window"
    SILENCE = "a command is lost, or applied and its answer lost"
    FAILURE = "a fence is answered with an error"
    MUTENESS = "a primary does not answer the recovery"
    SHORTAGE = "a batch reaches the primary and no majority"
    FAILOVER = "a coordinator seals a segment without its primary"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The size of a world of frontends that share one range."""

    batches: tuple[tuple[int, ...], ...] = ((1,), (1,))
    """For each frontend its batches, and for each batch how many records it has."""
    segments: int = 2
    """A plan that would open one more is not made."""
    roll_at: int = 1
    """How many records of one frontend fill a segment; 0 where size rolls nothing."""
    refreshes: tuple[int, ...] = (0, 0)
    """For each frontend how often it may read the control plane."""
    sweepers: tuple[str, ...] = ()
    """The frontends that ask for age rolls."""
    faults: int = 0
    """How many things may go wrong in all, whichever of the kinds below they are."""
    kinds: frozenset[Fault] = frozenset(Fault)

    def may(self, fault: Fault) -> bool:
        """Whether this kind of fault can happen at all."""
        return self.faults > 0 and fault in self.kinds

    @property
    def readers(self) -> tuple[str, ...]:
        """The frontends that refresh."""
        return tuple(
            name for name, reads in zip(self.frontends, self.refreshes, strict=True) if reads
        )

    @property
    def frontends(self) -> tuple[str, ...]:
        """The names of the frontends: f1, f2."""
        return tuple(f"f{number}" for number in range(1, len(self.batches) + 1))

    @property
    def segment_max_bytes(self) -> ByteSize:
        """The threshold that `roll_at` records reach."""
        if self.roll_at == 0:
            return ByteSize(1 << 20)
        return ByteSize(self.roll_at * encoded_size(record_of("f1", 1, 1)))

    def slots(self) -> Iterator[tuple[str, int, int]]:
        """Each batch: its frontend, its number from 1 and its count of records."""
        for name, counts in zip(self.frontends, self.batches, strict=True):
            for number, count in enumerate(counts, start=1):
                yield name, number, count

    def dead_rules(self) -> Iterator[str]:
        """The rules that these bounds leave nothing to do."""
        leaves_nothing_under_way = {Fault.LOSS, Fault.SILENCE, Fault.FAILURE}
        is_swept_by_two = len(self.sweepers) > 1
        is_rolled_by_two = self.roll_at > 0 or is_swept_by_two
        if not is_swept_by_two and (
            not self.readers or not (is_rolled_by_two or self.may(Fault.FAILOVER))
        ):
            yield "settle"
        if not any(map(self.may, leaves_nothing_under_way)):
            yield "wait"
        holding = {
            name
            for name, counts in zip(self.frontends, self.batches, strict=True)
            if counts and (self.roll_at or name in self.sweepers)
        }
        ends_a_wait = leaves_nothing_under_way | {Fault.DELAY, Fault.FAILOVER}
        is_let_go = is_swept_by_two or any(map(self.may, ends_a_wait))
        if not holding or not (is_let_go or holding.intersection(self.readers)):
            yield "hold"

    def in_words(self) -> Mapping[str, str]:
        """What is bounded, for the report."""
        batches = (", ".join(map(_records, counts)) or "none" for counts in self.batches)
        reads = map(str, self.refreshes)
        kinds = sorted(fault.value for fault in self.kinds)
        return {
            "batches": _each(self.frontends, batches),
            "segments": f"at most {self.segments}",
            "size roll": f"at {_records(self.roll_at)}" if self.roll_at else "none",
            "refreshes": _each(self.frontends, reads),
            "age rolls": ", ".join(self.sweepers) or "none",
            "fences": "for each frontend and segment one message under way",
            "faults": f"at most {self.faults}: {'; '.join(kinds)}" if self.faults else "none",
            "time": "the window of a fence has passed, or has not",
            "memory": "no frontend restarts",
        }


def _records(count: int) -> str:
    return f"{count} record{'' if count == 1 else 's'}"


def _each(names: Iterable[str], words: Iterable[str]) -> str:
    return "; ".join(f"{name}: {said}" for name, said in zip(names, words, strict=True))
