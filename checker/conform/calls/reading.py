"""Reads."""

from checker.conform.calls.answers import on_the_wire
from checker.conform.nouns import (
    consume_cursor,
    count,
    history_cursor,
    history_page,
    offset,
    page,
    range_id,
)
from checker.conform.operations import Answered, Arguments, Effects, Operation
from checker.conform.replying import either, read_reply
from checker.conform.variants import direct
from reference import reading
from reference.frontend import Frontend
from spec.replies import Refusal


def read(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Records from an offset."""
    found = reading.read(front, args["range"], args["offset"], args["max"], effects.read)
    return front, on_the_wire(found)


def read_consume(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """A consumer's page."""
    found = reading.read_consume(front, args["range"], args["cursor"], args["max"], effects.read)
    return front, on_the_wire(found)


def stream_history(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """A page of a history."""
    found = reading.stream_history(front, args["range"], args["cursor"], args["max"], effects.read)
    return front, on_the_wire(found)


def read_history(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """A whole history."""
    return front, reading.read_history(front, args["range"], effects.read)


def is_answer(value: object) -> bool:
    """Whether a reply is no refusal."""
    return not isinstance(value, Refusal)


OPERATIONS = (
    Operation(
        "read",
        "core",
        read,
        read_reply,
        {"range": range_id, "offset": offset, "max": count},
        is_query=True,
    ),
    Operation(
        "read_consume",
        "history",
        read_consume,
        either(direct("ok", is_answer, page)),
        {"range": range_id, "cursor": consume_cursor, "max": count},
        is_query=True,
    ),
    Operation(
        "stream_history",
        "history",
        stream_history,
        either(direct("ok", is_answer, history_page)),
        {"range": range_id, "cursor": history_cursor, "max": count},
        is_query=True,
    ),
    Operation(
        "read_history", "history", read_history, read_reply, {"range": range_id}, is_query=True
    ),
)
