"""Search up to symmetry in machine code, held against that in plain Python and the whole one."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from checker.models.fencecore import fencecore
from checker.search import places as k
from checker.search import turnkernels
from checker.search.explore import Options, search
from checker.search.faults import CheckpointError, ModelError
from checker.search.memory import load
from checker.search.model import Goal, Guard, Law, Limit, Model, Parts, Step, StepLaw
from checker.search.owners import OWNERS, Buffers
from checker.search.packing import layout_for
from checker.search.plain import Limits
from checker.search.report import Report
from checker.search.symmetric import Symmetric
from checker.search.turning import Further, Renaming, turn_for
from tests.search_models import line

PLAIN = Options(engine="plain", symmetry=True)


def compiled(workers: int = 2, **changes: object) -> Options:
    """Answer options that go over to machine code as early as can be."""
    options = Options(engine="compiled", symmetry=True, workers=workers, plain_states=5)
    return replace(options, **changes)  # type: ignore[arg-type] # fields are named by the test


def same(left: Report, right: Report) -> bool:
    """Answer whether two searches found the same."""
    keep = {"seconds": 0.0, "engine": ""}
    return replace(left, **keep) == replace(right, **keep)  # type: ignore[arg-type] # as above


def far(first: int, second: int) -> bool:
    """Answer whether the second guest is done before the first one came: this names guests."""
    return (first, second) == (0, 2)


def ordered(served: tuple[str, ...]) -> bool:
    """Answer false where three were served in one order, which names guests too."""
    return served != ("c", "a", "b")


def no_third(_step: Step, before: Parts, _after: Parts) -> bool:
    """Answer false where b leaves after c, twice."""
    return before["served"] != ("c", "b", "c")


LAWS = (Law("ordered", "T-1", "Ordered.", ("served",), ordered),)
FAR = (Law("not_far", "T-3", "Not far.", ("a", "c"), lambda a, c: not far(a, c)),)
STEP_LAWS = (StepLaw("no_third", "T-2", "No third.", frozenset({"leave"}), no_third),)
GOALS = (Goal("far", ("c", "b"), far), Goal("never", ("a",), lambda a: a == 9))
BOUNDS = {"rounds": "two rounds"}
LIMITS = (Limit("rounds", ("b",), lambda b: b == 2),)

BROKEN = [
    fencecore(2, 2, 2, has_defect=True),
    line(laws=LAWS),
    line(laws=FAR),
    line(step_laws=STEP_LAWS),
    line(laws=(*LAWS, *FAR), step_laws=STEP_LAWS),
]


@pytest.mark.parametrize(
    "model",
    [
        fencecore(2, 2, 1),
        fencecore(2, 3, 1),
        line(3),
        line(goals=GOALS, bounds=BOUNDS, limits=LIMITS),
        *BROKEN,
    ],
    ids=lambda model: f"{model.name}, {len(model.laws)} and {len(model.step_laws)} laws",
)
def test_both_engines_find_the_same_up_to_symmetry(model: Model) -> None:
    slow = search(model, options=PLAIN)

    for workers in (1, 2):
        fast = search(model, options=compiled(workers))

        assert fast.engine == "compiled, up to symmetry"
        assert fast.is_reduced
        assert same(fast, slow)


@pytest.mark.parametrize("options", [PLAIN, compiled()], ids=["plain", "compiled"])
@pytest.mark.parametrize("model", BROKEN)
def test_what_is_broken_is_shown_by_the_trace_that_the_whole_search_shows(
    model: Model, options: Options
) -> None:
    whole = search(model, options=Options(engine="plain"))

    reduced = search(model, options=options)

    assert reduced.trace is not None
    assert reduced.trace == whole.trace
    assert reduced.states < whole.states


def test_the_defect_of_fencecore_takes_six_steps() -> None:
    report = search(fencecore(2, 2, 2, has_defect=True), options=compiled())

    assert report.trace is not None
    assert len(report.trace.moves) == 6


def test_three_guests_leave_a_sixth_of_the_states_and_some() -> None:
    whole = search(line(3), options=Options(engine="plain"))

    reduced = search(line(3), options=compiled())

    assert whole.states / 6 < reduced.states < whole.states / 5
    assert reduced.depth == whole.depth
    assert reduced.rule_calls == whole.rule_calls


@pytest.mark.parametrize("options", [PLAIN, compiled()], ids=["plain", "compiled"])
def test_a_symmetry_that_is_none_late_in_the_search_is_refused(options: Options) -> None:
    complaint = "the symmetry b and c does not hold: b leaves does not do what c leaves does"

    with pytest.raises(ModelError, match=complaint) as caught:
        search(line(3, hasty="c"), options=options)

    came_through = {Path(str(entry.path)).stem for entry in caught.traceback}
    assert ("compiled" in came_through) == (options.engine == "compiled")


@pytest.mark.parametrize("options", [PLAIN, compiled()], ids=["plain", "compiled"])
def test_a_guard_that_knows_names_is_refused(options: Options) -> None:
    model = line()
    tight, loose = (Guard(("a",), lambda rounds, most=most: rounds < most) for most in (2, 3))
    guards = {"a joins": tight, "b joins": replace(loose, reads=("b",))}
    guards["c joins"] = replace(loose, reads=("c",))
    steps = tuple(replace(step, guard=guards.get(step.name)) for step in model.steps)

    with pytest.raises(ModelError, match="the symmetry a and b does not hold: the guard of b"):
        search(replace(model, steps=steps), options=options)


def test_rows_that_spill_to_the_disk_are_searched_up_to_symmetry(tmp_path: Path) -> None:
    options = compiled(memory=1, spill=tmp_path)
    said: list[str] = []

    report = search(line(3), options=replace(options, warn=said.append))

    assert (report.verdict, report.stopped_by) == ("unfinished", "memory")
    assert len(said) == 1
    roomy = search(line(3), options=compiled(memory=1 << 34, spill=tmp_path))
    assert same(roomy, search(line(3), options=PLAIN))


def test_a_search_up_to_symmetry_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    keeping = compiled(plain_states=300, checkpoint=tmp_path, checkpoint_seconds=0.0, resume=True)
    whole = search(fencecore(2, 2, 1), options=PLAIN)

    stops = [search(fencecore(2, 2, 1), max_states=most, options=keeping) for most in (500, 4_000)]
    last = search(fencecore(2, 2, 1), options=keeping)

    assert [each.verdict for each in stops] == ["unfinished"] * 2
    assert same(last, whole)


def test_a_trace_up_to_symmetry_is_the_same_after_a_stop(tmp_path: Path) -> None:
    keeping = compiled(plain_states=3, checkpoint=tmp_path, checkpoint_seconds=0.0, resume=True)
    model = line(3, step_laws=STEP_LAWS)

    stopped = search(model, max_states=4, options=keeping)
    last = search(model, options=keeping)

    assert stopped.verdict == "unfinished"
    assert last.trace == search(model, options=Options(engine="plain")).trace
    assert last.trace is not None


def test_a_whole_search_takes_no_checkpoint_of_one_up_to_symmetry(tmp_path: Path) -> None:
    keeping = compiled(plain_states=300, checkpoint=tmp_path, checkpoint_seconds=0.0)
    said: list[str] = []
    search(fencecore(2, 2, 1), max_states=500, options=keeping)

    whole = replace(keeping, symmetry=False, resume=True, warn=said.append)
    report = search(fencecore(2, 2, 1), options=whole)

    assert report.states == 23_867
    assert len(said) == 1
    assert "no checkpoint in" in said[0]


def test_a_checkpoint_of_other_symmetries_is_refused(tmp_path: Path) -> None:
    keeping = compiled(plain_states=3, checkpoint=tmp_path, checkpoint_seconds=0.0, resume=True)
    search(line(3), max_states=4, options=keeping)

    fewer = line(3, symmetries=line(3).symmetries[:1])
    with pytest.raises(CheckpointError, match="is of other rules than those of line now"):
        search(fewer, options=keeping)


@pytest.mark.parametrize("kind", ["machine code", "Python"])
def test_the_kernel_turns_rows_into_those_that_stand_for_them(kind: str) -> None:
    begun = Symmetric(line(), Limits())
    begun.run()
    layout = layout_for([len(values) for values in begun.tables.values], least_words=2)
    assert layout.words == 2
    rows = [
        random.Random(seed).choice(begun.tables.images(row)) for seed, row in enumerate(begun.rows)
    ]
    renaming, buffers = Renaming(begun.closed, layout), Buffers(layout.words, len(rows), 1)
    further = Further(buffers, layout.words)
    renaming.catch_up()
    renaming.attach(buffers.context)
    for number, row in enumerate(rows):
        further.rows[0].put(number * layout.words, layout.row(row))
    buffers.context.view[k.OUT_COUNT] = len(rows)
    turn = turn_for(layout.words) if kind == "machine code" else turnkernels.turn

    turn(buffers.context.address)

    found = [
        layout.ids(range(len(layout.word)), [load(address, 2 * row), load(address, 2 * row + 1)])
        for address, count in map(buffers.out, range(OWNERS))
        for row in range(count)
    ]
    assert sorted(found) == sorted(map(begun.tables.standing_for, rows))
