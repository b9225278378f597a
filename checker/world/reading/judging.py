"""The laws of `spec.laws` that this world is judged by, bound to its parts."""

from collections.abc import Callable, Iterator
from typing import cast

from checker.search.model import Law, Parts, Step, StepLaw
from checker.world.binding import bound, of_steps
from checker.world.reading.consuming import serving
from checker.world.reading.parts import Asked, Consumer, Past, past_of
from checker.world.reading.rules import Rules
from checker.world.reading.sight import (
    end_of,
    history_listed,
    history_pages,
    listed_of,
    passage_of,
    sources_of,
)
from checker.world.reshaping.parts import Logs
from checker.world.reshaping.sight import blocks_of, listing_of, seen_by
from reference.frontend import Frontend
from reference.vnodes import View
from spec.laws import producing, ranges, reading
from spec.premises import Judgement
from spec.truth import Acknowledged, Passage, Passed, Seen
from spec.vocabulary import Count, Cursor, HistoryPage, Offset, Record, State

OnPage = Callable[[Judgement, Frontend, Consumer, Asked, Passage | None], bool]
"""Shows a page that was asked for to a law."""
ONE = Count(1)


def laws(rules: Rules) -> tuple[Law, ...]:
    """What holds in every state."""
    reads = ("f1", "logs")
    return (
        bound(reading.a_read_answers_the_next_listed_record, reads, _on_reads(rules)),
        bound(reading.a_history_holds_what_is_listed, reads, _on_histories(rules)),
        bound(
            reading.paging_a_history_ends,
            reads,
            lambda law: (
                lambda front, logs: all(law(pages) for pages, _ in _histories(rules, front, logs))
            ),
        ),
        bound(
            reading.a_consumer_stands_within_the_log,
            ("f1", "control", "logs", "past", "c1"),
            _on_ends,
        ),
        bound(
            producing.no_offset_is_given_twice,
            ("past",),
            lambda law: (
                lambda past: all(
                    law(past_of(past, range_id)) for range_id in {each.range_id for each in past}
                )
            ),
        ),
        bound(ranges.the_active_ranges_tile_the_keyspace, ("control",), _on_blocks),
        bound(ranges.an_ancestor_is_listed_once_and_after_its_own, ("control",), _on_blocks),
    )


def step_laws() -> tuple[StepLaw, ...]:
    """What holds of every page."""
    return (
        *(
            _on_page(law, lambda law, _front, _consumer, _asked, passage: law(passage))
            for law in (
                reading.a_page_delivers_what_is_stored_between_its_cursors,
                reading.a_page_lists_what_it_passed_and_is_no_longer_stored,
                reading.a_skip_covers_nothing_that_is_stored,
                reading.a_skip_is_behind_the_cursor,
                reading.a_page_keeps_within_its_budget,
                reading.a_consumer_never_leaves_the_range_itself,
            )
        ),
        _on_page(
            reading.a_page_with_room_has_read_to_the_known_end,
            lambda law, front, consumer, _asked, passage: law(
                passage, seen_by(front, consumer.range_id)
            ),
        ),
        _on_answer(
            reading.a_page_asks_primaries_alone,
            lambda law, front, _consumer, asked, _: law(asked.reads, listing_of(front.view)),
        ),
        _on_answer(
            reading.a_failed_read_fails_the_page,
            lambda law, _front, _consumer, asked, _: law(asked.is_failed, asked.answer),
        ),
        _on_answer(
            reading.a_range_whose_end_is_unknown_serves_no_page,
            lambda law, front, consumer, asked, _: law(
                seen_by(front, consumer.range_id), asked.answer
            ),
        ),
        of_steps(reading.a_page_leaves_the_frontend_as_it_was, {"page"}, _on_frontend),
        of_steps(reading.a_group_resumes_where_it_committed, {"resume"}, _on_resuming),
        of_steps(producing.acknowledged_records_lie_below_the_edge, {"produce"}, _on_producing),
    )


def tempting_step_laws() -> tuple[StepLaw, ...]:
    """What looks as if it held of every page, and does not."""
    law = reading.a_page_lists_every_loss_that_it_passed
    return (_on_page(law, lambda law, _front, _consumer, _asked, passage: law(passage)),)


def _on_page(law: Judgement, show: OnPage) -> StepLaw:
    """A law of pages that are no errors."""

    def judge(law: Judgement, _step: Step, before: Parts, after: Parts) -> bool:
        shown = _showing(before, after)
        return shown[3] is None or show(law, *shown)

    return of_steps(law, {"page"}, judge)


def _on_answer(law: Judgement, show: OnPage) -> StepLaw:
    """A law of all answers."""
    return of_steps(
        law, {"page"}, lambda law, _, before, after: show(law, *_showing(before, after))
    )


Shown = tuple[Frontend, Consumer, Asked, Passage | None]


class _Showing:
    """Shows a page to all laws that judge it, one after the other, and looks at it once."""

    def __init__(self) -> None:
        self._last: tuple[Parts, Parts] | None = None
        self._shown: Shown | None = None

    def __call__(self, before: Parts, after: Parts) -> Shown:
        """The page that a step asked for."""
        last = self._last
        if last is None or self._shown is None or last[0] is not before or last[1] is not after:
            self._last, self._shown = (before, after), _shown(before, after)
        return self._shown


_showing = _Showing()


def _shown(before: Parts, after: Parts) -> Shown:
    front, consumer = cast("Frontend", before["f1"]), cast("Consumer", before["c1"])
    asked = cast("Consumer", after["c1"]).asked
    assert asked is not None, "a page step asks for a page"
    view, logs = cast("View", before["control"]), cast("Logs", before["logs"])
    past = cast("Past", before["past"])
    return front, consumer, asked, passage_of(front, consumer, asked, view, logs, past)


def _on_frontend(law: Judgement, _step: Step, before: Parts, after: Parts) -> bool:
    return law(_seen(before), _seen(after))


def _seen(parts: Parts) -> Seen:
    range_id = cast("Consumer", parts["c1"]).range_id
    return seen_by(cast("Frontend", parts["f1"]), range_id)


def _on_resuming(law: Judgement, _step: Step, before: Parts, after: Parts) -> bool:
    view, consumer = cast("View", before["control"]), cast("Consumer", after["c1"])
    block = dict(blocks_of(view)).get(consumer.range_id)
    is_retired = block is None or block.state is State.SEALED
    return law(None if is_retired else consumer.promised, consumer.cursor)


def _on_producing(law: Judgement, _step: Step, before: Parts, after: Parts) -> bool:
    held, now = cast("Past", before["past"]), cast("Past", after["past"])
    listing = listing_of(cast("View", after["control"]))
    return all(
        law(listing, Acknowledged(each, _at(records[-1]), _at(records[-1]), records[-1:]))
        for each, records in now.items()
        if records != held.get(each)
    )


def _at(record: Record) -> Offset:
    return Offset(record.offset or 0)


def _on_blocks(law: Judgement) -> Callable[..., bool]:
    return lambda view: law(blocks_of(view))


def _on_reads(rules: Rules) -> Callable[[Judgement], Callable[..., bool]]:
    def show(law: Judgement) -> Callable[..., bool]:
        def holds(front: Frontend, logs: Logs) -> bool:
            return all(
                law(
                    offset,
                    ONE,
                    rules.read(front, range_id, offset, ONE, serving(logs, [])),
                    listed,
                )
                for range_id, _ in blocks_of(front.view)
                if (listed := listed_of(front, logs, range_id, range_id)) is not None
                for offset in map(Offset, range(front.offsets.get(range_id, 0) + 1))
            )

        return holds

    return show


def _histories(
    rules: Rules, front: Frontend, logs: Logs
) -> Iterator[tuple[tuple[HistoryPage, ...], tuple[Passed, ...]]]:
    for range_id, _ in blocks_of(front.view):
        listed = history_listed(front, logs, range_id)
        if listed is not None:
            yield tuple(history_pages(rules, front, logs, range_id)), listed


def _on_histories(rules: Rules) -> Callable[[Judgement], Callable[..., bool]]:
    return lambda law: (
        lambda front, logs: all(
            law(pages, listed) for pages, listed in _histories(rules, front, logs)
        )
    )


def _on_ends(law: Judgement) -> Callable[..., bool]:
    def holds(front: Frontend, view: View, logs: Logs, past: Past, consumer: Consumer) -> bool:
        sources, cursor = sources_of(front, consumer.range_id), consumer.cursor
        if not isinstance(cursor, Cursor) or cursor.source >= len(sources):
            return True
        source = sources[cursor.source]
        is_listed = source in dict(blocks_of(view))
        return not is_listed or law(end_of(view, logs, past, source), cursor)

    return holds
