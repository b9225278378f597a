"""The rules of the world: the reference's own functions, and the few decisions of the callers.

A world is built from a `Rules` value, so that a named defect is one rule exchanged for another.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reference import producing, refreshing, rolling, store, vnodes
from reference.frontend import CommandFun, Frontend
from reference.store import Log
from reference.vnodes import View
from spec.commands import Command
from spec.replies import Appended, CommandReply, Ok, Planned, Refusal, Sealed
from spec.vocabulary import (
    ByteSize,
    Count,
    Dispatch,
    Millis,
    Offset,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    TopicName,
)

NOW = Millis(0)
"""All times are relative to now."""
WINDOW = Millis(1)
"""A fence is awaited, and not sent again, for this long."""
PAST = Millis(-1)
"""A mark whose window has passed."""


def install(front: Frontend, view: View) -> Frontend:
    """[RFR-3] What a caller does with a read, in one step."""
    taken, emptied = refreshing.take_journal(front)
    renewed = refreshing.replay_journal(refreshing.put_cache(emptied, view), taken)
    return refreshing.drop_stale_active_segments(renewed)


def adopt_answer(front: Frontend, dispatch: Dispatch, last: Offset) -> tuple[Frontend, bool]:
    """[PRD-31] What a caller does with an answer that reports offsets: adopt, acknowledge."""
    return producing.adopt_offsets(front, dispatch.range_id, dispatch.segment_id, last), True


def give_up(front: Frontend, _range_id: RangeId, _count: Count) -> Frontend:
    """[PRD-18] What a caller does with a batch that failed: nothing."""
    return front


def is_planned_again(is_own: bool, is_again: bool) -> bool:
    """[PRD-29] Whether a caller holds a refused batch: once, and behind its own fence alone."""
    return is_own and not is_again


def is_let_go(is_waiting: bool, is_recorded: bool) -> bool:
    """[ROL-42] Whether a caller fails a held batch: once it waits no longer, and in vain."""
    return not is_waiting and not is_recorded


def ask_the_store(_front: Frontend, _roll: Roll) -> tuple[Offset, ByteSize] | None:
    """[ROL-36] What a caller knows of a segment's end before the fence has answered: nothing."""
    return None


def command(view: View, request: Command) -> tuple[View, CommandReply]:
    """Tell the control plane."""
    return vnodes.command(view, request, NOW)


def bring(newest: View, _held: View, _request: Command, _reply: CommandReply) -> View:
    """[RNG-42] What view comes back with a reply: the control plane's own."""
    return newest


def bring_own(_newest: View, held: View, request: Command, _reply: CommandReply) -> View:
    """[RNG-43] In the mode `raft`: the caller's own view with the command applied to it."""
    return vnodes.command(held, request, NOW)[0]


@dataclass(frozen=True, slots=True)
class Rules:
    """Every rule that a step of the world runs."""

    produce_plan: Callable[
        [Frontend, TopicName, tuple[Record, ...], CommandFun], tuple[Frontend, Planned | Refusal]
    ] = producing.produce_plan
    adopt_answer: Callable[[Frontend, Dispatch, Offset], tuple[Frontend, bool]] = adopt_answer
    forget_sealed: Callable[[Frontend, RangeId, SegmentId, Offset], Frontend] = (
        rolling.forget_sealed
    )
    give_up: Callable[[Frontend, RangeId, Count], Frontend] = give_up
    is_planned_again: Callable[[bool, bool], bool] = is_planned_again
    is_let_go: Callable[[bool, bool], bool] = is_let_go
    request_rolls: Callable[[Frontend, Iterable[tuple[SegmentId, Segment]]], Frontend] = (
        rolling.request_rolls
    )
    fences_to_send: Callable[[Frontend, Millis, Millis], tuple[Frontend, tuple[Roll, ...]]] = (
        rolling.fences_to_send
    )
    end_without_fence: Callable[[Frontend, Roll], tuple[Offset, ByteSize] | None] = ask_the_store
    is_awaiting_fence: Callable[[Frontend, RangeId, SegmentId, Millis, Millis], bool] = (
        rolling.is_awaiting_fence
    )
    forget_fence: Callable[[Frontend, Roll], Frontend] = rolling.forget_fence
    record_fence: Callable[
        [Frontend, Roll, Offset, ByteSize, Millis, CommandFun], tuple[Frontend, Ok | Refusal]
    ] = rolling.record_fence
    install: Callable[[Frontend, View], Frontend] = install
    seed_range_state: Callable[[Frontend, RangeId, Offset, Sequence], Frontend] = (
        refreshing.seed_range_state
    )
    seed_unrecovered_range: Callable[[Frontend, RangeId, Sequence], Frontend] = (
        refreshing.seed_unrecovered_range
    )
    command: Callable[[View, Command], tuple[View, CommandReply]] = command
    bring: Callable[[View, View, Command, CommandReply], View] = bring
    append: Callable[[Log, tuple[Record, ...]], tuple[Log, Appended | Sealed]] = store.append
    fence: Callable[[Log], tuple[Log, Offset, ByteSize]] = store.fence


REFERENCE = Rules()
"""The mode `authoritative`."""
RAFT = Rules(bring=bring_own)
"""The mode `raft`: the log decides the reply, whatever the caller's view becomes."""
