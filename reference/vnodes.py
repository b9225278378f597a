"""The control plane cut into vnodes, as one value: what a frontend caches and what is true.

A topic lives whole on one vnode, the one its name routes to on a ring of tokens.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import itemgetter

from immutables import Map

from reference.controlplane import Metadata, apply
from reference.hashing import position_of
from spec.commands import (
    BeginMigration,
    BindTopicPolicy,
    Command,
    CommitOffset,
    CreateTopic,
    DeleteSegment,
    DeleteTopic,
    EndMigration,
    ExtractTopic,
    InsertTopic,
    MergeRanges,
    OtherCommand,
    RegisterSegment,
    SealSegment,
    SealTopic,
    SetSegmentReplicas,
    SplitRange,
)
from spec.replies import CommandReply, Exported, NoVnode, RangeTopicMismatch, UnknownCommand
from spec.vocabulary import Millis, TopicName, VnodeId

RING_BITS = 32
DEFAULT_VNODE = VnodeId("vnode_0")
NOTHING = Metadata()
"""What a vnode knows that was told nothing yet."""

_TOKEN = itemgetter(0)


@dataclass(frozen=True, slots=True)
class View:
    """Every vnode's metadata, and the ring that says which vnode owns a topic."""

    ring: tuple[tuple[int, VnodeId], ...]
    """Tokens, ascending. A vnode owns what hashes at most as high as its token."""
    vnodes: Map[VnodeId, Metadata]
    ring_bits: int = RING_BITS


def single() -> View:
    """One vnode that owns everything."""
    return sharded([(DEFAULT_VNODE, 0)])


def sharded(tokens: Iterable[tuple[VnodeId, int]], ring_bits: int = RING_BITS) -> View:
    """Place empty vnodes at their tokens."""
    ring = tuple(sorted((token, vnode) for vnode, token in tokens))
    return View(ring, Map((vnode, NOTHING) for _, vnode in ring), ring_bits)


def route(view: View, topic: TopicName) -> VnodeId | None:
    """[RNG-30] The owner of a topic: the first vnode at or above its hash, around the ring."""
    if len(view.ring) <= 1:
        return view.ring[0][1] if view.ring else None
    position = position_of(topic.encode(), 1 << view.ring_bits)
    index = bisect_left(view.ring, position, key=_TOKEN)
    return view.ring[index % len(view.ring)][1]


def metadata_of(view: View, topic: TopicName) -> Metadata:
    """[RNG-31] What the owner of a topic knows; nothing where nobody owns it."""
    owner = route(view, topic)
    return NOTHING if owner is None else view.vnodes.get(owner, NOTHING)


def merged(view: View) -> Metadata:
    """[RNG-37] All vnodes as one."""
    if len(view.vnodes) == 1:
        return next(iter(view.vnodes.values()))
    whole = NOTHING
    for _, one in sorted(view.vnodes.items(), key=_TOKEN):
        whole = Metadata(
            whole.topics.update(one.topics),
            whole.ranges.update(one.ranges),
            whole.segments.update(one.segments),
            whole.committed.update(one.committed),
            whole.migrating | one.migrating,
        )
    return whole


def command(view: View, command: Command, now: Millis | None = None) -> tuple[View, CommandReply]:
    """[RNG-33] Tell the owner of a command's topic; a merge has to stay within one topic."""
    if isinstance(command, MergeRanges) and command.first.topic != command.second.topic:
        return view, RangeTopicMismatch()
    return submit(view, command, now)


def submit(view: View, command: Command, now: Millis | None = None) -> tuple[View, CommandReply]:
    """[RNG-30, RNG-31, RNG-32, RNG-49] Tell the owner of the topic that a command names first."""
    topic = topic_of(command)
    if topic is None:
        return view, UnknownCommand()
    owner = route(view, topic)
    if owner is None:
        return view, NoVnode()
    return submit_to(view, owner, command, now)


def submit_to(
    view: View, vnode: VnodeId, command: Command, now: Millis | None = None
) -> tuple[View, CommandReply]:
    """Tell one vnode, whether or not it owns what the command is about."""
    metadata = view.vnodes.get(vnode)
    if metadata is None:
        return view, NoVnode()
    changed, reply = apply(metadata, command, now)
    if changed is metadata:
        return view, reply
    return View(view.ring, view.vnodes.set(vnode, changed), view.ring_bits), reply


def topic_of(command: Command) -> TopicName | None:
    """[RNG-32, RNG-48, RNG-49] The topic that routes a command; a move of topics has none."""
    match command:
        case CreateTopic() | SealTopic() | DeleteTopic() | CommitOffset() | BindTopicPolicy():
            return command.topic
        case SplitRange() | RegisterSegment():
            return command.range_id.topic
        case MergeRanges():
            return command.first.topic
        case SealSegment() | DeleteSegment() | SetSegmentReplicas():
            return command.segment_id.range_id.topic
        case BeginMigration() | EndMigration() | ExtractTopic() | InsertTopic() | OtherCommand():
            return None


def retain(new: View, old: View, unreachable: Iterable[VnodeId]) -> View:
    """[RFR-2] Keep of an old view what a new one could not read."""
    kept = {
        vnode: old.vnodes[vnode]
        for vnode in unreachable
        if vnode in old.vnodes and vnode in new.vnodes
    }
    return replace(new, vnodes=new.vnodes.update(kept)) if kept else new


def topics_moving(view: View, vnode: VnodeId, token: int) -> tuple[tuple[TopicName, VnodeId], ...]:
    """[RNG-44] Topics that a new vnode would own, and who holds each now, in ascending order."""
    grown = _with_vnode(view, vnode, token)
    held = ((topic, holder) for holder, one in view.vnodes.items() for topic in one.topics)
    return tuple(sorted(pair for pair in held if route(grown, pair[0]) == vnode))


def begin_vnode_split(view: View, vnode: VnodeId, token: int) -> View:
    """[RNG-44] Hold every topic that is about to move, so that no command lands behind its back."""
    for topic, holder in topics_moving(view, vnode, token):
        view, _ = submit_to(view, holder, BeginMigration(topic))
    return view


def split_vnode(view: View, vnode: VnodeId, token: int) -> View:
    """[RNG-44] Give a new vnode its place on the ring, and with it the topics that route there."""
    grown = _with_vnode(view, vnode, token)
    for topic, holder in topics_moving(view, vnode, token):
        grown, taken = submit_to(grown, holder, ExtractTopic(topic))
        if isinstance(taken, Exported) and taken.topic is not None:
            grown, _ = submit_to(grown, vnode, InsertTopic(taken.topic))
    return grown


def _with_vnode(view: View, vnode: VnodeId, token: int) -> View:
    ring = tuple(sorted((*view.ring, (token, vnode))))
    return replace(view, ring=ring, vnodes=view.vnodes.set(vnode, NOTHING))
