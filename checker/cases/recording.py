"""A trace of a world as calls: a recording that can be made again on a broker.

Each step is taken once more while its calls of the reference are heard, and the same calls are
made on a machine of their own, which answers as the reference does. So the recording of a defect
says what a broker without it answers.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from checker.cases.calling import IMPLEMENTATION, Caller, Faults, written
from checker.cases.functions import FUNCTIONS, written_args
from checker.cases.keying import placed_alike
from checker.cases.listening import Heard, Listener, Told
from checker.differences import content_of
from checker.replay import encoding
from checker.replay.faults import Fault
from checker.replay.terms import MalformedError, Term
from checker.replay.trace import Header, Mode
from checker.search.model import Model, Parts, Step
from checker.search.report import Trace
from checker.search.tables import run_rule
from reference.controlplane import Metadata
from reference.frontend import Frontend, Options
from reference.vnodes import View, merged
from spec.replies import Failed
from spec.vocabulary import Dispatch, RangeId, Roll, Sequence

QUIET = frozenset({"take_journal", "replay_journal", "drop_stale_active_segments"})
"""What belongs to a refresh: the call `refresh` stands for all of it."""


MOMENTS = frozenset({"fence_sent_at", "sent_at", "sealed_at"})


class RecordingError(MalformedError):
    """A trace that no calls of a broker can bring about."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The calls of a trace, and what the reference makes of them."""

    caller: Caller
    departs_at: int | None
    """The first step after which the reference is elsewhere than the trace; none where it never
    is. A defect leads it away, and so does what no call brings about."""

    def lines(self) -> list[dict[str, Term]]:
        """The recording, line by line."""
        return written(self.caller.header, self.caller.called)


def calls_of(model: Model, trace: Trace, name: str) -> Recorded:
    """The calls that a trace makes, made on the reference.

    Of the two ways in which commands travel, it is the one that leads the reference furthest along
    the trace. Raises RecordingError for a world that calls cannot begin in.
    """
    if not list(fronts(trace.initial)) or not list(views(trace.initial)):
        raise RecordingError("this world has no frontends that could be called")
    modes: tuple[Mode, ...] = ("authoritative", "raft")
    made = [Recording(model, trace, mode, name).made() for mode in modes]
    return max(made, key=lambda one: one.departs_at or len(trace.moves) + 1)


class Recording:
    """Makes the calls of a trace, step by step."""

    def __init__(self, model: Model, trace: Trace, mode: Mode, name: str) -> None:
        self.trace = trace
        self.departs_at: int | None = None
        self.caller = Caller(Header(name, IMPLEMENTATION, mode, None, {}))
        self.steps = {step.name: step for step in model.steps}
        self.states: list[Parts] = [trace.initial, *(move.parts for move in trace.moves)]
        self.clocks = {name: 0 for name, _ in fronts(trace.initial)}
        self.chains = [
            self.chain(self.steps[move.step], before, after)
            for move, (before, after) in zip(trace.moves, pairwise(self.states), strict=True)
        ]
        self.read = [
            each.args["view"] for chain in self.chains for each in chain if each.name == "put_cache"
        ]
        self.snapshots: dict[View, str] = {}
        self.place = next(front for _, front in fronts(trace.initial)).options.position_fun
        topics = merged(next(view for _, view in views(trace.initial))).topics
        self.keyspace_size = min((topic.keyspace_size for topic in topics.values()), default=1)

    def made(self) -> Recorded:
        """Make all the calls."""
        self.begin()
        for number, (before, after) in enumerate(pairwise(self.states), 1):
            self.take(number, before, after)
            if self.departs_at is None and not self.is_at(after):
                self.departs_at = number
        return Recorded(self.caller, self.departs_at)

    def begin(self) -> None:
        """Bring the machine to where the trace begins."""
        first = self.states[0]
        view = next(view for _, view in views(first))
        names = sorted(self.clocks)
        for command in founding(merged(view)):
            self.caller.call(names[0], "authority_command", {"command": command})
        if self.shown(self.caller.machine.world.authority) != self.shown(view):
            raise RecordingError("the trace begins with more than topics and ranges")
        for name in names:
            front = first[name]
            assert isinstance(front, Frontend), "a clock belongs to a frontend"
            if opened(front) != front or front.view != view:
                raise RecordingError(f"{name} does not begin as it is opened")
            self.caller.call(
                name, "open", options(front.options, keeps_journal=front.journal is not None)
            )
        self.remember(first)

    def take(self, number: int, before: Parts, after: Parts) -> None:
        """Make the calls of one step."""
        step, calls = self.steps[self.trace.moves[number - 1].step], self.chains[number - 1]
        names = [name for name, _ in fronts({part: before[part] for part in step.reads})]
        for each in calls:
            self.make(each, names[0] if names else self.owner(step), step, before)
        for name in names:
            if not calls and before[name] != after[name]:
                self.pass_by(name, before[name], after[name])
        self.remember(after)

    def owner(self, step: Step) -> str:
        """The frontend that a message belongs to, by the name of its part; or the first one."""
        owners = [name for part in step.reads for name in self.clocks if part.startswith(name)]
        return owners[0] if owners else min(self.clocks)

    def make(self, heard: Heard, name: str, step: Step, before: Parts) -> None:
        """Make one call."""
        if heard.name in QUIET:
            return
        if heard.name == "put_cache":
            self.refresh(name, heard.args)
            return
        args = written_args(heard.name, heard.args)
        if heard.name in {"store_append", "store_fence"}:
            target = message_of(step, before)
            if target is None:
                # The one log of a recording is the primary's: what others hold is not in it.
                return
            args |= target
        if "records" in args:
            args["records"] = placed_alike(args["records"], self.place, self.keyspace_size)
        for moment in ("now", "sealed_at"):
            if isinstance(args.get(moment), int):
                args[moment] = int(str(args[moment])) + self.clocks[name]
        self.caller.call(name, heard.name, args, faults_of(heard.told))

    def refresh(self, name: str, args: Mapping[str, object]) -> None:
        """Install a control plane that was remembered, or the one that a step has just made."""
        view = cast("View", args["view"])
        if view not in self.snapshots:
            if timeless(self.shown(view)) != timeless(
                self.shown(self.caller.machine.world.authority)
            ):
                raise RecordingError(f"{name} installs what the control plane never was")
            self.snapshot(view)
        given: dict[str, Term] = {"snapshot": self.snapshots[view]}
        unreachable = sorted(cast("Iterable[str]", args["unreachable"]))
        if unreachable:
            given["unreachable"] = list[Term](unreachable)
        self.caller.call(name, "refresh", given)

    def pass_by(self, name: str, before: object, after: object) -> None:
        """Let time pass for a frontend whose marks alone have moved, or let it begin anew.

        What else changes a frontend without a call, no broker does, and `departs_at` tells.
        """
        if self.timeless(before) == self.timeless(after):
            self.clocks[name] += 1
        elif isinstance(after, Frontend) and opened(after) == after:
            self.caller.call(name, "restart", {})

    def is_at(self, state: Parts) -> bool:
        """Whether the machine is where the trace is, but for moments."""
        world = self.caller.machine
        return all(
            self.timeless(front) == self.timeless(world.frontends[name])
            for name, front in fronts(state)
        ) and timeless(self.shown(next(view for _, view in views(state)))) == timeless(
            self.shown(world.world.authority)
        )

    def timeless(self, front: object) -> Term:
        """A frontend as a recording shows it, without moments."""
        return timeless(self.caller.machine.shown.state(cast("Frontend", front)))

    def remember(self, state: Parts) -> None:
        """Take a snapshot of a control plane that some refresh installs later."""
        for _, view in views(state):
            if view in self.read and view not in self.snapshots:
                self.snapshot(view)

    def snapshot(self, view: View) -> None:
        """Take a snapshot of the control plane as it is."""
        self.snapshots[view] = f"read {len(self.snapshots) + 1}"
        args: dict[str, Term] = {"name": self.snapshots[view]}
        self.caller.call(min(self.clocks), "snapshot", args)

    def chain(self, step: Step, before: Parts, after: Parts) -> list[Heard]:
        """The calls that a step makes on its way to one of its outcomes."""
        listener = Listener({name: function for name, (function, _) in FUNCTIONS.items()})
        arguments = [before[name] for name in step.reads]
        with listener.listening():
            run_rule(step, arguments)
        chains = list(chained(listener.heard, [value for _, value in fronts(before)]))
        fitting = [one for one in chains if fits(one, before, after)]
        return (fitting or chains or [[]])[0]

    def shown(self, view: View) -> Term:
        """A control plane as a recording shows it."""
        return self.caller.machine.shown.view(view)


def opened(front: Frontend) -> Frontend:
    """A frontend as it is when it has just been opened."""
    return Frontend(front.options, front.view, journal=None if front.journal is None else ())


def fronts(state: Parts) -> Iterator[tuple[str, Frontend]]:
    """The frontends of a state, by the names of their parts."""
    return ((name, value) for name, value in state.items() if isinstance(value, Frontend))


def views(state: Parts) -> Iterator[tuple[str, View]]:
    """The control plane of a state."""
    return ((name, value) for name, value in state.items() if isinstance(value, View))


def chained(heard: Iterable[Heard], begin: list[Frontend]) -> Iterator[list[Heard]]:
    """The calls, cut where a rule begins anew to see another way of ending."""
    chain: list[Heard] = []
    for each in heard:
        is_again = any(one.name == each.name for one in chain)
        if is_again and any(each.args.get("front") is front for front in begin):
            yield chain
            chain = []
        chain.append(each)
    if chain:
        yield chain


def fits(chain: list[Heard], before: Parts, after: Parts) -> bool:
    """Whether a chain of calls leaves the control plane as the step does."""
    applied = [told.applied for each in chain for told in each.told if told.applied is not None]
    held, now = dict(views(before)), dict(views(after))
    return list(now.values())[:1] == (applied[-1:] or list(held.values())[:1])


def faults_of(told: list[Told]) -> Faults:
    """The answers to commands that never came."""
    found = [
        Fault({"error": one.reply.reason}, at, None, is_applied=one.applied is not None)
        for at, one in enumerate(told)
        if isinstance(one.reply, Failed)
    ]
    return {"command": tuple(found)} if found else {}


def message_of(step: Step, before: Parts) -> dict[str, Term] | None:
    """Which segment a step brings a batch or a fence to, as a call of the store names it."""
    for value in (each for name in step.reads for each in inside(before[name])):
        match value:
            case Dispatch(segment_id=segment_id, base_offset=start):
                return {"segment": encoding.segment_id(segment_id), "base_offset": start}
            case Roll(segment_id=segment_id, start_offset=start):
                return {"segment": encoding.segment_id(segment_id), "start_offset": start}
            case _:
                continue
    return None


def inside(value: object) -> Iterator[object]:
    """What a message consists of, itself first. Frontends and views are no messages."""
    if isinstance(value, Frontend | View):
        return
    yield value
    content = content_of(value)
    for each in () if content is None else content.members.values():
        yield from inside(each)


def timeless(term: Term) -> Term:
    """What a recording shows, without the moments in it."""
    match term:
        case dict():
            return {
                key: value is not None if key in MOMENTS else timeless(value)
                for key, value in term.items()
            }
        case ["seal_segment", segment, length, size, _]:
            return ["seal_segment", segment, length, size]
        case list():
            return [timeless(each) for each in term]
        case _:
            return term


def founding(metadata: Metadata) -> Iterator[Term]:
    """Commands that bring about a control plane, as far as topics, ranges and segments tell."""
    for name, topic in sorted(metadata.topics.items()):
        yield ["create_topic", name, topic.keyspace_size.bit_length() - 1]
    made: set[RangeId] = set()
    for range_id, block in sorted(metadata.ranges.items()):
        twin = RangeId(range_id.topic, Sequence(range_id.seq + 1))
        if not block.parents or range_id in made:
            continue
        if twin in metadata.ranges and metadata.ranges[twin].parents == block.parents:
            made.add(twin)
            yield ["split_range", encoding.range_id(block.parents[-1])]
        else:
            yield ["merge_ranges", *map(encoding.range_id, block.parents[-2:])]


def options(given: Options, *, keeps_journal: bool) -> Mapping[str, Term]:
    """The arguments with which a frontend is opened."""
    args: dict[str, Term] = {
        "brokers": list(given.brokers),
        "replication_factor": given.replication_factor,
        "segment_max_bytes": given.segment_max_bytes,
        "placement_policy": given.placement_policy,
        "journal": keeps_journal,
    }
    if given.spread_by is not None:
        args["spread_by"] = given.spread_by
    if given.min_domains is not None:
        args["min_domains"] = given.min_domains
    if given.broker_attributes:
        args["broker_attributes"] = {
            broker: dict(sorted(own.items()))
            for broker, own in sorted(given.broker_attributes.items())
        }
    return args
