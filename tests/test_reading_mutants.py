"""Reading: what a consumer is told where a store has less than the control plane lists."""

from reference.reading import read, read_consume, stream_history
from spec.commands import DeleteSegment
from spec.replies import InvalidArgument
from spec.vocabulary import (
    DONE,
    START,
    Count,
    HistoryPage,
    Offset,
    Origin,
    Page,
    Skip,
    Source,
)
from tests.oracles.readers import at, consume, reader
from tests.oracles.values import LEFT, ROOT, S0, S1, SPLIT, Shelf, opened, sealed, unasked

EMPTY = Shelf({})


def test_what_the_stores_of_an_ancestor_lost_is_told_from_its_highest_edge_on() -> None:
    """[RDG-22, S17] What lies below an edge is a store's to answer for, and it said `eof`."""
    two = (opened(S0), sealed(S0, 2), opened(S1, 2), sealed(S1, 2), SPLIT)

    page = consume(reader(*two, root=6), START, 9, EMPTY, LEFT)

    skip = Skip(LEFT, ROOT, Offset(4), Count(2), Origin.START, Source.ANCESTOR)
    assert page == Page((), at(1, 0), (skip,))


def test_an_ancestor_that_expired_whole_is_counted_from_its_first_record() -> None:
    """[RDG-22, RDG-40, S17] Where it lists nothing there is no edge to begin at."""
    gone = (opened(S0), sealed(S0, 4), SPLIT, DeleteSegment(S0))

    page = consume(reader(*gone, root=4), START, 9, unasked, LEFT)

    skip = Skip(LEFT, ROOT, Offset(0), Count(4), Origin.START, Source.ANCESTOR)
    assert page == Page((), at(1, 0), (skip,))


def test_an_ancestor_that_never_held_a_record_lost_none() -> None:
    """[RDG-22, RDG-25, S17] It lists an empty segment, and nobody counted anything there."""
    page = consume(reader(opened(S0), sealed(S0, 0), SPLIT), START, 9, unasked, LEFT)

    assert page == Page((), at(1, 0))


def test_a_budget_that_holds_no_record_is_refused_by_its_name() -> None:
    """[RDG-10] The answer says which argument is wrong, and how."""
    refusal = InvalidArgument("max_records", "is 0, and must be 1 or more")
    front = reader(opened(S0), root=0)

    assert read(front, ROOT, Offset(0), Count(0), unasked) == refusal
    assert read_consume(front, ROOT, START, Count(0), unasked) == refusal
    assert stream_history(front, ROOT, START, Count(0), unasked) == refusal
    assert read_consume(front, LEFT, START, Count(0), unasked) == refusal
    assert stream_history(front, LEFT, START, Count(0), unasked) == refusal
    assert stream_history(front, LEFT, DONE, Count(0), unasked) == HistoryPage((), DONE)
