"""FenceCore gives the counts that are known of it."""

from dataclasses import replace

import pytest

from checker.models.fencecore import fencecore
from checker.models.fencevalues import Segment, Store
from checker.search.model import Model
from checker.search.plain import search

OPEN, SHUT = Segment(is_sealed=False, start=0, length=0), Segment(is_sealed=True, start=0, length=1)
LATER = Segment(is_sealed=False, start=2, length=0)


def only(model: Model, clause: str) -> Model:
    """Answer the model with the laws of one clause."""
    return replace(model, laws=tuple(law for law in model.laws if law.clause == clause))


@pytest.mark.parametrize(
    ("size", "states", "transitions", "depth"),
    [
        ((2, 1, 1), 2_857, 12_612, None),
        ((2, 2, 1), 23_867, 119_514, 26),
        ((2, 3, 1), 79_149, 411_228, 31),
    ],
)
def test_fencecore_has_exactly_the_states_known_of_it(
    size: tuple[int, int, int], states: int, transitions: int, depth: int | None
) -> None:
    report = search(fencecore(*size))

    assert report.verdict == "holds"
    assert (report.states, report.transitions) == (states, transitions)
    assert depth is None or report.depth == depth
    assert report.failures == ()


def test_its_defect_breaks_a_law_in_six_steps() -> None:
    report = search(fencecore(2, 2, 2, has_defect=True))

    assert report.verdict == "broken"
    assert report.trace is not None
    assert len(report.trace.moves) == 6
    assert report.trace.law.clause == "SealedLen"


def test_its_defect_hides_an_acknowledged_record_in_ten_steps() -> None:
    report = search(only(fencecore(2, 2, 2, has_defect=True), "AckBelowEnd"))

    assert report.trace is not None
    assert [move.label for move in report.trace.moves][-3:] == [
        "s0 is fenced for f0",
        "f0 seals s0 at 0",
        "f1 hears that its record 0 stands in s0",
    ]
    assert len(report.trace.moves) == 10


@pytest.mark.parametrize(
    ("clause", "state"),
    [
        ("AckBelowEnd", ((SHUT,), frozenset({1}))),
        ("SealedLen", ((SHUT,), Store(1, is_fenced=False))),
        ("SealedLen", ((SHUT,), Store(2, is_fenced=True))),
        ("Tile", ((SHUT, LATER),)),
        ("Tile", ((LATER,),)),
        ("OneActive", ((OPEN, OPEN),)),
    ],
)
def test_each_of_its_laws_can_be_broken(clause: str, state: tuple[object, ...]) -> None:
    law = next(law for law in fencecore(2, 2, 2).laws if law.clause == clause)

    assert not law.holds(*state)
