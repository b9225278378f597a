"""Every local transition of a frontend that the search of a declared scope meets.

A world runs the reference's functions through its rules. Here each rule also notes what it was
called with, and what each command was answered: one function of one frontend, in one state, with
one set of answers. The search calls a rule once for each set of values that it reads, so what is
noted is all that a frontend of the scope can be brought to do.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from checker.conform.calls.table import OPERATIONS
from checker.conform.effects import Coming, Installed
from checker.conform.operations import Answered
from checker.differences import shown
from checker.search.model import Model
from checker.search.plain import search
from checker.world.reshaping import rules as reshaping_rules
from checker.world.reshaping import scopes as reshaping
from checker.world.reshaping.world import world as reshaping_world
from checker.world.sharing import rules as sharing_rules
from checker.world.sharing import scopes as sharing
from checker.world.sharing.roll import world as sharing_world
from checker.world.sharing.rules import NOW
from reference import vnodes
from reference.frontend import CommandFun, Frontend
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, ReadReply, ReplicateReply
from spec.vocabulary import (
    Broker,
    Count,
    Dispatch,
    Offset,
    PolicyName,
    RangeId,
    SegmentId,
    TopicPolicy,
)

AnyRules = TypeVar("AnyRules", bound=sharing_rules.Rules)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a command was answered, and what became of the caller's view."""

    reply: CommandReply
    view: Coming


@dataclass(frozen=True, slots=True)
class Transition:
    """One function of one frontend, in one state, with one set of answers."""

    op: str
    before: Frontend
    args: tuple[tuple[str, Any], ...]
    heard: tuple[Heard, ...]
    after: Frontend

    def __str__(self) -> str:
        return f"{self.op} {shown(self.before)} {shown(self.args)} {shown(self.heard)}"


class Listener:
    """The effects of one call in a world: commands alone, and what each was answered."""

    def __init__(self, tell: CommandFun | None) -> None:
        self._tell = tell
        self.heard: tuple[Heard, ...] = ()

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane of the world."""
        assert self._tell is not None
        after, reply = self._tell(view, command)
        self.heard += (Heard(reply, coming(view, command, after)),)
        return after, reply

    def replicate(self, _dispatch: Dispatch) -> ReplicateReply:
        """No rule of a world replicates within a call."""
        raise NotImplementedError

    def read(
        self, _broker: Broker, _segment_id: SegmentId, _offset: Offset, _max: Count
    ) -> ReadReply:
        """No rule of these worlds reads."""
        raise NotImplementedError

    def policy(self, _name: PolicyName) -> TopicPolicy | None:
        """These worlds have no policies."""
        return None


def coming(held: View, command: Command, after: View) -> Coming:
    """How a view came: not at all, by the command itself, or whole."""
    if after == held:
        return "keep"
    return "apply" if vnodes.command(held, command, NOW)[0] == after else Installed(after)


@dataclass(frozen=True, slots=True)
class Noted:
    """How a rule of a world is a call of the protocol."""

    op: str
    names: tuple[str, ...]
    """Of its arguments, in the rule's order."""
    answers: Literal["both", "front", "reply"]
    """Which part of what the call answers is what the rule answers."""


ANSWER = ("roll", "end_offset", "byte_size", "sealed_at")
NOTED: Mapping[str, Noted] = {
    "produce_plan": Noted("produce_plan", ("topic", "records"), "both"),
    "forget_sealed": Noted("forget_sealed", ("range", "segment", "end_offset"), "front"),
    "request_rolls": Noted("request_rolls", ("segments",), "front"),
    "fences_to_send": Noted("fences_to_send", ("now", "retry_after"), "both"),
    "is_awaiting_fence": Noted("awaiting_fence", ("range", "segment", "now", "window"), "reply"),
    "forget_fence": Noted("forget_fence", ("roll",), "front"),
    "record_fence": Noted("record_fence", ANSWER, "both"),
    "record_seal": Noted("record_seal", ANSWER, "both"),
    "active_roll": Noted("active_roll", ("range",), "reply"),
    "seed_range_state": Noted("seed_range_state", ("range", "next_offset", "min_seq"), "front"),
    "seed_unrecovered_range": Noted("seed_unrecovered_range", ("range", "min_seq"), "front"),
}
"""The rules that are calls as they stand."""


class Learner:
    """Runs the calls of a world, and notes each one that it has not met."""

    def __init__(self) -> None:
        self.found: dict[Transition, None] = {}

    def noting(self, rules: AnyRules) -> AnyRules:
        """The rules of a world, each noting its calls."""
        names = {field.name for field in fields(rules)}
        exchanged = {name: self._rule(noted) for name, noted in NOTED.items() if name in names}
        own = {"adopt_answer": self._adopt_answer, "install": self._install}
        if "reshape" in names:
            own["reshape"] = self._reshape
        return replace(rules, **exchanged, **own)  # type: ignore[arg-type] # named as the rules are

    def _rule(self, noted: Noted) -> Callable[..., Any]:
        def rule(front: Frontend, *given: Any) -> Any:  # noqa: ANN401 # any rule
            args = dict(zip(noted.names, given, strict=False))
            tell = given[len(noted.names)] if len(given) > len(noted.names) else None
            answered = self._run(noted.op, front, args, tell)
            match noted.answers:
                case "both":
                    return answered
                case "front":
                    return answered[0]
                case "reply":
                    return answered[1]

        return rule

    def _run(
        self, op: str, front: Frontend, args: Mapping[str, Any], tell: CommandFun | None = None
    ) -> Answered:
        listener = Listener(tell)
        after, reply = OPERATIONS[op].run(front, args, listener)
        noted = Transition(op, front, tuple(args.items()), listener.heard, after)
        self.found.setdefault(noted)
        return after, reply

    def _adopt_answer(self, front: Frontend, sent: Dispatch, last: Offset) -> tuple[Frontend, bool]:
        args = {"range": sent.range_id, "segment": sent.segment_id, "last": last}
        return self._run("adopt_offsets", front, args)[0], True

    def _install(self, front: Frontend, view: View) -> Frontend:
        """[RFR-3] What a caller does with a read: four calls in a row."""
        front, taken = self._run("take_journal", front, {})
        front, _ = self._run("put_cache", front, {"view": view, "unreachable": ()})
        front, _ = self._run("replay_journal", front, {"commands": taken})
        return self._run("drop_stale_active_segments", front, {})[0]

    def _reshape(
        self, front: Frontend, parents: tuple[RangeId, ...], tell: CommandFun
    ) -> tuple[Frontend, Any]:
        if len(parents) == 1:
            return self._run("split_range", front, {"range": parents[0]}, tell)
        args = {"first": parents[0], "second": parents[1]}
        return self._run("merge_ranges", front, args, tell)


def race(learner: Learner) -> Model:
    """Two frontends that roll by age what both write."""
    return sharing_world("race", sharing.BOUNDS["race"], learner.noting(sharing_rules.REFERENCE))


def recovery(learner: Learner) -> Model:
    """A frontend that recovers twice."""
    bounds = sharing.BOUNDS["recovery"]
    return sharing_world("recovery", bounds, learner.noting(sharing_rules.REFERENCE))


def merge(learner: Learner) -> Model:
    """A frontend that merges what another writes to, in the mode raft."""
    bounds = reshaping.BOUNDS["merge-raft"]
    return reshaping_world("merge-raft", bounds, learner.noting(reshaping_rules.RAFT))


def split_again(learner: Learner) -> Model:
    """A split that is tried again."""
    return reshaping.again(learner.noting(reshaping_rules.REFERENCE))


LEARNT: Mapping[str, Callable[[Learner], Model]] = MappingProxyType(
    {"race": race, "recovery": recovery, "merge-raft": merge, "split-again": split_again}
)
"""The scopes whose transitions are cases, each with its world under rules that note."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """All local transitions of a scope."""

    scope: str
    transitions: tuple[Transition, ...]
    hash: str
    """What names just these transitions."""


@cache
def learnt(scope: str) -> Learnt:
    """Search a scope, and note every transition of its frontends."""
    learner = Learner()
    search(LEARNT[scope](learner))
    lines = "\n".join(sorted(map(str, learner.found)))
    return Learnt(scope, tuple(learner.found), hashlib.sha256(lines.encode()).hexdigest()[:12])
