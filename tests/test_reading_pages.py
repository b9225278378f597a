"""Reading: the pages of a consumer's stream."""

from dataclasses import replace

import pytest
from immutables import Map

from reference.reading import read_consume, read_history, stream_history
from spec.replies import (
    Failed,
    MetadataUnavailable,
    NoSuchRange,
)
from spec.vocabulary import (
    DONE,
    START,
    Count,
    HistoryPage,
    Offset,
    Origin,
    Page,
    RangeId,
    Skip,
    Source,
    State,
)
from tests.oracles.readers import (
    HIGH,
    L0,
    LOW,
    THREE,
    at,
    closed,
    consume,
    failing_at,
    reader,
    three,
    view_of,
)
from tests.oracles.values import (
    LEFT,
    RIGHT,
    ROOT,
    S0,
    S1,
    SPLIT,
    Shelf,
    opened,
    record,
    sealed,
    stretch,
    unasked,
    values_of,
)


def test_an_unknown_range_is_refused_before_an_unrecovered_one() -> None:
    """[RDG-15, RDG-16, S18, S20, D30] Neither is answered by an empty page."""
    front = replace(reader(opened(S0)), unrecovered=frozenset({ROOT, LEFT}))

    assert read_consume(front, LEFT, START, Count(9), unasked) == NoSuchRange()
    assert read_consume(front, ROOT, START, Count(9), unasked) == MetadataUnavailable()
    assert stream_history(front, LEFT, START, Count(9), unasked) == NoSuchRange()
    assert read_history(front, LEFT, unasked) == NoSuchRange()


def test_a_page_is_filled_over_segments_up_to_its_budget() -> None:
    """[RDG-9, RDG-17, S33, P5] The cursor stands behind the last record."""
    front = reader(*three(), root=6)

    page = consume(front, START, 5, THREE)

    assert page == Page(stretch(0, 5), at(0, 5))


def test_a_page_is_filled_over_sources_and_ends_where_the_range_is_caught_up() -> None:
    """[RDG-12, RDG-13, RDG-17, RDG-18, S15, S34] The ancestor's slice first, then all its own."""
    front = reader(opened(S0), sealed(S0, 3), SPLIT, opened(L0), root=3, left=2)
    shelf = Shelf(
        {
            S0: (record("a", LOW, 0), record("b", HIGH, 1), record("c", LOW, 2)),
            L0: (record("d", LOW, 0), record("e", HIGH, 1)),
        }
    )

    page = consume(front, START, 9, shelf, LEFT)

    assert values_of(page.records) == ["a", "c", "d", "e"]
    assert (page.cursor, page.skips) == (at(1, 2), ())


@pytest.mark.parametrize(("half", "kept"), [(LEFT, ["0", "7"]), (RIGHT, ["8", "15"])])
def test_the_slice_of_an_ancestor_ends_before_the_end_of_the_block(
    half: RangeId, kept: list[str]
) -> None:
    """[RDG-13, RNG-45, S15, S16] The upper half begins with the position in the middle."""
    front = reader(opened(S0), sealed(S0, 4), SPLIT, root=4)
    positions = (0, 7, 8, 15)
    stored = tuple(record(str(at), bytes([at]), i) for i, at in enumerate(positions))

    page = consume(front, START, 9, Shelf({S0: stored}), half)

    assert values_of(page.records) == kept


def test_the_budget_counts_what_is_kept_of_an_ancestor() -> None:
    """[RDG-9, RDG-13, S33] And never more than it is kept, whatever lies between."""
    front = reader(opened(S0), sealed(S0, 6), SPLIT, root=6)
    keys = (HIGH, LOW, HIGH, HIGH, LOW, LOW)
    shelf = Shelf({S0: tuple(record(str(i), key, i) for i, key in enumerate(keys))})

    page = consume(front, START, 2, shelf, LEFT)
    rest = consume(front, page.cursor, 2, shelf, LEFT)

    assert (values_of(page.records), values_of(rest.records)) == (["1", "4"], ["5"])


def test_the_cursor_comes_from_the_records_and_not_from_what_was_asked() -> None:
    """[RDG-11, RDG-20, RDG-21, RDG-25, S16, S17, D53] The hole between is a skip."""
    front = reader(opened(S0), root=9)
    shelf = Shelf({S0: stretch(2, 1)})

    page = consume(front, at(0, 1), 9, shelf)

    skip = Skip(ROOT, ROOT, Offset(1), Count(1), Origin.CURSOR, Source.SELF)
    assert page == Page(stretch(2, 1), at(0, 3), (skip,))


def test_a_caught_up_consumer_stays_on_the_range_and_gets_what_comes_later() -> None:
    """[RDG-18, RDG-34, S34, D58] With an empty page, however often it asks."""
    front = reader(opened(S0), root=2)
    shelf = Shelf({S0: stretch(0, 2)})

    first = consume(front, START, 9, shelf)
    again = consume(front, first.cursor, 9, shelf)
    later = consume(
        replace(front, offsets=Map({ROOT: Offset(3)})), again.cursor, 9, Shelf({S0: stretch(0, 3)})
    )

    assert (first.cursor, again) == (at(0, 2), Page((), at(0, 2)))
    assert later == Page(stretch(2, 1), at(0, 3))
    assert consume(front, first.cursor, 9, shelf) == again


def test_a_range_that_was_never_written_is_caught_up_at_0() -> None:
    """[RDG-18, RDG-24, S34] Nothing is missed."""
    assert consume(reader(), START, 9, unasked) == Page((), at(0, 0))


def test_a_consumer_behind_everything_that_expired_is_moved_up_and_told() -> None:
    """[RDG-19, RDG-20, RDG-25, S17, S34] Though nothing is there to read yet."""
    front = reader(opened(S0, 4), root=4)

    page = consume(front, START, 9, Shelf({}))
    ahead = consume(front, at(0, 7), 9, Shelf({}))

    skip = Skip(ROOT, ROOT, Offset(0), Count(4), Origin.START, Source.SELF)
    assert page == Page((), at(0, 4), (skip,))
    assert ahead == Page((), at(0, 7))


def test_a_hole_with_nothing_behind_it_keeps_the_cursor_and_is_told_by_the_page_that_crosses() -> (
    None
):
    """[RDG-20, RDG-21, RDG-38, S17] Each loss is told once."""
    listed = {S0: closed(0, 1), S1: replace(closed(3, 0), state=State.ACTIVE, length=None)}
    front = replace(reader(root=4), view=view_of(listed))

    waiting = consume(front, at(0, 1), 9, Shelf({}))
    crossing = consume(front, waiting.cursor, 9, Shelf({S1: stretch(3, 1)}))

    skip = Skip(ROOT, ROOT, Offset(1), Count(2), Origin.CURSOR, Source.SELF)
    assert waiting == Page((), at(0, 1))
    assert crossing == Page(stretch(3, 1), at(0, 4), (skip,))


def test_one_failed_read_discards_the_whole_page() -> None:
    """[RDG-8, S17, S18, D57] The cursor the consumer holds is still good."""
    front = reader(*three(), root=6)

    assert read_consume(front, ROOT, START, Count(9), failing_at(S1, THREE)) == Failed("away")


def test_a_failed_read_of_an_ancestor_does_not_move_on_to_the_child() -> None:
    """[RDG-8, S18, D57] The records would be lost to the consumer for good."""
    front = reader(opened(S0), sealed(S0, 1), SPLIT, root=1)
    away = failing_at(S0, Shelf({}))

    assert read_consume(front, LEFT, START, Count(9), away) == Failed("away")
    assert stream_history(front, LEFT, START, Count(9), away) == Failed("away")
    assert read_history(front, LEFT, away) == Failed("away")


@pytest.mark.parametrize("source", [1, 99])
def test_a_cursor_past_the_last_source_waits_there(source: int) -> None:
    """[RDG-30, S34] Nothing is read and nothing is skipped."""
    front = reader(opened(S0), root=1)

    assert consume(front, at(source, 0), 9, unasked) == Page((), at(source, 0))
    done = stream_history(front, ROOT, at(source, 0), Count(9), unasked)
    assert done == HistoryPage((), DONE)
