"""The functions of the reference that a recording has calls for, and how it writes arguments."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, cast

from checker.replay import encoding
from checker.replay.terms import Term
from reference import (
    healing,
    placing,
    producing,
    ranges,
    reading,
    refreshing,
    rolling,
    store,
    vnodes,
)

if TYPE_CHECKING:
    from spec.commands import Command, Positions
    from spec.vocabulary import Cursor, RangeId, Record, Roll, Segment, SegmentId

Encode = Callable[[object], Term]
Arguments = Mapping[str, tuple[str, Encode]]
"""By parameter of the function, the argument of the call and how its value is written."""
Function = tuple[Callable[..., object], Arguments]


def same(value: object) -> Term:
    """A number or a name, as it is."""
    return cast("Term", value)


def one_range(value: object) -> Term:
    """A range."""
    return encoding.range_id(cast("RangeId", value))


def one_segment(value: object) -> Term:
    """A segment."""
    return encoding.segment_id(cast("SegmentId", value))


def one_roll(value: object) -> Term:
    """A roll."""
    return encoding.roll(cast("Roll", value))


def some_records(value: object) -> Term:
    """Records."""
    return encoding.records(cast("Iterable[Record]", value))


def one_cursor(value: object) -> Term:
    """A cursor."""
    return encoding.cursor(cast("Cursor | str", value))


def some_positions(value: object) -> Term:
    """Committed positions."""
    return encoding.positions(cast("Positions", value))


def some_commands(value: object) -> Term:
    """Commands."""
    return [encoding.command(each) for each in cast("Iterable[Command]", value)]


def some_listed(value: object) -> Term:
    """Segments with their ids inside, as a sweep hands them over."""
    return [
        {
            "id": encoding.segment_id(segment_id),
            "range_id": encoding.range_id(segment.range_id),
            "state": segment.state.value,
            "replica_set": list(segment.replica_set),
            "start_offset": segment.start_offset,
        }
        for segment_id, segment in cast("Iterable[tuple[SegmentId, Segment]]", value)
    ]


RANGE: Arguments = {"range_id": ("range", one_range)}
SEGMENT: Arguments = {**RANGE, "segment_id": ("segment", one_segment)}
BATCH: Arguments = {"topic": ("topic", same), "records": ("records", some_records)}
ROLL: Arguments = {"roll": ("roll", one_roll)}
CLOSED: Arguments = {
    **ROLL,
    "end_offset": ("end_offset", same),
    "byte_size": ("byte_size", same),
    "sealed_at": ("sealed_at", same),
}
WINDOW: Arguments = {"now": ("now", same), "window": ("window", same)}
FLOOR: Arguments = {"min_seq": ("min_seq", same)}
HEALED: Arguments = {"commands": ("commands", some_commands)}
GROUP: Arguments = {"group": ("group", same), "topic": ("topic", same)}
PAGE: Arguments = {"cursor": ("cursor", one_cursor), "max_records": ("max", same)}

FUNCTIONS: Mapping[str, Function] = {
    "create_topic": (ranges.create_topic, {"topic": ("name", same), "bits": ("bits", same)}),
    "split_range": (ranges.split_range, RANGE),
    "merge_ranges": (ranges.merge_ranges, {"first": ("a", one_range), "second": ("b", one_range)}),
    "delete_segment": (ranges.delete_segment, {"segment_id": ("segment", one_segment)}),
    "commit_offset": (
        ranges.commit_offset,
        {**GROUP, "positions": ("offsets", some_positions)},
    ),
    "committed_offsets": (ranges.committed_offsets, GROUP),
    "bind_topic_policy": (
        ranges.bind_topic_policy,
        {"topic": ("topic", same), "policy": ("policy", same)},
    ),
    "set_brokers": (
        placing.set_brokers,
        {"brokers": ("brokers", lambda value: list(cast("Iterable[str]", value)))},
    ),
    "produce_plan": (producing.produce_plan, BATCH),
    "adopt_offsets": (producing.adopt_offsets, {**SEGMENT, "last": ("last", same)}),
    "active_roll": (rolling.active_roll, RANGE),
    "due_rolls": (rolling.due_rolls, {}),
    "request_rolls": (rolling.request_rolls, {"segments": ("segments", some_listed)}),
    "fences_to_send": (
        rolling.fences_to_send,
        {"now": ("now", same), "retry_after": ("retry_after", same)},
    ),
    "awaiting_fence": (rolling.is_awaiting_fence, {**SEGMENT, **WINDOW}),
    "range_awaiting_fence": (rolling.range_awaiting_fence, {"topic": ("topic", same), **WINDOW}),
    "forget_fence": (rolling.forget_fence, ROLL),
    "record_fence": (rolling.record_fence, CLOSED),
    "record_seal": (rolling.record_seal, CLOSED),
    "forget_sealed": (rolling.forget_sealed, {**SEGMENT, "end_offset": ("end_offset", same)}),
    "take_journal": (refreshing.take_journal, {}),
    "put_cache": (refreshing.put_cache, {}),
    "replay_journal": (refreshing.replay_journal, {}),
    "drop_stale_active_segments": (refreshing.drop_stale_active_segments, {}),
    "seed_range_state": (
        refreshing.seed_range_state,
        {**RANGE, "next_offset": ("next_offset", same), **FLOOR},
    ),
    "seed_unrecovered_range": (refreshing.seed_unrecovered_range, {**RANGE, **FLOOR}),
    "unrecovered": (refreshing.is_unrecovered, RANGE),
    "apply_heal": (healing.apply_heal, HEALED),
    "apply_heal_reply": (healing.apply_heal_reply, HEALED),
    "read": (
        reading.read,
        {**RANGE, "offset": ("offset", same), "max_records": ("max", same)},
    ),
    "read_consume": (reading.read_consume, {**RANGE, **PAGE}),
    "stream_history": (reading.stream_history, {**RANGE, **PAGE}),
    "read_history": (reading.read_history, RANGE),
    "store_append": (store.append, {"records": ("records", some_records)}),
    "store_fence": (store.fence, {}),
    "authority_command": (
        vnodes.command,
        {"command": ("command", lambda value: encoding.command(cast("Command", value)))},
    ),
}
"""By the name of the call."""


def written_args(name: str, args: Mapping[str, object]) -> dict[str, Term]:
    """The arguments of a call as a recording writes them."""
    _, known = FUNCTIONS[name]
    return {arg: encode(args[parameter]) for parameter, (arg, encode) in known.items()}
