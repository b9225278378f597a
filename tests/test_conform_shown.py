"""Adapters that send their state along with a reply: one turn a call, and the same judgement."""

from collections.abc import Callable

import pytest

from checker.conform.calls.table import OPERATIONS
from checker.conform.messages import Level, Message
from checker.conform.outcomes import Finding
from checker.conform.recorder import Line, Recorder
from checker.conform.running import Bench, run_all
from checker.conform.serving import ReferenceAdapter, reference_adapter
from checker.conform.session import Session, greet
from checker.conform.steps import Call, Look, Step
from checker.conform.suite import shipped
from checker.conform.transports.channel import AnswerFun
from checker.conform.transports.inprocess import InProcess
from checker.conform.world import world_of
from checker.conform.wrong.brokers import WRONG_BROKERS, WrongBroker
from spec.vocabulary import RangeId, Sequence, TopicName
from tests.conforming import QUICK, Wired, created, opened, produced

REFUSED = opened(replication_factor=0)
STEPS: tuple[Step, ...] = (opened(), created(), produced(b"a", b"b"))
Change = Callable[[Message, Message], Message]
"""Takes a message and its answer; the answer that is sent instead."""


class Changed(ReferenceAdapter):
    """The reference, which answers otherwise."""

    def __init__(self, change: Change) -> None:
        super().__init__(OPERATIONS, {})
        self.change = change

    def handle(self, message: Message, effect: AnswerFun) -> Message | None:
        """Answer one message."""
        answer = super().handle(message, effect)
        return None if answer is None else self.change(message, answer)


def asked_only(message: Message, answer: Message) -> Message:
    """Of the state alone, where it is asked for."""
    if message["type"] == "hello":
        can = answer["capabilities"]
        assert isinstance(can, dict)
        return {**answer, "capabilities": {**can, "show": False}}
    return answer


def replied(**changed: object) -> Change:
    """With another reply; a part that is none is left out."""

    def change(_message: Message, answer: Message) -> Message:
        if answer["type"] != "reply":
            return answer
        return {name: each for name, each in {**answer, **changed}.items() if each is not None}  # type: ignore[misc] # terms, by the caller

    return change


def passed(
    change: Change, *steps: Step, level: Level = "L3", is_wired: bool = False
) -> tuple[Finding | None, list[Line]]:
    """What comes of steps against the reference that answers otherwise, and what passed."""
    adapter = Changed(change)
    channel = Wired(adapter) if is_wired else InProcess(adapter)
    recorder = Recorder(channel)
    try:
        session = Session(recorder, greet(channel, QUICK), world_of("authoritative"), level)
        return session.run(steps), recorder.lines
    finally:
        channel.close()


def types(lines: list[Line]) -> list[object]:
    """What was said, by its type."""
    return [message["type"] for _, message in lines]


@pytest.mark.parametrize("is_wired", [False, True])
def test_who_sends_its_state_with_a_reply_is_not_asked_for_it(is_wired: bool) -> None:
    found, lines = passed(lambda _, answer: answer, *STEPS, is_wired=is_wired)

    assert found is None
    assert "snapshot" not in types(lines)
    shown = [message for _, message in lines if message["type"] == "reply"]
    assert all("state" in message for message in shown)
    assert len(shown) == len(STEPS)


def test_who_does_not_is_asked_after_each_call() -> None:
    found, lines = passed(asked_only, *STEPS)

    assert found is None
    assert types(lines).count("snapshot") == len(STEPS)
    assert not any("show" in message or "state" in message for _, message in lines)


def test_nobody_is_asked_to_show_a_state_below_l3() -> None:
    found, lines = passed(lambda _, answer: answer, *STEPS, level="L2")

    assert found is None
    assert not any("show" in message for _, message in lines)


@pytest.mark.parametrize("is_wired", [False, True])
@pytest.mark.parametrize(
    ("change", "outcome", "said"),
    [
        (replied(state=None), "error/protocol", "reply: state is missing"),
        (replied(state=[]), "error/protocol", "state is a list of 0, not an object"),
        (replied(state={}), "error/protocol", "state.fencing is missing"),
        (replied(value=None), "error/protocol", "reply: value is missing"),
        (replied(more=1), "error/protocol", "reply: more is unknown"),
        (replied(id=7), "error/protocol", "the id is 7, and that of the message was 2"),
    ],
)
def test_a_reply_without_its_state_is_no_message(
    change: Change, outcome: str, said: str, is_wired: bool
) -> None:
    found, _ = passed(change, *STEPS, is_wired=is_wired)

    assert found is not None
    assert found.outcome == outcome
    assert said in found.text


def test_a_state_that_nobody_asked_for_is_an_unknown_field() -> None:
    def unasked(message: Message, answer: Message) -> Message:
        return replied(state={})(message, asked_only(message, answer))

    found, _ = passed(unasked, *STEPS)

    assert found is not None
    assert (found.outcome, found.text) == ("error/protocol", "reply: state is unknown")


def test_a_refused_open_shows_nothing_or_the_broker_that_was_there_before() -> None:
    assert passed(lambda _, answer: answer, REFUSED, *STEPS, REFUSED, *STEPS)[0] is None

    found, _ = passed(replied(state={}), REFUSED)

    assert found is not None
    assert "state is unknown: nothing was opened" in found.text


def test_a_wrong_reply_is_named_before_the_state_that_comes_with_it() -> None:
    refused = {"tag": "error", "value": {"tag": "no_brokers", "value": {"#tup": []}}}

    def both(message: Message, answer: Message) -> Message:
        is_last = message.get("op") == "produce"
        return replied(value=refused, state={})(message, answer) if is_last else answer

    found, _ = passed(both, *STEPS)

    assert found is not None
    assert (found.outcome, found.step) == ("fail/reply", len(STEPS) - 1)


def test_a_state_that_was_right_a_call_ago_is_named_by_its_part() -> None:
    """[PRD-19] The state of before is sent, as by one who writes it before the call."""

    class Late(ReferenceAdapter):
        def handle(self, message: Message, effect: AnswerFun) -> Message | None:
            before = super().handle({**message, "type": "snapshot"}, effect) if self.brokers else {}
            answer = super().handle(message, effect)
            if before and answer is not None and "state" in answer:
                answer["state"] = before["value"]
            return answer

    channel = InProcess(Late(OPERATIONS, {}))
    session = Session(channel, greet(channel, QUICK), world_of("authoritative"))

    found = session.run((*STEPS, produced(b"a")))

    assert found is not None
    assert (found.outcome, found.step) == ("fail/state", 1)
    assert found.places[0].path.startswith("state.view")


def test_who_shows_one_state_with_replies_and_another_when_asked_is_found_out() -> None:
    def two_faced(message: Message, answer: Message) -> Message:
        if message["type"] != "snapshot":
            return answer
        state = answer["value"]
        assert isinstance(state, dict)
        return {**answer, "value": {**state, "offsets": {"#map": []}}}

    found, lines = passed(two_faced, *STEPS, Look("f1"))

    assert found is not None
    assert (found.outcome, found.step) == ("fail/state", len(STEPS))
    assert types(lines).count("snapshot") == 1


def test_a_crash_that_is_allowed_is_followed_by_a_snapshot() -> None:
    """A crash comes with no state."""
    root = RangeId(TopicName("t"), Sequence(0))
    reading = Call("f1", "read", {"range": root, "offset": 0, "max": 0})

    def crash(message: Message, answer: Message) -> Message:
        if message.get("op") != "read":
            return answer
        return {"type": "crash", "id": answer["id"], "kind": "argument", "message": "no"}

    found, lines = passed(crash, *STEPS, reading)

    assert found is None
    assert types(lines).count("snapshot") == 1


def outcomes(adapter: ReferenceAdapter) -> list[tuple[object, ...]]:
    """What comes of every scenario that ships."""
    bench = Bench(lambda: InProcess(adapter), QUICK)
    return [
        (each.scenario.id, each.outcome, each.level, each.calls, each.steps)
        for each in run_all(bench, shipped(), "L3", shrink=False)
    ]


def test_the_reference_passes_every_scenario_whichever_way_it_shows_its_state() -> None:
    asked = outcomes(Changed(asked_only))

    assert asked == outcomes(reference_adapter())
    assert {outcome for _, outcome, *_ in asked} == {"pass"}


@pytest.mark.parametrize("wrong", WRONG_BROKERS[::12], ids=lambda each: each.name)
def test_a_wrong_broker_is_caught_alike_whichever_way_it_shows_its_state(
    wrong: WrongBroker,
) -> None:
    sent = wrong.adapter()
    asked = Changed(asked_only)
    asked.operations = sent.operations

    assert outcomes(asked) == outcomes(sent)
