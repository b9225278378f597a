"""Search up to symmetry, held against the whole search."""

from collections.abc import Hashable
from dataclasses import replace

import pytest

from checker.models.fencecore import fencecore
from checker.search.explore import Engine, Options, search
from checker.search.faults import ModelError
from checker.search.model import (
    Accepting,
    Law,
    Model,
    Outcome,
    Parts,
    ProgressGoal,
    Step,
    StepLaw,
    Symmetry,
)
from checker.search.plain import Limits
from checker.search.symmetric import Symmetric
from tests.search_models import counters

WHOLE = Options(engine="plain")
REDUCED = Options(symmetry=True)


def same(_part: str, value: Hashable) -> Hashable:
    """Rename nothing."""
    return value


def later(_part: str, value: Hashable) -> Hashable:
    """Rename without an end."""
    return value + 1 if isinstance(value, int) and value else value


def turned_about(_part: str, value: Hashable) -> Hashable:
    """Rename 1 and 2, though neither part nor step tells them apart."""
    return {1: 2, 2: 1}.get(value, value) if isinstance(value, int) else value


def exchange(left: str, right: str) -> Symmetry:
    """Answer the symmetry of two counters."""
    return Symmetry(
        f"{left} and {right}",
        {left: right, right: left},
        {f"{left} up": f"{right} up", f"{right} up": f"{left} up"},
        same,
    )


def trio(most: int = 3, **changes: object) -> Model:
    """Answer three counters that go up to a limit, any two of which may change places."""

    def up(value: int) -> list[Outcome]:
        return [Outcome(f"{value} goes up", (value + 1,))] if value < most else []

    names = ("a", "b", "c")
    model = Model(
        name="trio",
        initial=dict.fromkeys(names, 0),
        steps=tuple(Step(f"{name} up", "up", (name,), (name,), up) for name in names),
        symmetries=(exchange("a", "b"), exchange("b", "c")),
    )
    return replace(model, **changes)  # type: ignore[arg-type] # fields are named by the test


@pytest.mark.parametrize("model", [fencecore(2, 1, 1), fencecore(2, 1, 2), trio(4)])
def test_the_states_that_are_searched_stand_for_all_and_no_others(model: Model) -> None:
    whole = search(model, options=WHOLE)
    reduced = Symmetric(model, Limits())

    reduced.run()

    report = reduced.report()
    assert report.verdict == whole.verdict == "holds"
    assert report.depth == whole.depth
    assert report.states < whole.states
    assert sum(len(set(reduced.tables.images(row))) for row in reduced.rows) == whole.states


def test_three_that_may_all_change_places_leave_a_sixth_of_the_states_and_some() -> None:
    report = search(trio(4), options=REDUCED)

    assert report.states == 35
    assert report.engine == "plain, up to symmetry"
    assert report.is_reduced


def ordered(a: int, b: int) -> bool:
    """Answer whether b is not two ahead of a: a law that is itself not symmetric."""
    return b < a + 2


def no_third(_step: Step, before: Parts, _after: Parts) -> bool:
    """Answer false for b's third step."""
    return dict(before) != {"b": 2}


@pytest.mark.parametrize(
    "model",
    [
        fencecore(2, 2, 2, has_defect=True),
        trio(laws=(Law("ordered", "T-1", "Ordered.", ("a", "b"), ordered),)),
        trio(step_laws=(StepLaw("no_third", "T-2", "No third.", frozenset(), no_third),)),
    ],
    ids=["fencecore", "law", "step law"],
)
def test_a_law_that_breaks_anywhere_is_found_with_a_trace_as_short(model: Model) -> None:
    whole = search(model, options=WHOLE)

    reduced = search(model, options=REDUCED)

    assert reduced.trace is not None
    assert whole.trace is not None
    assert len(reduced.trace.moves) == len(whole.trace.moves)
    assert reduced.trace.law.clause == whole.trace.law.clause


def limited(most: int, name: str) -> Step:
    """Answer a step that goes up to a limit of its own."""

    def up(value: int) -> list[Outcome]:
        return [Outcome("up", (value + 1,))] if value < most else []

    return Step(f"{name} up", "up", (name,), (name,), up)


def colours(left: str, right: str) -> Symmetry:
    """Answer the symmetry of two colours, which stand in values alone."""
    other = {left: right, right: left}

    def renamed(_part: str, value: Hashable) -> Hashable:
        return other.get(value, value) if isinstance(value, str) else value

    return Symmetry(f"{left} and {right}", {}, {}, renamed, other)


def dipped(name: str, *paints: str) -> Step:
    """Answer a step that gives something with no colour yet any of these."""

    def dip(value: str | None) -> list[Outcome]:
        return [Outcome(f"{paint}", (paint,)) for paint in paints] if value is None else []

    return Step(f"dip {name}", "dip", (name,), (name,), dip)


def painted(count: int = 3, **changes: object) -> Model:
    """Answer things that are given any of three colours each, which nobody tells apart."""
    names = "abcdefghijkl"[:count]
    model = Model(
        name="painted",
        initial=dict.fromkeys(names),
        steps=tuple(dipped(name, "red", "blue", "green") for name in names),
        laws=(Law("apart", "T-1", "Apart.", ("a",), lambda a: a is None or a in PAINTS),),
        symmetries=(colours("red", "blue"), colours("blue", "green")),
    )
    return replace(model, **changes)  # type: ignore[arg-type] # fields are named by the test


PAINTS = ("red", "blue", "green")


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_colours_that_stand_in_values_alone_are_interchangeable(engine: Engine) -> None:
    options = Options(symmetry=True, engine=engine, plain_states=10)
    # Burnside: the average over the exchanges of the states that each leaves as they are.
    for count in (3, 6):
        report = search(painted(count), options=options)

        assert report.verdict == "holds"
        assert report.states == (4**count + 3 * 2**count + 2 * 1) // 6


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_law_that_tells_colours_apart_breaks_on_a_renamed_state(engine: Engine) -> None:
    law = Law("not_green", "T-2", "B is not green.", ("b",), lambda b: b != "green")
    options = Options(symmetry=True, engine=engine, plain_states=2)

    report = search(painted(laws=(law,)), options=options)

    assert report.trace is not None
    assert [move.step for move in report.trace.moves] == ["dip b"]


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        (
            trio(steps=(limited(3, "a"), limited(3, "b"), limited(2, "c"))),
            "the symmetry b and c does not hold: ",
        ),
        (trio(initial={"a": 0, "b": 0, "c": 1}), "the symmetry b and c changes the initial state"),
        (
            trio(symmetries=(replace(exchange("a", "b"), parts={"a": "b"}),)),
            "the symmetry a and b does not exchange parts and steps",
        ),
        (
            trio(symmetries=(replace(exchange("a", "b"), steps={}),)),
            "a up does not read and write what a up does",
        ),
        (counters(), "counters declares no symmetries"),
        (
            trio(symmetries=(replace(exchange("a", "b"), renamed=later),)),
            "the symmetry a and b does not hold: made again and again, or among others",
        ),
        (
            trio(symmetries=(Symmetry("only values", {}, {}, turned_about),)),
            "the symmetry only values does not hold: made again and again",
        ),
        (
            painted(symmetries=(replace(colours("red", "blue"), names={"red": "blue"}),)),
            "the symmetry red and blue does not exchange names",
        ),
        (
            painted(symmetries=(replace(colours("red", "blue"), names={}),)),
            "the symmetry red and blue does not hold: made again and again",
        ),
        (
            painted(steps=(dipped("a", "red", "blue"),)),
            "the symmetry blue and green does not hold: dip a does not do what dip a does",
        ),
    ],
)
def test_a_symmetry_that_is_none_is_refused(model: Model, complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        search(model, options=REDUCED)


def test_progress_goals_and_dead_ends_are_not_judged_up_to_symmetry() -> None:
    goal = ProgressGoal("g", "T-3", "G.", "possible", ("a",), bool)
    rest = Accepting("T-4", "Rest.", ("a",), bool)

    for model in (trio(progress=(goal,)), trio(accepting=rest)):
        with pytest.raises(ModelError, match="are not judged up to symmetry"):
            search(model, options=REDUCED)


def test_more_ways_to_rename_a_state_bring_machine_code_sooner() -> None:
    """Below 50,000 states, of which plain Python would make six each."""
    few, many = (
        search(fencecore(2, 2, 1), options=REDUCED),
        search(fencecore(3, 1, 1), options=REDUCED),
    )

    assert few.engine == "plain, up to symmetry"
    assert many.engine == "compiled, up to symmetry"
    assert (many.states, many.transitions, many.depth) == (47_047, 338_183, 32)


def test_a_search_up_to_symmetry_stops_at_its_limits() -> None:
    report = search(fencecore(2, 2, 1), max_states=100, options=REDUCED)

    assert (report.verdict, report.stopped_by) == ("unfinished", "max_states")
