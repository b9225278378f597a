"""Produces and plans, as a recording calls them."""

from checker.replay import decoding, encoding
from checker.replay.machine import FAULT, Entry, Turn
from checker.replay.terms import Term
from reference import producing
from spec.vocabulary import Offset


def produce(turn: Turn) -> Term:
    """Placements, or an error."""
    turn.front, reply = producing.produce(
        turn.front,
        turn.args.topic(),
        turn.args.get("records", decoding.records),
        turn.effects.replicate,
        turn.effects.command,
        turn.machine.world.policy,
    )
    return encoding.answer(reply)


def produce_plan(turn: Turn) -> Term:
    """Placements and dispatches, or an error."""
    turn.front, reply = producing.produce_plan(
        turn.front,
        turn.args.topic(),
        turn.args.get("records", decoding.records),
        turn.effects.command,
        turn.machine.world.policy,
    )
    return encoding.answer(reply)


def adopt_offsets(turn: Turn) -> Term:
    """Ok."""
    last = Offset(turn.args.whole("last"))
    turn.front = producing.adopt_offsets(
        turn.front, turn.args.range_id(), turn.args.segment_id(), last
    )
    return "ok"


CALLS = {
    "produce": Entry(
        produce,
        (
            "topic",
            "records",
        ),
        FAULT,
    ),
    "produce_plan": Entry(
        produce_plan,
        (
            "topic",
            "records",
        ),
        FAULT,
    ),
    "adopt_offsets": Entry(
        adopt_offsets,
        (
            "range",
            "segment",
            "last",
        ),
    ),
}
