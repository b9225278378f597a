"""Brokers with a hash of their own: each run asks them anew, and believes what it hears."""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, repeat

import pytest

from checker.conform.calls.table import OPERATIONS
from checker.conform.messages import Capabilities, Message
from checker.conform.nouns import key, segment_id
from checker.conform.operations import Answered, Arguments, Effects
from checker.conform.oracles import Knowledge
from checker.conform.outcomes import Finding
from checker.conform.recorder import Line, Recorder
from checker.conform.serving import ReferenceAdapter
from checker.conform.session import Session, greet
from checker.conform.steps import Call, Step
from checker.conform.transports.channel import AnswerFun
from checker.conform.transports.inprocess import InProcess
from checker.conform.world import Fault, world_of
from reference.frontend import Frontend, Options
from reference.vnodes import single
from spec.replies import Failed, Refusal
from spec.vocabulary import Broker, Position, RangeId, SegmentId, Sequence, TopicName
from tests.conforming import QUICK, created, opened, produced

ROOT = RangeId(TopicName("t"), Sequence(0))
SPLIT = Call("f1", "split_range", {"range": ROOT})


class Hashing(ReferenceAdapter):
    """Hashes in a way of its own, with a salt that may be another after each reset."""

    def __init__(self, salts: Iterator[int]) -> None:
        options = Options((), position_fun=self.position, rank_fun=self.rank)
        super().__init__(OPERATIONS, {}, "hashing", "", Frontend(options, single()))
        self.salts = salts
        self.salt = 0

    def position(self, key: bytes | None, size: int) -> Position:
        """Where a key falls."""
        return Position(zlib.crc32(repr((self.salt, key)).encode()) % size)

    def rank(self, segment: SegmentId, broker: Broker) -> int:
        """How high a broker ranks."""
        return zlib.crc32(repr((self.salt, segment, broker)).encode())

    def handle(self, message: Message, effect: AnswerFun) -> Message | None:
        """Answer one message."""
        if message["type"] == "reset":
            self.salt = next(self.salts)
        args = message.get("args")
        if isinstance(args, dict) and message["op"] == "position":
            found = self.position(key.decode(args["key"], "key"), int(str(args["size"])))
            return {"type": "reply", "id": message["id"], "value": found}
        if isinstance(args, dict) and message["op"] == "rank":
            segment, brokers = segment_id.decode(args["segment"], "segment"), args["brokers"]
            assert isinstance(brokers, list)
            names = sorted(brokers, key=lambda one: self.rank(segment, Broker(str(one))))
            return {"type": "reply", "id": message["id"], "value": names[::-1]}
        return super().handle(message, effect)


def runs(
    adapter: ReferenceAdapter, steps: tuple[Step, ...], times: int
) -> list[tuple[Finding | None, list[Line]]]:
    """Runs of the same steps against an adapter that goes on, each with what passed."""
    welcome = greet(InProcess(adapter), QUICK)
    can = replace(welcome.capabilities, position="oracle", placement="oracle")
    knowledge = Knowledge(can)
    found = []
    for _ in range(times):
        recorder = Recorder(InProcess(adapter))
        greeted = replace(welcome, capabilities=can)
        session = Session(recorder, greeted, world_of("authoritative"), "L3", knowledge)
        found.append((session.run(steps), recorder.lines))
    return found


STEPS = (opened(), created(), SPLIT, produced(b"a", b"b", b"c"), produced(b"d", b"a"))


def test_each_run_asks_anew_and_is_the_same_to_the_byte() -> None:
    first, second, third = runs(Hashing(repeat(7)), STEPS, 3)

    assert first[0] is None
    assert first == second == third
    asked = [message["op"] for _, message in first[1] if message["type"] == "call"]
    assert asked.count("position") == 4
    assert asked.count("rank") == 2


def test_a_hash_that_changes_between_runs_is_believed_in_each() -> None:
    found = runs(Hashing(count()), STEPS, 6)

    assert [finding for finding, _ in found] == [None] * 6
    assert len({str(lines) for _, lines in found}) > 1


def test_a_hash_that_changes_within_a_run_is_a_wrong_effect() -> None:
    class Fickle(Hashing):
        def handle(self, message: Message, effect: AnswerFun) -> Message | None:
            if message["type"] == "call" and message["op"] == "produce":
                self.salt += 1
            return super().handle(message, effect)

    ((finding, _),) = runs(Fickle(repeat(7)), STEPS, 1)

    assert finding is not None
    assert finding.outcome == "fail/effect"


@pytest.mark.parametrize("at", [0, 1])
def test_ranges_in_another_order_are_judged_where_a_call_ends_early(at: int) -> None:
    """[PRD-7] The ranges behind the one that fails are placed as well, if they come first."""
    operation = OPERATIONS["produce"]
    assert operation.grouped is not None
    run_groups, route = operation.grouped.run, operation.grouped.route

    def backwards(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        groups = route(front, args)
        if isinstance(groups, Refusal):
            return front, groups
        return run_groups(front, groups[::-1], effects)

    adapter = Hashing(repeat(7))
    adapter.operations = {**OPERATIONS, "produce": replace(operation, run=backwards)}
    faults = (Fault("replicate", at, Failed("no")),)
    keys = tuple(bytes([number]) for number in range(12))
    steps = (opened(), created(), SPLIT, replace(produced(*keys), faults=faults))

    ((finding, lines),) = runs(adapter, steps, 1)

    assert finding is None
    assert sum(message.get("op") == "rank" for _, message in lines) == 2


def test_who_hashes_as_the_source_does_is_asked_nothing() -> None:
    knowledge = Knowledge(Capabilities())

    one, blank, foresee = knowledge.of((Broker("b1"),))
    _, same, again = knowledge.of((Broker("b2"),))

    assert (same, again) == (blank, foresee)
    assert one.universe == (Broker("b1"),)
