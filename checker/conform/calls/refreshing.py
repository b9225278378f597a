"""Cache, journal and recovery."""

from checker.conform.calls.answers import nothing
from checker.conform.codecs import boolean, many
from checker.conform.nouns import command, offset, range_id, sequence, vnode
from checker.conform.operations import Answered, Arguments, Effects, Operation
from checker.conform.views import as_view, view
from reference import refreshing
from reference.frontend import Frontend
from spec.replies import Ok


def put_cache(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Install a view."""
    return refreshing.put_cache(front, as_view(args["view"]), args["unreachable"]), Ok()


def drop_stale_active_segments(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """Let go of what the view has moved past."""
    return refreshing.drop_stale_active_segments(front), Ok()


def journal(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """Keep a journal."""
    return refreshing.journal(front), Ok()


def take_journal(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """Take the journal."""
    taken, front = refreshing.take_journal(front)
    return front, taken


def replay_journal(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Apply commands to the view alone."""
    return refreshing.replay_journal(front, args["commands"]), Ok()


def seed_range_state(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Seed what was recovered."""
    return (
        refreshing.seed_range_state(front, args["range"], args["next_offset"], args["min_seq"]),
        Ok(),
    )


def seed_unrecovered_range(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Seed a range whose end is not known."""
    return refreshing.seed_unrecovered_range(front, args["range"], args["min_seq"]), Ok()


def unrecovered(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Whether a range waits for its recovery."""
    return front, refreshing.is_unrecovered(front, args["range"])


OPERATIONS = (
    Operation("put_cache", "cache", put_cache, nothing, {"view": view, "unreachable": many(vnode)}),
    Operation("drop_stale_active_segments", "cache", drop_stale_active_segments, nothing),
    Operation("journal", "cache", journal, nothing),
    Operation("take_journal", "cache", take_journal, many(command)),
    Operation("replay_journal", "cache", replay_journal, nothing, {"commands": many(command)}),
    Operation(
        "seed_range_state",
        "recover",
        seed_range_state,
        nothing,
        {"range": range_id, "next_offset": offset, "min_seq": sequence},
    ),
    Operation(
        "seed_unrecovered_range",
        "recover",
        seed_unrecovered_range,
        nothing,
        {"range": range_id, "min_seq": sequence},
    ),
    Operation("unrecovered", "recover", unrecovered, boolean, {"range": range_id}, is_query=True),
)
