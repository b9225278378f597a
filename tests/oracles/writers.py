"""Frontends that write, and primaries and control planes that fail them."""

from dataclasses import replace

from immutables import Map

from reference.frontend import CommandFun, Frontend
from reference.vnodes import View
from spec.commands import (
    Command,
    RegisterSegment,
)
from spec.replies import (
    ActiveSegmentExists,
    CommandReply,
    Failed,
    Planned,
    Refusal,
    SegmentExists,
    SegmentOverlap,
)
from spec.vocabulary import (
    Dispatch,
    Position,
    RangeId,
)
from tests.oracles.values import (
    CREATE,
    LEFT,
    S0,
    SPLIT,
    ControlPlane,
    awaiting,
    caching,
    counting,
    fencing_of,
    frontend,
    head_of,
    numbering,
    opened,
    owing,
    roll_of,
)

LOW, HIGH = b"\x00", b"\x0f"
RACES = [SegmentExists(), SegmentOverlap(), ActiveSegmentExists()]


def by_first_byte(key: bytes | None, keyspace_size: int) -> Position:
    """A hash that a test can see through."""
    return Position((key or b"\x00")[0] % keyspace_size)


def transparent(front: Frontend) -> Frontend:
    """The frontend with keys that name their own position."""
    return replace(front, options=replace(front.options, position_fun=by_first_byte))


def halves(*commands: Command) -> Frontend:
    """A frontend that sees the topic split in two, nothing written."""
    return transparent(frontend(SPLIT, *commands))


def writer(counter: int = 0, tally: int = 0) -> Frontend:
    """A frontend whose head is the first segment."""
    return replace(
        frontend(opened(S0)),
        offsets=counting(counter),
        heads=caching(head_of(S0, tally=tally)),
        sequences=numbering(1),
    )


def planned(reply: Planned | Refusal) -> Planned:
    """The plan, which must not have been refused."""
    assert isinstance(reply, Planned), reply
    return reply


def dispatches(reply: Planned | Refusal) -> list[tuple[Dispatch, int, int]]:
    """What goes out, with the offsets that each batch was planned at."""
    return [(each, each.first, each.last) for each in planned(reply).dispatches]


def unsent(dispatch: Dispatch) -> Refusal:
    """A primary that must not be reached."""
    raise AssertionError(f"sent {dispatch}")


def failing_for(range_id: RangeId, control: ControlPlane) -> CommandFun:
    """The control plane, silent when a segment of one range is registered."""

    def answer(view: View, command: Command) -> tuple[View, CommandReply]:
        if isinstance(command, RegisterSegment) and command.range_id == range_id:
            return view, Failed("timeout")
        return control(view, command)

    return answer


def roller(counter: int, *, owed: bool = True, start: int = 0) -> Frontend:
    """A frontend whose head is the first segment, with its roll owed and its fence sent."""
    return replace(
        frontend(opened(S0, start)),
        offsets=counting(counter),
        heads=caching(head_of(S0, start)),
        sequences=numbering(1),
        rolling=owing(roll_of(S0, start, 5)) if owed else Map(),
        fencing=awaiting(fencing_of(S0, 5)),
        journal=(),
    )


def busy() -> Frontend:
    """A frontend that holds something of everything."""
    return replace(
        frontend(opened(S0)),
        offsets=counting(9),
        heads=caching(head_of(S0)),
        sequences=numbering(1),
        rolling=owing(roll_of(S0, 0, 5)),
        fencing=awaiting(fencing_of(S0, 5)),
        unrecovered=frozenset({LEFT}),
        journal=(CREATE,),
    )
