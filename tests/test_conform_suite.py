"""The suite: scenarios that ship, recordings, walks, and the wrong brokers that they catch."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from checker.cases.writing import written
from checker.conform.calls.table import OPERATIONS
from checker.conform.coverage import coverage
from checker.conform.messages import Limits
from checker.conform.operations import PROFILES, Profile
from checker.conform.recorder import transcript
from checker.conform.running import Bench, Result, claim, run_all, run_one
from checker.conform.scenarios import Scenario, scenario_of_recording
from checker.conform.serving import reference_adapter
from checker.conform.shrinking import Shrinker
from checker.conform.steps import Call, Step
from checker.conform.suite import of_paths, of_text, shipped, walks
from checker.conform.transports.inprocess import InProcess
from checker.conform.walks import WalkKind, walk
from checker.conform.writing import case_of
from checker.conform.wrong.brokers import WRONG_BROKERS, WrongBroker
from checker.conform.wrong.catching import Caught, caught
from checker.replay.terms import MalformedError
from spec.clauses import clause_of
from tests.conforming import Wired

TRACES = Path(__file__).parent / "data" / "traces"
CAUGHT = json.loads((Path(__file__).parent / "data" / "wrong_brokers.json").read_text("utf-8"))
KINDS: tuple[WalkKind, ...] = (*PROFILES, "mixed")


def reference() -> Bench:
    """The reference in this process."""
    adapter = reference_adapter()
    return Bench(lambda: InProcess(adapter), Limits())


def bench_of(broker: WrongBroker) -> Bench:
    """A wrong broker in this process."""
    adapter = broker.adapter()
    return Bench(lambda: InProcess(adapter), Limits())


def test_the_reference_passes_every_scenario_that_ships_with_a_full_claim() -> None:
    results = list(run_all(reference(), shipped(), "L3"))

    assert {result.scenario.id: result.outcome for result in results} == {
        scenario.id: "pass" for scenario in shipped()
    }
    assert claim(results) == f"L3 {'+'.join(PROFILES)}"


def test_the_scenarios_make_every_call_and_cite_clauses_that_are_written() -> None:
    assert {op for scenario in shipped() for op in scenario.ops} == set(OPERATIONS)
    for scenario in shipped():
        assert scenario.clauses
        assert [clause_of(clause).id for clause in scenario.clauses] == list(scenario.clauses)


def test_a_scenario_of_a_profile_makes_only_its_calls_and_those_of_core_and_plan() -> None:
    for scenario in shipped():
        profile = scenario.id.split("-")[0]
        if profile != "cross":
            assert scenario.called_profiles <= {"core", "plan", profile}, scenario.id
            assert scenario.spoken_for == (profile,), scenario.id


@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_fits_its_walks(kind: WalkKind) -> None:
    for seed in range(3):
        scenario = walk(kind, seed)

        played = reference().play(scenario, scenario.steps, "L3")

        assert played.finding is None
        assert played.calls > 30


def test_the_reference_fits_what_a_broker_was_recorded_doing() -> None:
    """Its calls are made again; what it answered then is the replay's business."""
    bench = reference()

    for path in sorted(TRACES.rglob("*.jsonl"))[::9]:
        scenario = scenario_of_recording(path)

        assert bench.play(scenario, scenario.steps, "L3").finding is None, path


@pytest.mark.parametrize("broker", WRONG_BROKERS, ids=lambda each: each.name)
def test_every_wrong_broker_is_caught_by_the_scenario_that_the_table_names(
    broker: WrongBroker,
) -> None:
    pinned = CAUGHT[broker.name]
    scenario = next(each for each in shipped() if each.id == pinned["scenario"])

    result = run_one(bench_of(broker), scenario, "L3")

    assert result.finding is not None
    found = {
        "scenario": scenario.id,
        "level": result.level,
        "outcome": result.outcome,
        "signature": result.finding.signature,
        "calls": sum(isinstance(step, Call) for step in result.steps),
        "steps": len(result.steps),
    }
    assert pinned == {**found, "title": broker.title}
    assert is_minimal(bench_of(broker), result)


@pytest.mark.parametrize("broker", WRONG_BROKERS, ids=lambda each: each.name)
def test_every_wrong_broker_is_named_over_the_wire_as_it_is_without(broker: WrongBroker) -> None:
    pinned = CAUGHT[broker.name]
    scenario = next(each for each in shipped() if each.id == pinned["scenario"])
    bench = Bench(lambda: Wired(broker.adapter()), Limits())

    finding = bench.play(scenario, scenario.steps, "L3").finding
    bench.close()

    assert finding is not None
    assert finding.signature == pinned["signature"]


def is_minimal(bench: Bench, result: Result) -> bool:
    """Whether no step can be left out of what shrinking left."""
    assert result.finding is not None
    for at in range(len(result.steps)):
        rest = result.steps[:at] + result.steps[at + 1 :]
        finding = bench.play(result.scenario, rest, "L3").finding
        if finding is not None and finding.signature == result.finding.signature:
            return False
    return True


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("D06", Caught("L1", "core-a-read-stays-below-the-edge", 2, 2)),
        ("D07", Caught("L3", "cache-an-owed-roll-with-an-older-head-beside-it-stays", 11, 5)),
    ],
)
def test_a_wrong_broker_is_caught_at_the_lowest_level_that_shows_it(
    name: str, expected: Caught
) -> None:
    """`conform list --caught` prints all of them."""
    broker = next(each for each in WRONG_BROKERS if each.name == name)

    assert caught(broker, shipped()) == expected


def test_nine_in_ten_wrong_brokers_are_shown_in_six_calls_or_fewer() -> None:
    few = [name for name, pinned in CAUGHT.items() if pinned["calls"] <= 6]

    assert set(CAUGHT) == {broker.name for broker in WRONG_BROKERS}
    assert 10 * len(few) >= 9 * len(CAUGHT)


@pytest.mark.parametrize("name", ["D06", "D13", "D43"])
def test_what_shrinking_leaves_cannot_lose_a_step(name: str) -> None:
    broker = next(each for each in WRONG_BROKERS if each.name == name)
    bench = bench_of(broker)
    scenario = next(
        each
        for each in walks([broker.profile], 40, 0)
        if bench.play(each, each.steps, "L3").finding is not None
    )

    result = run_one(bench, scenario, "L3")

    assert is_minimal(bench, result)


def test_the_scenarios_cover_calls_answers_and_what_a_frontend_can_refuse() -> None:
    clauses, functions, errors, answers = coverage(shipped())

    assert len(clauses.found) >= 202
    assert functions.missing == ()
    assert answers.missing == ()
    assert errors.missing == ("no_brokers", "invalid_replication_factor")


def test_coverage_names_what_is_missing() -> None:
    only = [each for each in shipped() if each.id == "core-a-topic-is-created-with-one-range"]

    functions = coverage(only)[1]

    assert functions.missing
    assert f"functions: {len(only[0].ops)} of 43" in list(functions.lines())


def test_a_shrinker_stops_when_its_trials_are_used_up() -> None:
    shrinker = Shrinker(lambda _steps: True, trials=5)
    steps: tuple[Step, ...] = tuple(Call("f1", "due_rolls") for _ in range(40))

    left = shrinker.shrink(steps)

    assert shrinker.left == 0
    assert 1 <= len(left) < 40


@pytest.mark.parametrize("profile", ["core", "roll", "history"])
def test_a_walk_reads_back_from_the_case_that_it_is_written_as(profile: Profile) -> None:
    scenario = walk(profile, 1)
    bench = reference()
    bench.keep_lines = True

    back = of_text(scenario.id, written(case_of(scenario, scenario.steps)))

    before = bench.play(scenario, scenario.steps, "L3")
    after = bench.play(back, back.steps, "L3")
    assert back.ops == scenario.ops
    assert after.finding is None
    assert after.calls == before.calls


TRANSCRIPT = """
import sys
from tests.test_conform_suite import reference
from checker.conform.recorder import transcript
from checker.conform.walks import walk
bench = reference()
bench.keep_lines = True
for kind in ("cache", "heal", "mixed"):
    scenario = walk(kind, 7)
    played = bench.play(scenario, scenario.steps, "L3")
    sys.stdout.buffer.write(transcript(played.lines))
"""


def test_a_transcript_is_the_same_to_the_byte_whatever_the_hash_seed() -> None:
    root = Path(__file__).parent.parent
    runs = [
        subprocess.run(
            [sys.executable, "-c", TRANSCRIPT],
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert runs[0] == runs[1]
    assert len(runs[0]) > 100_000


def test_a_walk_may_be_kept_as_a_transcript() -> None:
    bench = reference()
    bench.keep_lines = True
    scenario = walk("core", 0)

    lines = transcript(bench.play(scenario, scenario.steps, "L3").lines)

    assert lines.startswith(
        b'> {"type":"reset","id":1}\n< {"type":"ready","id":1}\n> {"type":"call"'
    )


def test_files_and_folders_are_read_as_scenarios(tmp_path: Path) -> None:
    scenario = walk("core", 0)
    (tmp_path / "one.toml").write_text(written(case_of(scenario, scenario.steps)))
    (tmp_path / "bad").mkdir()

    found: list[Scenario] = list(of_paths([tmp_path, min(TRACES.rglob("*.jsonl"))]))

    assert [each.id for each in found] == ["one", min(TRACES.rglob("*.jsonl")).stem]


def test_a_case_of_a_world_is_no_scenario() -> None:
    text = (
        'format = "malachi-case/1"\nname = "w"\nsteps = [{step = "f1 opens s0"}]\n'
        '[world]\nscope = "roll"\n'
    )

    with pytest.raises(MalformedError) as raised:
        of_text("w", text)

    assert str(raised.value) == "its steps are those of a world, and a broker has only calls"
