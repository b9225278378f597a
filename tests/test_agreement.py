"""Searches that leave states out agree with whole ones: a quick part of `bench.agreement`."""

import pytest

from bench.agreement import Compared, compared
from checker.models.fencecore import fencecore
from checker.models.toys import relay
from checker.search.model import Model
from checker.world.scopes import scope_named


def world(name: str) -> Model:
    """Answer a small world by its name."""
    scope = scope_named(name)
    assert scope is not None
    return scope.build()


@pytest.mark.parametrize(
    ("model", "ways", "verdict"),
    [
        (fencecore(2, 1, 1), {"reduced", "symmetric"}, "holds"),
        (fencecore(2, 2, 1, has_defect=True), {"reduced", "symmetric"}, "broken"),
        (world("roll:batches=1+0,faults=0,segments=2"), {"reduced"}, "holds"),
        (world("roll:batches=1+1,faults=0,segments=1,refreshes=0+0"), {"reduced"}, "holds"),
        (relay(0), set(), "holds"),
    ],
    ids=lambda value: value.name if isinstance(value, Model) else None,
)
def test_leaving_states_out_changes_no_verdict(model: Model, ways: set[str], verdict: str) -> None:
    found = compared(model.name, model)

    assert list(found.disagreements()) == []
    assert set(found.others) == ways
    assert (found.whole.trace is not None) == (verdict == "broken")
    assert model.name in found.line()


def test_two_searches_that_come_to_different_verdicts_are_told_of() -> None:
    holds = compared("counted", fencecore(2, 1, 1))
    broken = compared("counted", fencecore(2, 1, 1, has_defect=True))

    mixed = Compared("counted", holds.whole, broken.others)

    assert list(mixed.disagreements()) == [
        "counted: broken reduced, holds whole",
        "counted: broken symmetric, holds whole",
    ]
