"""Journal, refresh and recovery, as a recording calls them."""

from checker.replay import decoding, encoding
from checker.replay.machine import Entry, Turn
from checker.replay.terms import Term
from reference import refreshing
from spec.vocabulary import Offset, Sequence


def drop_stale_active_segments(turn: Turn) -> Term:
    """Ok."""
    turn.front = refreshing.drop_stale_active_segments(turn.front)
    return "ok"


def journal(turn: Turn) -> Term:
    """Ok."""
    turn.front = refreshing.journal(turn.front)
    return "ok"


def take_journal(turn: Turn) -> Term:
    """Commands, oldest first."""
    taken, turn.front = refreshing.take_journal(turn.front)
    return [encoding.command(one) for one in taken]


def replay_journal(turn: Turn) -> Term:
    """Ok."""
    turn.front = refreshing.replay_journal(turn.front, turn.args.many("commands", decoding.command))
    return "ok"


def seed_range_state(turn: Turn) -> Term:
    """Ok."""
    turn.front = refreshing.seed_range_state(
        turn.front,
        turn.args.range_id(),
        Offset(turn.args.whole("next_offset")),
        Sequence(turn.args.whole("min_seq")),
    )
    return "ok"


def seed_unrecovered_range(turn: Turn) -> Term:
    """Ok."""
    turn.front = refreshing.seed_unrecovered_range(
        turn.front, turn.args.range_id(), Sequence(turn.args.whole("min_seq"))
    )
    return "ok"


def unrecovered(turn: Turn) -> Term:
    """True or false."""
    return refreshing.is_unrecovered(turn.front, turn.args.range_id())


CALLS = {
    "drop_stale_active_segments": Entry(drop_stale_active_segments),
    "journal": Entry(journal),
    "take_journal": Entry(take_journal),
    "replay_journal": Entry(replay_journal, ("commands",)),
    "seed_range_state": Entry(
        seed_range_state,
        (
            "range",
            "next_offset",
            "min_seq",
        ),
    ),
    "seed_unrecovered_range": Entry(
        seed_unrecovered_range,
        (
            "range",
            "min_seq",
        ),
    ),
    "unrecovered": Entry(unrecovered, ("range",)),
}
