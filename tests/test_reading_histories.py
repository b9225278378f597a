"""Reading: the pages of a range's history."""

from dataclasses import replace

from reference.reading import read_history, stream_history
from spec.replies import (
    ReadReply,
    Records,
)
from spec.vocabulary import (
    DONE,
    START,
    Count,
    HistoryPage,
)
from tests.oracles.readers import HIGH, L0, THREE, at, consume, history, reader, three
from tests.oracles.values import (
    LEFT,
    ROOT,
    S0,
    SPLIT,
    Shelf,
    opened,
    record,
    sealed,
    stretch,
    unasked,
    values_of,
)


def test_a_history_makes_one_read_that_finds_something_a_page() -> None:
    """[RDG-9, RDG-11, RDG-26, S33, S34, P8] And ends by itself."""
    pages = history(reader(*three(), root=6), ROOT, 9, THREE)

    assert pages == [
        HistoryPage(stretch(0, 2), at(0, 2)),
        HistoryPage(stretch(2, 2), at(0, 4)),
        HistoryPage(stretch(4, 2), at(0, 6)),
        HistoryPage((), DONE),
    ]


def test_a_history_page_outside_the_slice_is_empty_and_moves_on() -> None:
    """[RDG-13, RDG-26, RDG-27, S34, P8] Its cursor stands behind what was read."""
    front = reader(opened(S0), sealed(S0, 3), SPLIT, opened(L0), root=3, left=1)
    shelf = Shelf({S0: stretch(0, 3, HIGH), L0: (record("own", HIGH, 0),)})

    pages = history(front, LEFT, 2, shelf)

    assert [(values_of(page.records), page.cursor) for page in pages] == [
        ([], at(0, 2)),
        ([], at(0, 3)),
        (["own"], at(1, 1)),
        ([], DONE),
    ]


def test_a_history_goes_to_the_next_source_where_a_read_finds_nothing() -> None:
    """[RDG-26, RDG-27, S34, P8, D59] Be it an end, or an answer without a record."""
    front = reader(opened(S0), sealed(S0, 3), SPLIT, opened(L0), root=3, left=1)

    def empty(*_asked: object) -> ReadReply:
        return Records(())

    assert history(front, LEFT, 9, empty) == [HistoryPage((), DONE)]
    assert consume(front, START, 9, empty, LEFT).cursor == at(1, 0)


def test_a_history_that_is_done_stays_done_before_any_other_check() -> None:
    """[RDG-28, S34, P8] Whatever became of the range, and of the budget."""
    gone = stream_history(reader(), LEFT, DONE, Count(0), unasked)

    assert gone == HistoryPage((), DONE)


def test_a_whole_history_is_read_into_one_list() -> None:
    """[RDG-29, S34, P8] By pages of 1000 records."""
    front = reader(opened(S0), root=2500)
    shelf = Shelf({S0: stretch(0, 2500)})

    whole = read_history(front, ROOT, shelf)

    assert whole == Records(stretch(0, 2500))
    assert [asked[3] for asked in shelf.asked] == [1000] * 3


def test_a_history_below_an_unrecovered_counter_is_not_refused() -> None:
    """[RDG-16, S18] The refusal is the consumer's; a history is asked by an operator."""
    front = replace(reader(opened(S0), root=0), unrecovered=frozenset({ROOT}))

    assert read_history(front, ROOT, unasked) == Records(())
