"""Reading: pages are exact for all offsets, lengths and budgets, and each defect is refuted."""

import random
from collections.abc import Mapping

import pytest

from checker.prove.drawing import Given
from checker.prove.measuring import Run
from checker.prove.named import has_rules, rules_of
from checker.prove.pages import consuming, one_read, streaming, waiting
from checker.prove.proving import Stage, again
from checker.prove.readers import FAILING, UNTROUBLED
from checker.prove.shelves import Shelf, Source, Store, Stretch
from checker.prove.tasks import told
from checker.world.reading.rules import Rules
from checker.world.sharing.parts import BROKERS, RANGE, segment_of
from reference import reading as reading_machine
from reference import store
from reference.frontend import Frontend
from spec.laws import reading
from spec.replies import Eof, ReadFun, ReadReply, Records
from spec.truth import Passage, Passed
from spec.vocabulary import (
    DONE,
    START,
    ByteSize,
    Count,
    Cursor,
    HistoryPage,
    Offset,
    Origin,
    Page,
    RangeId,
    Record,
    Segment,
    Skip,
    State,
)
from spec.vocabulary import (
    Source as SourceOf,
)
from tests.refuting import refuted


def page_rules(defect: str) -> Rules:
    """The rules of a defect of reading."""
    rules = rules_of(defect)
    assert isinstance(rules, Rules)
    return rules


ONE = {"r0 has segments": 1, "r0 is open": 0, "r0.s0 is": 0}
HOLE = {"r0 has segments": 2, "r0 is open": 0, "r0.s0 is": 1, "r0.s1 is": 0}
BETWEEN = HOLE | {"r0 has segments": 3, "r0.s0 is": 0, "r0.s1 is": 1, "r0.s2 is": 0}
TWO = {"r0 has segments": 2, "r0 is open": 0, "r0.s0 is": 0, "r0.s1 is": 0}
REFUTED: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "D30": ("a_range_whose_end_is_unknown_serves_no_page", ONE),
    "D52": ("a_page_with_room_has_read_to_the_known_end", HOLE),
    "D53": ("a_page_delivers_what_is_stored_between_its_cursors", HOLE),
    "D54": ("a_read_steps_over_no_stored_record", TWO),
    "D55": ("a_page_delivers_what_is_stored_between_its_cursors", ONE),
    "D57": ("a_failed_read_fails_the_page", ONE),
    "D58": ("a_consumer_never_leaves_the_range_itself", ONE),
    "D59": ("a_page_of_a_history_is_further_on", ONE),
    "D66": ("a_skip_is_behind_the_cursor", BETWEEN),
    "D67": ("a_page_asks_primaries_alone", ONE),
    "D68": ("a_history_holds_what_is_listed", ONE),
    "D73": ("a_page_lists_what_it_passed_and_is_no_longer_stored", HOLE),
    "D74": ("a_page_keeps_within_its_budget", TWO),
    "D79": ("a_skip_counts_each_offset_that_is_gone_once", HOLE),
}
"""For each defect of pages the law that it breaks, and shapes in which it does."""


def stage_for(defect: str) -> Stage:
    """The obligation in which a defect shows."""
    rules = page_rules(defect)
    if defect == "D30":
        return waiting(rules)
    if defect == "D54":
        return one_read(rules, 2)
    if defect in {"D59", "D68"}:
        return streaming(rules, is_child=True)
    return consuming(rules, 3, FAILING if defect == "D57" else UNTROUBLED)


@pytest.mark.parametrize("defect", sorted(REFUTED))
def test_a_defect_of_pages_is_refuted_on_plain_integers(defect: str) -> None:
    """The page that is shown is really what the changed rule answers."""
    stage, (law, picks) = stage_for(defect), REFUTED[defect]

    found = refuted(stage, law, picks)

    taken = again(stage, found, law)
    assert taken.label in {"a page", "a read", "a page of a history"}
    said = told(stage, found, law)
    assert any(str(line).startswith("r0: ") for line in said["before"])  # type: ignore[attr-defined] # lines
    assert any("answer" in str(line) for line in said["changes"])  # type: ignore[attr-defined] # lines


def asking_too_far(
    front: Frontend, range_id: RangeId, offset: Offset, most: Count, stores: ReadFun
) -> ReadReply:
    """[RDG-3] A change of `read`: from a billion on it begins one further."""
    further = Offset(offset + 1) if offset >= 1_000_000_000 else offset
    return reading_machine.read(front, range_id, further, most, stores)


def test_a_read_that_is_wrong_from_a_billion_on_is_refuted() -> None:
    stage = one_read(Rules(read=asking_too_far), 1)
    law = "a_read_steps_over_no_stored_record"

    found = refuted(stage, law, ONE)

    assert found.values["at"] >= 1_000_000_000
    assert again(stage, found, law).label == "a read"


def test_a_defect_of_pages_can_be_named_and_one_of_commits_cannot() -> None:
    assert all(map(has_rules, REFUTED))
    assert not has_rules("D69")


def shelf_of(start: int, length: int, beyond: int) -> Shelf:
    """A sealed segment that holds so many records, and more above its edge."""
    segment = Segment(
        RANGE, BROKERS, Offset(start), State.SEALED, Count(length), ByteSize(0), None, None
    )
    stretch = Stretch(start, length, is_in_slice=True)
    return Shelf(segment_of(0), segment, is_listed=True, stretches=(stretch,), beyond=beyond)


def offsets_of(answer: object) -> list[int]:
    """The offsets that an answer stands for."""
    found: list[int] = []
    for each in answer.records if isinstance(answer, Records) else ():
        first = each.offset or 0
        found += range(first, first + (each.count if isinstance(each, Run) else 1))
    return found


def test_a_store_of_stretches_answers_as_the_one_that_holds_records() -> None:
    """[RDG-35] On 2,000 logs and questions drawn by chance."""
    source = random.Random(1)
    for _ in range(2_000):
        start, length, beyond = source.randrange(4), source.randrange(5), source.randrange(3)
        shelf = shelf_of(start, length, beyond)
        records = tuple(Record(None, b"v") for _ in range(length + beyond))
        log = store.append_past_latch(store.Log(Offset(start)), records)
        at, most = Offset(source.randrange(10)), Count(source.randrange(1, 6))
        shelves = Store(Given({}, {}), (Source(RANGE, (shelf,)),))

        answer = shelves.read(BROKERS[0], segment_of(0), at, most)

        plain = store.read(log, at, most)
        assert isinstance(answer, Eof) is isinstance(plain, Eof)
        assert offsets_of(answer) == offsets_of(plain)


def page_with(*skips: tuple[int, int]) -> Passage:
    """A page that lists skips: each from an offset, so many."""
    found = tuple(
        Skip(RANGE, RANGE, Offset(first), Count(count), Origin.CURSOR, SourceOf.SELF)
        for first, count in skips
    )
    return Passage((RANGE,), START, Count(1), Page((), Cursor(0, Offset(9)), found), ())


def test_an_offset_that_is_gone_lies_in_one_skip() -> None:
    law = reading.a_skip_counts_each_offset_that_is_gone_once

    assert law(page_with((2, 3)), 0, Offset(4), True)
    assert not law(page_with((2, 3)), 0, Offset(5), True)
    assert not law(page_with((2, 3), (4, 1)), 0, Offset(4), True)
    assert not law(page_with((2, 3)), 0, Offset(4), False)


def test_a_page_in_order_goes_up_and_gives_nothing_twice() -> None:
    law = reading.a_page_stands_in_order

    assert law([(0, 0, 3), (0, 3, 1), (1, 0, 2)])
    assert not law([(0, 0, 3), (0, 2, 1)])
    assert not law([(1, 0, 2), (0, 5, 1)])


def test_a_page_of_a_history_that_stays_is_caught() -> None:
    law = reading.a_page_of_a_history_is_further_on
    at = Cursor(0, Offset(4))

    assert law(at, HistoryPage((), Cursor(1, Offset(0))))
    assert law(at, HistoryPage((), DONE))
    assert not law(at, HistoryPage((), at))
    assert not law(DONE, HistoryPage((), at))


def test_a_read_that_steps_over_a_record_is_caught() -> None:
    law = reading.a_read_steps_over_no_stored_record
    record = Record(None, b"v", offset=Offset(3))
    stored = Passed(0, record, is_stored=True, is_in_slice=True, is_known=True)

    assert law(Offset(1), Offset(4), [record], stored)
    assert law(Offset(-1), None, [], stored)
    assert not law(Offset(1), Offset(5), [], stored)
    assert not law(Offset(1), Offset(5), [record, record], stored)
    assert not law(Offset(1), None, [], stored)


def test_a_budget_below_one_is_refused() -> None:
    assert not reading.an_empty_budget_is_refused(Count(0), Page((), START))
    assert reading.an_empty_budget_is_refused(Count(1), Page((), START))
