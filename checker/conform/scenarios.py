"""Scenarios that are written down, as runs against a broker.

A scenario is a case of calls (`checker/cases`). The reference takes its steps first, so that what a
step takes from an earlier reply is known, and each call is then made of the broker.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from immutables import Map

from checker.cases.calling import Called
from checker.cases.calls import begun as case_begun
from checker.cases.kinds import CallCase
from checker.conform import world
from checker.conform.calls.table import OPERATIONS
from checker.conform.effects import Kind
from checker.conform.operations import Profile
from checker.conform.steps import (
    Append,
    Call,
    Drop,
    Fence,
    Fork,
    Load,
    Remember,
    Step,
    Tell,
    ViewOf,
)
from checker.conform.world import Fault, World
from checker.replay import decoding
from checker.replay.arguments import Arguments
from checker.replay.calls.world import options
from checker.replay.faults import faults as replay_faults
from checker.replay.terms import Term, items, text
from checker.replay.trace import Header, Trace
from spec.vocabulary import Group, Offset, PolicyName


@dataclass(frozen=True, slots=True)
class Scenario:
    """One run: what it is called, where it plays, and its steps."""

    id: str
    world: World
    steps: tuple[Step, ...]
    clauses: tuple[str, ...] = ()
    about: str = ""
    profiles: tuple[Profile, ...] = ()
    """The profiles that it speaks for; those of its calls, where none is named."""

    @property
    def ops(self) -> frozenset[str]:
        """The calls that it makes."""
        return frozenset(step.op for step in self.steps if isinstance(step, Call))

    @property
    def brokers(self) -> int:
        """How many brokers it opens."""
        return len({step.broker for step in self.steps if isinstance(step, Call | Load | Fork)})

    @property
    def called_profiles(self) -> frozenset[Profile]:
        """The profiles of its calls."""
        return frozenset(OPERATIONS[op].profile for op in self.ops)

    @property
    def spoken_for(self) -> tuple[Profile, ...]:
        """The profiles that a claim counts it for: core and plan only where it is about no other.

        Every scenario opens a broker and writes to it, and says little of that.
        """
        found = self.called_profiles
        about = found - {"core", "plan"} or found - {"core"} or found
        return self.profiles or tuple(sorted(about))


def scenario_of(name: str, case: CallCase) -> Scenario:
    """A case of calls as a run. Raises MalformedError for what is no call of the protocol."""
    run = case_begun(case)
    header, called = run.caller.header, run.calls()
    heading = case.heading
    about = heading.about or heading.name
    return Scenario(name, begun(header), tuple(played(called)), heading.clauses, about)


def scenario_of_recording(path: Path) -> Scenario:
    """The calls of a recording as a run. Raises MalformedError, and OSError."""
    trace = Trace(path)
    header = trace.header()
    called = [
        Called(
            call.frontend,
            call.call,
            {name: term for name, term in call.args.items() if name != "fault"},
            replay_faults(call.args["fault"]) if "fault" in call.args else {},
            call.reply,
            [],
            None,
            None,
            None,
        )
        for call in trace.calls()
    ]
    return Scenario(path.stem, begun(header), tuple(played(called)), (), header.name)


def played(called: Iterable[Called]) -> Iterator[Step]:
    """The steps of calls, in order. A frontend that restarts is opened as it was last."""
    last: dict[str, Called] = {}
    for one in called:
        if one.call == "open":
            last[one.frontend] = one
        yield from steps_of(last[one.frontend] if one.call == "restart" else one)


def begun(header: Header) -> World:
    """The world as it is before the first call."""
    policies = Map(header.policies)
    if header.vnodes is None:
        return world.world_of(header.mode, policies=policies)
    return world.world_of(header.mode, header.vnodes, policies)


def steps_of(called: Called) -> Iterator[Step]:
    """The steps that one call of a case stands for."""
    args = Arguments(called.args)
    if called.call in AROUND:
        yield from AROUND[called.call](called, args)
        return
    if called.call not in ARGUMENTS:
        # A decision of a coordinator asks nothing of a broker.
        return
    if "over" in called.args:
        yield Call(called.frontend, "domain_violations_over", {"view": ViewOf()})
        return
    decoded = {name: decode(args) for name, decode in ARGUMENTS[called.call].items()}
    yield Call(called.frontend, called.call, decoded, tuple(faults(called)))


def faults(called: Called) -> Iterator[Fault]:
    """What effects are answered instead of the truth."""
    for kind, several in called.faults.items():
        for one in several:
            answer = ANSWERS[kind](one.answer, f"answers.{kind}")
            yield Fault(kind, one.at, answer, one.is_applied, one.tag)


ANSWERS: Mapping[Kind, Callable[[Term, str], Any]] = {
    "command": decoding.command_reply,
    "replicate": decoding.replicate_reply,
    "read": decoding.read_reply,
}


def opened(called: Called, args: Arguments) -> Iterator[Step]:
    """A frontend is opened, and perhaps keeps a journal."""
    asked = options(args)
    given = {
        "brokers": asked.brokers,
        "replication_factor": asked.replication_factor,
        "segment_max_bytes": asked.segment_max_bytes,
        "spread_by": asked.spread_by,
        "broker_attributes": asked.broker_attributes,
        "min_domains": asked.min_domains,
        "placement_policy": asked.placement_policy,
        "view": ViewOf(),
    }
    yield Call(called.frontend, "open", given)
    if args.flag("journal") and called.reply == "ok":
        yield Call(called.frontend, "journal")


def refreshed(called: Called, args: Arguments) -> Iterator[Step]:
    """A frontend reads the control plane anew: four calls in a row."""
    assert isinstance(called.reply, dict)
    replayed = items(called.reply["replayed"], "replayed")
    commands = tuple(decoding.command(one, "replayed") for one in replayed)
    unread = args.vnodes("unreachable")
    view = ViewOf(args.find("snapshot", text), unread)
    yield Call(called.frontend, "take_journal")
    yield Call(called.frontend, "put_cache", {"view": view, "unreachable": unread})
    yield Call(called.frontend, "replay_journal", {"commands": commands})
    yield Call(called.frontend, "drop_stale_active_segments")


def installed(called: Called, args: Arguments) -> Iterator[Step]:
    """A view is installed."""
    view, unread = ViewOf(None, args.vnodes("blank")), args.vnodes("unreachable")
    yield Call(called.frontend, "put_cache", {"view": view, "unreachable": unread})


def remembered(_called: Called, args: Arguments) -> Iterator[Step]:
    """The control plane is remembered."""
    yield Remember(args.get("name", text))


def commanded(_called: Called, args: Arguments) -> Iterator[Step]:
    """Somebody else commands the control plane."""
    yield Tell(args.get("command", decoding.command))


def appended(called: Called, args: Arguments) -> Iterator[Step]:
    """Somebody else writes to a store."""
    base = Offset(args.count("base_offset") if "base_offset" in args.terms else 0)
    forced = called.call == "store_force"
    yield Append(args.segment_id(), base, args.get("records", decoding.records), forced)


def fenced(_called: Called, args: Arguments) -> Iterator[Step]:
    """A store is closed."""
    start = Offset(args.count("start_offset") if "start_offset" in args.terms else 0)
    yield Fence(args.segment_id(), start)


def dropped(_called: Called, args: Arguments) -> Iterator[Step]:
    """A store is gone."""
    yield Drop(args.segment_id())


AROUND: Mapping[str, Callable[[Called, Arguments], Iterator[Step]]] = {
    "open": opened,
    "refresh": refreshed,
    "put_cache": installed,
    "snapshot": remembered,
    "authority_command": commanded,
    "store_append": appended,
    "store_force": appended,
    "store_fence": fenced,
    "store_drop": dropped,
}
"""What happens around the broker's functions."""

Reader = Callable[[Arguments], Any]


def named(name: str, decode: Callable[[Term, str], Any]) -> Reader:
    """An argument by its name."""
    return lambda args: args.get(name, decode)


def several(name: str, decode: Callable[[Term, str], Any]) -> Reader:
    """A list of them."""
    return lambda args: args.many(name, decode)


def number(name: str) -> Reader:
    """A whole number."""
    return lambda args: args.whole(name)


def topic(name: str = "topic") -> Reader:
    """A topic's name."""
    return lambda args: args.topic(name)


TOPIC = {"topic": topic()}
RANGE = {"range": named("range", decoding.range_id)}
SEGMENT = {"segment": named("segment", decoding.segment_id)}
RECORDS = {**TOPIC, "records": named("records", decoding.records)}
COMMANDS = {"commands": several("commands", decoding.command)}
ANSWERED = {
    "roll": named("roll", decoding.roll),
    **{name: number(name) for name in ("end_offset", "byte_size", "sealed_at")},
}
GROUP = {"group": lambda args: Group(args.get("group", text)), **TOPIC}

ARGUMENTS: Mapping[str, Mapping[str, Reader]] = {
    "create_topic": {"topic": topic("name"), "bits": number("bits")},
    "active_range_ids": TOPIC,
    "split_range": RANGE,
    "merge_ranges": {
        "first": named("a", decoding.range_id),
        "second": named("b", decoding.range_id),
    },
    "delete_segment": SEGMENT,
    "commit_offset": {**GROUP, "positions": named("offsets", decoding.positions)},
    "committed_offsets": GROUP,
    "bind_topic_policy": {**TOPIC, "policy": named("policy", decoding.policy_name)},
    "topic_policy_name": TOPIC,
    "topics_bound_to": {"policy": lambda args: PolicyName(args.get("policy", text))},
    "metadata": {},
    "set_brokers": {"brokers": lambda args: args.brokers("brokers")},
    "set_broker_attributes": {"attributes": named("attributes", decoding.attributes)},
    "domain_violations": {},
    "produce": RECORDS,
    "produce_plan": RECORDS,
    "adopt_offsets": {**RANGE, **SEGMENT, "last": number("last")},
    "active_roll": RANGE,
    "due_rolls": {},
    "request_rolls": {"segments": several("segments", decoding.listed_segment)},
    "fences_to_send": {"now": number("now"), "retry_after": number("retry_after")},
    "awaiting_fence": {**RANGE, **SEGMENT, "now": number("now"), "window": number("window")},
    "range_awaiting_fence": {**TOPIC, "now": number("now"), "window": number("window")},
    "forget_fence": {"roll": named("roll", decoding.roll)},
    "record_fence": ANSWERED,
    "record_seal": ANSWERED,
    "forget_sealed": {**RANGE, **SEGMENT, "end_offset": number("end_offset")},
    "drop_stale_active_segments": {},
    "journal": {},
    "take_journal": {},
    "replay_journal": COMMANDS,
    "seed_range_state": {
        **RANGE,
        "next_offset": number("next_offset"),
        "min_seq": number("min_seq"),
    },
    "seed_unrecovered_range": {**RANGE, "min_seq": number("min_seq")},
    "unrecovered": RANGE,
    "apply_heal": COMMANDS,
    "apply_heal_reply": COMMANDS,
    "read": {**RANGE, "offset": number("offset"), "max": number("max")},
    "read_consume": {**RANGE, "cursor": named("cursor", decoding.position), "max": number("max")},
    "stream_history": {**RANGE, "cursor": named("cursor", decoding.cursor), "max": number("max")},
    "read_history": RANGE,
}
"""The arguments of each function, from how a case writes them."""
