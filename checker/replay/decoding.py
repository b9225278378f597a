"""Terms of a recording as values of the reference: ids, commands, records, rolls, answers."""

import json

from immutables import Map

from checker.replay.terms import (
    MalformedError,
    Term,
    count,
    field,
    fields,
    items,
    only,
    text,
    whole,
    wrong,
)
from spec import commands, replies
from spec.commands import Command, CommittedPosition, Positions
from spec.vocabulary import (
    DONE,
    START,
    Attributes,
    Broker,
    ByteSize,
    Count,
    Cursor,
    Group,
    HistoryCursor,
    Millis,
    Offset,
    PolicyName,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    State,
    TopicName,
)

RECORD = frozenset({"offset", "key", "value", "headers"})
ROLL = frozenset({"range_id", "segment_id", "primary", "start_offset", "fence_sent_at"})
LISTED_SEGMENT = frozenset({"id", "range_id", "replica_set", "start_offset", "state"})


def range_id(term: Term, name: str) -> RangeId:
    """`["t", 0]`."""
    topic, seq = items(term, name, 2)
    return RangeId(TopicName(text(topic, name)), Sequence(count(seq, name)))


def segment_id(term: Term, name: str) -> SegmentId:
    """`[["t", 0], 1]`."""
    owner, seq = items(term, name, 2)
    return SegmentId(range_id(owner, name), Sequence(count(seq, name)))


def brokers(term: Term, name: str) -> tuple[Broker, ...]:
    """Names of brokers, in order."""
    return tuple(Broker(text(one, name)) for one in items(term, name))


def attributes(term: Term, name: str) -> Map[Broker, Attributes]:
    """By broker, its attributes by name."""
    return Map(
        (Broker(broker), Map((key, text(value, name)) for key, value in fields(own, name).items()))
        for broker, own in fields(term, name).items()
    )


def payload(term: Term, name: str) -> bytes:
    """The bytes that a string stands for."""
    return text(term, name).encode()


def key(term: Term, name: str) -> bytes | None:
    """The key of a record, or none."""
    return None if term is None else payload(term, name)


def record(term: Term, name: str) -> Record:
    """A record, before or after its append."""
    found = fields(term, name)
    only(found, RECORD, name)
    pairs = [items(pair, name, 2) for pair in items(found.get("headers", []), name)]
    offset = found.get("offset")
    return Record(
        key=key(field(found, "key", name), name),
        value=payload(field(found, "value", name), name),
        headers=tuple((payload(one, name), payload(other, name)) for one, other in pairs),
        offset=None if offset is None else Offset(whole(offset, name)),
    )


def records(term: Term, name: str) -> tuple[Record, ...]:
    """Records, in order."""
    return tuple(record(one, name) for one in items(term, name))


def cursor(term: Term, name: str) -> HistoryCursor:
    """`"start"`, `"done"` or `[source, offset]`."""
    if term == "start":
        return START
    if term == "done":
        return DONE
    source, offset = items(term, name, 2)
    return Cursor(count(source, name), Offset(count(offset, name)))


def positions(term: Term, name: str) -> Positions:
    """What a group commits, by range; of a range named twice the last counts."""
    pairs = [items(pair, name, 2) for pair in items(term, name)]
    return Map((range_id(one, name), position(where, name)) for one, where in pairs)


def position(term: Term, name: str) -> CommittedPosition:
    """A cursor of a consumer: every one but `"done"`."""
    found = cursor(term, name)
    if found == "done":
        raise wrong(name, "a position", term)
    return found


def roll(term: Term, name: str) -> Roll:
    """An owed fence."""
    found = fields(term, name)
    only(found, ROLL, name)
    sent = field(found, "fence_sent_at", name)
    return Roll(
        range_id=range_id(field(found, "range_id", name), f"{name}.range_id"),
        segment_id=segment_id(field(found, "segment_id", name), f"{name}.segment_id"),
        primary=Broker(text(field(found, "primary", name), f"{name}.primary")),
        start_offset=Offset(count(field(found, "start_offset", name), f"{name}.start_offset")),
        fence_sent_at=None if sent is None else Millis(whole(sent, f"{name}.fence_sent_at")),
    )


def listed_segment(term: Term, name: str) -> tuple[SegmentId, Segment]:
    """A segment with its id inside, as a sweep hands it over."""
    found = fields(term, name)
    only(found, LISTED_SEGMENT, name)
    return segment_id(field(found, "id", name), f"{name}.id"), Segment(
        range_id=range_id(field(found, "range_id", name), f"{name}.range_id"),
        replica_set=brokers(field(found, "replica_set", name), f"{name}.replica_set"),
        start_offset=Offset(count(field(found, "start_offset", name), f"{name}.start_offset")),
        state=state(field(found, "state", name), f"{name}.state"),
    )


def state(term: Term, name: str) -> State:
    """`"active"` or `"sealed"`."""
    if term == "active":
        return State.ACTIVE
    if term == "sealed":
        return State.SEALED
    raise wrong(name, '"active" or "sealed"', term)


def command(term: Term, name: str) -> Command:  # noqa: C901, PLR0911 # one case for each command
    """A command as an array: its word, then its arguments."""
    match items(term, name):
        case ["create_topic", topic, bits]:
            return commands.CreateTopic(TopicName(text(topic, name)), whole(bits, name))
        case ["seal_topic", topic]:
            return commands.SealTopic(TopicName(text(topic, name)))
        case ["delete_topic", topic]:
            return commands.DeleteTopic(TopicName(text(topic, name)))
        case ["begin_migration", topic]:
            return commands.BeginMigration(TopicName(text(topic, name)))
        case ["end_migration", topic]:
            return commands.EndMigration(TopicName(text(topic, name)))
        case ["split_range", one]:
            return commands.SplitRange(range_id(one, name))
        case ["merge_ranges", one, other]:
            return commands.MergeRanges(range_id(one, name), range_id(other, name))
        case ["bind_topic_policy", topic, policy]:
            return commands.BindTopicPolicy(TopicName(text(topic, name)), policy_name(policy, name))
        case ["commit_offset", group, topic, pairs]:
            return commands.CommitOffset(
                Group(text(group, name)), TopicName(text(topic, name)), positions(pairs, name)
            )
        case [str(tag), first, *rest]:
            return segment_command(tag, first, rest, name)
        case [str(tag)] if tag not in FORMAT_COMMANDS:
            return commands.OtherCommand(json.dumps([tag]))
        case _:
            raise wrong(name, "a command", term)


def segment_command(tag: str, first: Term, rest: list[Term], name: str) -> Command:
    """A command on a segment, or one that the format does not know."""
    match tag, rest:
        case "register_segment", [segment, replicas, start]:
            return commands.RegisterSegment(
                range_id(first, name),
                segment_id(segment, name),
                brokers(replicas, name),
                Offset(count(start, name)),
            )
        case "seal_segment", [length, size, at]:
            return commands.SealSegment(
                segment_id(first, name),
                Count(whole(length, name)),
                ByteSize(whole(size, name)),
                Millis(whole(at, name)),
            )
        case "set_segment_replicas", [replicas]:
            return commands.SetSegmentReplicas(segment_id(first, name), brokers(replicas, name))
        case "delete_segment", []:
            return commands.DeleteSegment(segment_id(first, name))
        case _ if tag in FORMAT_COMMANDS:
            raise MalformedError(f"{name} gives {tag} the wrong arguments")
        case _:
            return commands.OtherCommand(json.dumps([tag, first, *rest]))


FORMAT_COMMANDS = frozenset(
    {
        "create_topic",
        "seal_topic",
        "delete_topic",
        "begin_migration",
        "end_migration",
        "extract_topic",
        "insert_topic",
        "split_range",
        "merge_ranges",
        "bind_topic_policy",
        "commit_offset",
        "register_segment",
        "seal_segment",
        "set_segment_replicas",
        "delete_segment",
    }
)
"""Words with a shape of their own. How an exported topic is written, the format does not say."""


def policy_name(term: Term, name: str) -> PolicyName | None:
    """The name of a storage policy, or none."""
    return None if term is None else PolicyName(text(term, name))


def command_reply(term: Term, name: str) -> replies.CommandReply:
    """What a command was answered; anything outside the protocol is kept as it is written."""
    match term:
        case "ok":
            return replies.Ok()
        case {"error": reason, **rest} if not rest:
            return refusal(reason, name)
        case {"ok": [str(), int()] as one, **rest} if not rest:
            return replies.Created((range_id(one, name),))
        case {"ok": [list() as one, list() as other], **rest} if not rest:
            return replies.Created((range_id(one, name), range_id(other, name)))
        case str():
            return replies.Unexpected(term)
        case _:
            return replies.Unexpected(json.dumps(term, sort_keys=True))


def replicate_reply(term: Term, name: str) -> replies.ReplicateReply:
    """What a batch was answered."""
    match term:
        case {"error": reason, **rest} if not rest:
            return refusal(reason, name)
        case {"ok": last, **rest} if not rest:
            return replies.Appended(Offset(whole(last, name)))
        case _:
            raise wrong(name, "the answer to a batch", term)


def read_reply(term: Term, name: str) -> replies.ReadReply:
    """What a read was answered."""
    match term:
        case "eof":
            return replies.Eof()
        case {"error": reason, **rest} if not rest:
            return refusal(reason, name)
        case {"ok": found, **rest} if not rest:
            return replies.Records(records(found, name))
        case _:
            raise wrong(name, "the answer to a read", term)


def refusal(term: Term, name: str) -> replies.Refusal:
    """A refusal with its facts; a reason of an effect's own is kept as it is written."""
    match term:
        case ["sealed", end]:
            return replies.Sealed(Offset(count(end, name)))
        case ["already_sealed", existing]:
            return replies.AlreadySealed(Count(whole(existing, name)))
        case str() if term in PLAIN_REFUSALS:
            return PLAIN_REFUSALS[term]
        case str():
            return replies.Failed(term)
        case _:
            return replies.Failed(json.dumps(term))


PLAIN_REFUSALS: dict[str, replies.Refusal] = {
    one.name: one
    for one in (
        replies.InvalidTopicName(),
        replies.AlreadyExists(),
        replies.InvalidKeyspaceBits(),
        replies.NoSuchTopic(),
        replies.NoSuchRange(),
        replies.RangeSealed(),
        replies.ActiveSegmentExists(),
        replies.CannotSplit(),
        replies.DifferentTopic(),
        replies.RangeTopicMismatch(),
        replies.NotBuddies(),
        replies.SegmentExists(),
        replies.SegmentOverlap(),
        replies.NoSuchSegment(),
        replies.SegmentActive(),
        replies.InvalidPolicy(),
        replies.Migrating(),
        replies.NoVnode(),
        replies.UnknownCommand(),
    )
}
"""Refusals without facts that an effect may answer."""
