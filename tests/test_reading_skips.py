"""Reading: what a consumer is told of an ancestor that lost records."""

from dataclasses import replace

from immutables import Map

from reference.frontend import Frontend
from spec.commands import Command, DeleteSegment, MergeRanges
from spec.vocabulary import (
    START,
    Count,
    Offset,
    Origin,
    Page,
    Skip,
    Source,
    State,
)
from tests.oracles.readers import CHILD, HIGH, L0, L1, LOW, at, closed, consume, reader
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
    segment_of,
    stretch,
    unasked,
    values_of,
)


def ancestor(*commands: Command, **counters: int) -> Frontend:
    """A reader of the left half of a range that had two segments of two records."""
    written = (opened(S0), sealed(S0, 2), opened(S1, 2), sealed(S1, 2))
    return reader(*written, SPLIT, *commands, **counters)


def test_a_pruned_head_of_an_ancestor_is_told_up_to_the_record_that_was_read() -> None:
    """[RDG-20, RDG-21, RDG-25, S17] Whether or not that record is in the slice."""
    front = ancestor(DeleteSegment(S0), root=4)
    shelf = Shelf({S1: (record("x", HIGH, 2), record("y", LOW, 3))})

    page = consume(front, START, 9, shelf, LEFT)

    skip = Skip(LEFT, ROOT, Offset(0), Count(2), Origin.START, Source.ANCESTOR)
    assert (values_of(page.records), page.skips, page.cursor) == (["y"], (skip,), at(1, 0))


def test_what_an_ancestor_lost_at_its_end_is_counted_from_its_highest_edge() -> None:
    """[RDG-22, RDG-25, S17, P5] To the counter that this frontend has of it."""
    front = ancestor(DeleteSegment(S1), root=4)
    shelf = Shelf({S0: stretch(0, 2, HIGH)})

    page = consume(front, at(0, 1), 9, shelf, LEFT)

    skip = Skip(LEFT, ROOT, Offset(2), Count(2), Origin.CURSOR, Source.ANCESTOR)
    assert page == Page((), at(1, 0), (skip,))


def test_what_an_ancestor_lost_is_counted_from_the_highest_of_several_edges() -> None:
    """[RDG-22, S17] Two segments are listed, and the end behind both is gone."""
    front = ancestor(root=6)
    shelf = Shelf({S0: stretch(0, 2, HIGH), S1: stretch(2, 2, HIGH)})

    page = consume(front, START, 9, shelf, LEFT)

    skip = Skip(LEFT, ROOT, Offset(4), Count(2), Origin.START, Source.ANCESTOR)
    assert page == Page((), at(1, 0), (skip,))


def test_an_ancestor_that_expired_whole_is_counted_from_the_cursor() -> None:
    """[RDG-22, RDG-32, S17, P5] Its counter says how much it held."""
    front = ancestor(DeleteSegment(S0), DeleteSegment(S1), root=4)

    page = consume(front, at(0, 1), 9, unasked, LEFT)

    skip = Skip(LEFT, ROOT, Offset(1), Count(3), Origin.CURSOR, Source.ANCESTOR)
    assert page == Page((), at(1, 0), (skip,))


def test_an_ancestor_with_an_open_head_is_counted_from_where_that_begins() -> None:
    """[RDG-22, RDG-40, S17] What no store shows any more of what was counted there."""
    listed = {S1: replace(closed(2, 0), state=State.ACTIVE, length=None)}
    front = reader(SPLIT, root=5)
    known = front.view.vnodes
    ((name, metadata),) = known.items()
    vnodes = known.set(name, replace(metadata, segments=Map(listed)))
    front = replace(front, view=replace(front.view, vnodes=vnodes))

    page = consume(front, START, 9, Shelf({}), LEFT)

    skip = Skip(LEFT, ROOT, Offset(2), Count(3), Origin.START, Source.ANCESTOR)
    assert page == Page((), at(1, 0), (skip,))


def test_an_ancestor_whose_end_was_never_learned_is_an_unknown_loss_above_0() -> None:
    """[RDG-23, RDG-24, RFR-35, S17] At 0 nothing shows that anything was ever there."""
    front = ancestor(DeleteSegment(S0), DeleteSegment(S1))
    waiting = replace(
        ancestor(DeleteSegment(S0), DeleteSegment(S1), root=0), unrecovered=frozenset({ROOT})
    )
    unknown = Skip(LEFT, ROOT, Offset(1), None, Origin.CURSOR, Source.ANCESTOR)

    assert consume(front, at(0, 1), 9, unasked, LEFT) == Page((), at(1, 0), (unknown,))
    assert consume(waiting, at(0, 1), 9, unasked, LEFT) == Page((), at(1, 0), (unknown,))
    assert consume(front, START, 9, unasked, LEFT) == Page((), at(1, 0))


def test_an_ancestor_that_lists_something_or_whose_end_is_known_is_no_unknown_loss() -> None:
    """[RDG-23, RDG-24, S17] Read to its end, it has lost nothing."""
    known = ancestor(DeleteSegment(S0), DeleteSegment(S1), root=4)

    assert consume(known, at(0, 4), 9, unasked, LEFT) == Page((), at(1, 0))
    assert consume(ancestor(), at(0, 4), 9, unasked, LEFT) == Page((), at(1, 0))
    assert consume(ancestor(root=4), at(0, 4), 9, unasked, LEFT) == Page((), at(1, 0))


def test_the_skips_of_a_page_come_oldest_first() -> None:
    """[RDG-20, RDG-25, S17] All of them from where the page was asked."""
    front = ancestor(
        DeleteSegment(S0), opened(L0, 0), sealed(L0, 2), opened(L1, 2), DeleteSegment(L0),
        root=9, left=3,
    )  # fmt: skip
    shelf = Shelf({S1: stretch(2, 2, LOW), L1: stretch(2, 1)})

    page = consume(front, START, 9, shelf, LEFT)

    assert [(skip.source_range_id, skip.from_offset, skip.offsets) for skip in page.skips] == [
        (ROOT, 0, 2),
        (ROOT, 4, 5),
        (LEFT, 0, 2),
    ]
    assert [skip.source for skip in page.skips] == [Source.ANCESTOR, Source.ANCESTOR, Source.SELF]
    assert {skip.origin for skip in page.skips} == {Origin.START}
    assert values_of(page.records) == ["2", "3", "2"]


def test_an_ancestor_shared_by_two_parents_is_read_once() -> None:
    """[RDG-12, RDG-39, RNG-12, S15, S16, D61] Then the parents, then the range itself."""
    front = reader(
        opened(S0), sealed(S0, 1), SPLIT, opened(L0), sealed(L0, 1), MergeRanges(LEFT, RIGHT),
        opened(segment_of(0, CHILD)), root=1, left=1, child=1,
    )  # fmt: skip
    shelf = Shelf(
        {
            S0: (record("a", HIGH, 0),),
            L0: (record("b", LOW, 0),),
            segment_of(0, CHILD): (record("c", HIGH, 0),),
        }
    )

    page = consume(front, START, 9, shelf, CHILD)

    assert values_of(page.records) == ["a", "b", "c"]
    assert page.cursor == at(3, 1)
