"""What there is of a range to read, and stores that answer stretches of it of any length.

A store answers as `reference.store.read` does: the records from an offset on, in order, each with
its offset, and at most as many as were asked for. So many records in a row that nobody tells
apart are one `Run`, and the last of an answer stands alone, so that it names its own offset.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from checker.prove.drawing import Draw
from checker.prove.measuring import Run
from checker.world.sharing.parts import BROKERS
from spec.replies import Eof, Failed, ReadReply, Records
from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Millis,
    Offset,
    RangeId,
    Record,
    Segment,
    SegmentId,
    State,
)
from spec.vocabulary import (
    Sequence as SequenceOf,
)

INSIDE, OUTSIDE = b"in", b"out"
"""Keys: of records in the slice of the reader's range, and of others."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Records in a row of one segment, all in the slice or all outside."""

    first: int
    count: int
    is_in_slice: bool


@dataclass(frozen=True, slots=True)
class Shelf:
    """One segment, listed or expired."""

    segment_id: SegmentId
    segment: Segment
    is_listed: bool
    stretches: tuple[Stretch, ...]
    """Its records below the edge, or all of them where it is open."""
    beyond: int = 0
    """How many more its store holds above the edge."""

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.segment.start_offset

    @property
    def count(self) -> int:
        """How many records it has below the edge."""
        return sum(each.count for each in self.stretches)

    def held(self) -> Iterator[Stretch]:
        """What its store holds."""
        yield from self.stretches
        if self.segment.state is State.SEALED:
            yield Stretch(self.start + self.count, self.beyond, is_in_slice=True)

    def record(self, offset: int, *, is_in_slice: bool) -> Record:
        """The record at an offset: its value names the segment."""
        key = INSIDE if is_in_slice else OUTSIDE
        name = f"r{self.segment_id.range_id.seq}.s{self.segment_id.seq}"
        return Record(key, name.encode(), offset=Offset(offset))


@dataclass(frozen=True, slots=True)
class Source:
    """All segments that a range ever had."""

    range_id: RangeId
    shelves: tuple[Shelf, ...]

    @property
    def listed(self) -> dict[SegmentId, Segment]:
        """What the control plane lists of them."""
        return {each.segment_id: each.segment for each in self.shelves if each.is_listed}

    @property
    def is_open(self) -> bool:
        """Whether its last segment is open."""
        return bool(self.shelves) and self.shelves[-1].segment.state is State.ACTIVE

    @property
    def end(self) -> int:
        """Where the last one ends, or what it holds."""
        return self.shelves[-1].start + self.shelves[-1].count if self.shelves else 0


@dataclass(slots=True)
class Store:
    """Answers reads, of which one may fail or come short, and notes them."""

    draw: Draw
    sources: Sequence[Source]
    trouble: tuple[str, int] | None = None
    """`short`, `limits` or `fails`, and which read it is. What limits a read may be its budget."""
    asked: list[tuple[Broker, SegmentId]] = field(default_factory=list)
    is_failed: bool = False

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, at_most: Count
    ) -> ReadReply:
        """Answer the records from an offset on."""
        self.asked.append((broker, segment_id))
        kind = self.trouble[0] if self.trouble and self.trouble[1] == len(self.asked) else "whole"
        if kind == "fails":
            self.is_failed = True
            return Failed("unavailable")
        shelf = next(
            each
            for source in self.sources
            for each in source.shelves
            if each.segment_id == segment_id
        )
        left: int = at_most
        if kind in {"short", "limits"}:
            left = self.draw.integer("read so many", 1)
            most = at_most if kind == "limits" else at_most - 1
            self.draw.assume(lambda: left <= most)
        records: list[Record] = []
        for stretch in shelf.held():
            first = max(stretch.first, offset)
            count = min(stretch.first + stretch.count - first, left)
            if count > 0:
                records += in_a_row(shelf, first, count, is_in_slice=stretch.is_in_slice)
                left -= count
        return Records(tuple(records)) if records else Eof()


def in_a_row(shelf: Shelf, first: int, count: int, *, is_in_slice: bool) -> tuple[Record, ...]:
    """So many records of a segment, at least one."""
    one = shelf.record(first, is_in_slice=is_in_slice)
    others = Run(one.key, one.value, offset=one.offset, count=Count(count - 1))
    return others, replace(one, offset=Offset(first + count - 1))


def drawn_source(draw: Draw, range_id: RangeId, most: int, *, is_ancestor: bool) -> Source:
    """Up to so many segments, each sealed or expired; the last one may be open, but no ancestor's.

    Those of an ancestor hold records in the slice, others, or the one behind the other.
    """
    name = f"r{range_id.seq}"
    count = draw.pick(f"{name} has segments", range(most + 1))
    is_open = count > 0 and not is_ancestor and draw.pick(f"{name} is open", (False, True))
    shelves: list[Shelf] = []
    start = 0
    for seq in range(count):
        form = "open" if is_open and seq == count - 1 else None
        shelf = _drawn_shelf(draw, range_id, seq, start, form, is_ancestor=is_ancestor)
        shelves.append(shelf)
        start += shelf.count
    return Source(range_id, tuple(shelves))


def drawn_head(draw: Draw, range_id: RangeId) -> Source:
    """One open segment."""
    return Source(range_id, (_drawn_shelf(draw, range_id, 0, 0, "open", is_ancestor=False),))


def _drawn_shelf(
    draw: Draw, range_id: RangeId, seq: int, start: int, form: str | None, *, is_ancestor: bool
) -> Shelf:
    name = f"r{range_id.seq}.s{seq}"
    form = form or draw.pick(f"{name} is", ("sealed", "expired"))
    stretches: tuple[Stretch, ...] = (
        Stretch(start, draw.integer(f"{name}.count", 0), is_in_slice=True),
    )
    if is_ancestor and form == "sealed":
        stretches = _drawn_slices(draw, name, stretches[0])
    segment = Segment(range_id, BROKERS, Offset(start), opened_at=Millis(0))
    beyond = 0
    if form != "open":
        length = Count(sum(each.count for each in stretches))
        segment = replace(
            segment,
            state=State.SEALED,
            length=length,
            byte_size=ByteSize(0),
            sealed_at=Millis(0),
        )
        beyond = draw.integer(f"{name}.beyond", 0)
    segment_id = SegmentId(range_id, SequenceOf(seq))
    return Shelf(segment_id, segment, form != "expired", stretches, beyond)


def _drawn_slices(draw: Draw, name: str, inside: Stretch) -> tuple[Stretch, ...]:
    """Records of which all, none or the last so many lie in the slice of the reader's range."""
    kind = draw.pick(f"{name} lies in the slice", ("whole", "not", "behind others"))
    if kind == "whole":
        return (inside,)
    if kind == "not":
        return (replace(inside, is_in_slice=False),)
    others = draw.integer(f"{name}.others", 1)
    outside = Stretch(inside.first, others, is_in_slice=False)
    return outside, replace(inside, first=inside.first + others)


@dataclass(frozen=True, slots=True)
class Place:
    """An offset of a source, and the segment that has or had a record there, if one has."""

    source: int
    range_id: RangeId
    offset: Offset
    shelf: Shelf | None
    is_in_slice: bool = True

    @property
    def is_a_record(self) -> bool:
        """Whether a record ever was there."""
        return self.shelf is not None


def any_place(
    draw: Draw, sources: Sequence[Source], name: str = "x", within: int | None = None
) -> Place:
    """Any offset of any source, or of one: in one of the segments, or above all of them."""
    inside = draw.integer(f"{name}.place", 0)
    chosen = [at for at, _ in enumerate(sources) if within in {None, at}]
    shelves = [(at, shelf) for at in chosen for shelf in sources[at].shelves]
    above: list[tuple[int, Shelf | None]] = [(at, None) for at in chosen]
    at, shelf = draw.pick(f"{name} lies in", [*shelves, *above])
    if shelf is None:
        return Place(at, sources[at].range_id, Offset(sources[at].end + inside), None)
    stretch = draw.pick(f"{name} lies in the stretch", shelf.stretches)
    draw.assume(lambda: inside < stretch.count)
    offset = Offset(stretch.first + inside)
    return Place(at, sources[at].range_id, offset, shelf, stretch.is_in_slice)
