"""What a model may not be, and that a search says so instead of failing or holding idly."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from checker.models.toys import relay
from checker.search.audit import audit
from checker.search.contract import check_contract
from checker.search.explore import Options, search
from checker.search.faults import ModelError
from checker.search.model import (
    Accepting,
    Goal,
    Law,
    Model,
    Outcome,
    ProgressGoal,
    Step,
    StepLaw,
)
from checker.search.plain import search as plain_search
from checker.search.recording import record
from checker.search.walks import simulate
from checker.world.kinds import Scope
from checker.world.scopes import SCOPES
from tests.search_models import below, counters

ROOT = Path(__file__).resolve().parent.parent
ENTRIES: dict[str, Callable[[Model], object]] = {
    "search": search,
    "plain search": plain_search,
    "compiled search": partial(search, options=Options(engine="compiled")),
    "walks": simulate,
    "graph": record,
}


def always(*_values: object) -> bool:
    """Hold."""
    return True


def never(*_values: object) -> bool:
    """Break."""
    return False


def still(*_values: object) -> list[Outcome]:
    """Answer no outcome."""
    return []


GOAL = Goal("g", ("left",), always)
COMES = ProgressGoal("p", "T-1", "It comes.", "possible", ("left",), always)
LAW = Law("l", "T-1", "It holds.", ("left",), always)
STEP_LAW = StepLaw("l", "T-1", "It holds.", frozenset({"swap"}), never)
BROKEN: dict[str, tuple[Model, str]] = {
    "a rule that a step law misspells": (
        counters(step_laws=(replace(STEP_LAW, rule_names=frozenset({"swap", "typo"})),)),
        "the step law l judges the rule 'typo', which is not there; the rules are swap, up",
    ),
    "a dead rule": (
        counters(expected_dead=frozenset({"typo"})),
        "counters: no rule is called 'typo', yet it is expected to be dead",
    ),
    "a fair step": (
        counters(fair=frozenset({"swap", "typo"})),
        "counters: no step and no rule is called 'typo', yet it is fair",
    ),
    "two laws": (counters(laws=(LAW, LAW)), "counters: two of its laws are called 'l'"),
    "two step laws": (
        counters(step_laws=(STEP_LAW, STEP_LAW)),
        "counters: two of its laws are called 'l'",
    ),
    "a law and a step law": (
        counters(laws=(LAW,), step_laws=(STEP_LAW,)),
        "counters: two of its laws are called 'l'",
    ),
    "two goals": (counters(goals=(GOAL, GOAL)), "counters: two of its goals are called 'g'"),
    "two progress goals": (
        counters(progress=(COMES, COMES)),
        "counters: two of its laws are called 'p'",
    ),
    "two steps": (
        counters(steps=counters().steps[:1] * 2),
        "counters: two of its steps are called 'left up'",
    ),
    "a part written twice": (
        counters(steps=(Step("s", "r", (), ("left", "left"), still),)),
        "step s writes the part 'left' twice",
    ),
    "a part that a step reads": (
        counters(steps=(Step("s", "r", ("middle",), (), still),)),
        "step s: the model has no part 'middle'",
    ),
    "a part that a step writes": (
        counters(steps=(Step("s", "r", (), ("middle",), still),)),
        "step s: the model has no part 'middle'",
    ),
    "a part that a law reads": (
        counters(laws=(replace(LAW, reads=("middle",)),)),
        "law l: the model has no part 'middle'",
    ),
    "a part that a goal reads": (
        counters(goals=(replace(GOAL, reads=("middle",)),)),
        "goal g: the model has no part 'middle'",
    ),
    "a part that a progress goal reads": (
        counters(progress=(replace(COMES, reads=("middle",)),)),
        "progress goal p: the model has no part 'middle'",
    ),
    "a part where the world may rest": (
        counters(accepting=Accepting("T-1", "It rests.", ("middle",), always)),
        "the accepting states: the model has no part 'middle'",
    ),
    "a kind of progress": (
        counters(progress=(replace(COMES, kind="likely"),)),  # type: ignore[arg-type] # on purpose
        "progress goal p: its kind is 'likely', not possible or inevitable",
    ),
    "no parts": (
        Model("nothing", {}, (Step("s", "r", (), (), still),)),
        "nothing: the initial state has no parts",
    ),
}


@pytest.mark.parametrize("what", list(BROKEN))
def test_a_model_with_a_wrong_name_is_refused_and_told_by_the_audit(what: str) -> None:
    model, text = BROKEN[what]

    with pytest.raises(ModelError) as refused:
        check_contract(model)

    assert str(refused.value).startswith(text)
    assert ("names", text) in {(each.kind, each.text[: len(text)]) for each in audit(model)}


@pytest.mark.parametrize("entry", list(ENTRIES))
def test_every_way_into_a_model_looks_at_its_names_first(entry: str) -> None:
    model, text = BROKEN["a rule that a step law misspells"]

    with pytest.raises(ModelError, match=text):
        ENTRIES[entry](model)


def test_the_audit_tells_every_wrong_name_at_once() -> None:
    laws = (replace(LAW, reads=("middle",)), replace(LAW, name="m", reads=("nowhere",)))

    found = audit(counters(laws=laws, expected_dead=frozenset({"typo"})))

    assert [each.who for each in found] == ["law l", "law m", "counters"]


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope.name)
def test_a_known_world_keeps_the_contract(scope: Scope) -> None:
    check_contract(scope.build())


class Sore:
    """A value that fails when it is hashed or compared."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __hash__(self) -> int:
        """Raise, if told to."""
        if self.where == "hash":
            raise LookupError("no hash")
        return 7

    def __eq__(self, _other: object) -> bool:
        """Raise, if told to."""
        if self.where == "eq":
            raise LookupError("no comparison")
        return True


def leaving(*_values: object) -> bool:
    """Leave the program."""
    raise SystemExit(3)


def with_rule(rule: Callable[..., Sequence[Outcome]]) -> Model:
    """Answer two counters and a step `s` over the left one, by a rule."""
    return counters(steps=(*counters().steps, Step("s", "r", ("left",), ("left",), rule)))


def bare(_left: int) -> list[Outcome]:
    """Answer an outcome whose value is in no tuple."""
    return [Outcome("bare", 5)]  # type: ignore[arg-type] # on purpose


def listed(_left: int) -> list[Outcome]:
    """Answer an outcome whose values stand in a list."""
    return [Outcome("listed", [5])]  # type: ignore[arg-type] # on purpose


def unhashed(_left: int) -> list[Outcome]:
    """Answer a value that cannot be hashed."""
    return [Outcome("sore", (Sore("hash"),))]


def uncompared(_left: int) -> list[Outcome]:
    """Answer a value that cannot be compared."""
    return [Outcome("sore", (Sore("eq"),))]


RAW: dict[str, tuple[Model, str, str]] = {
    "a bare value": (with_rule(bare), "step s", "answers an Outcome whose values are 5, no tuple"),
    "a list": (
        with_rule(listed),
        "step s",
        "answers an Outcome whose values are \\[5\\], no tuple",
    ),
    "a hash": (with_rule(unhashed), "(step )?s", "the value of left .*LookupError: no hash"),
    "an equality": (with_rule(uncompared), "(step )?s", "the value of left .*LookupError: no comp"),
    "an initial value": (
        counters(initial={"left": 0, "right": Sore("eq")}, steps=counters().steps[:1]),
        "the initial state",
        "the value of right .*LookupError: no comparison",
    ),
    "a law": (counters(laws=(replace(LAW, holds=leaving),)), "the law l", "raises SystemExit: 3"),
    "a rule": (with_rule(leaving), "step s", "raises SystemExit: 3"),  # type: ignore[arg-type] # on purpose
    "a step law": (
        counters(step_laws=(replace(STEP_LAW, holds=leaving),)),
        "the step law l",
        "raises SystemExit on swap: 3",
    ),
    "a goal": (counters(goals=(replace(GOAL, reached=leaving),)), "the goal g", "SystemExit: 3"),
    "a progress goal": (
        counters(progress=(replace(COMES, reached=leaving),)),
        "the progress goal p",
        "raises SystemExit: 3",
    ),
    "the accepting states": (
        counters(accepting=Accepting("T-1", "It rests.", ("left",), leaving)),
        "the accepting states",
        "raises SystemExit: 3",
    ),
}


@pytest.mark.parametrize("what", list(RAW))
def test_whatever_a_model_raises_is_a_fault_of_the_one_that_raised_it(what: str) -> None:
    model, who, text = RAW[what]

    with pytest.raises(ModelError, match=f"^{who}.*{text}"):
        search(model)


@pytest.mark.parametrize("what", list(RAW))
def test_the_audit_complains_of_what_a_model_raises_and_raises_nothing(what: str) -> None:
    model, _, _ = RAW[what]

    kinds = {each.kind for each in audit(model)}

    assert kinds & {"fails", "wrong shape"}


def test_a_value_that_fails_only_beside_another_does_not_end_the_audit() -> None:
    class Touchy(Sore):
        __hash__ = Sore.__hash__

        def __eq__(self, other: object) -> bool:
            if self is other:
                return True
            raise LookupError("not with that one")

        def __ne__(self, other: object) -> bool:
            return not self == other

    def rule(left: object) -> list[Outcome]:
        return [] if isinstance(left, Touchy) else both()

    def both() -> list[Outcome]:
        return [Outcome(label, (Touchy("never"),)) for label in ("one", "another")]

    model = counters(steps=(Step("s", "r", ("left",), ("left",), rule),))

    assert "fails" in {each.kind for each in audit(model)}
    with pytest.raises(ModelError, match="LookupError: not with that one"):
        search(model)


def test_a_user_who_interrupts_is_nobodys_fault() -> None:
    def interrupted(_left: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(counters(laws=(replace(LAW, holds=interrupted),)))


def hungry(most: int, left: int) -> list[Outcome]:
    """Use up all memory once a counter is large."""
    if left >= most:
        raise MemoryError
    return [Outcome("up", (left + 1,))]


@pytest.mark.parametrize(
    ("options", "most"),
    [
        (Options(engine="plain"), 9),
        (Options(engine="compiled", plain_states=20), 9),
        (Options(engine="compiled", plain_states=20), 0),
    ],
    ids=["plain", "compiled", "at once"],
)
def test_a_search_that_uses_up_the_memory_is_unfinished(options: Options, most: int) -> None:
    steps = (*counters(40).steps, Step("s", "r", ("left",), ("left",), partial(hungry, most)))

    report = search(counters(40, steps=steps, laws=(below(99),)), options=options)

    assert (report.verdict, report.stopped_by) == ("unfinished", "memory")
    assert [law.verdict for law in report.laws] == ["unfinished"]
    assert (report.states > 1) == (most > 0)


def test_a_system_that_grants_no_more_memory_ends_a_search_unfinished() -> None:
    script = (
        "import resource\n"
        "from checker.models.fencecore import fencecore\n"
        "from checker.search.explore import Options, search\n"
        "from checker.search.memory import most_words\n"
        "resource.setrlimit(resource.RLIMIT_AS, (most_words() * 4,) * 2)\n"
        "report = search(fencecore(2, 1, 1), options=Options(engine='compiled', plain_states=9))\n"
        "print(report.verdict, report.stopped_by)\n"
    )

    told = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=ROOT
    )

    assert told.stdout == "unfinished memory\n"


def test_a_law_that_uses_up_the_memory_late_ends_either_engine_unfinished() -> None:
    law = replace(LAW, holds=lambda left: bool(hungry(30, left)))
    reports = [
        search(counters(40, laws=(law,)), options=Options(engine=engine, plain_states=20))
        for engine in ("plain", "compiled")
    ]

    assert {each.verdict for each in reports} == {"unfinished"}
    assert {each.stopped_by for each in reports} == {"memory"}


def test_a_law_that_is_broken_before_the_memory_is_used_up_stays_broken() -> None:
    steps = (*counters().steps, Step("s", "r", ("left",), ("left",), partial(hungry, 1)))

    report = search(counters(steps=steps, step_laws=(replace(STEP_LAW, holds=never),)))

    assert report.verdict == "broken"
    assert report.trace is not None
    assert [move.step for move in report.trace.moves] == ["swap"]


def test_a_progress_goal_that_uses_up_the_memory_leaves_the_search_unfinished() -> None:
    def starving(_receiver: str) -> bool:
        raise MemoryError

    model = relay()
    goal = replace(model.progress[0], reached=starving)

    report = search(replace(model, progress=(goal,)))

    assert (report.verdict, report.stopped_by) == ("unfinished", "memory")
    assert {each.verdict for each in report.laws} == {"unfinished"}


def test_a_limit_of_states_ends_a_search_that_has_more_of_them() -> None:
    whole = search(counters(40))

    cut = search(counters(40), max_states=whole.states - 1)
    uncut = search(counters(40), max_states=whole.states)

    assert (cut.verdict, uncut.verdict) == ("unfinished", "holds")
    assert cut.states >= whole.states
