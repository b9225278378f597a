"""Scenes of refreshing."""

from dataclasses import replace
from typing import TYPE_CHECKING

from immutables import Map

from checker.prove.drawing import Draw
from checker.prove.scenes import drawn
from checker.prove.scenes.rolling import frontend_that_rolls
from checker.prove.scenes.scene import Scene, scene
from checker.world.sharing.parts import BROKERS, RANGE, TOPIC, segment_of
from reference import refreshing
from spec.commands import CommitOffset, CommittedPosition, RegisterSegment, SealSegment
from spec.vocabulary import ByteSize, Count, Cursor, Group, Sequence, VnodeId

if TYPE_CHECKING:
    from reference.vnodes import View

GROUP = Group("g")


def put_cache(draw: Draw) -> object:
    """Install a view, the vnode reached or not."""
    front = drawn.frontend(draw, drawn.view(draw, "seen"))
    unreachable = draw.pick("unreachable", ((), ("vnode_0",)))
    return refreshing.put_cache(front, drawn.view(draw, "read"), map(VnodeId, unreachable))


def drop_stale(draw: Draw) -> object:
    """Let go of what a view has moved past."""
    front = drawn.with_counter(draw, frontend_that_rolls(draw, 2))
    return refreshing.drop_stale_active_segments(front)


def take_journal(draw: Draw) -> object:
    """Take a journal with a seal in it, or none."""
    front = drawn.frontend(draw, drawn.FIRST_VIEW)
    if draw.pick("keeps a journal", (False, True)):
        front = replace(front, journal=(seal(draw),))
    return refreshing.take_journal(front)


def seal(draw: Draw) -> SealSegment:
    """Draw a seal of the first segment."""
    return SealSegment(
        segment_of(0),
        Count(draw.integer("told.length", 0)),
        ByteSize(draw.integer("told.bytes", 0)),
        drawn.millis(draw, "told.at"),
    )


def replay_journal(draw: Draw) -> object:
    """Replay a registration and a seal on any view."""
    front = drawn.frontend(draw, drawn.view(draw, "read"))
    start = drawn.offset(draw, "told.start")
    opened = RegisterSegment(RANGE, segment_of(1), BROKERS, start)
    return refreshing.replay_journal(front, (seal(draw), opened))


def position(draw: Draw, name: str) -> CommittedPosition:
    """Draw a committed position."""
    if draw.pick(name, ("start", "cursor")) == "start":
        return "start"
    return Cursor(draw.integer(f"{name}.source", 0), drawn.offset(draw, f"{name}.offset"))


def replay_commit(draw: Draw) -> object:
    """Replay a commit on a view with another position."""
    held: View = drawn.FIRST_VIEW
    if draw.pick("has committed", (False, True)):
        known = CommitOffset(GROUP, TOPIC, Map({RANGE: position(draw, "held")}))
        held = drawn.Plane(held, drawn.millis(draw, "now")).tell(held, known)[0]
    again = CommitOffset(GROUP, TOPIC, Map({RANGE: position(draw, "told")}))
    return refreshing.replay_journal(drawn.frontend(draw, held), (again,))


def seed_range_state(draw: Draw) -> object:
    """Recover an end."""
    front = drawn.with_unknown_sequence(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    front = drawn.with_wait(draw, drawn.with_counter(draw, front))
    floor = Sequence(draw.integer("floor", 0))
    return refreshing.seed_range_state(front, RANGE, drawn.offset(draw, "end"), floor)


def seed_unrecovered_range(draw: Draw) -> object:
    """Recover no end."""
    front = drawn.with_unknown_sequence(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    front = drawn.with_wait(draw, drawn.with_counter(draw, front))
    return refreshing.seed_unrecovered_range(front, RANGE, Sequence(draw.integer("floor", 0)))


SCENES: tuple[Scene, ...] = (
    scene("put_cache", put_cache),
    scene("drop_stale_active_segments", drop_stale),
    scene("take_journal", take_journal),
    scene("replay_journal", replay_journal),
    scene("replay_journal of a commit", replay_commit),
    scene("seed_range_state", seed_range_state),
    scene("seed_unrecovered_range", seed_unrecovered_range),
)
