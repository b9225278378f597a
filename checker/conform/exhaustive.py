"""Every local transition of a declared scope as a case for one adapter.

An adapter that takes states is put into each, and one that forks is put there once. Another is
brought there from `open` by the shortest run of transitions, each answered as it was in the scope.
What cannot be played is counted by its reason: nothing is passed over in silence.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from checker.conform.calls.table import OPERATIONS
from checker.conform.edges import EDGES, learnt_edges
from checker.conform.effects import Installed
from checker.conform.learning import LEARNT, Learnt, Transition, learnt
from checker.conform.messages import Capabilities, Welcome
from checker.conform.operations import Profile
from checker.conform.retracing import log_of
from checker.conform.scenarios import Scenario
from checker.conform.steps import Call, Fork, Load, Look, Step, ViewOf
from checker.conform.world import Fault, World, world_of
from checker.world.sharing.rules import NOW
from reference.frontend import Frontend
from reference.vnodes import View

SOURCES = (*LEARNT, EDGES)
"""Where transitions come from: scopes, and the edges of conditions."""
BROKER, BASE = "f1", "base"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A transition that is no case for an adapter."""

    transition: Transition
    reason: str

    def line(self) -> str:
        """`record_fence 0f3c9a51d2b7: the adapter does not have record_fence`."""
        return f"{self.transition.op} {self.transition.name}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Exhaustive:
    """The transitions of a scope, as far as an adapter can be brought to make them."""

    scope: str
    hash: str
    total: int
    scenarios: tuple[Scenario, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def covered(self) -> int:
        """How many are cases."""
        return self.total - len(self.left_out)

    @property
    def reasons(self) -> Mapping[str, int]:
        """How many are no cases, by the reason."""
        return dict(sorted(Counter(each.reason for each in self.left_out).items()))

    def line(self) -> str:
        """`race (4173c3ad1cb6): 641 of 641 transitions`, and why the others are left out."""
        reasons = "".join(f"; {count:,} left out: {why}" for why, count in self.reasons.items())
        said = f"{self.covered:,} of {self.total:,} transitions{reasons}"
        return f"{self.scope} ({self.hash}): {said}"


def exhaustive(scope: str, welcome: Welcome, profiles: Iterable[Profile]) -> Exhaustive:
    """The cases of a scope for an adapter, and of these profiles."""
    found = learnt_edges() if scope == EDGES else learnt(scope)
    wanted = frozenset(profiles)
    left_out: list[LeftOut] = []
    ways = ways_from_open(found)
    groups: dict[Frontend, list[Transition]] = {}
    for one in found.transitions:
        why = reason(one, welcome, wanted, ways)
        if why:
            left_out.append(LeftOut(one, why))
        else:
            groups.setdefault(one.before, []).append(one)
    can, world = welcome.capabilities, world_of("memory", policies=found.policies)
    scenarios = tuple(
        scenario
        for number, several in enumerate(groups.values(), 1)
        for scenario in scenarios_of(f"local-{scope}-{number}", world, several, can, ways)
    )
    return Exhaustive(scope, found.hash, len(found.transitions), scenarios, tuple(left_out))


Ways = Mapping[Frontend, tuple[Transition, ...]]
"""By state: the shortest run of transitions that leads there from a broker that was opened."""


def ways_from_open(found: Learnt) -> Ways:
    """The shortest ways to all states that transitions lead to."""
    leaving: dict[Frontend, list[Transition]] = {}
    for one in found.transitions:
        leaving.setdefault(one.before, []).append(one)
    ways: dict[Frontend, tuple[Transition, ...]] = {
        front: () for front in leaving if front == as_opened(front)
    }
    layer = list(ways)
    while layer:
        after = []
        for front in layer:
            for one in leaving.get(front, ()):
                if one.after not in ways:
                    ways[one.after] = (*ways[front], one)
                    after.append(one.after)
        layer = after
    return ways


def as_opened(front: Frontend) -> Frontend:
    """A frontend with these options, as it was opened on this view, with or without a journal."""
    journal = None if front.journal is None else ()
    return Frontend(front.options, front.view, journal=journal)


def reason(one: Transition, welcome: Welcome, wanted: frozenset[Profile], ways: Ways) -> str:
    """Why a transition is no case for an adapter; nothing where it is one."""
    can = welcome.capabilities
    ops = ops_of(one) if can.load else {*ops_of(one), "open", *(each.op for each in way(one, ways))}
    lacking = sorted(ops - welcome.ops)
    if lacking:
        return f"the adapter does not have {lacking[0]}"
    if OPERATIONS[one.op].profile not in wanted:
        return "its profile is not asked for"
    return unreachable(one, can, ways)


def unreachable(one: Transition, can: Capabilities, ways: Ways) -> str:
    """Why an adapter cannot be brought into the state before; nothing where it can."""
    behind = () if can.load else way(one, ways)
    if can.view == "log" and None in map(log_of, views_of((*behind, one))):
        return "the adapter takes views as logs, and no commands lead to this one"
    if can.position == "oracle" and len(one.before.view.ring) != 1:
        return "topics are routed by another hash there"
    if not can.load and one.before not in ways:
        return "no run from open leads there, and the adapter does not take states"
    if not can.load and "oracle" in {can.placement, can.position}:
        return "the adapter hashes otherwise, and does not take states"
    return ""


def way(one: Transition, ways: Ways) -> tuple[Transition, ...]:
    """What comes before a transition, where anything is known to lead to it."""
    return ways.get(one.before, ())


def views_of(several: Iterable[Transition]) -> Iterator[View]:
    """The views that an adapter has to be told for some transitions."""
    for one in several:
        yield one.before.view
        yield from (each for _, each in one.args if isinstance(each, View))
        yield from (each.view.view for each in one.heard if isinstance(each.view, Installed))


def ops_of(one: Transition) -> set[str]:
    """The calls that an adapter needs for a transition, those behind its state among them."""
    front = one.before
    behind = {
        "journal": front.journal is not None,
        "unrecovered": bool(front.unrecovered),
    }
    return {one.op, *(op for op, is_needed in behind.items() if is_needed)}


def scenarios_of(
    name: str, world: World, several: list[Transition], can: Capabilities, ways: Ways
) -> Iterator[Scenario]:
    """The transitions out of one state: in one run where states are taken, else a run each."""
    about = f"what a frontend may do in one state of a scope: {len(several)} calls"
    if can.load:
        yield Scenario(name, world, tuple(loaded(several, can)), (), about)
        return
    before = way(several[0], ways)
    for number, one in enumerate(several, 1):
        begun = (before[0] if before else one).before
        steps = (*opened(begun), *map(called, (*before, one)))
        log = log_of(begun.view)
        told = () if log is None else log.commands
        there = replace(world, authority=begun.view, commands=told)
        yield Scenario(f"{name}-{number}", there, steps, (), about)


def loaded(several: list[Transition], can: Capabilities) -> Iterator[Step]:
    """A state, and each call from there. Where it can be forked, it is also left as it was."""
    front = several[0].before
    is_forked = can.fork and can.brokers > 1
    if is_forked:
        yield Load(BASE, front)
    for one in several:
        yield Fork(BROKER, BASE) if is_forked else Load(BROKER, front)
        yield called(one)
    if is_forked:
        yield Look(BASE)


def called(one: Transition) -> Call:
    """A transition as a call whose effects are answered as they were in the scope."""
    commands = (
        Fault("command", at, heard.reply, view=heard.view) for at, heard in enumerate(one.heard)
    )
    reads = (Fault("read", at, reply) for at, reply in enumerate(one.read))
    return Call(BROKER, one.op, dict(one.args), (*commands, *reads), NOW)


def opened(front: Frontend) -> Iterator[Call]:
    """A broker is opened as a frontend was."""
    options = front.options
    args = {
        "brokers": options.brokers,
        "replication_factor": options.replication_factor,
        "segment_max_bytes": options.segment_max_bytes,
        "spread_by": options.spread_by,
        "broker_attributes": options.broker_attributes,
        "min_domains": options.min_domains,
        "placement_policy": options.placement_policy,
        "view": ViewOf(),
    }
    yield Call(BROKER, "open", args)
    if front.journal is not None:
        yield Call(BROKER, "journal")
