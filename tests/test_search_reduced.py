"""Search with partial order reduction, held against the whole search."""

from dataclasses import replace

import pytest

from checker.models.fencecore import fencecore
from checker.search.explore import Options, search
from checker.search.faults import ModelError
from checker.search.model import Accepting, Goal, Law, Model, Outcome, Step, StepLaw
from checker.search.report import Report
from checker.world.defects import DEFECTS
from checker.world.kinds import Defect
from tests.search_models import below, counters

WHOLE = Options(engine="plain")
REDUCED = Options(reduction=True)


def apart(count: int, most: int = 3, **changes: object) -> Model:
    """Answer counters that never touch each other, and a law that sees the first."""

    def up(value: int) -> list[Outcome]:
        return [Outcome(f"{value} goes up", (value + 1,))] if value < most else []

    names = [f"c{place}" for place in range(count)]
    model = Model(
        name="apart",
        initial=dict.fromkeys(names, 0),
        steps=tuple(Step(f"{name} up", "up", (name,), (name,), up) for name in names),
        laws=(Law("small", "T-1", "Small.", ("c0",), lambda c0: c0 <= most),),
    )
    return replace(model, **changes)  # type: ignore[arg-type] # fields are named by the test


def verdicts(report: Report) -> tuple[str, frozenset[str], tuple[bool, ...]]:
    """Answer what must come out the same."""
    broken = frozenset(law.clause for law in report.laws if law.verdict == "broken")
    return report.verdict, broken, tuple(goal.reached for goal in report.goals)


def test_counters_that_never_touch_each_other_are_counted_up_in_one_order() -> None:
    whole, reduced = search(apart(4), options=WHOLE), search(apart(4), options=REDUCED)

    assert whole.states == 4**4
    assert reduced.states < 2 * 4 * 4
    assert reduced.is_reduced
    assert verdicts(reduced) == verdicts(whole)


@pytest.mark.parametrize(
    "model",
    [
        apart(3, laws=(Law("low", "T-1", "Low.", ("c0",), lambda c0: c0 < 2),)),
        apart(3, laws=(Law("sum", "T-1", "S.", ("c0", "c2"), lambda a, c: a + c < 5),)),
        apart(3, goals=(Goal("all", ("c0", "c1"), lambda a, b: a + b == 6),)),
        apart(3, goals=(Goal("none", ("c0", "c1"), lambda a, b: a + b == 7),)),
        apart(
            3,
            step_laws=(
                StepLaw("s", "T-2", "S.", frozenset(), lambda _s, b, _a: dict(b) != {"c1": 2}),
            ),
        ),
        counters(3, laws=(below(3),)),
        fencecore(2, 1, 1),
        fencecore(2, 2, 1, has_defect=True),
    ],
)
def test_laws_and_goals_come_out_as_in_the_whole_search(model: Model) -> None:
    whole, reduced = search(model, options=WHOLE), search(model, options=REDUCED)

    assert verdicts(reduced)[0] == verdicts(whole)[0]
    assert verdicts(reduced)[2] == verdicts(whole)[2] or whole.trace is not None
    assert (reduced.trace is None) == (whole.trace is None)
    assert reduced.states <= whole.states or whole.trace is not None


def test_a_step_that_can_go_round_for_ever_does_not_hide_another() -> None:
    def turn(value: int) -> list[Outcome]:
        return [Outcome("turns", ((value + 1) % 3,))]

    base = apart(2, laws=(Law("low", "T-1", "Low.", ("c0",), lambda c0: c0 < 3),))
    model = replace(base, steps=(Step("turn", "turn", ("c1",), ("c1",), turn), base.steps[0]))

    report = search(model, options=REDUCED)

    assert report.verdict == "broken"


@pytest.mark.parametrize(
    "defect", [each for each in DEFECTS if each.steps <= 6], ids=lambda defect: defect.name
)
def test_a_defect_is_caught_with_reduction_as_well(defect: Defect) -> None:
    report = search(defect.build(), options=REDUCED)

    assert report.trace is not None


def test_reduction_does_not_go_with_symmetry_nor_with_progress() -> None:
    rest = Accepting("T-4", "Rest.", ("c0",), bool)

    with pytest.raises(ModelError, match="not both"):
        search(apart(2), options=replace(REDUCED, symmetry=True))
    with pytest.raises(ModelError, match="are not judged with reduction"):
        search(apart(2, accepting=rest), options=REDUCED)


def test_a_reduced_search_stops_at_its_limits() -> None:
    report = search(fencecore(2, 2, 1), max_states=100, options=REDUCED)

    assert (report.verdict, report.stopped_by) == ("unfinished", "max_states")


def test_a_search_that_leaves_nothing_out_gives_way_to_the_whole_one() -> None:
    said: list[str] = []
    whole = search(fencecore(2, 2, 1), options=WHOLE)

    report = search(fencecore(2, 2, 1), options=replace(REDUCED, warn=said.append))

    assert (report.states, report.transitions) == (whole.states, whole.transitions)
    assert not report.is_reduced
    assert len(said) == 1
    assert "no order of steps was left out in the first 500 states" in said[0]


def test_a_small_search_that_leaves_nothing_out_says_so() -> None:
    said: list[str] = []

    small = search(counters(3), options=replace(REDUCED, warn=said.append))
    search(apart(4), options=replace(REDUCED, warn=said.append))
    search(counters(30), max_states=20, options=replace(REDUCED, warn=said.append))

    assert small.states == search(counters(3), options=WHOLE).states
    assert said == ["counters: no order of steps could be left out: all states are searched"]


def test_a_search_that_leaves_something_out_goes_on_however_large() -> None:
    report = search(apart(2, most=3_000), options=REDUCED)

    assert report.is_reduced
    assert report.states == 3_001 + 3_000
