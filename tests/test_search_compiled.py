"""The compiled search, held against the plain one."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from checker.models.fencecore import fencecore
from checker.search import compiling, judging, kernels, machinecode, places
from checker.search.explore import Options, search
from checker.search.memory import Block
from checker.search.model import Goal, Model, Outcome, Parts, Step, StepLaw
from checker.search.report import Report
from tests.search_models import below, counters

PLAIN = Options(engine="plain")


def compiled(workers: int = 2, **changes: object) -> Options:
    """Answer options that go over to machine code as early as can be."""
    options = Options(engine="compiled", workers=workers, plain_states=20)
    return replace(options, **changes)  # type: ignore[arg-type] # fields are named by the test


def same(left: Report, right: Report) -> bool:
    """Answer whether two searches found the same."""
    keep = {"seconds": 0.0, "engine": ""}
    return replace(left, **keep) == replace(right, **keep)  # type: ignore[arg-type] # as above


def test_a_goal_that_takes_too_many_questions_is_counted_for_some_layers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same layers in both engines, and then it is said that there are more."""
    model = counters(30, goals=(Goal("far", ("left", "right"), lambda left, _: left > 2),))
    monkeypatch.setattr(judging, "MOST_ASKED", 31 * 31)
    whole = search(model, options=PLAIN).goals

    monkeypatch.setattr(judging, "MOST_ASKED", 200)
    plain, other = search(model, options=PLAIN).goals, search(model, options=compiled()).goals

    assert plain == other
    assert [(goal.states, goal.is_all) for goal in whole] == [(28 * 31, True)]
    assert [goal.is_all for goal in plain] == [False]
    assert 0 < (plain[0].states or 0) < 28 * 31


def never_both(_step: Step, before: Parts, _after: Parts) -> bool:
    """Answer false where both counters stand at seven."""
    return dict(before) != {"left": 7, "right": 7}


ODD = StepLaw("never_both", "T-2", "Not both.", frozenset({"swap"}), never_both)
ACK = "AckBelowEnd"


def defective() -> Model:
    """Answer FenceCore with its defect, and the law that needs ten steps."""
    model = fencecore(2, 2, 2, has_defect=True)
    return replace(model, laws=tuple(law for law in model.laws if law.clause == ACK))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "model",
    [
        counters(30),
        counters(30, laws=(below(12),)),
        counters(30, step_laws=(ODD,)),
        counters(30, laws=(below(14),), step_laws=(ODD,)),
        counters(30, laws=(replace(below(99), speaks=lambda right: right % 3 == 0),)),
        counters(30, goals=(Goal("far", ("left",), lambda left: left == 30),)),
        fencecore(2, 2, 1),
        fencecore(2, 3, 1),
        fencecore(2, 2, 2, has_defect=True),
        defective(),
    ],
    ids=lambda model: f"{model.name}, {len(model.laws)} and {len(model.step_laws)} laws",
)
def test_both_engines_find_the_same(model: Model, workers: int) -> None:
    fast = search(model, options=compiled(workers))

    assert fast.engine == "compiled"
    assert same(fast, search(model, options=PLAIN))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_fencecore_has_exactly_the_states_known_of_it(workers: int) -> None:
    options = Options(expected_states=1_759_222, workers=workers)

    report = search(fencecore(2, 2, 2), options=options)

    assert (report.engine, report.verdict) == ("compiled", "holds")
    assert (report.states, report.transitions, report.depth) == (1_759_222, 12_119_282, 36)


def wide(parts: int, most: int) -> Model:
    """Answer so many counters, of which one goes up at a time, far enough to need many bits."""

    def up(value: int, gate: int) -> list[Outcome]:
        return [Outcome("up", (value + 1, gate))] if value < most else []

    def turn(gate: int) -> list[Outcome]:
        return [Outcome("turn", (gate + 1,))] if gate < parts - 1 else []

    def at(place: int) -> Step:
        def rule(value: int, gate: int) -> list[Outcome]:
            return up(value, gate) if gate == place else []

        parts = (f"c{place}", "gate")
        return Step(f"up {place}", "up", parts, parts, rule)

    return Model(
        name="wide",
        initial={"gate": 0, **{f"c{place}": 0 for place in range(parts)}},
        steps=(*map(at, range(parts)), Step("turn", "turn", ("gate",), ("gate",), turn)),
    )


def test_rows_grow_wider_as_more_values_are_met() -> None:
    model = wide(3, 40)

    assert same(search(model, options=compiled()), search(model, options=PLAIN))


def test_one_answer_may_bring_more_values_than_any_row_has_room_for() -> None:
    """Their ids are too wide even for the word that they stand in; the rows grow first."""

    def burst(value: int) -> list[Outcome]:
        afters = {0: [1], 1: range(2, 42)}.get(value, ())
        return [Outcome(f"to {after}", (after,)) for after in afters]

    names = tuple(f"p{number}" for number in range(21))
    steps = tuple(Step(f"{name} goes on", "go on", (name,), (name,), burst) for name in names)
    model = Model("bursts", dict.fromkeys(names, 0), steps)

    report = search(model, max_states=1_000, options=compiled())

    assert (report.engine, report.stopped_by) == ("compiled", "max_states")
    assert report.states >= 1 + 21 + 21 * 40


def test_rows_of_three_words_are_searched_as_well() -> None:
    model = wide(140, 1)
    limited = replace(model, initial={**model.initial, "gate": 132})

    fast = search(limited, options=compiled())

    assert fast.engine == "compiled"
    assert same(fast, search(limited, options=PLAIN))


def test_a_search_in_machine_code_stops_at_its_limits() -> None:
    by_states = search(fencecore(2, 2, 2), max_states=30_000, options=compiled())
    by_time = search(fencecore(2, 2, 2), max_seconds=0.3, options=compiled())

    assert (by_states.verdict, by_states.stopped_by) == ("unfinished", "max_states")
    assert 30_000 < by_states.states < 200_000
    assert (by_time.verdict, by_time.stopped_by) == ("unfinished", "max_seconds")


IMPORTED = """
import sys
from checker.models.fencecore import fencecore
from checker.search.explore import search
assert search(fencecore(2, 2, 1)).states == 23_867
print(sorted({"numba", "numpy", "llvmlite", "networkx"} & sys.modules.keys()))
"""


def test_a_small_world_needs_no_compiler() -> None:
    told = subprocess.run(
        [sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True
    )

    assert told.stdout == "[]\n"


def test_machine_code_is_compiled_once_and_read_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled_for: list[str] = []

    def compile_it(module: ModuleType) -> machinecode.Code:
        compiled_for.append(module.__name__)
        return {"expand": ("symbol", b"code")}

    monkeypatch.setattr(compiling, "machine_code", compile_it)
    monkeypatch.setenv(machinecode.FOLDER_VARIABLE, str(tmp_path))

    codes = [machinecode.stored_or_compiled(words) for words in (1, 1, 2, 1)]

    assert codes == [{"expand": ("symbol", b"code")}] * 4
    assert compiled_for == ["checker.search.kernels_1", "checker.search.kernels_2"]


def test_damaged_machine_code_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "kernels.json"
    machinecode.write_code(path, {"expand": ("symbol", b"code")})
    good = machinecode.read_code(path)
    path.write_text(path.read_text("utf-8").replace("symbol", "other"), "utf-8")

    assert good == {"expand": ("symbol", b"code")}
    assert machinecode.read_code(path) is None
    assert machinecode.read_code(tmp_path / "none.json") is None


def test_without_a_folder_to_write_to_it_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setattr(compiling, "machine_code", lambda _module: {"expand": ("s", b"c")})
    monkeypatch.setenv(machinecode.FOLDER_VARIABLE, str(tmp_path / "file" / "below"))
    said: list[str] = []

    code = machinecode.stored_or_compiled(1, said.append)

    assert code == {"expand": ("s", b"c")}
    assert len(said) == 1
    assert said[0].startswith("machine code is compiled anew each time: cannot write")


def test_a_kernel_does_in_machine_code_what_it_does_in_python() -> None:
    draw = random.Random(7)
    rows = [1 << 63 | draw.randrange(40), draw.randrange(1 << 64)] * 2
    for _ in range(300):
        rows += [1 << 63 | draw.randrange(8), draw.randrange(40)]
    given, contexts, logs = Block(len(rows)), [], []
    given.put(0, rows)
    for _ in range(2):
        context, seen, log = Block(places.PLACES), Block(2 << 13), Block(2 << 10)
        view = context.view
        view[places.IN], view[places.IN_COUNT] = given.address, len(rows) // 2
        view[places.SEEN], view[places.SEEN_SHIFT] = seen.address, 64 - 10
        view[places.SEEN_LAST], view[places.SEEN_LIMIT] = (1 << 12) - 1, 1 << 10
        view[places.LOG], view[places.PORTION_SHIFT] = log.address, 63
        contexts.append((context, seen))
        logs.append(log)

    machinecode.machine_for(2).take_in(contexts[0][0].address)
    kernels.take_in(contexts[1][0].address)

    assert logs[0].view.tolist() == logs[1].view.tolist()
    assert contexts[0][0].view[places.LOG_COUNT] == contexts[1][0].view[places.LOG_COUNT] > 100


def test_a_changed_callee_changes_the_hash_of_the_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*machinecode.SEARCHING.sources, *machinecode.BESIDE):
        source = Path(machinecode.__file__).with_name(name)
        (tmp_path / name).write_bytes(source.read_bytes())
    monkeypatch.setattr(machinecode, "__file__", str(tmp_path / "machinecode.py"))
    before = machinecode.code_hash(2)
    text = (tmp_path / "memory.py").read_text("utf-8")

    (tmp_path / "memory.py").write_text(text.replace("left * right", "right * left"), "utf-8")

    assert machinecode.code_hash(2) != before
    assert machinecode.code_hash(1) != machinecode.code_hash(2)


TOLD = """
import sys
from checker.models.fencecore import fencecore
from checker.search.explore import Options, search
from checker.story import story
options = Options(engine="compiled", plain_states=20, workers=int(sys.argv[1]))
report = search(fencecore(2, 2, 2, has_defect=True), options=options)
print(report.engine, report.states, report.transitions, report.rule_calls)
print(story(report.trace))
"""


def test_counts_and_traces_are_the_same_for_every_hash_seed_and_number_of_workers() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", TOLD, workers],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, workers in (("0", "1"), ("1", "2"), ("2", "1"))
    }

    assert len(told) == 1
    assert told.pop().startswith("compiled 235 570 ")
