"""Reading: every page is exact, whatever the offsets, lengths and budgets are.

A page is read from any cursor with any budget.
What a law says of each record of a page, it is asked of one arbitrary place of the stream: the
page and what it passed are shown to it as if there were no other place.

`read`            one read, of a range of up to two segments.
`read_consume`    a page of a range without ancestors that has up to two segments.
`read_consume comes short`
                  the same of one segment, where a read answers less than it could.
`stream_history`  a page of a range with one open segment, whose ancestor has one or none.
`read_consume unrecovered`
                  a page of a range that waits for a recovery.
`read_history`    the whole history of such a range, of up to 1500 records in each segment.

Pages of any length, from an ancestor on, are proved turn by turn: see `turns`.

Where only one segment is asked for, ranges have no ancestors.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from checker.prove.claims import Claim, claim
from checker.prove.drawing import Draw
from checker.prove.projecting import Asked, at, records_at
from checker.prove.proving import Stage, Taken
from checker.prove.readers import (
    FAILING,
    SHORT,
    UNTROUBLED,
    Scene,
    Trouble,
    answered,
    drawn_cursor,
    drawn_scene,
    seen_by,
)
from checker.prove.shelves import Place, any_place
from checker.world.reading.rules import REFERENCE, Rules
from checker.world.sharing import rules as sharing
from checker.world.sharing.parts import RANGE, TOPIC
from reference import reading as machine
from reference.vnodes import metadata_of
from spec.laws import reading
from spec.premises import Judgement
from spec.replies import Eof, Records
from spec.vocabulary import (
    DONE,
    START,
    Count,
    HistoryCursor,
    HistoryPage,
    Offset,
    Page,
    Record,
)

if TYPE_CHECKING:
    from spec.truth import Passed

MOST_OF_A_HISTORY = 1500
"""So many records lie in each segment of a history that is read whole, at most."""
PAGES = ("read", "read_consume", "stream_history")
"""The rules that these obligations are about."""
MOST_OF_A_PAGE = 2
"""So many segments a range without ancestors has at most."""


def paging(rules: sharing.Rules, segments: int) -> Mapping[str, Stage]:
    """The obligations of reading, by name."""
    chosen = rules if isinstance(rules, Rules) else REFERENCE
    most, is_child = min(segments, MOST_OF_A_PAGE), segments > 1
    return {
        "read": one_read(chosen, most),
        "read_consume": consuming(chosen, most, FAILING),
        "read_consume comes short": consuming(chosen, 1, SHORT),
        "read_consume unrecovered": waiting(chosen),
        "stream_history": streaming(chosen, is_child=is_child),
        "read_history": gathering(is_child=is_child),
    }


def one_read(rules: Rules, segments: int) -> Stage:
    """One read at any offset, with any budget."""

    def stage(draw: Draw) -> Iterable[Taken]:
        scene = drawn_scene(draw, segments, UNTROUBLED, is_child=False)
        offset, budget = Offset(draw.integer("at")), Count(draw.integer("budget"))
        reply = rules.read(scene.front, RANGE, offset, budget, scene.store.read)
        before = scene.shown(asked=lambda: f"{budget} records from {offset}")
        claims = [claim(reading.an_empty_budget_is_refused, budget, reply)]
        if isinstance(reply, Records | Eof):
            records = reply.records if isinstance(reply, Records) else ()
            claims += [_of_a_read(draw, scene, offset, records), *reads_claims(scene)]
        yield Taken("a read", before, before | answered(reply), tuple(claims))

    return stage


def _of_a_read(draw: Draw, scene: Scene, offset: Offset, records: tuple[Record, ...]) -> Claim:
    behind = Offset((records[-1].offset or 0) + 1) if records else None
    place = any_place(draw, scene.sources)
    came = tuple(records_at(records, place))
    each = scene.asked(START, Count(1), Page((), START)).passed(place)
    return claim(reading.a_read_steps_over_no_stored_record, offset, behind, came, each)


def consuming(rules: Rules, segments: int, troubles: Sequence[Trouble]) -> Stage:
    """A page from any cursor, with any budget."""

    def stage(draw: Draw) -> Iterable[Taken]:
        scene = drawn_scene(draw, segments, troubles, is_child=False)
        cursor = drawn_cursor(draw, len(scene.sources), may_start=segments == 1)
        budget = Count(draw.integer("budget"))
        front = scene.front
        answer = rules.read_consume(front, scene.range_id, cursor, budget, scene.store.read)
        before = scene.shown(asked=lambda: f"{budget} records from {at(cursor)}")
        claims = [
            claim(reading.an_empty_budget_is_refused, budget, answer),
            claim(reading.a_failed_read_fails_the_page, scene.store.is_failed, answer),
            *reads_claims(scene),
        ]
        if isinstance(answer, Page):
            claims += _of_a_page(draw, scene, scene.asked(cursor, budget, answer))
        yield Taken("a page", before, before | answered(answer), tuple(claims))

    return stage


def waiting(rules: Rules) -> Stage:
    """A page of a range whose end was never learned."""

    def stage(draw: Draw) -> Iterable[Taken]:
        scene = drawn_scene(draw, 1, UNTROUBLED, is_child=False)
        front = replace(scene.front, unrecovered=frozenset({scene.range_id}))
        cursor, budget = drawn_cursor(draw, 1), Count(draw.integer("budget"))
        answer = rules.read_consume(front, scene.range_id, cursor, budget, scene.store.read)
        before = scene.shown(
            asked=lambda: f"{budget} records from {at(cursor)}",
            recovery=lambda: "is waited for",
        )
        claims = (
            claim(reading.an_empty_budget_is_refused, budget, answer),
            claim(
                reading.a_range_whose_end_is_unknown_serves_no_page,
                seen_by(front, scene.range_id),
                answer,
            ),
        )
        yield Taken("a page", before, before | answered(answer), claims)

    return stage


def _of_a_page(draw: Draw, scene: Scene, asked: Asked) -> Iterator[Claim]:
    yield from whole_claims(asked)
    yield claim(reading.a_page_stands_in_order, asked.stretches())
    if scene.is_level:
        seen = seen_by(scene.front, scene.range_id)
        yield claim(reading.a_page_with_room_has_read_to_the_known_end, asked.whole(), seen)
    yield from place_claims(asked, any_place(draw, scene.sources))


def whole_claims(asked: Asked) -> Iterator[Claim]:
    """What holds of a page, whatever it holds at single places."""
    whole = asked.whole()
    yield claim(reading.a_skip_is_behind_the_cursor, whole)
    yield claim(reading.a_skip_of_unknown_length_ends_its_source, whole)
    yield claim(reading.a_page_keeps_within_its_budget, whole)
    yield claim(reading.a_page_never_goes_back, whole)
    yield claim(reading.a_consumer_never_leaves_the_range_itself, whole)


def place_claims(asked: Asked, place: Place) -> Iterator[Claim]:
    """What holds of a page at one place of the stream."""
    passage = asked.near(place)
    for law in (
        reading.a_page_delivers_what_is_stored_between_its_cursors,
        reading.a_page_lists_what_it_passed_and_is_no_longer_stored,
        reading.a_skip_covers_nothing_that_is_stored,
    ):
        yield claim(law, passage)
    counts = reading.a_skip_counts_each_offset_that_is_gone_once
    yield claim(counts, passage, place.source, place.offset, asked.is_gone(place))


def reads_claims(scene: Scene) -> Iterator[Claim]:
    """What holds of the stores that were asked."""
    listing = tuple(sorted(metadata_of(scene.front.view, TOPIC).segments.items()))
    yield claim(reading.a_page_asks_primaries_alone, tuple(scene.store.asked), listing)


def streaming(rules: Rules, *, is_child: bool) -> Stage:
    """A page of a history, from any cursor and with any budget."""

    def stage(draw: Draw) -> Iterable[Taken]:
        scene = drawn_scene(draw, 1, UNTROUBLED, is_child=is_child)
        cursor: HistoryCursor = DONE
        if not draw.pick("is done", (False, True)):
            cursor = drawn_cursor(draw, len(scene.sources))
        budget = Count(draw.integer("budget"))
        answer = rules.stream_history(scene.front, scene.range_id, cursor, budget, scene.store.read)
        before = scene.shown(asked=lambda: f"{budget} records from {cursor}")
        claims: list[Claim] = []
        if isinstance(answer, HistoryPage):
            claims = [
                claim(reading.a_page_of_a_history_is_further_on, cursor, answer),
                _of_a_history(draw, scene, cursor, answer),
                *reads_claims(scene),
            ]
        yield Taken("a page of a history", before, before | answered(answer), tuple(claims))

    return stage


def gathering(*, is_child: bool) -> Stage:
    """A whole history."""

    def stage(draw: Draw) -> Iterable[Taken]:
        scene = drawn_scene(draw, 1, UNTROUBLED, is_child=is_child)
        for source in scene.sources:
            draw.assume(lambda source=source: source.end <= MOST_OF_A_HISTORY)  # type: ignore[misc] # mypy takes the default for no source
        answer = machine.read_history(scene.front, scene.range_id, scene.store.read)
        before = scene.shown()
        claims: list[Claim] = []
        if isinstance(answer, Records):
            page = HistoryPage(answer.records, DONE)
            claims = [_of_a_history(draw, scene, START, page), *reads_claims(scene)]
        yield Taken("a history", before, before | answered(answer), tuple(claims))

    return stage


def _of_a_history(draw: Draw, scene: Scene, cursor: HistoryCursor, page: HistoryPage) -> Claim:
    place = any_place(draw, scene.sources)
    came = HistoryPage(tuple(records_at(page.records, place)), page.cursor)
    begun, ended = at(cursor, scene.sources), at(page.cursor, scene.sources)
    stretch: tuple[Passed, ...] = ()
    if place.is_a_record and begun <= (place.source, place.offset) < ended:
        each = scene.asked(START, Count(1), Page((), START)).passed(place)
        stretch = (replace(each, is_stored=each.is_stored and each.is_known),)
    return claim(reading.a_history_holds_what_is_listed, (came,), stretch)


LAWS: tuple[Judgement, ...] = (
    reading.a_consumer_never_leaves_the_range_itself,
    reading.a_failed_read_fails_the_page,
    reading.a_history_holds_what_is_listed,
    reading.a_page_asks_primaries_alone,
    reading.a_page_delivers_what_is_stored_between_its_cursors,
    reading.a_page_keeps_within_its_budget,
    reading.a_page_lists_what_it_passed_and_is_no_longer_stored,
    reading.a_page_never_goes_back,
    reading.a_page_of_a_history_is_further_on,
    reading.a_page_stands_in_order,
    reading.a_page_with_room_has_read_to_the_known_end,
    reading.a_range_whose_end_is_unknown_serves_no_page,
    reading.a_read_steps_over_no_stored_record,
    reading.a_skip_counts_each_offset_that_is_gone_once,
    reading.a_skip_covers_nothing_that_is_stored,
    reading.a_skip_is_behind_the_cursor,
    reading.a_skip_of_unknown_length_ends_its_source,
    reading.a_turn_adds_only_of_its_source,
    reading.a_turn_stays_in_its_source_or_begins_the_next,
    reading.an_empty_budget_is_refused,
)
"""All that is asked of what was read."""
LAW_NAMES = frozenset(law.__name__ for law in LAWS)
