"""The rules of a world of restarts and of expiry, and what is assumed of its neighbours."""

from collections.abc import Callable
from dataclasses import dataclass

from checker.world.sharing import rules as sharing
from checker.world.sharing.parts import Copies
from checker.world.sharing.sight import listing_of
from reference import ranges, reading, refreshing, vnodes
from reference.frontend import CommandFun, Frontend
from reference.store import Log, fence
from reference.vnodes import View
from spec.commands import Command, RegisterSegment
from spec.replies import CommandReply, ReadFun, Refusal, SegmentExists
from spec.truth import edge_of
from spec.vocabulary import ConsumeCursor, Count, Page, RangeId, SegmentId


def expire_anything(_front: Frontend, _segment_id: SegmentId) -> bool:
    """[HEA-20] Retention asks for nothing but that a segment is sealed."""
    return True


def keep_the_newest(front: Frontend, segment_id: SegmentId) -> bool:
    """Keep of a range its last segment, so that something remembers where it ends."""
    return listing_of(front.view)[-1][0] != segment_id


def forget_the_latch(_copies: Copies) -> Copies | None:
    """[HEA-22] A copy that is deleted leaves nothing behind."""
    return None


def keep_the_latch(copies: Copies) -> Copies | None:
    """Remember of a deleted copy that it was closed, and where."""
    return Copies(_emptied(copies.primary), _emptied(copies.majority))


def register_above_the_listed(view: View, request: Command) -> tuple[View, CommandReply]:
    """Refuse a registration whose id is not above those that its range lists."""
    if isinstance(request, RegisterSegment):
        listing = listing_of(view)
        if listing and request.segment_id <= listing[-1][0]:
            return view, SegmentExists()
    return vnodes.command(view, request, sharing.NOW)


def restart(front: Frontend, view: View) -> Frontend:
    """[RFR-28] What a frontend holds after a restart: its options, and the view that it reads."""
    return refreshing.journal(Frontend(front.options, view))


@dataclass(frozen=True, slots=True)
class Rules:
    """Every rule that a step of the world runs beside those of a shared range."""

    shared: sharing.Rules = sharing.REFERENCE
    restart: Callable[[Frontend, View], Frontend] = restart
    delete_segment: Callable[[Frontend, SegmentId, CommandFun], tuple[Frontend, CommandReply]] = (
        ranges.delete_segment
    )
    may_expire: Callable[[Frontend, SegmentId], bool] = expire_anything
    remove_copies: Callable[[Copies], Copies | None] = forget_the_latch
    read_consume: Callable[[Frontend, RangeId, ConsumeCursor, Count, ReadFun], Page | Refusal] = (
        reading.read_consume
    )


REFERENCE = Rules()
"""The mode `authoritative`."""
RAFT = Rules(shared=sharing.RAFT)
"""The mode `raft`: the log decides the reply, whatever the caller's view becomes."""
LATCHED = Rules(remove_copies=keep_the_latch)
"""As if a broker remembered of a copy that it has deleted that it was closed."""
REMEMBERED = Rules(
    shared=sharing.Rules(command=register_above_the_listed),
    may_expire=keep_the_newest,
    remove_copies=keep_the_latch,
)
"""As if something remembered of what has expired where it ended, its id and its latch."""


def is_oldest_sealed(view: View, segment_id: SegmentId) -> bool:
    """Whether a segment is the first that a view lists of the range, and sealed."""
    listing = listing_of(view)
    return bool(listing) and listing[0][0] == segment_id and edge_of(listing[0][1]) is not None


def _emptied(log: Log) -> Log:
    closed, _, _ = fence(log)
    return Log(closed.end, (), closed.latch)
