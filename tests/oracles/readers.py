"""A frontend that reads, and the stored records that it finds."""

from dataclasses import replace

from immutables import Map

from reference import vnodes
from reference.frontend import Frontend
from reference.reading import read_consume, stream_history
from spec.commands import Command
from spec.replies import (
    Failed,
    ReadFun,
    ReadReply,
)
from spec.vocabulary import (
    DONE,
    START,
    Broker,
    ConsumeCursor,
    Count,
    Cursor,
    HistoryCursor,
    HistoryPage,
    Offset,
    Page,
    Position,
    RangeId,
    Segment,
    SegmentId,
    Sequence,
    State,
)
from tests.oracles.values import (
    B1,
    LEFT,
    RIGHT,
    ROOT,
    S0,
    S1,
    S2,
    TOPIC,
    Shelf,
    frontend,
    opened,
    sealed,
    segment_of,
    stretch,
)

LOW, HIGH = b"\x00", b"\x0f"
L0, L1 = segment_of(0, LEFT), segment_of(1, LEFT)
CHILD = RangeId(TOPIC, Sequence(3))


def by_first_byte(key: bytes | None, keyspace_size: int) -> Position:
    """A hash that a test can see through."""
    return Position((key or b"\x00")[0] % keyspace_size)


def reader(*commands: Command, **counters: int) -> Frontend:
    """A frontend that sees what these commands left; its counters by name of range."""
    front = frontend(*commands)
    known = {"root": ROOT, "left": LEFT, "right": RIGHT, "child": CHILD}
    return replace(
        front,
        options=replace(front.options, position_fun=by_first_byte),
        offsets=Map({known[name]: Offset(counter) for name, counter in counters.items()}),
    )


def at(source: int, offset: int) -> Cursor:
    """A cursor."""
    return Cursor(source, Offset(offset))


def consume(
    front: Frontend,
    cursor: ConsumeCursor,
    budget: int,
    read_fun: ReadFun,
    range_id: RangeId = ROOT,
) -> Page:
    """A page, which must not be refused."""
    page = read_consume(front, range_id, cursor, Count(budget), read_fun)
    assert isinstance(page, Page), page
    return page


def closed(start: int, length: int) -> Segment:
    """A sealed segment of the root range."""
    return Segment(ROOT, (B1,), Offset(start), State.SEALED, Count(length))


def view_of(segments: dict[SegmentId, Segment]) -> vnodes.View:
    """A view with the topic that lists exactly these segments."""
    view = frontend().view
    ((name, known),) = view.vnodes.items()
    return replace(view, vnodes=Map({name: replace(known, segments=Map(segments))}))


def three() -> tuple[Command, ...]:
    """Two sealed segments of two records each, and an open one."""
    return (opened(S0), sealed(S0, 2), opened(S1, 2), sealed(S1, 2), opened(S2, 4))


THREE = Shelf({S0: stretch(0, 2), S1: stretch(2, 2), S2: stretch(4, 2)})


def failing_at(segment_id: SegmentId, shelf: Shelf) -> ReadFun:
    """A shelf of which one segment cannot be read."""

    def answer(broker: Broker, asked: SegmentId, offset: Offset, at_most: Count) -> ReadReply:
        return Failed("away") if asked == segment_id else shelf(broker, asked, offset, at_most)

    return answer


def history(
    front: Frontend, range_id: RangeId, budget: int, read_fun: ReadFun
) -> list[HistoryPage]:
    """All pages to the last."""
    pages: list[HistoryPage] = []
    cursor: HistoryCursor = START
    while cursor != DONE:
        page = stream_history(front, range_id, cursor, Count(budget), read_fun)
        assert isinstance(page, HistoryPage), page
        pages.append(page)
        cursor = page.cursor
        assert len(pages) < 100
    return pages
