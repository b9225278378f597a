"""Scenes of reading. A store answers what it likes: the reader has to cope."""

from checker.prove.drawing import Draw
from checker.prove.scenes import drawn
from checker.prove.scenes.scene import Scene, scene
from checker.world.sharing.parts import RANGE
from reference import reading
from reference.frontend import Frontend
from spec.replies import Eof, Failed, ReadReply, Records
from spec.vocabulary import Broker, ConsumeCursor, Count, Cursor, Offset, Record, SegmentId

ANSWERS = ("records", "eof", "failed")


class Store:
    """Answers each question with up to so many records at any offsets, nothing or an error."""

    def __init__(self, draw: Draw, most: int, answers: tuple[str, ...] = ANSWERS) -> None:
        self.draw = draw
        self.most = most
        self.asked: list[tuple[object, ...]] = []
        self.answers = [draw.pick(f"answer {number}", answers) for number in range(1, most + 1)]

    def answer(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, at_most: Count
    ) -> ReadReply:
        """Answer one question."""
        self.asked.append((broker, segment_id, offset, at_most))
        number = len(self.asked)
        match self.answers[number - 1] if number <= self.most else "eof":
            case "records":
                at = drawn.offset(self.draw, f"answer {number}.offset")
                found = (Record(None, b"v", offset=at),)
                return Records(found)
            case "failed":
                return Failed("away")
            case _:
                return Eof()


def reader(draw: Draw, most: int) -> Frontend:
    """Draw a frontend that sees up to so many segments."""
    front = drawn.frontend(draw, drawn.view(draw, "seen", most))
    return drawn.with_counter(draw, front)


def read(draw: Draw) -> object:
    """Read at any offset."""
    front, store = reader(draw, 2), Store(draw, 1, ("records",))
    at, most = drawn.offset(draw, "at"), Count(draw.integer("max_records"))
    return told(reading.read(front, RANGE, at, most, store.answer)), tuple(store.asked)


def told(reply: object) -> object:
    """Leave out the text of an error, in which an unknown is written by its name."""
    return "refused" if type(reply).__name__ == "InvalidArgument" else reply


def read_consume(draw: Draw) -> object:
    """Read a page from any cursor."""
    front, store = reader(draw, 1), Store(draw, 1)
    cursor: ConsumeCursor = "start"
    if draw.pick("cursor", ("start", "cursor")) == "cursor":
        cursor = Cursor(0, drawn.offset(draw, "at"))
    most = Count(draw.integer("max_records"))
    return told(reading.read_consume(front, RANGE, cursor, most, store.answer)), tuple(store.asked)


def stream_history(draw: Draw) -> object:
    """Read a page of the history from any cursor."""
    front, store = reader(draw, 1), Store(draw, 1)
    cursor, most = Cursor(0, drawn.offset(draw, "at")), Count(draw.integer("max_records"))
    reply = reading.stream_history(front, RANGE, cursor, most, store.answer)
    return told(reply), tuple(store.asked)


def read_history(draw: Draw) -> object:
    """Read the history to its end."""
    front, store = reader(draw, 1), Store(draw, 1)
    return reading.read_history(front, RANGE, store.answer), tuple(store.asked)


SCENES: tuple[Scene, ...] = (
    scene("read", read),
    scene("read_consume", read_consume),
    scene("stream_history", stream_history),
    scene("read_history", read_history),
)
