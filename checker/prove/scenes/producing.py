"""Scenes of producing."""

from dataclasses import replace

from checker.prove.drawing import Draw
from checker.prove.scenes import drawn
from checker.prove.scenes.scene import Scene, scene
from checker.world.sharing.parts import RANGE, TOPIC, segment_of
from reference import producing
from reference.frontend import Frontend
from spec.replies import Appended, Failed, ReplicateReply, Sealed
from spec.vocabulary import Dispatch, Offset


def frontend_that_writes(draw: Draw) -> tuple[Frontend, drawn.Plane]:
    """Draw a frontend and its control plane; what the frontend has seen may be old."""
    newest = drawn.view(draw, "plane")
    held = draw.pick("its view", (newest, drawn.FIRST_VIEW))
    front = drawn.with_head(draw, drawn.frontend(draw, held), most=1)
    front = drawn.with_sequence(draw, drawn.with_counter(draw, front), (None, 1))
    return front, drawn.Plane(newest, drawn.millis(draw, "now"))


def produce_plan(draw: Draw) -> object:
    """Plan a batch of any size."""
    front, plane = frontend_that_writes(draw)
    front = drawn.with_roll(draw, front, most=1)
    planned = producing.produce_plan(front, TOPIC, (drawn.run(draw, "batch"),), plane.tell)
    return planned, plane.newest


def produce(draw: Draw) -> object:
    """Produce a batch of any size, whatever its primary answers."""
    front, plane = frontend_that_writes(draw)
    reply = draw.pick("reply", ("appended", "sealed", "failed"))
    replies: dict[str, ReplicateReply] = {
        "appended": Appended(drawn.offset(draw, "last")),
        "sealed": Sealed(drawn.offset(draw, "end")),
        "failed": Failed("no_quorum"),
    }
    sent: list[Dispatch] = []

    def replicate(dispatch: Dispatch) -> ReplicateReply:
        sent.append(dispatch)
        return replies[reply]

    produced = producing.produce(front, TOPIC, (drawn.run(draw, "batch"),), replicate, plane.tell)
    return produced, plane.newest, tuple(sent)


def adopt_offsets(draw: Draw) -> object:
    """Adopt an answer for one of two segments."""
    front = drawn.with_head(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    front = drawn.with_wait(draw, drawn.with_counter(draw, front))
    answered = segment_of(draw.pick("answered", (0, 1)))
    return producing.adopt_offsets(front, RANGE, answered, drawn.offset(draw, "last"))


def open_head(draw: Draw) -> object:
    """Plan where two segments may be listed, so that the edge is sought among them."""
    newest = drawn.view(draw, "plane", most=2)
    front = drawn.with_counter(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    front = drawn.with_sequence(draw, front, (2,))
    front = replace(front, view=draw.pick("its view", (newest, drawn.FIRST_VIEW)))
    plane = drawn.Plane(newest, drawn.millis(draw, "now"))
    return producing.produce_plan(front, TOPIC, (drawn.run(draw, "batch"),), plane.tell)


def encoded_size(draw: Draw) -> object:
    """Encode any number of records of any size."""
    return producing.encoded_size(drawn.run(draw, "batch"))


def raise_counter(draw: Draw) -> object:
    """Raise a counter to any floor."""
    front = drawn.with_counter(draw, drawn.frontend(draw, drawn.FIRST_VIEW))
    return producing.raise_counter(front, RANGE, Offset(draw.integer("floor")))


SCENES: tuple[Scene, ...] = (
    scene("produce_plan", produce_plan),
    scene("produce_plan among two segments", open_head),
    scene("produce", produce),
    scene("adopt_offsets", adopt_offsets),
    scene("encoded_size", encoded_size),
    scene("raise_counter", raise_counter),
)
