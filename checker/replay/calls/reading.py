"""Reads, as a recording calls them."""

from checker.replay import decoding, encoding
from checker.replay.machine import FAULT, Entry, Turn
from checker.replay.terms import Term
from reference import reading
from spec.vocabulary import Count, HistoryPage, Offset, Page


def read(turn: Turn) -> Term:
    """Records, eof, or an error."""
    return encoding.answer(
        reading.read(
            turn.front,
            turn.args.range_id(),
            Offset(turn.args.whole("offset")),
            Count(turn.args.whole("max")),
            turn.effects.read,
        )
    )


def read_consume(turn: Turn) -> Term:
    """A page, or an error."""
    found = reading.read_consume(
        turn.front,
        turn.args.range_id(),
        turn.args.get("cursor", decoding.position),
        Count(turn.args.whole("max")),
        turn.effects.read,
    )
    return encoding.page(found) if isinstance(found, Page) else encoding.refusal(found)


def stream_history(turn: Turn) -> Term:
    """A page, or an error."""
    found = reading.stream_history(
        turn.front,
        turn.args.range_id(),
        turn.args.get("cursor", decoding.cursor),
        Count(turn.args.whole("max")),
        turn.effects.read,
    )
    if isinstance(found, HistoryPage):
        return {"ok": [encoding.records(found.records), encoding.cursor(found.cursor)]}
    return encoding.refusal(found)


def read_history(turn: Turn) -> Term:
    """All records, or an error."""
    return encoding.answer(
        reading.read_history(turn.front, turn.args.range_id(), turn.effects.read)
    )


CALLS = {
    "read": Entry(
        read,
        (
            "range",
            "offset",
            "max",
        ),
        FAULT,
    ),
    "read_consume": Entry(
        read_consume,
        (
            "range",
            "cursor",
            "max",
        ),
        FAULT,
    ),
    "stream_history": Entry(
        stream_history,
        (
            "range",
            "cursor",
            "max",
        ),
        FAULT,
    ),
    "read_history": Entry(read_history, ("range",), FAULT),
}
