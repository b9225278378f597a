"""Random walks: calls drawn from the state of the reference, the same for the same seed.

Only the reference is asked what to do next, never the broker under test, so a seed gives the same
steps for everybody, and a walk that is played twice is the same to the byte.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal

from immutables import Map

from checker.conform.arguments import DRAWN
from checker.conform.calls.table import OPERATIONS
from checker.conform.drawing import Walker
from checker.conform.effects import Kind
from checker.conform.operations import PROFILES, Profile
from checker.conform.scenarios import Scenario
from checker.conform.steps import Append, Call, Fence, Remember, Step, Tell
from checker.conform.world import MODES, Fault, world_of
from spec import commands, replies
from spec.vocabulary import (
    ByteSize,
    Count,
    Offset,
    PolicyName,
    SegmentId,
    Sequence,
    TopicName,
    TopicPolicy,
    VnodeId,
)

WalkKind = Profile | Literal["mixed"]
"""Which calls a walk makes: those of a profile, or all."""
LENGTH = 60
FAULTY = 0.15
"""So many calls that have effects get an answer that is not the world's."""
AROUND = 0.15
"""So many steps are somebody else's."""
POLICIES = Map({PolicyName("racks"): TopicPolicy("rack"), PolicyName("plain"): TopicPolicy(None)})
VNODES = ((VnodeId("vnode_0"), 0), (VnodeId("vnode_1"), 2**31))
EFFECTFUL: Mapping[str, tuple[Kind, ...]] = {
    "create_topic": ("command",),
    "split_range": ("command",),
    "merge_ranges": ("command",),
    "delete_segment": ("command",),
    "commit_offset": ("command",),
    "bind_topic_policy": ("command",),
    "record_fence": ("command",),
    "record_seal": ("command",),
    "apply_heal": ("command",),
    "apply_heal_reply": ("command",),
    "produce": ("command", "replicate", "replicate"),
    "produce_plan": ("command",),
    "read": ("read",),
    "read_consume": ("read",),
    "stream_history": ("read",),
    "read_history": ("read",),
}
"""The effects that a call may have."""


def walk(kind: WalkKind, seed: int, length: int = LENGTH) -> Scenario:
    """The walk of a seed: the calls of a profile among those of the core, or all of them."""
    chance = Random(f"{kind} {seed}")  # noqa: S311 # the same for the same seed
    mode = chance.choice(MODES)
    begun = world_of(mode, chance.choice((VNODES, *[VNODES[:1]] * 4)), POLICIES)
    steps = walked(Walker(chance, begun), kind, length)
    profiles: tuple[Profile, ...] = () if kind == "mixed" else (kind,)
    return Scenario(f"walk-{kind}-{seed}", begun, steps, (), f"{mode}, at random", profiles)


def walked(walker: Walker, kind: WalkKind, length: int) -> tuple[Step, ...]:
    """Find a control plane with a past, open one or two brokers, and go on at random."""
    chance, steps = walker.chance, walker.steps
    ops = [op for op in DRAWN if OPERATIONS[op].profile in profiles_of(kind)]
    weights = [DRAWN[op][0] * (3 if OPERATIONS[op].profile == kind else 1) for op in ops]
    if walker.evenly():
        a_past(walker)
    for broker in ("f1", "f2")[: chance.choice((1, 1, 2))]:
        walker.take(Call(broker, "open", walker.options()))
        walker.brokers.append(broker)
        if "journal" in ops and walker.mostly():
            walker.take(Call(broker, "journal"))
    walker.take(Call("f1", "create_topic", {"topic": "t", "bits": chance.choice((1, 2, 3))}))
    end = len(steps) + length
    while len(steps) < end:
        if chance.random() < AROUND:
            around(walker)
        else:
            called(walker, chance.choices(ops, weights)[0])
    return tuple(steps)


def profiles_of(kind: WalkKind) -> frozenset[Profile]:
    """The profiles whose calls a walk makes."""
    if kind == "mixed":
        return frozenset(PROFILES)
    return frozenset({"core"} if kind == "core" else {"core", "plan", kind})


def a_past(walker: Walker) -> None:
    """A topic with ranges that were split and merged, and segments that were closed."""
    chance, topic = walker.chance, TopicName("t")
    walker.take(Tell(commands.CreateTopic(topic, chance.choice((1, 2, 3)))))
    for _ in range(chance.choice((0, 1, 2, 3))):
        some_segments(walker)
        active = walker.active_ranges()
        if len(active) > 1 and walker.evenly():
            walker.take(Tell(commands.MergeRanges(*chance.sample(active, 2))))
        else:
            walker.take(Tell(commands.SplitRange(chance.choice(active))))
    some_segments(walker)


def some_segments(walker: Walker) -> None:
    """Closed segments of an active range, one behind the other; now and then one is gone."""
    chance = walker.chance
    range_id = chance.choice(walker.active_ranges())
    start = Offset(0)
    for number in range(chance.choice((0, 1, 2, 3))):
        segment_id = SegmentId(range_id, Sequence(number))
        replicas = walker.some_brokers()
        walker.take(Tell(commands.RegisterSegment(range_id, segment_id, replicas, start)))
        walker.take(Append(segment_id, start, walker.records()))
        stored = walker.end_of(segment_id, start) - start
        length = Count(chance.choice((0, stored, stored, max(0, stored - 1))))
        size = ByteSize(40 * length)
        walker.take(Tell(commands.SealSegment(segment_id, length, size, walker.now)))
        start = Offset(start + length)
        if chance.randrange(4) == 0:
            walker.take(Tell(commands.DeleteSegment(segment_id)))


def called(walker: Walker, op: str) -> None:
    """One call, with arguments from what is there, and perhaps a fault."""
    broker = walker.chance.choice(walker.brokers)
    args = DRAWN[op][1](walker, broker)
    faults = tuple(drawn_faults(walker, op))
    walker.clock += walker.chance.choice((0, 1, 10))
    walker.take(Call(broker, op, args, faults, walker.now))


def drawn_faults(walker: Walker, op: str) -> list[Fault]:
    """At most one fault, of an effect that the call may have."""
    chance = walker.chance
    kinds = EFFECTFUL.get(op)
    if kinds is None or chance.random() >= FAULTY:
        return []
    kind = chance.choice(kinds)
    at = chance.choice((0, 0, 0, 1))
    return [FAULTS[kind](walker, at)]


def command_fault(walker: Walker, at: int) -> Fault:
    """A lost command, applied or not, or an answer that speaks of what this broker has not seen."""
    answer = walker.chance.choice(
        (
            replies.Failed("timeout"),
            replies.Failed("timeout"),
            replies.Unexpected("later"),
            replies.SegmentExists(),
            replies.SegmentOverlap(),
            replies.ActiveSegmentExists(),
            replies.AlreadySealed(Count(walker.chance.randrange(4))),
            replies.NoSuchSegment(),
            replies.Migrating(),
            replies.Ok(),
        )
    )
    return Fault("command", at, answer, walker.evenly())


def replicate_fault(walker: Walker, at: int) -> Fault:
    """A lost batch, stored or not, another offset, or a fence that nobody here knows of."""
    answer = walker.chance.choice(
        (
            replies.Failed("no_quorum"),
            replies.Failed("timeout"),
            replies.Sealed(Offset(walker.chance.randrange(6))),
            replies.Appended(Offset(walker.chance.randrange(1, 9))),
        )
    )
    return Fault("replicate", at, answer, walker.evenly())


def read_fault(walker: Walker, at: int) -> Fault:
    """A read that fails, or finds nothing."""
    answer = walker.chance.choice(
        (replies.Failed("unreachable"), replies.Eof(), replies.Records(()))
    )
    return Fault("read", at, answer)


FAULTS: Mapping[Kind, Callable[[Walker, int], Fault]] = {
    "command": command_fault,
    "replicate": replicate_fault,
    "read": read_fault,
}


def around(walker: Walker) -> None:
    """What somebody else does."""
    match walker.chance.randrange(5):
        case 0:
            name = walker.chance.choice(("early", "late"))
            walker.take(Remember(name))
            walker.remembered.add(name)
        case 1:
            walker.take(Fence(*walker.segment_and_start()))
        case 2:
            segment, start = walker.segment_and_start()
            walker.take(Append(segment, start, walker.records()))
        case _:
            walker.take(Tell(walker.command()))
