"""Rolls, fences and seals, as a recording calls them."""

from checker.replay import decoding, encoding
from checker.replay.machine import FAULT, Entry, Turn
from checker.replay.terms import Term
from reference import rolling
from spec.vocabulary import ByteSize, Millis, Offset, Roll


def active_roll(turn: Turn) -> Term:
    """A roll, or the word none."""
    roll = rolling.active_roll(turn.front, turn.args.range_id())
    return "none" if roll is None else encoding.roll(roll)


def due_rolls(turn: Turn) -> Term:
    """Rolls."""
    return rolls(rolling.due_rolls(turn.front))


def request_rolls(turn: Turn) -> Term:
    """Ok."""
    segments = turn.args.many("segments", decoding.listed_segment)
    turn.front = rolling.request_rolls(turn.front, segments)
    return "ok"


def fences_to_send(turn: Turn) -> Term:
    """Rolls."""
    turn.front, sent = rolling.fences_to_send(
        turn.front, Millis(turn.args.whole("now")), Millis(turn.args.whole("retry_after"))
    )
    return rolls(sent)


def awaiting_fence(turn: Turn) -> Term:
    """True or false."""
    return rolling.is_awaiting_fence(
        turn.front,
        turn.args.range_id(),
        turn.args.segment_id(),
        Millis(turn.args.whole("now")),
        Millis(turn.args.whole("window")),
    )


def range_awaiting_fence(turn: Turn) -> Term:
    """A range, or none."""
    found = rolling.range_awaiting_fence(
        turn.front,
        turn.args.topic(),
        Millis(turn.args.whole("now")),
        Millis(turn.args.whole("window")),
    )
    return None if found is None else encoding.range_id(found)


def forget_fence(turn: Turn) -> Term:
    """Ok."""
    turn.front = rolling.forget_fence(turn.front, turn.args.get("roll", decoding.roll))
    return "ok"


def record_fence(turn: Turn) -> Term:
    """Ok, or an error."""
    turn.front, reply = rolling.record_fence(turn.front, *answered(turn), turn.effects.command)
    return encoding.answer(reply)


def record_seal(turn: Turn) -> Term:
    """Ok, or an error."""
    turn.front, reply = rolling.record_seal(turn.front, *answered(turn), turn.effects.command)
    return encoding.answer(reply)


def forget_sealed(turn: Turn) -> Term:
    """Ok."""
    end = Offset(turn.args.whole("end_offset"))
    turn.front = rolling.forget_sealed(
        turn.front, turn.args.range_id(), turn.args.segment_id(), end
    )
    return "ok"


def rolls(some: tuple[Roll, ...]) -> Term:
    """Rolls, in order."""
    return [encoding.roll(one) for one in some]


def answered(turn: Turn) -> tuple[Roll, Offset, ByteSize, Millis]:
    """A roll and what its fence answered."""
    return (
        turn.args.get("roll", decoding.roll),
        Offset(turn.args.whole("end_offset")),
        ByteSize(turn.args.whole("byte_size")),
        Millis(turn.args.whole("sealed_at")),
    )


CALLS = {
    "active_roll": Entry(active_roll, ("range",)),
    "due_rolls": Entry(due_rolls),
    "request_rolls": Entry(request_rolls, ("segments",)),
    "fences_to_send": Entry(
        fences_to_send,
        (
            "now",
            "retry_after",
        ),
    ),
    "awaiting_fence": Entry(
        awaiting_fence,
        (
            "range",
            "segment",
            "now",
            "window",
        ),
    ),
    "range_awaiting_fence": Entry(
        range_awaiting_fence,
        (
            "topic",
            "now",
            "window",
        ),
    ),
    "forget_fence": Entry(forget_fence, ("roll",)),
    "record_fence": Entry(
        record_fence,
        (
            "roll",
            "end_offset",
            "byte_size",
            "sealed_at",
        ),
        FAULT,
    ),
    "record_seal": Entry(
        record_seal,
        (
            "roll",
            "end_offset",
            "byte_size",
            "sealed_at",
        ),
        FAULT,
    ),
    "forget_sealed": Entry(
        forget_sealed,
        (
            "range",
            "segment",
            "end_offset",
        ),
    ),
}
