"""Rolls, fences and seals."""

from collections.abc import Mapping
from typing import Any

from checker.conform.calls.answers import done, nothing
from checker.conform.codecs import Codec, boolean, many
from checker.conform.nouns import (
    byte_size,
    listed,
    millis,
    offset,
    range_id,
    roll,
    segment_id,
    topic_name,
)
from checker.conform.operations import Answered, Arguments, Effects, Operation
from checker.conform.variants import option
from reference import rolling
from reference.frontend import Frontend
from spec.replies import Ok
from spec.vocabulary import ByteSize, Millis, Offset, Roll


def active_roll(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """The roll of a range's head."""
    return front, rolling.active_roll(front, args["range"])


def due_rolls(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """The owed rolls."""
    return front, rolling.due_rolls(front)


def request_rolls(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Owe rolls by age."""
    return rolling.request_rolls(front, args["segments"]), Ok()


def fences_to_send(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """The fences to send now."""
    return rolling.fences_to_send(front, args["now"], args["retry_after"])


def awaiting_fence(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Whether a fence is awaited."""
    return front, rolling.is_awaiting_fence(
        front, args["range"], args["segment"], args["now"], args["window"]
    )


def range_awaiting_fence(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """The lowest range whose fence is awaited."""
    return front, rolling.range_awaiting_fence(front, args["topic"], args["now"], args["window"])


def forget_fence(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Await a fence no longer."""
    return rolling.forget_fence(front, args["roll"]), Ok()


def record_fence(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Record the answer to a fence."""
    return rolling.record_fence(front, *fence_answer(args), effects.command)


def record_seal(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Record a seal."""
    return rolling.record_seal(front, *fence_answer(args), effects.command)


def forget_sealed(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Sit down behind somebody else's seal."""
    return rolling.forget_sealed(front, args["range"], args["segment"], args["end_offset"]), Ok()


def fence_answer(args: Arguments) -> tuple[Roll, Offset, ByteSize, Millis]:
    """A roll and what its fence answered."""
    return args["roll"], args["end_offset"], args["byte_size"], args["sealed_at"]


ANSWER: Mapping[str, Codec[Any]] = {
    "roll": roll,
    "end_offset": offset,
    "byte_size": byte_size,
    "sealed_at": millis,
}

OPERATIONS = (
    Operation("active_roll", "roll", active_roll, option(roll), {"range": range_id}, is_query=True),
    Operation("due_rolls", "roll", due_rolls, many(roll), is_query=True),
    Operation("request_rolls", "roll", request_rolls, nothing, {"segments": many(listed)}),
    Operation(
        "fences_to_send",
        "roll",
        fences_to_send,
        many(roll),
        {"now": millis, "retry_after": millis},
    ),
    Operation(
        "awaiting_fence",
        "roll",
        awaiting_fence,
        boolean,
        {"range": range_id, "segment": segment_id, "now": millis, "window": millis},
        is_query=True,
    ),
    Operation(
        "range_awaiting_fence",
        "roll",
        range_awaiting_fence,
        option(range_id),
        {"topic": topic_name, "now": millis, "window": millis},
        is_query=True,
    ),
    Operation("forget_fence", "roll", forget_fence, nothing, {"roll": roll}),
    Operation("record_fence", "roll", record_fence, done, ANSWER),
    Operation("record_seal", "roll", record_seal, done, ANSWER),
    Operation(
        "forget_sealed",
        "roll",
        forget_sealed,
        nothing,
        {"range": range_id, "segment": segment_id, "end_offset": offset},
    ),
)
