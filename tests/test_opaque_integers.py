"""Control plane and store on integers that can only be added, subtracted and compared.

A solver's integers are no more than that: they cannot index, count a loop or be a key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from reference.controlplane import Metadata, active_segment, apply, sealed_edge
from reference.store import Log, append, cut, fence, read
from reference.vnodes import View, command, sharded
from spec.commands import CreateTopic, RegisterSegment, SealSegment
from spec.replies import Appended, Created, Eof, Ok, Records, Sealed, SegmentOverlap
from spec.vocabulary import Broker, RangeId, Record, SegmentId, Sequence, TopicName, VnodeId


@dataclass(frozen=True, eq=False)
class Opaque:
    """An integer that answers arithmetic and comparisons and nothing else."""

    number: int

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Opaque | int) -> Opaque:
        return Opaque(self.number + plain(other))

    def __sub__(self, other: Opaque | int) -> Opaque:
        return Opaque(self.number - plain(other))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque | int) and self.number == plain(other)

    def __lt__(self, other: Opaque | int) -> bool:
        return self.number < plain(other)

    def __le__(self, other: Opaque | int) -> bool:
        return self.number <= plain(other)

    def __gt__(self, other: Opaque | int) -> bool:
        return self.number > plain(other)

    def __ge__(self, other: Opaque | int) -> bool:
        return self.number >= plain(other)


def plain(number: Opaque | int) -> int:
    """The integer that stands behind a number."""
    return number.number if isinstance(number, Opaque) else number


def opaque(number: int) -> Any:  # noqa: ANN401 # it stands in for every named integer
    """An opaque integer, for places where a named one is asked for."""
    return cast("Any", Opaque(number))


ROOT = RangeId(TopicName("t"), Sequence(0))
FIRST, SECOND = SegmentId(ROOT, Sequence(0)), SegmentId(ROOT, Sequence(1))
P = (Broker("p"),)


def test_segments_open_close_and_tile_on_opaque_offsets() -> None:
    """[RNG-16, RNG-18, RNG-19] Also through a ring of vnodes."""
    view: View = sharded([(VnodeId("v0"), 5), (VnodeId("v1"), 9)])

    view, created = command(view, CreateTopic(ROOT.topic, 2))
    view, opened = command(view, RegisterSegment(ROOT, FIRST, P, opaque(3)), opaque(1))
    view, closed = command(view, SealSegment(FIRST, opaque(4), opaque(99), opaque(2)))
    _, below = command(view, RegisterSegment(ROOT, SECOND, P, opaque(6)))
    _, at_edge = command(view, RegisterSegment(ROOT, SECOND, P, opaque(7)))

    assert created == Created((ROOT,))
    assert (opened, closed, below, at_edge) == (Ok(), Ok(), SegmentOverlap(), Ok())


def test_the_largest_edge_is_found_among_opaque_ones() -> None:
    """[RNG-16] By comparison alone."""
    metadata = Metadata()
    for told in (
        CreateTopic(ROOT.topic, 2),
        RegisterSegment(ROOT, FIRST, P, opaque(3)),
        SealSegment(FIRST, opaque(4), opaque(0), opaque(0)),
        RegisterSegment(ROOT, SECOND, P, opaque(7)),
        SealSegment(SECOND, opaque(0), opaque(0), opaque(0)),
    ):
        metadata, _ = apply(metadata, told)

    assert sealed_edge(metadata, ROOT) == 7
    assert active_segment(metadata, ROOT) is None


def test_a_log_stores_closes_and_reads_at_opaque_offsets() -> None:
    """[ROL-31, ROL-1, ROL-2, RDG-35, HEA-18] Its records are counted, its offsets are not."""
    log, answer = append(Log(opaque(5)), (Record(None, b"a"), Record(None, b"b")))
    closed, end, _ = fence(log)

    assert isinstance(answer, Appended)
    assert (answer.last, end) == (6, 7)
    refused = append(closed, (Record(None, b"c"),))[1]
    assert isinstance(refused, Sealed)
    assert refused.end_offset == 7
    found = read(closed, opaque(6), opaque(1))
    assert isinstance(found, Records)
    assert [record.value for record in found.records] == [b"b"]
    assert read(closed, opaque(7), opaque(1)) == Eof()
    assert cut(log, opaque(6)).records == log.records[:1]
