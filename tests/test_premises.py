"""When laws speak: their premises, where nothing meets them, and laws that are turned round."""

import ast
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from types import FrameType

import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.reports import law_lines, problem_of
from checker.explaining import explanation_of
from checker.search.explore import search
from checker.search.faults import ModelError
from checker.search.model import Law, StepLaw
from checker.search.report import Report
from checker.world.idling import idle_problems, reasons, why_idle
from checker.world.kinds import Level, Scope
from checker.world.negating import Turned, judging, to_turn, turned_round
from checker.world.scopes import SCOPES, scope_named
from spec.premises import premise_of, premises
from tests.law_cases_whole import CASES
from tests.search_models import counters


def progress_of(scope: Scope) -> set[str]:
    """The progress goals of a world."""
    return {goal.name for goal in scope.build().progress}


DEFAULT = [scope for scope in SCOPES if scope.level is Level.QUICK]
SIZEABLE = 1_000
"""A progress goal takes the whole graph of a world: in larger ones, only the command turns it."""
TURNED = [
    each
    for each in to_turn()
    if each.scope.size is not None
    and (each.scope.size.states < SIZEABLE or each.law not in progress_of(each.scope))
]


def even(right: int) -> bool:
    """Whether a counter is even."""
    return right % 2 == 0


def found(scope: Scope) -> Report:
    """What a search says of a scope."""
    return search(scope.build())


def test_a_search_counts_the_cases_that_meet_a_premise() -> None:
    """Of the values that a law reads, those of which it speaks."""
    law = Law("low", "T-1", "Low.", ("right",), lambda right: right < 9, even)

    (report,) = search(counters(laws=(law,))).laws

    assert report.cases is not None
    assert report.met == (report.cases + 1) // 2
    assert report.is_all


def test_a_law_that_is_broken_where_it_does_not_speak_is_a_fault_of_its_premise() -> None:
    """A premise that is too narrow would let a law pass for idle."""
    law = Law("low", "T-1", "Low.", ("right",), lambda right: right < 1, lambda right: right > 5)
    step_law = StepLaw("s", "T-1", "S.", frozenset(), lambda *_: False, lambda *_: False)

    with pytest.raises(ModelError, match="the law low is broken where its premise is not met"):
        search(counters(laws=(law,)))
    with pytest.raises(ModelError, match="the law s is broken where its premise is not met"):
        search(counters(step_laws=(step_law,)))


def test_every_law_says_when_it_speaks() -> None:
    """In words and as a function; a law that says nothing cannot be bound to a world."""
    with pytest.raises(AssertionError, match="does not say when it speaks"):
        premise_of(lambda: True)
    silent = [
        *(law.name for scope in DEFAULT for law in scope.build().laws if law.speaks is None),
        *(law.name for scope in DEFAULT for law in scope.build().step_laws if law.speaks is None),
    ]
    assert silent == []
    assert premises()["an_owed_roll_is_kept"].words == "a roll was owed before"


def test_what_is_listed_as_idle_judges_a_default_world() -> None:
    """Each pair of a scope and a law, so that no reason outlives what it explains."""
    laws = {scope.name: {law.name for law in judging(scope.build())} for scope in DEFAULT}

    assert [pair for pair in reasons() if pair[1] not in laws.get(pair[0], ())] == []


@pytest.mark.parametrize("name", ["quiet", "moves", "split-again", "overlap", "read-overrun"])
def test_the_laws_that_are_idle_in_a_world_are_those_listed(name: str) -> None:
    """`malachi-model check` holds the larger default worlds to the same."""
    scope = scope_named(name)
    assert scope is not None

    report = found(scope)

    assert list(idle_problems(scope, report)) == []
    idle = [law.name for law in report.laws if law.met == 0]
    assert idle == [law.name for law in report.laws if why_idle(name, law.name)] != []
    assert any("it speaks in none: " in line for line in law_lines(scope, report))


def test_a_law_that_is_idle_without_a_reason_fails_the_check() -> None:
    """So does one that is listed as idle and speaks."""
    scope = scope_named("overlap")
    assert scope is not None
    report = found(scope)
    law = next(law for law in report.laws if law.met)
    idle = next(law for law in report.laws if law.met == 0)

    unlisted = replace(report, laws=(replace(law, met=0),))
    woken = replace(report, laws=(replace(idle, met=3),))

    assert problem_of(scope, report) is None
    assert f"the law {law.name} is idle" in (problem_of(scope, unlisted) or "")
    assert f"the law {idle.name} speaks in overlap" in (problem_of(scope, woken) or "")


def test_a_premise_that_is_met_often_is_counted_so_far_and_no_further() -> None:
    """What is printed says that there are so many at least."""
    scope = SCOPES[0]
    law = Law("low", "T-1", "Low.", ("left", "right"), lambda *_: True, lambda *_: True)

    report = search(counters(30, laws=(law,)))

    assert (report.laws[0].cases, report.laws[0].met, report.laws[0].is_all) == (961, 512, False)
    assert next(law_lines(scope, report)).endswith("low: 961 cases; it speaks in at least 512")


def test_every_law_speaks_in_some_default_world() -> None:
    """Where it is turned round; there it is listed as idle nowhere."""
    laws = {law.name for scope in DEFAULT for law in judging(scope.build())}

    assert {each.law for each in to_turn()} == laws


@pytest.mark.parametrize("turned", TURNED, ids=lambda each: f"{each.law}-{each.scope.name}")
def test_a_law_that_is_turned_round_falls_at_once(turned: Turned) -> None:
    """Its conclusion is denied where its premise is met; it falls on a shortest way there."""
    report = turned_round(turned)

    assert report.verdict == "broken"
    assert report.trace is not None
    assert report.trace.law.name == turned.law


def test_the_command_turns_the_laws_round_that_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In text and in JSON."""
    assert run(["defects", "--negated", "an_owed_roll_is_kept"]) == 0
    assert "1 law turned round, 0 not caught" in capsys.readouterr().out

    assert run(["defects", "--negated", "an_owed_roll_is_kept", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["negated"]
    assert (row["law"], row["steps"]) == ("an_owed_roll_is_kept", 3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a_law_of_nobody"], "there is no law 'a_law_of_nobody'"),
        (["--only"], "--only, --look and --negated stand alone: give one of them"),
        (["--strength"], "--only, --look and --negated stand without --strength and --out"),
    ],
)
def test_the_command_turns_round_what_is_a_law_and_nothing_beside(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One clear line, and exit 2."""
    assert run(["defects", "--negated", *arguments]) == Exit.USAGE
    assert said in capsys.readouterr().err


def test_an_explanation_says_when_a_law_speaks_and_where_it_is_idle() -> None:
    """In the words that stand beside it, and those of the list."""
    found, always = (
        explanation_of("an_owed_roll_is_kept"),
        explanation_of("a_requested_roll_is_owed"),
    )
    assert found is not None
    assert always is not None

    facts = dict(found.facts)

    assert facts["speaks"] == "where a roll was owed before"
    assert facts["is idle in"].endswith(": " + why_idle("roll", "an_owed_roll_is_kept"))
    assert dict(always.facts)["speaks"] == "of every case it is shown"


def silent_returns() -> set[tuple[str, int]]:
    """Where a law says yes because it does not speak: its name and the line."""
    return {
        (law.name, line.lineno)
        for page in files("spec.laws").iterdir()
        if page.name.endswith(".py")
        for law in ast.parse(page.read_text("utf-8")).body
        if isinstance(law, ast.FunctionDef)
        for line in ast.walk(law)
        if isinstance(line, ast.Return)
        and isinstance(line.value, ast.Constant)
        and line.value.value is True
        and line is not law.body[-1]
    }


def silently_judged(judge: Callable[[], object]) -> tuple[set[str], set[str], set[str]]:
    """Of the laws with guards those that were asked, and those that a guard let hold.

    And of these last the ones whose premise was met all the same.
    """
    silent, known = silent_returns(), premises()
    guarded = {name for name, _ in silent}
    asked, spared, wrong = set[str](), set[str](), set[str]()

    def look(frame: FrameType, event: str, _answer: object) -> None:
        name, code = frame.f_code.co_name, frame.f_code
        if event != "return" or name not in guarded or name not in known:
            return
        count = code.co_argcount
        given = [frame.f_locals[each] for each in code.co_varnames[:count]]
        asked.add(name)
        if (name, frame.f_lineno) in silent:
            spared.add(name)
            if known[name](*given):
                wrong.add(name)

    sys.setprofile(look)
    try:
        judge()
    finally:
        sys.setprofile(None)
    return asked, spared, wrong


def test_a_law_that_says_no_more_than_yes_does_not_speak() -> None:
    """The guards in a law and the premise above it are one and the same."""
    models = [scope_named(name) for name in ("moves", "healing", "settling")]
    built = [scope.build() for scope in models if scope is not None]

    asked, _, wrong = silently_judged(lambda: [search(model, max_states=1_500) for model in built])

    assert len(asked) > len({name for name, _ in silent_returns()}) / 2
    assert wrong == set()


def test_a_guard_of_any_law_lets_hold_only_what_its_premise_leaves_out() -> None:
    """[RDG-21] Also of the laws that the proof alone asks: on the cases made by hand for each."""
    guarded = {name for name, _ in silent_returns()} & set(premises())

    asked, spared, wrong = silently_judged(lambda: [case.holds(case.law) for case in CASES])

    assert asked == guarded
    assert guarded - spared == set()
    assert "a_skip_counts_each_offset_that_is_gone_once" in spared
    assert wrong == set()
