"""Scenes of the store."""

from immutables import Map

from checker.prove.drawing import Draw
from checker.prove.scenes import drawn
from checker.prove.scenes.scene import Scene, scene
from checker.world.sharing.parts import BROKERS
from reference import store
from reference.store import Latch, Log
from spec.vocabulary import ByteSize, Count, Record


def log(draw: Draw, name: str) -> Log:
    """Draw a log of any length, closed or not."""
    records = (drawn.run(draw, name),) if draw.pick(f"{name} is written", (False, True)) else ()
    latch = None
    if draw.pick(f"{name} is closed", (False, True)):
        size = ByteSize(draw.integer(f"{name}.closed.bytes", 0))
        latch = Latch(drawn.offset(draw, f"{name}.closed"), size)
    return Log(drawn.offset(draw, f"{name}.start"), records, latch)


def append(draw: Draw) -> object:
    """Append a batch of any size."""
    return store.append(log(draw, "log"), (drawn.run(draw, "batch"),))


def fence(draw: Draw) -> object:
    """Close a log of any length."""
    return store.fence(log(draw, "log"))


def two_records(draw: Draw) -> Log:
    """Draw a log of two records that stand where they like."""
    stored = tuple(
        Record(None, value, offset=drawn.offset(draw, value.decode())) for value in (b"a", b"b")
    )
    return Log(drawn.offset(draw, "start"), stored)


def read(draw: Draw) -> object:
    """Read any number of records from any offset."""
    at_most = Count(draw.integer("at_most"))
    return store.read(two_records(draw), drawn.offset(draw, "at"), at_most)


def cut(draw: Draw) -> object:
    """Cut a log at any edge."""
    return store.cut(two_records(draw), drawn.offset(draw, "edge"))


def append_with_quorum(draw: Draw) -> object:
    """Append a batch of any size to three copies, of which some are reached."""
    primary = log(draw, "log")
    reached = frozenset(draw.pick("reached", (BROKERS[1:1], BROKERS[1:2], BROKERS[1:3])))
    batch = (drawn.run(draw, "batch"),)
    return store.append_with_quorum(
        Map({BROKERS[0]: primary}), BROKERS, drawn.offset(draw, "base"), batch, reached
    )


SCENES: tuple[Scene, ...] = (
    scene("append", append),
    scene("fence", fence),
    scene("read from a store", read),
    scene("cut", cut),
    scene("append_with_quorum", append_with_quorum),
)
