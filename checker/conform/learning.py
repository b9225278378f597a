"""Every local transition of a frontend that the search of a declared scope meets.

A world runs the reference's functions through its rules. Here each rule also notes what it was
called with, and what each command was answered: one function of one frontend, in one state, with
one set of answers. The search calls a rule once for each set of values that it reads, so what is
noted is all that a frontend of the scope can be brought to do.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from immutables import Map

from checker.conform.calls.table import OPERATIONS
from checker.conform.effects import Coming, Installed
from checker.conform.operations import Answered
from checker.conform.replying import INVALID_ARGUMENT
from checker.differences import shown
from checker.search.model import Model
from checker.search.plain import search
from checker.world.reading import scopes as reading
from checker.world.reshaping import rules as reshaping_rules
from checker.world.reshaping import scopes as reshaping
from checker.world.reshaping.world import world as reshaping_world
from checker.world.sharing import rules as sharing_rules
from checker.world.sharing import scopes as sharing
from checker.world.sharing.roll import world as sharing_world
from checker.world.sharing.rules import NOW
from checker.world.views import rules as views_rules
from checker.world.views import scopes as views
from checker.world.views.parts import Begun
from reference import vnodes
from reference.frontend import CommandFun, Frontend, PolicyFun
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, InvalidArgument, Ok, ReadFun, ReadReply, ReplicateReply
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

AnyRules = TypeVar("AnyRules", bound=sharing_rules.Rules | views_rules.Rules)


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
    read: tuple[ReadReply, ...] = ()
    """What its reads were answered, in order."""

    def __str__(self) -> str:
        said = f"{self.op} {shown(self.before)} {shown(self.args)} {shown(self.heard)}"
        return f"{said} {shown(self.read)}" if self.read else said

    @property
    def name(self) -> str:
        """What names just this transition."""
        return digest(str(self))


def digest(text: str) -> str:
    """Twelve characters that stand for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Listener:
    """The effects of one call in a world, and what each was answered."""

    def __init__(
        self,
        tell: CommandFun | None = None,
        read: ReadFun | None = None,
        policy: PolicyFun | None = None,
    ) -> None:
        self._tell = tell
        self._read = read
        self._policy = policy
        self.heard: tuple[Heard, ...] = ()
        self.replies: tuple[ReadReply, ...] = ()
        self.policies: dict[PolicyName, TopicPolicy] = {}

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
        self, broker: Broker, segment_id: SegmentId, offset: Offset, at_most: Count
    ) -> ReadReply:
        """Read from a log of the world."""
        assert self._read is not None
        reply = self._read(broker, segment_id, offset, at_most)
        self.replies += (reply,)
        return reply

    def policy(self, name: PolicyName) -> TopicPolicy | None:
        """Look up a policy of the world; some worlds have none."""
        found = None if self._policy is None else self._policy(name)
        if found is not None:
            self.policies[name] = found
        return found


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
    is_read: bool = False
    """Whether the function that the rule is given behind its arguments reads, or else commands."""


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
    "create_topic": Noted("create_topic", ("topic", "bits"), "both"),
    "commit_offset": Noted("commit_offset", ("group", "topic", "positions"), "both"),
    "committed_offsets": Noted("committed_offsets", ("group", "topic"), "reply"),
    "bind_topic_policy": Noted("bind_topic_policy", ("topic", "policy"), "both"),
    "delete_segment": Noted("delete_segment", ("segment",), "both"),
    "set_broker_attributes": Noted("set_broker_attributes", ("attributes",), "front"),
    "domain_violations": Noted("domain_violations", (), "reply"),
    "read": Noted("read", ("range", "offset", "max"), "reply", is_read=True),
    "read_consume": Noted("read_consume", ("range", "cursor", "max"), "reply", is_read=True),
    "stream_history": Noted("stream_history", ("range", "cursor", "max"), "reply", is_read=True),
}
"""The rules that are calls as they stand."""


class Learner:
    """Runs the calls of a world, and notes each one that it has not met."""

    def __init__(self) -> None:
        self.found: dict[Transition, None] = {}
        self.policies: dict[PolicyName, TopicPolicy] = {}

    def noting(self, rules: AnyRules) -> AnyRules:
        """The rules of a world, each noting its calls."""
        names = {field.name for field in fields(rules)}
        exchanged = {name: self._rule(noted) for name, noted in NOTED.items()}
        exchanged |= {
            "adopt_answer": self._adopt_answer,
            "install": self._install,
            "reshape": self._reshape,
            "apply_heal_reply": self._apply_heal_reply,
            "set_brokers": self._set_brokers,
        }
        own: dict[str, Any] = {name: rule for name, rule in exchanged.items() if name in names}
        return replace(rules, **own)

    def _rule(self, noted: Noted) -> Callable[..., Any]:
        def rule(front: Frontend, *given: Any) -> Any:  # noqa: ANN401 # any rule
            args = dict(zip(noted.names, given, strict=False))
            fun, policy, *_ = (*given[len(noted.names) :], None, None)
            read, tell = (fun, None) if noted.is_read else (None, fun)
            listener = Listener(tell, read, policy)
            answered = self._run(noted.op, front, args, listener)
            match noted.answers:
                case "both":
                    return answered
                case "front":
                    return answered[0]
                case "reply":
                    return answered[1]

        return rule

    def _run(
        self,
        op: str,
        front: Frontend,
        args: Mapping[str, Any],
        listener: Listener | None = None,
    ) -> Answered:
        effects = listener or Listener()
        after, reply = OPERATIONS[op].run(front, args, effects)
        noted = Transition(op, front, tuple(args.items()), effects.heard, after, effects.replies)
        self.found.setdefault(noted)
        self.policies |= effects.policies
        return after, reply

    def _adopt_answer(self, front: Frontend, sent: Dispatch, last: Offset) -> tuple[Frontend, bool]:
        args = {"range": sent.range_id, "segment": sent.segment_id, "last": last}
        return self._run("adopt_offsets", front, args)[0], True

    def _install(self, front: Frontend, read: View | Begun, *_tell: CommandFun) -> Frontend:
        """[RFR-3] What a caller does with a read: four calls in a row."""
        view, unread = (read, frozenset()) if isinstance(read, View) else (read.view, read.unread)
        front, taken = self._run("take_journal", front, {})
        args = {"view": view, "unreachable": tuple(sorted(unread))}
        front, _ = self._run("put_cache", front, args)
        front, _ = self._run("replay_journal", front, {"commands": taken})
        return self._run("drop_stale_active_segments", front, {})[0]

    def _reshape(
        self, front: Frontend, parents: tuple[RangeId, ...], tell: CommandFun
    ) -> tuple[Frontend, Any]:
        if len(parents) == 1:
            return self._run("split_range", front, {"range": parents[0]}, Listener(tell))
        args = {"first": parents[0], "second": parents[1]}
        return self._run("merge_ranges", front, args, Listener(tell))

    def _apply_heal_reply(
        self, front: Frontend, commands: Iterable[Command], tell: CommandFun
    ) -> tuple[Frontend, Any]:
        return self._run("apply_heal_reply", front, {"commands": tuple(commands)}, Listener(tell))

    def _set_brokers(
        self, front: Frontend, members: Iterable[Broker]
    ) -> Frontend | InvalidArgument:
        after, reply = self._run("set_brokers", front, {"brokers": tuple(members)})
        return after if reply == Ok() else INVALID_ARGUMENT


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


def of_views(name: str, learner: Learner) -> Model:
    """Frontends that command and refresh, and keep a journal meanwhile."""
    rules = views_rules.RAFT if views.is_raft(name) else views_rules.REFERENCE
    return views.built(name, learner.noting(rules))


def of_reading(name: str, learner: Learner) -> Model:
    """A frontend that serves a consumer, beside one that writes, reshapes and expires."""
    return reading.defective(name, learner.noting(reading.rules_of(name)))


VIEWS = ("overlap", "journal", "journal-raft", "refresh", "refresh-raft", "policy", "heal")
READING = ("read-overrun", "read-group-raft", "read-holes", "read")
LEARNT: Mapping[str, Callable[[Learner], Model]] = MappingProxyType(
    {
        "race": race,
        "recovery": recovery,
        "merge-raft": merge,
        "split-again": split_again,
        **{name: partial(of_views, name) for name in VIEWS},
        **{name: partial(of_reading, name) for name in READING},
    }
)
"""The scopes whose transitions are cases, each with its world under rules that note."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """All local transitions of a scope."""

    scope: str
    transitions: tuple[Transition, ...]
    hash: str
    """What names just these transitions."""
    policies: Map[PolicyName, TopicPolicy] = Map()
    """What its policy names stand for."""


@cache
def learnt(scope: str) -> Learnt:
    """Search a scope, and note every transition of its frontends."""
    learner = Learner()
    search(LEARNT[scope](learner))
    lines = "\n".join(sorted(map(str, learner.found)))
    return Learnt(scope, tuple(learner.found), digest(lines), Map(learner.policies))
