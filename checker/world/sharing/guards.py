"""What a message must be for a step to happen at all, so that no rule runs on any other."""

from functools import partial

from checker.search.model import Guard
from checker.world.sharing.parts import Answered, Batch, Fence, Held, Reading, Sent
from spec.vocabulary import SegmentId


def unplanned(slot: str) -> Guard:
    """The batch waits to be planned, for the first time or again."""
    return Guard((slot,), lambda batch: batch is None or isinstance(batch, Held))


def held(slot: str) -> Guard:
    """The batch waits behind a fence."""
    return Guard((slot,), lambda batch: isinstance(batch, Held))


def answered(slot: str) -> Guard:
    """The primary has answered the batch."""
    return Guard((slot,), lambda batch: isinstance(batch, Answered))


def sent_to(segment_id: SegmentId, slot: str, *faults: str) -> Guard:
    """The batch is on its way to this segment."""
    return Guard((slot, *faults), partial(_is_sent_to, segment_id))


def under_way(slot: str, faults: str) -> Guard:
    """The batch or its answer is on its way, and may be lost."""
    return Guard(
        (slot, faults), lambda batch, left: left > 0 and isinstance(batch, Sent | Answered)
    )


def unplanned_and_may_fail(slot: str, faults: str) -> Guard:
    """The batch waits to be planned, and something may go wrong."""
    return Guard((slot, faults), _may_fail_unplanned)


def no_fence(slot: str) -> Guard:
    """No fence of this segment is under way."""
    return Guard((slot,), lambda fence: fence is None)


def asked(slot: str, *faults: str) -> Guard:
    """The fence is on its way to the primary."""
    return Guard((slot, *faults), partial(_is_fence, is_closed=False))


def closed(slot: str, *faults: str) -> Guard:
    """The fence's answer is on its way back."""
    return Guard((slot, *faults), partial(_is_fence, is_closed=True))


def fenced(slot: str, faults: str) -> Guard:
    """The fence or its answer is on its way, and may be late."""
    return Guard((slot, faults), lambda fence, left: left > 0 and fence is not None)


def may_fail(faults: str) -> Guard:
    """Something may go wrong."""
    return Guard((faults,), lambda left: left > 0)


def read_taken(slot: str) -> Guard:
    """What was read is not installed yet."""
    return Guard((slot,), lambda reading: reading.view is not None)


def recovering(slot: str, *faults: str) -> Guard:
    """The end of the range is to be learnt."""
    return Guard((slot, *faults), _is_recovering)


def _is_sent_to(segment_id: SegmentId, batch: Batch, faults: int = 1) -> bool:
    return faults > 0 and isinstance(batch, Sent) and batch.dispatch.segment_id == segment_id


def _may_fail_unplanned(batch: Batch, faults: int) -> bool:
    return faults > 0 and (batch is None or isinstance(batch, Held))


def _is_fence(fence: Fence | None, faults: int = 1, *, is_closed: bool) -> bool:
    return faults > 0 and fence is not None and (fence.closed is not None) == is_closed


def _is_recovering(reading: Reading, faults: int = 1) -> bool:
    return faults > 0 and reading.is_recovering
