"""FenceCore in plain Python: a state is a tuple of tuples, an action answers new ones.

Segments are numbered from 1, and 0 stands for none. The segments of a control plane, of its views
and of the store are kept at index `segment - 1`.
"""

from bisect import bisect
from collections.abc import Callable
from typing import NamedTuple, TypeVar

T = TypeVar("T")

Segment = tuple[bool, int, int]
"""Whether it is sealed, where it starts, how long it is (0 while active)."""
Plane = tuple[Segment, ...]
"""What the control plane lists."""
Front = tuple[Plane, int, int, int, int]
"""A frontend: its view of the plane, the segment cached, the next offset, the roll owed, sent."""
Message = tuple[int, int, int, int]
"""Kind, frontend, segment, and the offset an answer carries (0 in a request)."""

APPEND, APPENDED, REFUSED, FENCE, FENCED = range(5)


class State(NamedTuple):
    """Everything: two states are the same state when these values are."""

    plane: Plane
    appended: tuple[int, ...]
    """Records that the store took, by segment."""
    latches: tuple[bool, ...]
    """Whether the store refuses appends, by segment."""
    fronts: tuple[Front, ...]
    net: tuple[Message, ...]
    """A bag of messages, sorted so that equal bags are equal tuples."""
    acked: tuple[tuple[int, int], ...]
    """(segment, offset) that clients were told is written, sorted."""


class Size(NamedTuple):
    """The constants."""

    frontends: int
    segments: int
    batches: int
    """Produce batches of each frontend, of one record each."""
    defect: bool = False
    """Seal where the frontend believes the end is, not where the store says."""


Successors = list[tuple[str, State]]


def initial(size: Size) -> State:
    """Nothing is listed, written, sent or known."""
    idle: Front = ((), 0, 0, 0, 0)
    zeros = (0,) * size.segments
    return State((), zeros, (False,) * size.segments, (idle,) * size.frontends, (), ())


def successors(size: Size, state: State) -> Successors:
    """One entry for each enabled instance of an action, with the action's name."""
    found: Successors = []
    for number, front in enumerate(state.fronts):
        _plan(size, state, number, front, found)
        _roll(state, number, front, found)
        _refresh(state, number, front, found)
    previous = None
    for place, message in enumerate(state.net):
        if message != previous:
            rest = state.net[:place] + state.net[place + 1 :]
            found.append(_DELIVERIES[message[0]](size, state, message, rest))
            found.append(("Lose", _lose(state, rest)))
            previous = message
    return found


def _plan(size: Size, state: State, number: int, front: Front, found: Successors) -> None:
    view, cached, following, owed, sent = front
    if sent == size.batches:
        return
    plane, appended, latches, fronts, net, acked = state
    if cached:
        after = (view, cached, following + 1, owed, sent + 1)
        net = _with(net, (APPEND, number, cached, 0))
        fronts = _put(fronts, number, after)
        found.append(("PlanSend", State(plane, appended, latches, fronts, net, acked)))
        return
    # The control plane never lists a segment behind an active one.
    if view and not view[-1][0]:
        after = (view, len(view), max(following, view[-1][1]), owed, sent)
        fronts = _put(fronts, number, after)
        found.append(("PlanAdopt", State(plane, appended, latches, fronts, net, acked)))
        return
    if len(plane) < size.segments and (not plane or (plane[-1][0] and following >= _end(plane))):
        plane = (*plane, (False, following, 0))
        cached = len(plane)
    fronts = _put(fronts, number, (plane, cached, following, owed, sent))
    found.append(("PlanRegister", State(plane, appended, latches, fronts, net, acked)))


def _roll(state: State, number: int, front: Front, found: Successors) -> None:
    view, cached, following, owed, sent = front
    plane, appended, latches, fronts, net, acked = state
    if cached and not owed:
        fronts = _put(fronts, number, (view, cached, following, cached, sent))
        found.append(("RequestRoll", State(plane, appended, latches, fronts, net, acked)))
    elif owed and not _is_fencing(net, number, owed):
        net = _with(net, (FENCE, number, owed, 0))
        found.append(("SendFence", State(plane, appended, latches, fronts, net, acked)))


def _refresh(state: State, number: int, front: Front, found: Successors) -> None:
    view, cached, following, owed, sent = front
    plane, appended, latches, fronts, net, acked = state
    closed = bool(cached) and plane[cached - 1][0]
    if closed:
        _, start, length = plane[cached - 1]
        cached, following = 0, start + length
    if closed or view != plane:
        fronts = _put(fronts, number, (plane, cached, following, owed, sent))
        found.append(("Refresh", State(plane, appended, latches, fronts, net, acked)))


def _deliver_append(
    _size: Size, state: State, message: Message, rest: tuple[Message, ...]
) -> tuple[str, State]:
    plane, appended, latches, fronts, _, acked = state
    _, number, segment, _ = message
    place = segment - 1
    offset = plane[place][1] + appended[place]
    if latches[place]:
        net = _with(rest, (REFUSED, number, segment, offset))
        return "DeliverAppend", State(plane, appended, latches, fronts, net, acked)
    net = _with(rest, (APPENDED, number, segment, offset))
    appended = _put(appended, place, appended[place] + 1)
    return "DeliverAppend", State(plane, appended, latches, fronts, net, acked)


def _deliver_appended(
    _size: Size, state: State, message: Message, rest: tuple[Message, ...]
) -> tuple[str, State]:
    plane, appended, latches, fronts, _, acked = state
    _, number, segment, offset = message
    view, cached, following, owed, sent = fronts[number]
    fronts = _put(fronts, number, (view, cached, max(following, offset + 1), owed, sent))
    acked = tuple(sorted({*acked, (segment, offset)}))
    return "DeliverAppOk", State(plane, appended, latches, fronts, rest, acked)


def _deliver_refused(
    _size: Size, state: State, message: Message, rest: tuple[Message, ...]
) -> tuple[str, State]:
    plane, appended, latches, fronts, _, acked = state
    _, number, segment, end = message
    view, cached, following, owed, sent = fronts[number]
    if cached == segment:
        cached, following = 0, end
    if owed == segment:
        owed = 0
    fronts = _put(fronts, number, (view, cached, following, owed, sent))
    return "DeliverAppSealed", State(plane, appended, latches, fronts, rest, acked)


def _deliver_fence(
    _size: Size, state: State, message: Message, rest: tuple[Message, ...]
) -> tuple[str, State]:
    plane, appended, latches, fronts, _, acked = state
    _, number, segment, _ = message
    place = segment - 1
    latches = _put(latches, place, True)
    net = _with(rest, (FENCED, number, segment, plane[place][1] + appended[place]))
    return "DeliverFence", State(plane, appended, latches, fronts, net, acked)


def _deliver_fenced(
    size: Size, state: State, message: Message, rest: tuple[Message, ...]
) -> tuple[str, State]:
    plane, appended, latches, fronts, _, acked = state
    _, number, segment, end = message
    _, cached, following, owed, sent = fronts[number]
    sealed, start, _ = plane[segment - 1]
    if not sealed:
        end = following if size.defect else end
        plane = _put(plane, segment - 1, (True, start, end - start))
        cached, following = 0, end
    if owed == segment:
        owed = 0
    fronts = _put(fronts, number, (plane, cached, following, owed, sent))
    return "DeliverFenceAns", State(plane, appended, latches, fronts, rest, acked)


def _lose(state: State, rest: tuple[Message, ...]) -> State:
    plane, appended, latches, fronts, _, acked = state
    return State(plane, appended, latches, fronts, rest, acked)


_DELIVERIES = (
    _deliver_append,
    _deliver_appended,
    _deliver_refused,
    _deliver_fence,
    _deliver_fenced,
)
"""By kind of message."""


def acknowledged_below_end(state: State) -> bool:
    """AckBelowEnd: what clients were told is written is inside its segment once that is sealed."""
    for segment, offset in state.acked:
        sealed, start, length = state.plane[segment - 1]
        if sealed and offset >= start + length:
            return False
    return True


def tiled(state: State) -> bool:
    """Tile: segments follow each other from 0 on, each listed only behind a sealed one."""
    end, closed = 0, True
    for sealed, start, length in state.plane:
        if not closed or start != end:
            return False
        end, closed = start + length, sealed
    return True


def one_active(state: State) -> bool:
    """OneActive: at most one segment takes records."""
    return [sealed for sealed, _, _ in state.plane].count(False) <= 1


def sealed_as_stored(state: State) -> bool:
    """SealedLen: what is listed as sealed is latched, and as long as the store's log."""
    for (sealed, _, length), appended, latched in zip(
        state.plane, state.appended, state.latches, strict=False
    ):
        if sealed and not (latched and length == appended):
            return False
    return True


INVARIANTS: dict[str, Callable[[State], bool]] = {
    "AckBelowEnd": acknowledged_below_end,
    "Tile": tiled,
    "OneActive": one_active,
    "SealedLen": sealed_as_stored,
}


def _is_fencing(net: tuple[Message, ...], number: int, owed: int) -> bool:
    for kind, front, segment, _ in net:
        if kind >= FENCE and front == number and segment == owed:
            return True
    return False


def _end(plane: Plane) -> int:
    _, start, length = plane[-1]
    return start + length


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _with(net: tuple[Message, ...], message: Message) -> tuple[Message, ...]:
    place = bisect(net, message)
    return (*net[:place], message, *net[place:])
