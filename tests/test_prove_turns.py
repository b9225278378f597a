"""Pages of any length: each turn keeps the laws, and a page is its turns, one behind the other."""

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pytest

from checker.prove.drawing import Draw, ExcludedError, Random, drawing
from checker.prove.measuring import measuring
from checker.prove.proving import again
from checker.prove.readers import CHILD, UNTROUBLED, scene_of
from checker.prove.shelves import drawn_source
from checker.prove.tasks import told
from checker.prove.turns import TurnedError, one_turn, turning
from checker.world.sharing.parts import RANGE
from reference import reading as machine
from spec.laws import reading
from spec.truth import Passage
from spec.vocabulary import Count, Cursor, Offset, Origin, Page, Record, Skip
from spec.vocabulary import Source as SourceOf
from tests.refuting import refuted

BILLION = 1_000_000_000


@dataclass(frozen=True)
class Walk:
    """A page so far, as the functions of a turn hand it on."""

    cursor: Cursor
    records: tuple[Record, ...]
    skips: tuple[Skip, ...]


Change = Callable[[Walk, Walk], Walk]


def in_turns(draw: Draw) -> tuple[object, object, int]:
    """A page at once, the same turn by turn, and how many these are.

    The range and its ancestor have up to two segments each.
    """
    sources = (
        drawn_source(draw, RANGE, 2, is_ancestor=True),
        drawn_source(draw, CHILD, 2, is_ancestor=False),
    )
    scene = scene_of(draw, sources, UNTROUBLED)
    cursor = Cursor(draw.pick("in", (0, 1)), Offset(draw.integer("at", 0)))
    budget, page, count = Count(draw.integer("budget")), None, 1
    while True:
        try:
            with one_turn(page):
                found = machine.read_consume(scene.front, CHILD, cursor, budget, scene.store.read)
        except TurnedError as turned:
            page, count = turned.page, count + 1
        else:
            break
    whole = machine.read_consume(scene.front, CHILD, cursor, budget, scene.store.read)
    return whole, found, count


def test_a_page_is_its_turns_one_behind_the_other() -> None:
    """[RDG-17] On 300 scenes drawn by chance, of which many go on over several turns."""
    source = random.Random(1)
    turns: list[int] = []
    with measuring():
        for _ in range(300):
            draw = Random(source)
            with drawing(draw), suppress(ExcludedError):
                whole, found, count = in_turns(draw)

                assert found == whole
                turns.append(count)
    assert len(turns) > 150
    assert sum(count > 2 for count in turns) > 20


def skipping_one_more(walk: Walk, left: Walk) -> Walk:
    """[RDG-22] A change: an ancestor's end is passed with one offset more, from a billion on."""
    if len(left.skips) == len(walk.skips):
        return left
    last = left.skips[-1]
    if last.offsets is None or last.offsets < BILLION:
        return left
    return replace(left, skips=(*walk.skips, replace(last, offsets=Count(last.offsets + 1))))


def forgetting_what_came(walk: Walk, left: Walk) -> Walk:
    """[RDG-14] A change: a page that goes on drops what it held."""
    return replace(left, records=left.records[len(walk.records) :])


def standing_still(walk: Walk, left: Walk) -> Walk:
    """[RDG-11] A change: the cursor stays where it was, and the records come again."""
    return replace(left, cursor=walk.cursor)


def beginning_at_one(_walk: Walk, left: Walk) -> Walk:
    """[RDG-12] A change: the next source is begun one too far."""
    return replace(left, cursor=Cursor(left.cursor.source, Offset(1)))


DELIVERED = "a_page_delivers_what_is_stored_between_its_cursors"
ANCESTOR = {"the page stands in": 1, "r0 has segments": 0, "the page has begun": 0}
ITSELF = {"the page stands in": 0, "it is looked at": 2, "r1 has segments": 1, "r1 is open": 0}
CHANGES: dict[str, tuple[Change, int, str, Mapping[str, int]]] = {
    "_next_source skips": (
        skipping_one_more,
        3,
        "a_skip_counts_each_offset_that_is_gone_once",
        ANCESTOR | {"it is looked at": 2},
    ),
    "_next_source begins": (
        beginning_at_one,
        3,
        "a_turn_stays_in_its_source_or_begins_the_next",
        ANCESTOR | {"it is looked at": 0},
    ),
    "_delivered forgets": (
        forgetting_what_came,
        0,
        DELIVERED,
        ITSELF | {"the page has begun": 1},
    ),
    "_delivered stays": (standing_still, 0, DELIVERED, ITSELF | {"the page has begun": 0}),
}
"""What a function of a turn does instead, where it is given the page so far, and what falls."""


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_one_turn_is_refuted_and_the_turn_can_be_taken_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[RDG-14, RDG-22] With the page so far, the sources and the answer on plain integers."""
    change, place, law, picks = CHANGES[name]
    function = name.partition(" ")[0]
    own: Callable[..., Walk] = getattr(machine, function)
    monkeypatch.setattr(machine, function, lambda *given: change(given[place], own(*given)))
    stage = turning(1, is_child=True)

    found = refuted(stage, law, picks)

    assert again(stage, found, law).label == "a turn of a page"
    said: Any = told(stage, found, law)
    assert {line.partition(":")[0] for line in said["before"]} >= {"r0", "r1", "page", "asked"}
    assert any("answer" in line for line in said["changes"])
    if "skips" in name:
        assert max(found.values.values()) >= BILLION


def test_a_turn_leaves_the_reader_as_it_was() -> None:
    own = dict(vars(machine))

    with one_turn(None):
        assert vars(machine)["_consume"] is not own["_consume"]

    assert vars(machine) == own


def page_with(cursor: Cursor, *skips: Skip) -> Passage:
    """A page of a range with one ancestor, asked for in the middle of the ancestor."""
    return Passage((RANGE, CHILD), Cursor(0, Offset(4)), Count(1), Page((), cursor, skips), ())


def test_a_page_that_goes_back_is_caught() -> None:
    law = reading.a_page_never_goes_back

    assert law(page_with(Cursor(0, Offset(4))))
    assert law(page_with(Cursor(1, Offset(0))))
    assert not law(page_with(Cursor(0, Offset(3))))


def test_an_unknown_skip_in_the_source_of_the_cursor_is_caught() -> None:
    law = reading.a_skip_of_unknown_length_ends_its_source
    skip = Skip(CHILD, RANGE, Offset(4), None, Origin.CURSOR, SourceOf.ANCESTOR)

    assert law(page_with(Cursor(1, Offset(0)), skip))
    assert not law(page_with(Cursor(0, Offset(9)), skip))
    assert law(page_with(Cursor(0, Offset(9)), replace(skip, offsets=Count(5))))
