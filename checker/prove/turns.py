"""One turn of a consumer's page, from any page so far: so that pages may be of any length.

The argument. A page is filled turn by turn: each reads one segment or leaves an ancestor, until
the page is full or the range is caught up. If the laws of pages hold of one that has not begun,
and each turn leads from any page so far of which they hold to one of which they hold, they hold
of every page, over however many segments and ancestors it goes. A turn looks at the source in
which the page stands and at no other, so two sources are enough: any ancestor, and the range.

The page so far is drawn as the laws let it be: so many records and skips that a turn cannot look
into, behind the cursor that was asked with and before the one where it stands. What laws say of
single records, they are asked of one arbitrary place, which may lie before the page, in what it
has passed, or ahead; what they say of skips in a row, of the last one so far; what else they say,
of the page as if nothing were known of any place.

The turn is the reference's own: `read_consume` itself is called, goes on from the page so far,
and is left where it would begin its next turn. Rules that a defect puts around it are judged by
whole pages: see `pages`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import cast

from checker.prove.claims import Claim, claim
from checker.prove.drawing import Draw
from checker.prove.measuring import Run
from checker.prove.pages import place_claims, reads_claims, whole_claims
from checker.prove.projecting import Asked, at
from checker.prove.proving import Stage, Taken
from checker.prove.readers import CHILD, Scene, Trouble, answered, in_words, scene_of, seen_by
from checker.prove.shelves import Place, Source, any_place, drawn_source
from checker.world.sharing.parts import RANGE
from reference import reading as machine
from spec.laws import reading
from spec.laws.reading import cursor_of
from spec.replies import Refusal
from spec.vocabulary import Count, Cursor, Offset, Origin, Page, Record, Skip
from spec.vocabulary import Source as SourceOf

MOST = 1
"""So many segments a source lists at most: with two there are ten times as many paths."""
BEFORE = b"before"
"""The value of all records of a page so far but one."""
ENDS_OF_A_TURN = ("_delivered", "_next_source")
"""The functions with which `read_consume` ends a turn that is not its last."""


class Look(Enum):
    """What of a page its laws are asked about."""

    WHOLE = "as a whole"
    SKIPS = "at the last skip so far"
    PLACE = "at one place of the source where it stands"


TROUBLES: Mapping[Look, tuple[Trouble, ...]] = {
    Look.WHOLE: (("limits", 1), ("fails", 1)),
    Look.SKIPS: (None,),
    Look.PLACE: (("limits", 1),),
}
"""What befalls the one read of a turn; a page that fails holds nothing at any place."""


class TurnedError(Exception):
    """A turn is over, and the page is not."""

    def __init__(self, page: Page) -> None:
        super().__init__(f"the page stands at {page.cursor}")
        self.page = page


@dataclass(frozen=True, slots=True)
class SoFar:
    """A page that was asked for, and what it holds already."""

    cursor: Cursor
    budget: Count
    page: Page
    has_begun: bool

    def in_words(self) -> str:
        """The same for people."""
        return in_words(self.page) if self.has_begun else "nothing"


def turning(segments: int, *, is_child: bool) -> Stage:
    """One turn, in the range itself or in its ancestor."""

    def stage(draw: Draw) -> Iterable[Taken]:
        stands_in = draw.pick("the page stands in", (1, 0) if is_child else (0,))
        look = draw.pick("it is looked at", tuple(Look))
        sources = _drawn_sources(draw, segments, stands_in, is_child=is_child)
        scene = scene_of(draw, sources, TROUBLES[look], stands_in)
        place = any_place(draw, sources, within=stands_in) if look is Look.PLACE else None
        sofar = _drawn_page(draw, scene, stands_in, place, look)
        answer, is_over = _turned(scene, sofar)
        before = scene.shown(
            asked=lambda: f"{sofar.budget} records from {at(sofar.cursor)}",
            page=sofar.in_words,
        )
        claims = tuple(_claims(scene, sofar, place, answer, is_over=is_over))
        yield Taken("a turn of a page", before, before | answered(answer), claims)

    return stage


def _turned(scene: Scene, sofar: SoFar) -> tuple[Page | Refusal, bool]:
    """What the page is after one turn, and whether it is over."""
    try:
        with one_turn(sofar.page if sofar.has_begun else None):
            answer = machine.read_consume(
                scene.front, scene.range_id, sofar.cursor, sofar.budget, scene.store.read
            )
    except TurnedError as turned:
        return turned.page, False
    return answer, True


@contextmanager
def one_turn(page: Page | None) -> Iterator[None]:
    """Until the block ends, `read_consume` goes on from a page, and is left after one turn."""
    names = vars(machine)
    own: dict[str, Callable[..., object]] = {
        name: names[name] for name in ("_consume", *ENDS_OF_A_TURN)
    }

    def going_on(
        front: object, sources: object, block: object, walk: _Walk, *others: object
    ) -> object:
        if page is not None:
            held = {each.name: getattr(page, each.name) for each in fields(page)}
            walk = replace(walk, **held)
        return own["_consume"](front, sources, block, walk, *others)

    names["_consume"] = going_on
    names |= {name: _leaving(own[name]) for name in ENDS_OF_A_TURN}
    try:
        yield
    finally:
        names |= own


@dataclass(frozen=True)
class _Walk:
    """What `reference.reading` calls so: it holds what a page does."""

    cursor: Cursor
    records: tuple[Record, ...]
    skips: tuple[Skip, ...]


def _leaving(function: Callable[..., object]) -> Callable[..., None]:
    def leave(*given: object) -> None:
        walk = cast("_Walk", function(*given))
        raise TurnedError(Page(walk.records, walk.cursor, walk.skips))

    return leave


def _claims(
    scene: Scene, sofar: SoFar, place: Place | None, answer: Page | Refusal, *, is_over: bool
) -> Iterator[Claim]:
    if place is None:
        yield claim(reading.an_empty_budget_is_refused, sofar.budget, answer)
        yield claim(reading.a_failed_read_fails_the_page, scene.store.is_failed, answer)
        yield from reads_claims(scene)
    if not isinstance(answer, Page):
        return
    asked = scene.asked(sofar.cursor, sofar.budget, answer)
    if place is not None:
        yield claim(reading.a_page_stands_in_order, asked.stretches())
        yield from place_claims(asked, place)
        return
    stood, added = cursor_of(sofar.page.cursor), answer.skips[len(sofar.page.skips) :]
    yield from whole_claims(asked)
    yield claim(reading.a_skip_covers_nothing_that_is_stored, asked.whole())
    yield claim(
        reading.a_turn_adds_only_of_its_source, asked.whole(), stood, asked.stretches(), added
    )
    yield claim(reading.a_turn_stays_in_its_source_or_begins_the_next, stood, answer)
    if is_over and scene.is_level:
        seen = seen_by(scene.front, scene.range_id)
        yield claim(reading.a_page_with_room_has_read_to_the_known_end, asked.whole(), seen)


def _drawn_sources(
    draw: Draw, segments: int, stands_in: int, *, is_child: bool
) -> tuple[Source, ...]:
    """The source in which the page stands, and an empty one beside it."""
    if not is_child:
        return (drawn_source(draw, RANGE, segments, is_ancestor=False),)
    if stands_in:
        return Source(RANGE, ()), drawn_source(draw, CHILD, segments, is_ancestor=False)
    return drawn_source(draw, RANGE, segments, is_ancestor=True), Source(CHILD, ())


def _drawn_page(draw: Draw, scene: Scene, stands_in: int, place: Place | None, look: Look) -> SoFar:
    """Any page so far of which the laws hold; or none."""
    start = Offset(draw.integer("at", 0))
    if not draw.pick("the page has begun", (False, True)):
        cursor = Cursor(stands_in, start)
        return SoFar(cursor, Count(draw.integer("budget")), Page((), cursor), has_begun=False)
    cursor = Cursor(draw.pick("the cursor is in", range(stands_in + 1)), start)
    further = draw.integer("further", 0)
    stands = Cursor(stands_in, Offset(start + further if cursor.source == stands_in else further))
    others = Run(None, BEFORE, count=Count(draw.integer("held", 0)))
    records: tuple[Record, ...] = ()
    skips: tuple[Skip, ...] = ()
    if look is Look.SKIPS:
        skips = (_any_skip(draw, scene, stands),)
    elif place is not None:
        passed = scene.asked(cursor, Count(0), Page((), stands))
        records, skips = _at_a_place(draw, passed, place, stands)
    budget = Count(others.count + len(records) + draw.integer("room", 0))
    return SoFar(cursor, budget, Page((others, *records), stands, skips), has_begun=True)


def _any_skip(draw: Draw, scene: Scene, stands: Cursor) -> Skip:
    """What the page listed last: the next skip has to stand behind it."""
    kinds = ("here", "before", "endless") if stands.source else ("here",)
    kind = draw.pick("its last skip is", kinds)
    if kind == "endless":
        return _skip(scene.sources, 0, Offset(draw.integer("skip.from", 0)), None)
    count = Count(draw.integer("skip.offsets", 1))
    if kind == "before":
        return _skip(scene.sources, 0, Offset(draw.integer("skip.from", 0)), count)
    begins = Offset(stands.offset - count - draw.integer("skip.gap", 0))
    return _skip(scene.sources, stands.source, begins, count)


def _at_a_place(
    draw: Draw, passed: Asked, place: Place, stands: Cursor
) -> tuple[tuple[Record, ...], tuple[Skip, ...]]:
    """What the page holds already at a place: its record, if it is stored, or a skip over it."""
    if not passed.is_between(place):
        return (), ()
    shelf = place.shelf
    is_stored = shelf is not None and shelf.is_listed
    records: tuple[Record, ...] = ()
    if shelf is not None and place.is_in_slice and (is_stored or draw.pick("it came", (0, 1))):
        records = (shelf.record(place.offset, is_in_slice=True),)
    if is_stored:
        return records, ()
    is_endless = place.source < stands.source and draw.pick("its skip is endless", (False, True))
    if not is_endless and not passed.is_gone(place):
        return records, ()
    begins = Offset(place.offset - draw.integer("skip.before", 0))
    if is_endless:
        return records, (_skip(passed.sources, place.source, begins, None),)
    count = Count(place.offset + 1 - begins + draw.integer("skip.behind", 0))
    if place.source == stands.source:
        draw.assume(lambda: begins + count <= stands.offset)
    return records, (_skip(passed.sources, place.source, begins, count),)


def _skip(sources: tuple[Source, ...], source: int, begins: Offset, count: Count | None) -> Skip:
    names = [each.range_id for each in sources]
    kind = SourceOf.SELF if names[source] == names[-1] else SourceOf.ANCESTOR
    return Skip(names[-1], names[source], begins, count, Origin.CURSOR, kind)
