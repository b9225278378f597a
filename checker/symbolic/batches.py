"""Batches of which nobody knows how many records they have, nor how many bytes these take.

A batch is one `Run`: it counts as many records as it stands for. Each of its records has a name of
`NAME_BYTES` bytes, which tells it from all others, and the batch may have any bytes beyond that.
With numbers in the place of the unknowns, a batch is so many records of the reference.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import SupportsIndex, cast

from checker.prove.integers import Atom, atom_of, unknown
from checker.prove.measuring import Blob, Run, measured
from checker.prove.solving import Clause
from reference.producing import RECORD_OVERHEAD
from spec.vocabulary import ByteSize, Count, Record

NAME_BYTES = 16
"""How many bytes a record's name takes."""
LEAST_BYTES = RECORD_OVERHEAD + NAME_BYTES
THRESHOLD = "segment_max_bytes"


class Content(Blob):
    """What the records of one batch hold."""

    name: str

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Content) and self.name != other.name:
            return False
        return Blob.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(self.name)


class Row(tuple[Record, ...]):
    """Records of which a stretch can be taken between places that are unknown."""

    __slots__ = ()

    def __getitem__(self, place: SupportsIndex | slice) -> Record | tuple[Record, ...]:  # type: ignore[override] # a row of records answers records
        if not isinstance(place, slice):
            return tuple.__getitem__(self, place)
        first, behind = place.start or 0, place.stop
        found: list[Record] = []
        begins = 0
        for record in self:
            ends = begins + measured((record,))
            if behind is None or begins < behind:
                if first <= begins and (behind is None or ends <= behind):
                    found.append(record)
                elif first < ends:
                    found.append(_part_of(record, min(ends, behind or ends) - max(begins, first)))
            begins = ends
        return tuple(found)


def _part_of(record: Record, count: int) -> Record:
    part = Content(count)
    part.name = f"a part of {cast('Content', record.value).name}"
    return Run(None, part, count=Count(count))


@dataclass(frozen=True, slots=True)
class Unknowns:
    """The unknown integers of a world."""

    slots: tuple[str, ...]
    """Its batches: `f1.1`."""
    is_rolled: bool
    """Whether some batches may fill a segment; none does where the threshold is above them all."""

    @property
    def threshold(self) -> ByteSize:
        """How many bytes fill a segment."""
        return ByteSize(unknown(THRESHOLD))

    def domain(self) -> Clause:
        """What holds of them: a batch has a record, a record has a name, a byte fills a segment."""
        found: list[Atom | bool] = [atom_of(1 - self.threshold, "<=")]
        for slot in self.slots:
            count, size = count_of(slot), size_of(slot)
            found += [atom_of(1 - count, "<="), atom_of(count * LEAST_BYTES - size, "<=")]
        if not self.is_rolled:
            total = sum(map(size_of, self.slots))
            found.append(atom_of(total + 1 - self.threshold, "<="))
        return tuple(each for each in found if isinstance(each, Atom))

    def records(self) -> Mapping[str, tuple[Record, ...]]:
        """Each batch as one run."""
        return {slot: counted_records(slot, count_of(slot), size_of(slot)) for slot in self.slots}


def count_of(slot: str) -> int:
    """How many records a batch has."""
    return unknown(f"{slot}.records")


def size_of(slot: str) -> int:
    """How many bytes its records take, as they are encoded."""
    return unknown(f"{slot}.bytes")


def counted_records(slot: str, count: int, size: int) -> tuple[Record, ...]:
    """A batch of so many records that take so many bytes, as one value."""
    content = Content(size - RECORD_OVERHEAD)
    content.name = slot
    return (Run(None, content, count=Count(count)),)


def real_records(slot: str, count: int, size: int) -> tuple[Record, ...]:
    """So many records of the reference that take so many bytes; what is left over, the first."""
    names = (f"{slot}.{number}".ljust(NAME_BYTES).encode() for number in range(1, count + 1))
    first, *others = names
    spare = b" " * (size - count * LEAST_BYTES)
    return tuple(Record(None, value) for value in (first + spare, *others))


def named(value: object) -> object:
    """A state's value with the records of each batch in a row as few as people want to read."""
    if isinstance(value, tuple) and value and all(isinstance(each, Record) for each in value):
        return tuple(_told(cast("tuple[Record, ...]", value)))
    if is_dataclass(value) and not isinstance(value, type):
        found = {each.name: getattr(value, each.name) for each in fields(value)}
        changed = {name: named(held) for name, held in found.items()}
        if any(changed[name] is not held for name, held in found.items()):
            return replace(value, **changed)
    return value


def _told(records: Iterable[Record]) -> Iterator[Record]:
    groups: dict[str, int] = {}
    for record in records:
        name = _batch_of(record)
        groups[name] = groups.get(name, 0) + (record.count if isinstance(record, Run) else 1)
    for name, count in groups.items():
        yield Record(None, f"{name} ({count:,} record{'' if count == 1 else 's'})".encode())


def _batch_of(record: Record) -> str:
    if isinstance(record.value, Content):
        return record.value.name
    return record.value.decode().rstrip().rpartition(".")[0]
