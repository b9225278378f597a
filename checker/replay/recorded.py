"""The recorded state of a frontend, control plane or store as values, to go on from.

A recording does not show everything. What it leaves out (marks of migration, the keyspace size
of a range, when a segment was opened, the frontend's options, the records behind the keys of a
log) is carried over from the values that were running.
"""

from collections.abc import Iterable
from dataclasses import replace

from immutables import Map

from checker.replay import decoding
from checker.replay.terms import MalformedError, Term, count, field, fields, items, text, whole
from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.store import Latch, Log
from reference.vnodes import View, route
from spec.commands import Positions
from spec.vocabulary import (
    ByteSize,
    Count,
    Fencing,
    Group,
    Head,
    Millis,
    Offset,
    PolicyName,
    Position,
    Range,
    RangeId,
    Record,
    Segment,
    SegmentId,
    Sequence,
    Topic,
    TopicName,
    VnodeId,
)

STATE_FIELDS = frozenset(
    {
        "offsets",
        "segments",
        "segment_seq",
        "rolling",
        "fencing",
        "unrecovered",
        "journal",
        "metadata",
    }
)


def frontend(term: Term, running: Frontend, name: str = "state") -> Frontend:
    """A frontend with the running one's options."""
    state = fields(term, name)
    journal = field(state, "journal", name)
    return Frontend(
        options=running.options,
        view=view(field(state, "metadata", name), running.view, f"{name}.metadata"),
        offsets=Map(
            (one, Offset(whole(offset, f"{name}.offsets")))
            for one, offset in by_range(state, "offsets", name)
        ),
        heads=Map(
            (one, head(found, f"{name}.segments"))
            for one, found in by_range(state, "segments", name)
        ),
        sequences=Map(
            (one, Sequence(count(seq, f"{name}.segment_seq")))
            for one, seq in by_range(state, "segment_seq", name)
        ),
        rolling=Map(
            (one, decoding.roll(found, f"{name}.rolling"))
            for one, found in by_range(state, "rolling", name)
        ),
        fencing=Map(
            (one, fencing(found, f"{name}.fencing"))
            for one, found in by_range(state, "fencing", name)
        ),
        unrecovered=frozenset(
            decoding.range_id(one, f"{name}.unrecovered")
            for one in items(field(state, "unrecovered", name), f"{name}.unrecovered")
        ),
        journal=None
        if journal is None
        else tuple(
            decoding.command(one, f"{name}.journal") for one in items(journal, f"{name}.journal")
        ),
    )


def by_range(state: dict[str, Term], key: str, name: str) -> Iterable[tuple[RangeId, Term]]:
    """The pairs of a field that is keyed by range."""
    for pair in items(field(state, key, name), f"{name}.{key}"):
        one, value = items(pair, f"{name}.{key}", 2)
        yield decoding.range_id(one, f"{name}.{key}"), value


def head(term: Term, name: str) -> Head:
    """A cached write head."""
    found = fields(term, name)
    return Head(
        id=decoding.segment_id(field(found, "id", name), f"{name}.id"),
        start_offset=Offset(count(field(found, "start_offset", name), f"{name}.start_offset")),
        bytes=ByteSize(count(field(found, "bytes", name), f"{name}.bytes")),
        replica_set=decoding.brokers(field(found, "replica_set", name), f"{name}.replica_set"),
    )


def fencing(term: Term, name: str) -> Fencing:
    """A fence on its way."""
    found = fields(term, name)
    return Fencing(
        decoding.segment_id(field(found, "segment_id", name), f"{name}.segment_id"),
        Millis(whole(field(found, "sent_at", name), f"{name}.sent_at")),
    )


def view(term: Term, running: View, name: str) -> View:
    """All topics, each on the vnode that owns it."""
    whole_view = metadata(fields(term, name), running, name)
    return replace(
        running,
        vnodes=Map(
            (vnode, owned(whole_view, vnode, running, known.migrating))
            for vnode, known in running.vnodes.items()
        ),
    )


def owned(
    whole_view: Metadata, vnode: VnodeId, running: View, migrating: frozenset[TopicName]
) -> Metadata:
    """The part of a merged view that one vnode owns, with the marks it had."""

    def is_owned(topic: TopicName) -> bool:
        return route(running, topic) == vnode

    return Metadata(
        topics=Map(pair for pair in whole_view.topics.items() if is_owned(pair[0])),
        ranges=Map(pair for pair in whole_view.ranges.items() if is_owned(pair[0].topic)),
        segments=Map(
            pair for pair in whole_view.segments.items() if is_owned(pair[1].range_id.topic)
        ),
        committed=Map(pair for pair in whole_view.committed.items() if is_owned(pair[0][1])),
        migrating=migrating,
    )


def metadata(term: dict[str, Term], running: View, name: str) -> Metadata:
    """The merged view."""
    known = [(key, one) for vnode in running.vnodes.values() for key, one in vnode.ranges.items()]
    opened = {key: one for vnode in running.vnodes.values() for key, one in vnode.segments.items()}
    topics = {
        TopicName(topic): topic_(found, f"{name}.topics.{topic}")
        for topic, found in fields(field(term, "topics", name), f"{name}.topics").items()
    }
    sizes = {key: one.keyspace_size for key, one in known}
    return Metadata(
        topics=Map(topics),
        ranges=Map(
            (one, range_(found, sizes.get(one) or size_of(topics, one), f"{name}.ranges"))
            for one, found in by_range(term, "ranges", name)
        ),
        segments=Map(
            segment(pair, opened, f"{name}.segments")
            for pair in items(field(term, "segments", name), f"{name}.segments")
        ),
        committed=Map(
            committed(row, f"{name}.committed_offsets")
            for row in items(field(term, "committed_offsets", name), f"{name}.committed_offsets")
        ),
    )


def size_of(topics: dict[TopicName, Topic], one: RangeId) -> int:
    """The keyspace size of a range that was not known before: its topic's."""
    if one.topic not in topics:
        raise MalformedError(f"range {one.topic}.{one.seq} has no topic")
    return topics[one.topic].keyspace_size


def topic_(term: Term, name: str) -> Topic:
    """A topic."""
    found = fields(term, name)
    policy = field(found, "policy", name)
    return Topic(
        keyspace_size=count(field(found, "keyspace_size", name), f"{name}.keyspace_size"),
        state=decoding.state(field(found, "state", name), f"{name}.state"),
        next_range_seq=Sequence(
            count(field(found, "next_range_seq", name), f"{name}.next_range_seq")
        ),
        policy=None if policy is None else PolicyName(text(policy, f"{name}.policy")),
    )


def range_(term: Term, keyspace_size: int, name: str) -> Range:
    """A range."""
    found = fields(term, name)
    return Range(
        key_start=Position(count(field(found, "key_start", name), f"{name}.key_start")),
        key_end=Position(count(field(found, "key_end", name), f"{name}.key_end")),
        keyspace_size=keyspace_size,
        state=decoding.state(field(found, "state", name), f"{name}.state"),
        parents=tuple(
            decoding.range_id(one, f"{name}.parents")
            for one in items(field(found, "parents", name), f"{name}.parents")
        ),
    )


def segment(pair: Term, running: dict[SegmentId, Segment], name: str) -> tuple[SegmentId, Segment]:
    """A listed segment, opened when the running one was."""
    first, term = items(pair, name, 2)
    one = decoding.segment_id(first, name)
    found = fields(term, name)
    length, size, at = (
        None if (value := field(found, key, name)) is None else whole(value, f"{name}.{key}")
        for key in ("length", "byte_size", "sealed_at")
    )
    before = running.get(one)
    return one, Segment(
        range_id=one.range_id if before is None else before.range_id,
        replica_set=decoding.brokers(field(found, "replica_set", name), f"{name}.replica_set"),
        start_offset=Offset(count(field(found, "start_offset", name), f"{name}.start_offset")),
        state=decoding.state(field(found, "state", name), f"{name}.state"),
        length=None if length is None else Count(length),
        byte_size=None if size is None else ByteSize(size),
        opened_at=None if before is None else before.opened_at,
        sealed_at=None if at is None else Millis(at),
    )


def committed(row: Term, name: str) -> tuple[tuple[Group, TopicName], Positions]:
    """What a group committed in a topic."""
    group, topic, pairs = items(row, name, 3)
    key = (Group(text(group, name)), TopicName(text(topic, name)))
    return key, decoding.positions(pairs, name)


def store(term: Term, running: Map[SegmentId, Log], name: str = "store") -> Map[SegmentId, Log]:
    """Every log of the store."""
    logs = {}
    for pair in items(term, name):
        first, found = items(pair, name, 2)
        one = decoding.segment_id(first, name)
        logs[one] = log(fields(found, name), running.get(one), name)
    return Map(logs)


def log(term: dict[str, Term], running: Log | None, name: str) -> Log:
    """A log. Records whose key and place are as before keep their content."""
    start = count(field(term, "start", name), f"{name}.start")
    known = {} if running is None else {one.offset: one for one in running.records}
    records = []
    for offset, found in enumerate(items(field(term, "keys", name), f"{name}.keys"), start):
        key = decoding.key(found, f"{name}.keys")
        before = known.get(Offset(offset))
        bare = Record(key, b"", offset=Offset(offset))
        records.append(bare if before is None or before.key != key else before)
    fence = field(term, "fence", name)
    if fence is None:
        return Log(Offset(start), tuple(records))
    end, size = items(fence, f"{name}.fence", 2)
    latch = Latch(Offset(count(end, f"{name}.fence")), ByteSize(count(size, f"{name}.fence")))
    return Log(Offset(start), tuple(records), latch)
