"""The values that scenes draw: views, frontends, rolls, batches, commands."""

from collections.abc import Sequence as ManyOf
from dataclasses import replace
from typing import TYPE_CHECKING

from checker.prove.drawing import Draw
from checker.prove.measuring import Run, run_of
from checker.world.sharing.parts import BROKERS, RANGE, TOPIC, segment_of
from reference import vnodes
from reference.frontend import Frontend
from reference.frontend import open as open_frontend
from reference.producing import RECORD_OVERHEAD
from reference.vnodes import DEFAULT_VNODE, View, metadata_of
from spec.commands import Command, CreateTopic
from spec.replies import CommandReply, Failed
from spec.vocabulary import (
    ByteSize,
    Count,
    Fencing,
    Head,
    Millis,
    Offset,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    State,
)

if TYPE_CHECKING:
    from reference.controlplane import Metadata

FIRST_VIEW = vnodes.command(vnodes.single(), CreateTopic(TOPIC, 1))[0]
"""A view that lists the topic with its root range, and no segment."""
LISTED = (None, State.ACTIVE, State.SEALED)
"""How a segment may be listed."""


def offset(draw: Draw, name: str) -> Offset:
    """Any offset."""
    return Offset(draw.integer(name, 0))


def millis(draw: Draw, name: str) -> Millis:
    """Any time."""
    return Millis(draw.integer(name))


def segment(draw: Draw, name: str, state: State) -> Segment:
    """A segment with any numbers."""
    listed = Segment(RANGE, BROKERS, offset(draw, f"{name}.start"), State.ACTIVE)
    if state is State.ACTIVE:
        return listed
    return replace(
        listed,
        state=state,
        length=Count(draw.integer(f"{name}.length", 0)),
        byte_size=ByteSize(draw.integer(f"{name}.bytes", 0)),
        sealed_at=millis(draw, f"{name}.sealed_at"),
    )


def view(draw: Draw, name: str, most: int = 1) -> View:
    """A view that lists up to so many segments, each in any state."""
    found: dict[SegmentId, Segment] = {}
    for seq in range(most):
        state = draw.pick(f"{name}.s{seq}", LISTED)
        if state is not None:
            found[segment_of(seq)] = segment(draw, f"{name}.s{seq}", state)
    return with_segments(FIRST_VIEW, found)


def with_segments(base: View, found: dict[SegmentId, Segment]) -> View:
    """A view with these segments besides its own."""
    metadata: Metadata = metadata_of(base, TOPIC)
    listed = replace(metadata, segments=metadata.segments.update(found))
    return replace(base, vnodes=base.vnodes.set(DEFAULT_VNODE, listed))


def frontend(draw: Draw, held: View) -> Frontend:
    """A frontend that holds a view and remembers nothing."""
    front = open_frontend(brokers=BROKERS, replication_factor=len(BROKERS), view=held)
    limit = ByteSize(draw.integer("segment_max_bytes", 1))
    return replace(front, options=replace(front.options, segment_max_bytes=limit))


def with_counter(draw: Draw, front: Frontend) -> Frontend:
    """The same with any counter, or none."""
    if not draw.pick("has a counter", (False, True)):
        return front
    return replace(front, offsets=front.offsets.set(RANGE, offset(draw, "counter")))


def with_sequence(draw: Draw, front: Frontend, options: ManyOf[int | None]) -> Frontend:
    """The same with one of these as the next sequence."""
    seq = draw.pick("sequence", options)
    if seq is None:
        return front
    return replace(front, sequences=front.sequences.set(RANGE, Sequence(seq)))


def with_unknown_sequence(draw: Draw, front: Frontend) -> Frontend:
    """The same with any next sequence, or none."""
    if not draw.pick("has a sequence", (False, True)):
        return front
    floor = Sequence(draw.integer("sequence", 0))
    return replace(front, sequences=front.sequences.set(RANGE, floor))


def with_head(draw: Draw, front: Frontend, most: int = 2) -> Frontend:
    """The same with the head at one of so many segments, or none."""
    seq = draw.pick("head", (None, *range(most)))
    if seq is None:
        return front
    tally = ByteSize(draw.integer("head.bytes", 0))
    head = Head(segment_of(seq), offset(draw, "head.start"), tally, BROKERS)
    return replace(front, heads=front.heads.set(RANGE, head))


def roll(draw: Draw, name: str, most: int = 2) -> Roll:
    """A roll of one of so many segments."""
    seq = draw.pick(name, range(most))
    return Roll(RANGE, segment_of(seq), BROKERS[0], offset(draw, f"{name}.start"))


def with_roll(draw: Draw, front: Frontend, most: int = 2) -> Frontend:
    """The same with a roll owed, or none."""
    if not draw.pick("owes a roll", (False, True)):
        return front
    return replace(front, rolling=front.rolling.set(RANGE, roll(draw, "owed", most)))


def with_mark(draw: Draw, front: Frontend) -> Frontend:
    """The same, the fence of the owed roll sent at any time, or not yet."""
    owed = front.rolling.get(RANGE)
    if owed is None or not draw.pick("is sent", (False, True)):
        return front
    marked = replace(owed, fence_sent_at=millis(draw, "owed.sent_at"))
    return replace(front, rolling=front.rolling.set(RANGE, marked))


def with_fencing(draw: Draw, front: Frontend, most: int = 2) -> Frontend:
    """The same with a fence awaited, or none."""
    seq = draw.pick("awaits", (None, *range(most)))
    if seq is None:
        return front
    fencing = Fencing(segment_of(seq), millis(draw, "awaited.sent_at"))
    return replace(front, fencing=front.fencing.set(RANGE, fencing))


def with_wait(draw: Draw, front: Frontend) -> Frontend:
    """The same, its range recovered or not."""
    if not draw.pick("is unrecovered", (False, True)):
        return front
    return replace(front, unrecovered=frozenset({RANGE}))


def run(draw: Draw, name: str) -> Run:
    """Any number of records of any size, but at least one."""
    count = draw.integer(f"{name}.count", 1)
    # A record takes its overhead and what stands in it.
    size = RECORD_OVERHEAD * count + draw.integer(f"{name}.content", 0)
    return run_of(count, size, RECORD_OVERHEAD)


class Plane:
    """A control plane that takes commands, and brings its own view with each answer."""

    def __init__(self, newest: View, now: Millis, *, is_mute: bool = False) -> None:
        self.newest = newest
        self.now = now
        self.is_mute = is_mute
        self.told: list[Command] = []

    def tell(self, held: View, command: Command) -> tuple[View, CommandReply]:
        """Take a command."""
        self.told.append(command)
        if self.is_mute:
            return held, Failed("unanswered")
        self.newest, reply = vnodes.command(self.newest, command, self.now)
        return self.newest, reply


def opened_view(draw: Draw, opened_at: Millis) -> View:
    """A view that lists one open segment, and says when it was opened or does not."""
    dated = draw.pick("is dated", (False, True))
    listed = segment(draw, "opened", State.ACTIVE)
    found = replace(listed, opened_at=opened_at if dated else None)
    return with_segments(FIRST_VIEW, {segment_of(0): found})
