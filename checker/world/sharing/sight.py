"""How the world shows its parts to the laws: as the values of `spec.truth`."""

from checker.world.remembering import Remembering
from checker.world.sharing.parts import RANGE, TOPIC, Answered, Copies, Fence
from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.truth import Closing, Copy, Heard, Listing, Seen, Stored


@Remembering
def listing_of(view: View) -> Listing:
    """What a view, or the control plane, lists for the range."""
    return segments_of(metadata_of(view, TOPIC), RANGE)


@Remembering
def seen_by(front: Frontend) -> Seen:
    """What a frontend remembers of the range."""
    return Seen(
        counter=front.offsets.get(RANGE),
        sequence=front.sequences.get(RANGE),
        head=front.heads.get(RANGE),
        owed=front.rolling.get(RANGE),
        awaited=front.fencing.get(RANGE),
        listing=listing_of(front.view),
        journal=front.journal or (),
        is_recovered=RANGE not in front.unrecovered,
    )


def copy_of(log: Log) -> Copy:
    """One replica's log."""
    latch = log.latch
    answered = None if latch is None else (latch.end, latch.byte_size)
    return Copy(log.start, log.records, answered)


@Remembering
def stored_in(copies: Copies) -> Stored:
    """The replicas of a segment."""
    return Stored(copy_of(copies.primary), copy_of(copies.majority))


def heard_in(slot: Answered) -> Heard:
    """The answer to a batch."""
    return Heard(slot.dispatch.segment_id, slot.dispatch.records, slot.reply)


def closing_in(fence: Fence) -> Closing:
    """The answer to a fence."""
    assert fence.closed is not None, "a fence is shown to a law once it is answered"
    return Closing(
        fence.roll.segment_id, fence.roll.start_offset, fence.closed.end, fence.closed.byte_size
    )
