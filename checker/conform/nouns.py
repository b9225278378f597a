"""The nouns and commands of the protocol, each with its codec.

`BOOK` holds the schema of every definition under its name, in reading order.
"""

from typing import Any

from immutables import Map

from checker.conform.codecs import (
    INTEGER_SCHEMA,
    Codec,
    Schema,
    blob,
    hashed,
    kept,
    many,
    map_of,
    named,
    one_of,
    record_of,
    set_of,
    string,
    tuple_of,
    whole_number,
)
from checker.conform.variants import bare, direct, option, variant, whole_record
from reference.controlplane import Metadata
from spec import commands
from spec.commands import Command, Positions
from spec.vocabulary import (
    DONE,
    START,
    Attributes,
    Broker,
    ByteSize,
    Count,
    Cursor,
    Dispatch,
    Fencing,
    Group,
    Head,
    HistoryPage,
    Millis,
    Offset,
    Origin,
    Page,
    Placement,
    PolicyName,
    Position,
    Range,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    Skip,
    Source,
    State,
    Topic,
    TopicName,
    VnodeId,
)

BOOK: dict[str, Schema] = {"Integer": INTEGER_SCHEMA}

plain_integer = whole_number(int)
offset = whole_number(Offset)
count = whole_number(Count)
byte_size = whole_number(ByteSize)
millis = whole_number(Millis)
sequence = whole_number(Sequence)
position = whole_number(Position)

plain_string = string(str)
key = option(blob)
"""Of a record; none where it has none."""
topic_name = string(TopicName)
broker = string(Broker)
policy_name = string(PolicyName)
group = string(Group)
vnode = string(VnodeId)
brokers = many(broker)

range_id: Codec[RangeId] = named("RangeId", hashed(tuple_of(RangeId, topic_name, sequence)), BOOK)
segment_id: Codec[SegmentId] = named(
    "SegmentId", hashed(tuple_of(SegmentId, range_id, sequence)), BOOK
)
headers = many(tuple_of(lambda name, value: (name, value), blob, blob))
record: Codec[Record] = kept(
    named(
        "Record",
        record_of(
            Record,
            key=key,
            value=blob,
            headers=headers,
            timestamp=millis,
            offset=option(offset),
        ),
        BOOK,
    )
)
records = many(record)
attributes: Codec[Map[Broker, Attributes]] = kept(
    named("Attributes", map_of(broker, map_of(plain_string, plain_string)), BOOK)
)

state_word = one_of(State.ACTIVE, State.SEALED)
topic: Codec[Topic] = kept(
    named(
        "Topic",
        record_of(
            Topic,
            keyspace_size=plain_integer,
            state=state_word,
            next_range_seq=sequence,
            policy=option(policy_name),
        ),
        BOOK,
    )
)
range_: Codec[Range] = kept(
    named(
        "Range",
        record_of(
            Range,
            key_start=position,
            key_end=position,
            keyspace_size=plain_integer,
            state=state_word,
            parents=many(range_id),
        ),
        BOOK,
    )
)
segment: Codec[Segment] = kept(
    named(
        "Segment",
        record_of(
            Segment,
            range_id=range_id,
            replica_set=brokers,
            start_offset=offset,
            state=state_word,
            length=option(count),
            byte_size=option(byte_size),
            opened_at=option(millis),
            sealed_at=option(millis),
        ),
        BOOK,
    )
)
listed: Codec[tuple[SegmentId, Segment]] = named(
    "Listed", tuple_of(lambda one, other: (one, other), segment_id, segment), BOOK
)

_start = bare("start", START)
_done = bare("done", DONE)
_at = direct("at", lambda value: isinstance(value, Cursor), tuple_of(Cursor, plain_integer, offset))
consume_cursor: Codec[Any] = named("ConsumeCursor", variant(_start, _at), BOOK)
history_cursor: Codec[Any] = named("HistoryCursor", variant(_start, _at, _done), BOOK)
positions: Codec[Positions] = kept(named("Positions", map_of(range_id, consume_cursor), BOOK))

head: Codec[Head] = kept(
    named(
        "Head",
        record_of(Head, id=segment_id, start_offset=offset, bytes=byte_size, replica_set=brokers),
        BOOK,
    )
)
roll: Codec[Roll] = kept(
    named(
        "Roll",
        record_of(
            Roll,
            range_id=range_id,
            segment_id=segment_id,
            primary=broker,
            start_offset=offset,
            fence_sent_at=option(millis),
        ),
        BOOK,
    )
)
fencing: Codec[Fencing] = kept(
    named("Fencing", record_of(Fencing, segment_id=segment_id, sent_at=millis), BOOK)
)
dispatch: Codec[Dispatch] = named(
    "Dispatch",
    record_of(
        Dispatch,
        range_id=range_id,
        primary=broker,
        segment_id=segment_id,
        replica_set=brokers,
        base_offset=offset,
        records=records,
        first=offset,
        last=offset,
        count=count,
    ),
    BOOK,
)
placement: Codec[Placement] = named(
    "Placement", record_of(Placement, range_id=range_id, first=offset, last=offset), BOOK
)
skip: Codec[Skip] = named(
    "Skip",
    record_of(
        Skip,
        range_id=range_id,
        source_range_id=range_id,
        from_offset=offset,
        offsets=option(count),
        origin=one_of(Origin.START, Origin.CURSOR),
        source=one_of(Source.SELF, Source.ANCESTOR),
    ),
    BOOK,
)
page: Codec[Page] = named(
    "Page", record_of(Page, records=records, cursor=consume_cursor, skips=many(skip)), BOOK
)
history_page: Codec[HistoryPage] = named(
    "HistoryPage", record_of(HistoryPage, records=records, cursor=history_cursor), BOOK
)

metadata: Codec[Metadata] = kept(
    named(
        "Metadata",
        record_of(
            Metadata,
            topics=kept(map_of(topic_name, topic)),
            ranges=kept(map_of(range_id, range_)),
            segments=kept(map_of(segment_id, segment)),
            committed=kept(
                map_of(tuple_of(lambda one, other: (one, other), group, topic_name), positions)
            ),
            migrating=set_of(topic_name),
        ),
        BOOK,
    )
)

command: Codec[Command] = kept(
    named(
        "Command",
        variant(
            whole_record(
                "create_topic", commands.CreateTopic, topic=topic_name, bits=plain_integer
            ),
            whole_record("seal_topic", commands.SealTopic, topic=topic_name),
            whole_record("delete_topic", commands.DeleteTopic, topic=topic_name),
            whole_record("split_range", commands.SplitRange, range_id=range_id),
            whole_record("merge_ranges", commands.MergeRanges, first=range_id, second=range_id),
            whole_record(
                "register_segment",
                commands.RegisterSegment,
                range_id=range_id,
                segment_id=segment_id,
                replica_set=brokers,
                start_offset=offset,
            ),
            whole_record(
                "seal_segment",
                commands.SealSegment,
                segment_id=segment_id,
                length=count,
                byte_size=byte_size,
                sealed_at=millis,
            ),
            whole_record("delete_segment", commands.DeleteSegment, segment_id=segment_id),
            whole_record(
                "set_segment_replicas",
                commands.SetSegmentReplicas,
                segment_id=segment_id,
                replica_set=brokers,
            ),
            whole_record(
                "commit_offset",
                commands.CommitOffset,
                group=group,
                topic=topic_name,
                positions=positions,
            ),
            whole_record(
                "bind_topic_policy",
                commands.BindTopicPolicy,
                topic=topic_name,
                policy=option(policy_name),
            ),
            whole_record("begin_migration", commands.BeginMigration, topic=topic_name),
            whole_record("end_migration", commands.EndMigration, topic=topic_name),
        ),
        BOOK,
    )
)
