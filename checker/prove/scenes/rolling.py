"""Scenes of rolling."""

from dataclasses import replace

from checker.prove.drawing import Draw
from checker.prove.scenes import drawn
from checker.prove.scenes.scene import Scene, scene
from checker.world.sharing.parts import RANGE, TOPIC, segment_of
from reference import rolling
from reference.frontend import Frontend
from reference.vnodes import metadata_of
from spec.vocabulary import ByteSize, Fencing, RangeId, Sequence

SECOND = RangeId(TOPIC, Sequence(1))
"""Another range of the topic."""


def frontend_that_rolls(draw: Draw, most: int = 1) -> Frontend:
    """Draw a frontend with a view, a head, a roll and an awaited fence."""
    front = drawn.with_head(draw, drawn.frontend(draw, drawn.view(draw, "seen", most)), most)
    return drawn.with_fencing(draw, drawn.with_roll(draw, front, most), most)


def active_roll(draw: Draw) -> object:
    """Ask for the roll of the head, listed or cached."""
    front = drawn.with_head(draw, drawn.frontend(draw, drawn.view(draw, "seen", 2)))
    return rolling.active_roll(front, RANGE)


def due_rolls(draw: Draw) -> object:
    """Ask what is owed."""
    front = drawn.with_roll(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    return rolling.due_rolls(drawn.with_mark(draw, front))


def request_rolls(draw: Draw) -> object:
    """Ask for the rolls of two segments."""
    front = drawn.with_roll(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    front = drawn.with_unknown_sequence(draw, front)
    listed = metadata_of(drawn.view(draw, "plane", 2), TOPIC).segments
    return rolling.request_rolls(front, sorted(listed.items(), key=lambda pair: pair[0]))


def fences_to_send(draw: Draw) -> object:
    """Ask at any time which fences go out."""
    front = drawn.with_mark(draw, frontend_that_rolls(draw))
    now, again = drawn.millis(draw, "now"), drawn.millis(draw, "retry_after")
    return rolling.fences_to_send(front, now, again)


def is_awaiting_fence(draw: Draw) -> object:
    """Ask at any time whether a fence is awaited."""
    front = drawn.with_fencing(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    now, window = drawn.millis(draw, "now"), drawn.millis(draw, "window")
    return rolling.is_awaiting_fence(front, RANGE, segment_of(0), now, window)


def range_awaiting_fence(draw: Draw) -> object:
    """Ask for the lowest of two ranges that await a fence."""
    front = drawn.with_fencing(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    if draw.pick("another range awaits", (False, True)):
        fencing = Fencing(segment_of(0), drawn.millis(draw, "other.sent_at"))
        front = replace(front, fencing=front.fencing.set(SECOND, fencing))
    now, window = drawn.millis(draw, "now"), drawn.millis(draw, "window")
    return rolling.range_awaiting_fence(front, TOPIC, now, window)


def forget_fence(draw: Draw) -> object:
    """Stop awaiting a fence."""
    return rolling.forget_fence(frontend_that_rolls(draw), drawn.roll(draw, "failed"))


def record_fence(draw: Draw) -> object:
    """Record the answer to a fence at a control plane that lists what it likes."""
    front = drawn.with_counter(draw, frontend_that_rolls(draw))
    plane = drawn.Plane(drawn.view(draw, "plane"), drawn.millis(draw, "now"))
    end, size = drawn.offset(draw, "end"), ByteSize(draw.integer("bytes", 0))
    recorded = rolling.record_fence(
        front, drawn.roll(draw, "fenced", 1), end, size, plane.now, plane.tell
    )
    return recorded, plane.newest


def record_seal(draw: Draw) -> object:
    """Record a seal at a control plane that answers or does not."""
    front = drawn.with_counter(draw, frontend_that_rolls(draw))
    newest, is_mute = drawn.view(draw, "plane"), draw.pick("is mute", (False, True))
    plane = drawn.Plane(newest, drawn.millis(draw, "now"), is_mute=is_mute)
    end, size = drawn.offset(draw, "end"), ByteSize(draw.integer("bytes", 0))
    recorded = rolling.record_seal(
        front, drawn.roll(draw, "fenced", 1), end, size, plane.now, plane.tell
    )
    return recorded, plane.newest


def forget_sealed(draw: Draw) -> object:
    """Take a refusal that names one of two segments."""
    front = drawn.with_head(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    front = drawn.with_counter(draw, drawn.with_roll(draw, front))
    named = segment_of(draw.pick("refused", (0, 1)))
    return rolling.forget_sealed(front, RANGE, named, drawn.offset(draw, "end"))


def raise_sequence(draw: Draw) -> object:
    """Raise a sequence to any floor."""
    front = drawn.with_unknown_sequence(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    return rolling.raise_sequence(front, RANGE, Sequence(draw.integer("floor")))


SCENES: tuple[Scene, ...] = (
    scene("active_roll", active_roll),
    scene("due_rolls", due_rolls),
    scene("request_rolls", request_rolls),
    scene("fences_to_send", fences_to_send),
    scene("is_awaiting_fence", is_awaiting_fence),
    scene("range_awaiting_fence", range_awaiting_fence),
    scene("forget_fence", forget_fence),
    scene("record_fence", record_fence),
    scene("record_seal", record_seal),
    scene("forget_sealed", forget_sealed),
    scene("raise_sequence", raise_sequence),
)
