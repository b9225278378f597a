"""Values of the reference as terms of a recording. `decoding` is the way back."""

import json
from collections.abc import Iterable
from functools import lru_cache

from checker.replay.terms import Term
from spec import commands, replies
from spec.commands import Command, Positions
from spec.replies import Refusal
from spec.vocabulary import (
    Cursor,
    Dispatch,
    Fencing,
    Head,
    Page,
    Placement,
    Range,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Skip,
    Source,
    Topic,
)

IDS = 4096
"""Ids whose terms are kept: the same few come back all the time."""


@lru_cache(IDS)
def range_id(one: RangeId) -> Term:
    """`["t", 0]`."""
    return [one.topic, one.seq]


@lru_cache(IDS)
def segment_id(one: SegmentId) -> Term:
    """`[["t", 0], 1]`."""
    return [range_id(one.range_id), one.seq]


def record(one: Record) -> Term:
    """A record; headers are written where there are any."""
    term: dict[str, Term] = {
        "offset": one.offset,
        "key": None if one.key is None else one.key.decode(),
        "value": one.value.decode(),
    }
    if one.headers:
        term["headers"] = [[name.decode(), value.decode()] for name, value in one.headers]
    return term


def records(some: Iterable[Record]) -> Term:
    """Records, in order."""
    return [record(one) for one in some]


def cursor(one: Cursor | str) -> Term:
    """`"start"`, `"done"` or `[source, offset]`."""
    return one if isinstance(one, str) else list(one)


def positions(some: Positions) -> Term:
    """Committed positions by range, ascending."""
    return [[range_id(one), cursor(some[one])] for one in sorted(some)]


def placements(some: tuple[Placement, ...]) -> Term:
    """Where each batch stands: range, first and last offset."""
    return [[range_id(one.range_id), [one.first, one.last]] for one in some]


def dispatch(one: Dispatch) -> Term:
    """One planned batch, whole."""
    return {
        "range_id": range_id(one.range_id),
        "primary": one.primary,
        "segment_id": segment_id(one.segment_id),
        "replica_set": list(one.replica_set),
        "base_offset": one.base_offset,
        "records": records(one.records),
        "first": one.first,
        "last": one.last,
        "count": one.count,
    }


def roll(one: Roll) -> Term:
    """An owed fence."""
    return {
        "range_id": range_id(one.range_id),
        "segment_id": segment_id(one.segment_id),
        "primary": one.primary,
        "start_offset": one.start_offset,
        "fence_sent_at": one.fence_sent_at,
    }


def skip(one: Skip) -> Term:
    """A stretch that a page passed, and how exactly its size is known."""
    known = "exact" if one.source is Source.SELF else "upper_bound"
    return {
        "range_id": range_id(one.range_id),
        "source_range_id": range_id(one.source_range_id),
        "from": one.from_offset,
        "offsets": "unknown" if one.offsets is None else one.offsets,
        "origin": one.origin.value,
        "source": one.source.value,
        "span": "unknown" if one.offsets is None else known,
    }


def page(one: Page) -> Term:
    """A page for a consumer."""
    return {"ok": [records(one.records), cursor(one.cursor), [skip(each) for each in one.skips]]}


def head(one: Head) -> Term:
    """A cached write head."""
    return {
        "id": segment_id(one.id),
        "start_offset": one.start_offset,
        "bytes": one.bytes,
        "replica_set": list(one.replica_set),
    }


def fencing(one: Fencing) -> Term:
    """A fence on its way."""
    return {"segment_id": segment_id(one.segment_id), "sent_at": one.sent_at}


def topic(one: Topic) -> Term:
    """A topic."""
    return {
        "keyspace_size": one.keyspace_size,
        "state": one.state.value,
        "next_range_seq": one.next_range_seq,
        "policy": one.policy,
    }


def range_(one: Range) -> Term:
    """A range, without the size of its keyspace, which no recording shows."""
    return {
        "key_start": one.key_start,
        "key_end": one.key_end,
        "state": one.state.value,
        "parents": [range_id(each) for each in one.parents],
    }


def segment(one: Segment) -> Term:
    """A segment, without when it was opened, which no recording shows."""
    return {
        "state": one.state.value,
        "start_offset": one.start_offset,
        "length": one.length,
        "byte_size": one.byte_size,
        "sealed_at": one.sealed_at,
        "replica_set": list(one.replica_set),
    }


def command(one: Command) -> Term:  # noqa: C901, PLR0911 # one case for each command
    """A command as an array: its word, then its arguments."""
    match one:
        case commands.CreateTopic(name, rest) | commands.BindTopicPolicy(name, rest):
            return [one.tag, name, rest]
        case (
            commands.SealTopic(name)
            | commands.DeleteTopic(name)
            | commands.BeginMigration(name)
            | commands.EndMigration(name)
            | commands.ExtractTopic(name)
        ):
            return [one.tag, name]
        case commands.SplitRange(owner):
            return [one.tag, range_id(owner)]
        case commands.MergeRanges(first, second):
            return [one.tag, range_id(first), range_id(second)]
        case commands.RegisterSegment(owner, new, replicas, start):
            return [one.tag, range_id(owner), segment_id(new), list(replicas), start]
        case commands.SealSegment(closed, length, size, at):
            return [one.tag, segment_id(closed), length, size, at]
        case commands.DeleteSegment(gone):
            return [one.tag, segment_id(gone)]
        case commands.SetSegmentReplicas(moved, replicas):
            return [one.tag, segment_id(moved), list(replicas)]
        case commands.CommitOffset(group, name, some):
            return [one.tag, group, name, positions(some)]
        case commands.InsertTopic(export):
            return [one.tag, export.name]
        case commands.OtherCommand(text):
            return parsed(text)


def parsed(text: str) -> Term:
    """A term that was kept as its text."""
    term: Term = json.loads(text)
    return term


def refusal(one: Refusal) -> Term:  # noqa: PLR0911 # one case for each set of facts
    """A refusal with its facts, in the shape the source gives it."""
    match one:
        case replies.Sealed(end):
            return {"error": [one.name, end]}
        case replies.AlreadySealed(existing):
            return {"error": [one.name, existing]}
        case replies.InsufficientDomains(covered, required):
            return {"error": [one.name, covered, required]}
        case replies.Unroutable(key):
            return {"error": [one.name, None if key is None else key.decode()]}
        case replies.UnexpectedRegisterReply(answer) | replies.UnexpectedSealReply(answer):
            return {"error": [one.name, answer]}
        case replies.Failed(reason):
            return {"error": reason}
        case replies.InvalidArgument():
            return {"raise": "FunctionClauseError"}
        case _:
            return {"error": one.name}


Answer = (
    replies.CommandReply
    | replies.Appended
    | replies.Records
    | replies.Eof
    | replies.Produced
    | replies.Planned
)


def answer(one: Answer) -> Term:  # noqa: C901, PLR0911 # one case for each answer
    """What an effect or a call of the broker answered."""
    match one:
        case replies.Ok():
            return "ok"
        case replies.Created((only,)):
            return {"ok": range_id(only)}
        case replies.Created(several):
            return {"ok": [range_id(each) for each in several]}
        case replies.Appended(last):
            return {"ok": last}
        case replies.Records(found):
            return {"ok": records(found)}
        case replies.Eof():
            return "eof"
        case replies.Produced(placed):
            return {"ok": placements(placed)}
        case replies.Planned(placed, sent):
            return {"ok": [placements(placed), [dispatch(each) for each in sent]]}
        case replies.Exported(export):
            return {"ok": None if export is None else export.name}
        case replies.Unexpected(text):
            return text
        case Refusal():
            return refusal(one)
