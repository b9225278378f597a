"""Reading: every page is exact, whatever the offsets, lengths and budgets are.

A reader's frontend has recovered: it lists what the control plane lists, and its counter of a
range that lists segments is at their end or above. A page is read from any cursor with any budget.
What a law says of each record of a page, it is asked of one arbitrary place of the stream: the
page and what it passed are shown to it as if there were no other place.

`read`            one read, of a range of up to two segments.
`read_consume`    a page of a range without ancestors that has up to two segments.
`read_consume comes short`
                  the same of one segment, where a read answers less than it could.
`stream_history`  a page of a range with one open segment, whose ancestor has one or none.
`read_history`    the whole history of such a range, of up to 1500 records in each segment.

A consumer's page that crosses from an ancestor is left to the search: it has more paths than a
proof that people wait for can follow.

Where only one segment is asked for, ranges have no ancestors.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from immutables import Map

from checker.prove.claims import Claim, claim
from checker.prove.drawing import Draw
from checker.prove.measuring import Run
from checker.prove.projecting import Asked, at, records_at
from checker.prove.proving import Stage, Taken
from checker.prove.shelves import INSIDE, Shelf, Source, Store, any_place, drawn_head, drawn_source
from checker.world.binding import Judgement
from checker.world.reading.rules import REFERENCE, Rules
from checker.world.sharing import rules as sharing
from checker.world.sharing.parts import BROKERS, RANGE, TOPIC
from checker.world.sharing.roll import first_view
from reference import reading as machine
from reference import vnodes
from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.frontend import open as open_frontend
from reference.vnodes import DEFAULT_VNODE, View, metadata_of
from spec import vocabulary
from spec.commands import SplitRange
from spec.laws import reading
from spec.replies import Eof, Records, Refusal
from spec.truth import Passed, Seen
from spec.vocabulary import (
    DONE,
    START,
    ConsumeCursor,
    Count,
    Cursor,
    HistoryCursor,
    HistoryPage,
    Offset,
    Page,
    Position,
    RangeId,
    Record,
)

CHILD = RangeId(TOPIC, vocabulary.Sequence(1))
"""The range whose ancestor is the first one."""
MOST_OF_A_HISTORY = 1500
"""So many records lie in each segment of a history that is read whole, at most."""
Trouble = tuple[str, int] | None
UNTROUBLED: tuple[Trouble, ...] = (None,)
FAILING: tuple[Trouble, ...] = (None, ("fails", 1), ("fails", 2))
SHORT: tuple[Trouble, ...] = (("short", 1), ("short", 2))
"""What befalls which read of a page."""
PAGES = ("read", "read_consume", "stream_history")
"""The rules that these obligations are about."""
MOST_OF_A_PAGE = 2
"""So many segments a range without ancestors has at most."""
SPLIT = vnodes.command(first_view(), SplitRange(RANGE), sharing.NOW)[0]


@dataclass(frozen=True, slots=True)
class Told:
    """What is shown of a part only in words, which are put together where somebody reads them."""

    words: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Scene:
    """A frontend, and what there is to read through it."""

    range_id: RangeId
    sources: tuple[Source, ...]
    front: Frontend
    store: Store
    is_level: bool
    """Whether the counter is not above what an open segment holds."""

    def asked(self, cursor: ConsumeCursor, budget: Count, page: Page) -> Asked:
        """A page that was read here."""
        return Asked(self.front, self.sources, cursor, budget, page)

    def shown(self, **others: Callable[[], str]) -> dict[str, Told]:
        """The scene in words."""
        told = {f"r{each.range_id.seq}": _told_source(each) for each in self.sources}
        told["counters"] = lambda: ", ".join(
            f"r{each.seq} {counter}" for each, counter in sorted(self.front.offsets.items())
        )
        trouble = self.store.trouble
        told["trouble"] = lambda: f"read {trouble[1]} {trouble[0]}" if trouble else "none"
        return {name: Told(words) for name, words in (told | others).items()}


def paging(rules: sharing.Rules, segments: int) -> Mapping[str, Stage]:
    """The obligations of reading, by name."""
    chosen = rules if isinstance(rules, Rules) else REFERENCE
    most, is_child = min(segments, MOST_OF_A_PAGE), segments > 1
    return {
        "read": one_read(chosen, most),
        "read_consume": consuming(chosen, most, FAILING),
        "read_consume comes short": consuming(chosen, 1, SHORT),
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
            claims += [_of_a_read(draw, scene, offset, records), *_reads(scene)]
        yield Taken("a read", before, before | _answered(reply), tuple(claims))

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
            *_reads(scene),
        ]
        if isinstance(answer, Page):
            claims += _of_a_page(draw, scene, scene.asked(cursor, budget, answer))
        yield Taken("a page", before, before | _answered(answer), tuple(claims))

    return stage


def _of_a_page(draw: Draw, scene: Scene, asked: Asked) -> Iterator[Claim]:
    whole = asked.whole()
    yield claim(reading.a_skip_is_behind_the_cursor, whole)
    yield claim(reading.a_page_keeps_within_its_budget, whole)
    yield claim(reading.a_page_stands_in_order, asked.stretches())
    yield claim(reading.a_consumer_never_leaves_the_range_itself, whole)
    if scene.is_level:
        seen = seen_by(scene.front, scene.range_id)
        yield claim(reading.a_page_with_room_has_read_to_the_known_end, whole, seen)
    place = any_place(draw, scene.sources)
    passage = asked.near(place)
    for law in (
        reading.a_page_delivers_what_is_stored_between_its_cursors,
        reading.a_page_lists_what_it_passed_and_is_no_longer_stored,
        reading.a_skip_covers_nothing_that_is_stored,
    ):
        yield claim(law, passage)
    counts = reading.a_skip_counts_each_offset_that_is_gone_once
    yield claim(counts, passage, place.source, place.offset, asked.is_gone(place))


def _reads(scene: Scene) -> Iterator[Claim]:
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
                *_reads(scene),
            ]
        yield Taken("a page of a history", before, before | _answered(answer), tuple(claims))

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
            claims = [_of_a_history(draw, scene, START, page), *_reads(scene)]
        yield Taken("a history", before, before | _answered(answer), tuple(claims))

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


def drawn_scene(draw: Draw, segments: int, troubles: Sequence[Trouble], *, is_child: bool) -> Scene:
    """A range to read, without ancestors or with one."""
    range_id = CHILD if is_child else RANGE
    sources: tuple[Source, ...] = (drawn_source(draw, RANGE, segments, is_ancestor=is_child),)
    if is_child:
        sources = (*sources, drawn_head(draw, CHILD))
    view = _listing(sources, SPLIT if is_child else first_view())
    front = open_frontend(brokers=BROKERS, replication_factor=len(BROKERS), view=view)
    front = replace(front, options=replace(front.options, position_fun=position_of))
    counters: dict[RangeId, Offset] = {}
    is_level = True
    for source in sources:
        counter, is_at_end = _drawn_counter(draw, source)
        is_level = is_level and is_at_end
        if counter is not None:
            counters[source.range_id] = counter
    store = Store(draw, sources, draw.pick("trouble", troubles))
    return Scene(range_id, sources, replace(front, offsets=Map(counters)), store, is_level)


def _drawn_counter(draw: Draw, source: Source) -> tuple[Offset | None, bool]:
    """The counter of a range: at its end or above; unknown only where nothing is listed."""
    name = f"r{source.range_id.seq}"
    if not source.listed and not draw.pick(f"the end of {name} is known", (True, False)):
        return None, True
    is_above = not source.is_open or draw.pick(f"the counter of {name} is above", (False, True))
    above = draw.integer(f"{name}.above", 0) if is_above else 0
    return Offset(source.end + above), not (source.is_open and is_above)


def drawn_cursor(draw: Draw, sources: int, *, may_start: bool = True) -> ConsumeCursor:
    """Any cursor into so many sources; `start` is the one at 0, but for what skips say of it."""
    start = (None,) if may_start else ()
    source = draw.pick("the cursor is in", (*start, *range(sources)))
    return START if source is None else Cursor(source, Offset(draw.integer("at", 0)))


def position_of(key: bytes | None, size: int) -> Position:
    """Where a key falls: the child has the lower half."""
    return Position(0) if key == INSIDE else Position(size - 1)


def seen_by(front: Frontend, range_id: RangeId) -> Seen:
    """What a frontend remembers of a range, as far as a reader is concerned."""
    listing = segments_of(metadata_of(front.view, TOPIC), range_id)
    return Seen(front.offsets.get(range_id), None, None, None, None, listing, (), True)


LAWS: tuple[Judgement, ...] = (
    reading.a_consumer_never_leaves_the_range_itself,
    reading.a_failed_read_fails_the_page,
    reading.a_history_holds_what_is_listed,
    reading.a_page_asks_primaries_alone,
    reading.a_page_delivers_what_is_stored_between_its_cursors,
    reading.a_page_keeps_within_its_budget,
    reading.a_page_lists_what_it_passed_and_is_no_longer_stored,
    reading.a_page_of_a_history_is_further_on,
    reading.a_page_stands_in_order,
    reading.a_page_with_room_has_read_to_the_known_end,
    reading.a_read_steps_over_no_stored_record,
    reading.a_skip_counts_each_offset_that_is_gone_once,
    reading.a_skip_covers_nothing_that_is_stored,
    reading.a_skip_is_behind_the_cursor,
    reading.an_empty_budget_is_refused,
)
"""All that is asked of what was read."""
LAW_NAMES = frozenset(law.__name__ for law in LAWS)


def _listing(sources: Sequence[Source], view: View) -> View:
    metadata = metadata_of(view, TOPIC)
    found = {each: segment for source in sources for each, segment in source.listed.items()}
    listed = replace(metadata, segments=metadata.segments.update(found))
    return replace(view, vnodes=view.vnodes.set(DEFAULT_VNODE, listed))


def _told_source(source: Source) -> Callable[[], str]:
    def words() -> str:
        return "; ".join(map(_told_shelf, source.shelves)) or "no segment"

    return words


def _told_shelf(shelf: Shelf) -> str:
    name = f"s{shelf.segment_id.seq}"
    if not shelf.is_listed:
        return f"{name} expired, held {shelf.start} to {shelf.start + shelf.count}"
    parts = (
        f"{each.count} from {each.first}{'' if each.is_in_slice else ' of other keys'}"
        for each in shelf.stretches
    )
    above = f", {shelf.beyond} above its edge" if shelf.beyond else ""
    return f"{name} {shelf.segment.state.value}, holds {' and '.join(parts)}{above}"


def _answered(answer: object) -> dict[str, Told]:
    return {"answer": Told(lambda: _in_words(answer))}


def _in_words(answer: object) -> str:
    if isinstance(answer, Refusal):
        return answer.name
    records = getattr(answer, "records", ())
    pieces = [
        f"{each.value.decode()} {each.offset} to {(each.offset or 0) + each.count - 1}"
        if isinstance(each, Run)
        else f"{each.value.decode()} {each.offset}"
        for each in records
        if not isinstance(each, Run) or each.count
    ]
    skips = [
        f"skips {'so many' if skip.offsets is None else skip.offsets} from {skip.from_offset}"
        for skip in getattr(answer, "skips", ())
    ]
    cursor = getattr(answer, "cursor", None)
    return "; ".join([", ".join(pieces) or "nothing", *skips, f"then {cursor}" * bool(cursor)])
