"""A reader, and what there is to read through it: a range of its own, or one with an ancestor.

A reader's frontend has recovered, unless it is said otherwise: it lists what the control plane
lists, and its counter of a range that lists segments is at their end or above.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from immutables import Map

from checker.prove.drawing import Draw
from checker.prove.measuring import Run
from checker.prove.projecting import Asked
from checker.prove.shelves import INSIDE, Shelf, Source, Store, drawn_head, drawn_source
from checker.world.sharing import rules as sharing
from checker.world.sharing.parts import BROKERS, RANGE, TOPIC
from checker.world.sharing.roll import first_view
from reference import vnodes
from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.frontend import open as open_frontend
from reference.vnodes import DEFAULT_VNODE, View, metadata_of
from spec import vocabulary
from spec.commands import SplitRange
from spec.replies import Refusal
from spec.truth import Seen
from spec.vocabulary import (
    START,
    ConsumeCursor,
    Count,
    Cursor,
    Offset,
    Page,
    Position,
    RangeId,
    Record,
)

CHILD = RangeId(TOPIC, vocabulary.Sequence(1))
"""The range whose ancestor is the first one."""
Trouble = tuple[str, int] | None
UNTROUBLED: tuple[Trouble, ...] = (None,)
FAILING: tuple[Trouble, ...] = (None, ("fails", 1), ("fails", 2))
SHORT: tuple[Trouble, ...] = (("short", 1), ("short", 2))
"""What befalls which read of a page."""
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


def drawn_scene(draw: Draw, segments: int, troubles: Sequence[Trouble], *, is_child: bool) -> Scene:
    """A range to read, without ancestors or with one."""
    sources: tuple[Source, ...] = (drawn_source(draw, RANGE, segments, is_ancestor=is_child),)
    if is_child:
        sources = (*sources, drawn_head(draw, CHILD))
    return scene_of(draw, sources, troubles)


def scene_of(
    draw: Draw,
    sources: tuple[Source, ...],
    troubles: Sequence[Trouble],
    only: int | None = None,
) -> Scene:
    """A reader of these sources: the last one is its range, the others are the ancestors.

    It has counters of all of them, or of one only.
    """
    range_id = sources[-1].range_id
    view = _listing(sources, SPLIT if len(sources) > 1 else first_view())
    front = open_frontend(brokers=BROKERS, replication_factor=len(BROKERS), view=view)
    front = replace(front, options=replace(front.options, position_fun=position_of))
    counters: dict[RangeId, Offset] = {}
    is_level = True
    for place, source in enumerate(sources):
        if only not in {None, place}:
            continue
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
    is_recovered = range_id not in front.unrecovered
    return Seen(front.offsets.get(range_id), None, None, None, None, listing, (), is_recovered)


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


def answered(answer: object) -> dict[str, Told]:
    """What came of a question, as a part."""
    return {"answer": Told(lambda: in_words(answer))}


def in_words(answer: object) -> str:
    """A page or a refusal, for people."""
    if isinstance(answer, Refusal):
        return answer.name
    records = getattr(answer, "records", ())
    pieces = [_piece(each) for each in records if not isinstance(each, Run) or each.count]
    skips = [
        f"skips {'so many' if skip.offsets is None else skip.offsets} from {skip.from_offset}"
        for skip in getattr(answer, "skips", ())
    ]
    cursor = getattr(answer, "cursor", None)
    return "; ".join([", ".join(pieces) or "nothing", *skips, f"then {cursor}" * bool(cursor)])


def _piece(piece: Record) -> str:
    name = piece.value.decode()
    if not isinstance(piece, Run):
        return f"{name} {piece.offset}"
    if piece.offset is None:
        return f"{piece.count} {name}"
    return f"{name} {piece.offset} to {piece.offset + piece.count - 1}"
