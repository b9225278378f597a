"""What the world must reach, so that no law holds idly, and what it comes to in the end."""

from collections.abc import Iterator
from dataclasses import replace

from checker.search.model import Goal, Limit, Model, ProgressGoal
from checker.world.reading.bounds import Bounds
from checker.world.reading.parts import Consumer, Left, Past, Troubles, past_of
from checker.world.reading.sight import sources_of, stream_of
from checker.world.reshaping.parts import Logs
from checker.world.reshaping.sight import blocks_of, listing_in
from reference.frontend import Frontend
from reference.vnodes import View
from spec.replies import Refusal
from spec.vocabulary import Cursor, Page, State

FAIR = frozenset({"refresh", "page", "take"})
"""What is not put off for ever: a refresh, a page that can be asked for, a page that came."""


def goals(bounds: Bounds) -> tuple[Goal, ...]:
    """The goals of a world, less those that its bounds leave out."""
    return (*_of_the_topic(bounds), *_of_troubles(bounds))


def _of_the_topic(bounds: Bounds) -> Iterator[Goal]:
    future, one, has_room = bounds.future, ("c1",), max(bounds.budgets) > 1
    if has_room:
        yield Goal("a_page_holds_two_records", one, holds_two)
    if future.expiries:
        yield Goal("a_page_lists_a_skip", one, lists_a_skip)
    if future.expiries > 1 and has_room:
        yield Goal("a_page_lists_two_skips", one, lists_two_skips)
    if future.expiries and future.shapes:
        yield Goal("a_range_has_expired_whole", ("control", "past"), has_expired)
    if has_room and future.shapes and len(future.keys) > len({*future.keys}):
        yield Goal("a_page_reads_across_two_ranges", one, reads_across)
    if any(len(parents) > 1 for parents in future.shapes):
        yield Goal("a_merged_range_is_read", ("f1", "c1"), is_merged)
    if future.spares:
        yield Goal("an_empty_segment_is_sealed", ("control",), has_an_empty_segment)


def _of_troubles(bounds: Bounds) -> Iterator[Goal]:
    troubles, one = bounds.troubles, ("c1",)
    if troubles.failures:
        yield Goal("a_page_fails", one, fails)
    if troubles.mutes:
        yield Goal("a_range_is_unrecovered", ("f1",), lambda front: bool(front.unrecovered))
    if troubles.crashes:
        yield Goal("a_commit_is_kept", one, lambda each: isinstance(each.promised, Cursor))


def limits(bounds: Bounds) -> Iterator[Limit]:
    """Where the bounds are felt: the states in which the world would go on but for them."""
    words = {
        "records": "keys",
        "unsent batches": "spares",
        "rolls": "rolls",
        "reshapes": "shapes",
        "reshapes by the reader": "own",
        "expiries": "expiries",
        "short batches": "shortages",
        "failovers": "failovers",
        "restarts of the writer": "deaths",
        "remakes of the topic": "remakes",
    }
    for bound, name in words.items():
        if getattr(bounds.future, name):
            yield Limit(bound, ("left",), _Nothing(name))
    words = {
        "failed reads": "failures",
        "restarts of the reader": "restarts",
        "mute recoveries": "mutes",
        "commits": "commits",
        "restarts of the consumer": "crashes",
    }
    for bound, name in words.items():
        if getattr(bounds.troubles, name):
            yield Limit(bound, ("troubles",), _Nothing(name))


def with_progress(model: Model) -> Model:
    """Answer a world that is also judged on what it comes to in the end."""
    parts = ("f1", "control", "logs", "past", "c1")
    possible = ProgressGoal(
        "a_consumer_can_still_reach_the_end",
        "RDG-32",
        "Whatever expired or failed, some way leads the consumer to the end of its range.",
        "possible",
        parts,
        is_at_the_end,
    )
    inevitable = replace(
        possible,
        name="a_consumer_reaches_the_end_at_last",
        sentence="No hole, empty segment or expired ancestor keeps it from there for ever.",
        kind="inevitable",
    )
    return replace(model, progress=(possible, inevitable), fair=FAIR)


def is_at_the_end(front: Frontend, view: View, logs: Logs, past: Past, consumer: Consumer) -> bool:
    """[RDG-32] The consumer stands on its range itself, and nothing is stored ahead of it."""
    cursor, sources = consumer.cursor, sources_of(front, consumer.range_id)
    if not isinstance(cursor, Cursor) or cursor.source < len(sources) - 1:
        return False
    stream = stream_of(front, view, logs, past, consumer.range_id)
    return not any(each.is_stored and (each.source, each.offset) >= cursor for each in stream)


def holds_two(consumer: Consumer) -> bool:
    """[RDG-17] A page goes on until its budget is met."""
    page = _page(consumer)
    return page is not None and len(page.records) > 1


def lists_a_skip(consumer: Consumer) -> bool:
    """[RDG-20] A page passed what has expired."""
    page = _page(consumer)
    return page is not None and bool(page.skips)


def lists_two_skips(consumer: Consumer) -> bool:
    """[RDG-20] A page passed two holes, with something between them or in two ranges."""
    page = _page(consumer)
    return page is not None and len(page.skips) > 1


def reads_across(consumer: Consumer) -> bool:
    """[RDG-12] A page begins in an ancestor and ends, with records, in the range itself."""
    page = _page(consumer)
    if page is None or len(page.records) < 2 or not isinstance(page.cursor, Cursor):  # noqa: PLR2004 - one of each
        return False
    started = consumer.cursor.source if isinstance(consumer.cursor, Cursor) else 0
    return page.cursor.source > started and page.cursor.offset > 0


def is_merged(front: Frontend, consumer: Consumer) -> bool:
    """[RDG-12] A range with two parents serves a page with records."""
    page, block = _page(consumer), dict(blocks_of(front.view)).get(consumer.range_id)
    return block is not None and len(block.parents) > 1 and page is not None and bool(page.records)


def fails(consumer: Consumer) -> bool:
    """[RDG-8] A store answered an error."""
    return consumer.asked is not None and isinstance(consumer.asked.answer, Refusal)


def has_expired(view: View, past: Past) -> bool:
    """[RDG-22] A retired range held records and lists nothing any more."""
    return any(
        block.state is State.SEALED and past_of(past, each) and not listing_in(view, each)
        for each, block in blocks_of(view)
    )


def has_an_empty_segment(view: View) -> bool:
    """[RDG-5] A segment was sealed before anything landed in it."""
    return any(
        segment.length == 0 for each, _ in blocks_of(view) for _, segment in listing_in(view, each)
    )


def _page(consumer: Consumer) -> Page | None:
    answer = None if consumer.asked is None else consumer.asked.answer
    return answer if isinstance(answer, Page) else None


class _Nothing:
    """Nothing of a kind is left to happen."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, left: Left | Troubles) -> bool:
        """Whether the world has used it up."""
        return not getattr(left, self.name)
