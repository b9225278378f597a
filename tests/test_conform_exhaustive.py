"""Every transition of a scope as a case, and the states that adapters take and fork."""

import sys
from collections import Counter
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from immutables import Map

import checker.conform.adapters
from bench.edges import edges
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.calls.table import OPERATIONS
from checker.conform.exhaustive import Exhaustive, exhaustive, views_of
from checker.conform.learning import learnt
from checker.conform.messages import Limits, Message
from checker.conform.operations import PROFILES, Answered, Arguments, Effects
from checker.conform.retracing import log_of
from checker.conform.running import Bench
from checker.conform.serving import ReferenceAdapter, reference_adapter
from checker.conform.steps import Fork, Load, Look
from checker.conform.transports.channel import AnswerFun
from checker.conform.transports.inprocess import Adapter, InProcess
from checker.conform.transports.stdio import Stdio
from checker.conform.views import LoggedView, as_view, view
from checker.conform.wrong.brokers import wrong_broker_named
from reference import vnodes
from reference.frontend import Frontend, Options
from reference.vnodes import View
from spec import commands
from spec.commands import Command
from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Millis,
    Offset,
    RangeId,
    SegmentId,
    Sequence,
    TopicName,
)
from tests.conforming import created, judged

ROOT = RangeId(TopicName("t"), Sequence(0))
SAMPLE = Path(checker.conform.adapters.__file__).parent / "sample.py"
LIMITS = Limits(start_ms=120_000, turn_ms=60_000)


def segment(number: int) -> SegmentId:
    """A segment of the root range."""
    return SegmentId(ROOT, Sequence(number))


def registered(number: int, start: int) -> Command:
    """A segment is opened."""
    return commands.RegisterSegment(ROOT, segment(number), (Broker("b1"),), Offset(start))


def sealed(number: int, length: int) -> Command:
    """A segment is closed."""
    return commands.SealSegment(segment(number), Count(length), ByteSize(9), Millis(7))


def view_of(*told: Command) -> View:
    """What a control plane with one topic is after some commands."""
    now = vnodes.single()
    for one in (commands.CreateTopic(ROOT.topic, 2), *told):
        now, _ = vnodes.command(now, one, Millis(5))
    return now


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
        ("overlap", "90db99450db2", 25),
        ("read-overrun", "8986304190d5", 45),
    ],
)
def test_the_reference_makes_every_transition_of_a_scope(
    scope: str, digest: str, total: int
) -> None:
    bench = bench_of(reference_adapter())

    cases = exhaustive(scope, bench.welcome(), PROFILES)

    assert cases.line() == f"{scope} ({digest}): {total:,} of {total:,} transitions"
    assert failing(bench, cases) == []


def test_the_commits_of_a_group_and_what_they_left_are_among_the_transitions() -> None:
    """[RNG-24, RNG-26] The consumer of a world commits and resumes by calls of its frontend."""
    bench = bench_of(reference_adapter())

    cases = exhaustive("read-group-raft", bench.welcome(), ("history",))

    counts = Counter(one.op for one in learnt("read-group-raft").transitions)
    assert (cases.hash, cases.total) == ("21ca1ae7c044", 1_562)
    assert (counts["commit_offset"], counts["committed_offsets"]) == (37, 52)
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

    assert (cases.covered, cases.left_out) == (641, ())
    assert len(cases.scenarios) == 641
    assert max(len(one.steps) for one in cases.scenarios) == 10
    assert failing(bench, cases) == []


def test_what_cannot_be_played_is_counted_by_its_reason() -> None:
    welcome = bench_of(reference_adapter()).welcome()
    modest = replace(welcome.capabilities, load=False)
    plain = replace(welcome, ops=welcome.ops - {"request_rolls"})
    hashed = replace(welcome, capabilities=replace(modest, placement="oracle"))

    def left_out(who: object, scope: str = "race") -> dict[str, int]:
        return dict(exhaustive(scope, who, PROFILES).reasons)  # type: ignore[arg-type] # a welcome

    assert left_out(plain) == {"the adapter does not have request_rolls": 93}
    assert left_out(hashed) == {"the adapter hashes otherwise, and does not take states": 641}
    assert exhaustive("race", welcome, ("plan",)).covered == 154 + 43
    routed = replace(welcome, capabilities=replace(welcome.capabilities, position="oracle"))
    assert left_out(routed, "overlap") == {"topics are routed by another hash there": 25}


def test_what_cannot_be_played_is_listed_call_by_call() -> None:
    welcome = bench_of(reference_adapter()).welcome()
    plain = replace(welcome, ops=welcome.ops - {"put_cache"})

    left_out = exhaustive("overlap", plain, PROFILES).left_out

    lines = [each.line() for each in left_out]
    assert len(set(lines)) == 9
    assert all(line.startswith("put_cache ") for line in lines)
    assert all(line.endswith(": the adapter does not have put_cache") for line in lines)


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


@dataclass(slots=True)
class Logged(ReferenceAdapter):
    """Takes views as logs alone."""

    loads: bool = True

    def handle(self, message: Message, effect: AnswerFun) -> Message | None:
        """Answer one message. A view in a state is passed by for the one that is told as a log."""
        answered = ReferenceAdapter.handle(self, message, effect)
        if message["type"] == "load":
            name, told = str(message["broker"]), view.decode(message["view"], "view")
            assert isinstance(told, LoggedView)
            self.brokers[name] = replace(self.brokers[name], view=as_view(told))
        if answered is not None and message["type"] == "hello":
            can: Any = answered["capabilities"]
            can |= {"view": "log", "load": self.loads}
        return answered


@pytest.mark.parametrize(
    ("scope", "loads", "total"),
    [("race", True, 641), ("overlap", True, 25), ("split-again", False, 132)],
)
def test_who_takes_views_as_logs_is_told_the_commands_that_lead_to_them(
    scope: str, loads: bool, total: int
) -> None:
    bench = bench_of(Logged(reference_adapter().operations, {}, loads=loads))

    cases = exhaustive(scope, bench.welcome(), PROFILES)

    assert (cases.covered, failing(bench, cases)) == (total, [])


def test_a_view_with_a_hole_is_led_to_by_a_segment_that_is_removed() -> None:
    """[RNG-16] A segment begins at the largest edge among those that its range lists."""
    told = view_of(
        registered(0, 0),
        sealed(0, 3),
        registered(1, 3),
        sealed(1, 2),
        registered(2, 5),
        commands.DeleteSegment(segment(1)),
    )

    log = log_of(told)

    assert log is not None
    assert as_view(log) == told


def test_a_view_that_no_command_leads_to_has_no_log() -> None:
    """Two active segments of one range: no control plane has that."""
    told = view_of(registered(0, 0), sealed(0, 3))
    (metadata,) = told.vnodes.values()
    other = replace(metadata.segments[segment(0)], start_offset=Offset(1))
    twice = replace(metadata, segments=metadata.segments.set(segment(7), other))
    impossible = replace(told, vnodes=told.vnodes.update({vnodes.DEFAULT_VNODE: twice}))

    assert log_of(impossible) is None
    one = replace(learnt("overlap").transitions[0], before=Frontend(Options(()), impossible))
    assert None in map(log_of, views_of([one]))


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
