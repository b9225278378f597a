"""Reading: which segment one read asks, and what it answers."""

from dataclasses import replace

import pytest

from reference.reading import read, read_consume, stream_history
from spec.commands import DeleteSegment
from spec.replies import (
    Eof,
    Failed,
    InvalidArgument,
    NoReplicas,
    Records,
)
from spec.vocabulary import (
    START,
    Count,
    Offset,
    RangeId,
    SegmentId,
    Sequence,
)
from tests.oracles.readers import closed, consume, failing_at, reader, three, view_of
from tests.oracles.values import (
    B1,
    B2,
    OTHER,
    ROOT,
    S0,
    S1,
    S2,
    Shelf,
    opened,
    record,
    sealed,
    segment_of,
    stretch,
    unasked,
    values_of,
)


@pytest.mark.parametrize("offset", [6, 7, -1])
def test_a_read_at_the_counter_or_below_0_is_the_end_and_asks_nobody(offset: int) -> None:
    """[RDG-1, S33] What this frontend has not learned of is not read."""
    front = reader(*three(), root=6)

    assert read(front, ROOT, Offset(offset), Count(9), unasked) == Eof()


def test_a_range_of_which_nothing_is_known_is_at_its_end() -> None:
    """[RDG-1, S33] Nothing was produced to it, or nobody knows of it."""
    elsewhere = RangeId(OTHER, Sequence(0))

    assert read(reader(*three()), ROOT, Offset(0), Count(9), unasked) == Eof()
    assert read(reader(), elsewhere, Offset(0), Count(9), unasked) == Eof()


@pytest.mark.parametrize(
    ("offset", "segment_id", "asked"),
    [(0, S0, 2), (1, S0, 1), (2, S1, 2), (3, S1, 1), (4, S2, 9), (5, S2, 9)],
)
def test_a_read_asks_the_segment_that_serves_the_offset_up_to_its_edge(
    offset: int, segment_id: SegmentId, asked: int
) -> None:
    """[RDG-3, RDG-6, RDG-7, S16, S33, D55] At its primary; an open one has no edge."""
    front = reader(*three(), root=6)
    shelf = Shelf({each: stretch(0, 9) for each in (S0, S1, S2)})

    reply = read(front, ROOT, Offset(offset), Count(9), shelf)

    assert shelf.asked == [(B1, segment_id, offset, asked)]
    assert isinstance(reply, Records)


def test_what_a_store_holds_above_the_sealed_edge_is_not_delivered() -> None:
    """[RDG-6, S5, S16, D55] The next segment has those offsets."""
    front = reader(opened(S0), sealed(S0, 2), opened(S1, 2), root=4)
    shelf = Shelf({S0: stretch(0, 3), S1: (record("real", None, 2),)})

    page = consume(front, START, 9, shelf)

    assert values_of(page.records) == ["0", "1", "real"]


def test_a_read_goes_to_the_first_replica_whoever_reads() -> None:
    """[RDG-7, S33] The primary has what was acknowledged."""
    front = reader(opened(S0, 0, (B2, B1)), root=1)
    shelf = Shelf({S0: stretch(0, 1)})

    read(front, ROOT, Offset(0), Count(1), shelf)

    assert shelf.asked == [(B2, S0, 0, 1)]


def test_a_read_below_the_earliest_start_begins_there() -> None:
    """[RDG-2, S19] What lies below has expired."""
    front = reader(opened(S0, 4), sealed(S0, 2), opened(S1, 6), root=7)
    shelf = Shelf({S0: stretch(4, 2)})

    assert read(front, ROOT, Offset(1), Count(9), shelf) == Records(stretch(4, 2))
    assert shelf.asked == [(B1, S0, 4, 2)]


def test_a_read_in_a_hole_goes_on_at_the_nearest_segment_above() -> None:
    """[RDG-4, RDG-32, RDG-33, S19, P5, D52] Not at the end, and not at one further up."""
    front = reader(*three(), DeleteSegment(S0), root=6)
    holed = replace(front, view=view_of({S0: closed(0, 1), S1: closed(3, 1), S2: closed(5, 1)}))
    shelf = Shelf({S1: stretch(3, 1)})

    assert read(holed, ROOT, Offset(1), Count(9), shelf) == Records(stretch(3, 1))
    assert shelf.asked == [(B1, S1, 3, 1)]


def test_the_nearest_segment_above_a_hole_need_not_have_the_lowest_id() -> None:
    """[RDG-4, S19] The start decides, and the id only between equals."""
    listed = {S0: closed(7, 1), S1: closed(3, 1), S2: closed(5, 1)}
    front = replace(reader(root=9), view=view_of(listed))
    shelf = Shelf({})

    read(front, ROOT, Offset(1), Count(9), shelf)

    assert shelf.asked == [(B1, S1, 3, 1)]


def test_a_read_above_everything_that_is_listed_is_at_the_end() -> None:
    """[RDG-4, RDG-33, S33] Though the counter is higher: the offsets were burned, or expired."""
    front = reader(opened(S0), sealed(S0, 2), root=6)
    empty = replace(front, view=view_of({S0: closed(0, 2), S1: closed(4, 0)}))

    assert read(front, ROOT, Offset(3), Count(9), unasked) == Eof()
    assert read(empty, ROOT, Offset(3), Count(9), unasked) == Eof()


@pytest.mark.parametrize("empty", [S0, S1], ids=["lower id", "higher id"])
def test_an_empty_segment_serves_nothing_and_the_one_at_its_start_does(empty: SegmentId) -> None:
    """[RDG-3, RDG-5, S19, P5, D54] Whichever of the two has the lower id."""
    full = S1 if empty == S0 else S0
    listed = {empty: closed(2, 0), full: closed(2, 3)}
    front = replace(reader(root=9), view=view_of(listed))
    shelf = Shelf({full: stretch(2, 3)})

    assert read(front, ROOT, Offset(2), Count(9), shelf) == Records(stretch(2, 3))
    assert read(front, ROOT, Offset(0), Count(9), shelf) == Records(stretch(2, 3))


def test_of_several_segments_that_serve_an_offset_the_latest_start_is_asked() -> None:
    """[RDG-3] And of one start the lowest id."""
    listed = {S0: closed(0, 9), S2: closed(2, 2), S1: closed(2, 2), segment_of(3): closed(4, 1)}
    front = replace(reader(root=9), view=view_of(listed))
    shelf = Shelf({each: stretch(0, 9) for each in listed})

    for offset in (1, 3, 5):
        read(front, ROOT, Offset(offset), Count(1), shelf)

    assert [(segment_id, offset) for _, segment_id, offset, _ in shelf.asked] == [
        (S0, 1),
        (S1, 3),
        (S0, 5),
    ]


def test_of_several_segments_above_a_hole_with_one_start_the_lowest_id_is_asked() -> None:
    """[RDG-4, RDG-5] Of those that serve anything."""
    listed = {S0: closed(5, 0), S2: closed(5, 2), S1: closed(5, 2), segment_of(3): closed(7, 2)}
    front = replace(reader(root=9), view=view_of(listed))
    shelf = Shelf({})

    read(front, ROOT, Offset(1), Count(9), shelf)

    assert shelf.asked == [(B1, S1, 5, 2)]


def test_a_failed_read_is_an_error_and_not_an_end() -> None:
    """[RDG-8, RDG-36, S17, S18, D57] Nor is a segment that nobody keeps."""
    front = reader(opened(S0), root=1)
    bare = reader(opened(S0, 0, ()), root=1)
    away = failing_at(S0, Shelf({}))

    assert read(front, ROOT, Offset(0), Count(1), away) == Failed("away")
    assert read(bare, ROOT, Offset(0), Count(1), unasked) == NoReplicas()
    assert read_consume(bare, ROOT, START, Count(1), unasked) == NoReplicas()
    assert stream_history(bare, ROOT, START, Count(1), unasked) == NoReplicas()


@pytest.mark.parametrize("budget", [0, -1])
def test_an_empty_budget_is_refused(budget: int) -> None:
    """[RDG-10] It could not move any reader."""
    front = reader(opened(S0), root=1)
    replies = [
        read(front, ROOT, Offset(0), Count(budget), unasked),
        read_consume(front, ROOT, START, Count(budget), unasked),
        stream_history(front, ROOT, START, Count(budget), unasked),
    ]

    assert [type(reply) for reply in replies] == [InvalidArgument] * 3
