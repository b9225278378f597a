"""Every transition of a scope as a case, and the states that adapters take and fork."""

import sys
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import pytest
from immutables import Map

import checker.conform.adapters
from bench.edges import edges
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.calls.table import OPERATIONS
from checker.conform.exhaustive import Exhaustive, exhaustive
from checker.conform.messages import Limits, Message
from checker.conform.operations import PROFILES, Answered, Arguments, Effects
from checker.conform.running import Bench
from checker.conform.serving import ReferenceAdapter, reference_adapter
from checker.conform.steps import Fork, Load, Look
from checker.conform.transports.channel import AnswerFun
from checker.conform.transports.inprocess import Adapter, InProcess
from checker.conform.transports.stdio import Stdio
from checker.conform.wrong.brokers import wrong_broker_named
from reference import vnodes
from reference.frontend import Frontend, Options
from spec.vocabulary import Broker
from tests.conforming import created, judged

SAMPLE = Path(checker.conform.adapters.__file__).parent / "sample.py"
LIMITS = Limits(start_ms=120_000, turn_ms=60_000)


def bench_of(adapter: Adapter) -> Bench:
    """An adapter in this process."""
    return Bench(lambda: InProcess(adapter), LIMITS)


def failing(bench: Bench, cases: Exhaustive) -> list[str]:
    """The signatures of the cases that fail."""
    played = (bench.play(one, one.steps, "L3").finding for one in cases.scenarios)
    return sorted({finding.signature for finding in played if finding is not None})


@pytest.mark.parametrize(
    ("scope", "digest", "total"),
    [
        ("race", "4173c3ad1cb6", 641),
        ("recovery", "a9cdc11d8edb", 1_162),
        ("split-again", "99bcae0bac6c", 132),
    ],
)
def test_the_reference_makes_every_transition_of_a_scope(
    scope: str, digest: str, total: int
) -> None:
    bench = bench_of(reference_adapter())

    cases = exhaustive(scope, bench.welcome(), PROFILES)

    assert cases.line() == f"{scope} ({digest}): {total:,} of {total:,} transitions"
    assert failing(bench, cases) == []


def test_the_reference_makes_every_call_at_an_edge() -> None:
    """What the prover found: below, at and above the edge of each condition."""
    bench = bench_of(reference_adapter())

    cases = exhaustive("edges", bench.welcome(), PROFILES)

    assert (cases.covered, cases.total) == (241, 241)
    assert failing(bench, cases) == []


def test_the_edges_that_ship_are_those_of_the_prover() -> None:
    """`python -m bench.edges > checker/conform/edges.jsonl` writes them anew."""
    shipped = files("checker.conform").joinpath("edges.jsonl").read_text("utf-8")

    assert list(edges()) == shipped.splitlines()


def test_an_edge_that_is_moved_by_one_shows() -> None:
    operation = OPERATIONS["fences_to_send"]

    def late(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        return operation.run(front, {**args, "retry_after": args["retry_after"] + 1}, effects)

    changed = replace(operation, run=late)
    bench = bench_of(reference_adapter({**OPERATIONS, "fences_to_send": changed}, "late by one"))

    found = failing(bench, exhaustive("edges", bench.welcome(), PROFILES))

    assert found == ["fail/reply fences_to_send reply"]


def test_without_load_a_state_is_reached_by_its_shortest_run() -> None:
    bench = bench_of(reference_adapter())
    welcome = bench.welcome()
    modest = replace(welcome, capabilities=replace(welcome.capabilities, load=False))

    cases = exhaustive("race", modest, PROFILES)

    assert (cases.covered, dict(cases.left_out)) == (641, {})
    assert len(cases.scenarios) == 641
    assert max(len(one.steps) for one in cases.scenarios) == 10
    assert failing(bench, cases) == []


def test_what_cannot_be_played_is_counted_by_its_reason() -> None:
    welcome = bench_of(reference_adapter()).welcome()
    modest = replace(welcome.capabilities, load=False)
    plain = replace(welcome, ops=welcome.ops - {"request_rolls"})
    hashed = replace(welcome, capabilities=replace(modest, placement="oracle"))
    logged = replace(welcome, capabilities=replace(welcome.capabilities, view="log"))

    def left_out(who: object, scope: str = "race") -> dict[str, int]:
        return dict(exhaustive(scope, who, PROFILES).left_out)  # type: ignore[arg-type] # a welcome

    assert left_out(plain) == {"the adapter does not have request_rolls": 93}
    assert left_out(hashed) == {"the adapter hashes otherwise, and does not take states": 641}
    assert left_out(logged) == {"the adapter takes views as logs alone": 641}
    assert exhaustive("race", welcome, ("plan",)).covered == 154 + 43


def test_the_sample_takes_states_and_forks_them() -> None:
    bench = Bench(lambda: Stdio([sys.executable, str(SAMPLE)], LIMITS), LIMITS)

    cases = exhaustive("race", bench.welcome(), PROFILES)
    found = failing(bench, cases)
    bench.close()

    assert (cases.covered, found) == (641, [])


@dataclass(slots=True)
class Forgetful(ReferenceAdapter):
    """Takes a state without its heads."""

    def handle(self, message: Message, effect: AnswerFun) -> Message | None:
        """Answer one message."""
        answered = ReferenceAdapter.handle(self, message, effect)
        if message["type"] == "load":
            name = str(message["broker"])
            self.brokers[name] = replace(self.brokers[name], heads=Map())
        return answered


@dataclass(slots=True)
class Sharing(ReferenceAdapter):
    """What happens to a fork happens to what it was forked from."""

    def handle(self, message: Message, effect: AnswerFun) -> Message | None:
        """Answer one message."""
        answered = ReferenceAdapter.handle(self, message, effect)
        if message["type"] == "call" and "base" in self.brokers:
            self.brokers["base"] = self.brokers["f1"]
        return answered


def test_who_takes_a_state_badly_is_named_before_any_call() -> None:
    bench = bench_of(Forgetful(reference_adapter().operations, {}))

    found = failing(bench, exhaustive("race", bench.welcome(), PROFILES))

    assert found == ["fail/state load state.heads"]


def test_a_fork_that_changes_what_it_was_forked_from_is_seen() -> None:
    front = Frontend(Options((Broker("b1"),)), vnodes.single())
    steps = (Load("base", front), Fork("f1", "base"), created(), Look("base"))

    found = judged(*steps, adapter=Sharing(reference_adapter().operations, {}))

    assert judged(*steps) is None
    assert found is not None
    assert (found.step, found.signature) == (3, "fail/state state.view.topics")


@pytest.mark.parametrize("name", ["D09", "D19", "D21"])
def test_a_wrong_broker_is_caught_by_some_transition(name: str) -> None:
    broker = wrong_broker_named(name)
    assert broker is not None
    bench = bench_of(broker.adapter())

    found = failing(bench, exhaustive("race", bench.welcome(), PROFILES))

    assert found


def test_a_run_exhausts_a_scope_and_says_how_much_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(
        ["conform", "run", "--reference", "--only", "local-*", "--exhaustive", "split-again"]
    )

    assert code == Exit.OK
    said = capsys.readouterr().out
    assert "17 scenarios, 132 calls: 17 pass" in said
    assert "split-again (99bcae0bac6c): 132 of 132 transitions\n" in said
    assert run(["conform", "run", "--reference", "--exhaustive", "nowhere"]) == Exit.USAGE
