"""Mistakes about rolls, fences and seals."""

from dataclasses import replace

from checker.conform.operations import Answered, Arguments, Effects, Run
from checker.conform.wrong.twists import (
    Through,
    counter_of,
    metadata_of,
    right,
    with_counter,
    with_metadata,
)
from reference import rolling
from reference.controlplane import Metadata
from reference.frontend import Frontend, without
from reference.vnodes import View
from spec.commands import Command, SealSegment
from spec.replies import AlreadySealed, CommandReply, NoSuchSegment, Ok
from spec.vocabulary import ByteSize, Count, Offset, Roll


def roll_from_cache(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """[ROL-24] Look for the head only in the cache."""
    head = front.heads.get(args["range"])
    if head is None or not head.replica_set:
        return front, None
    return front, Roll(args["range"], head.id, head.replica_set[0], head.start_offset)


def roll_without_fence(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-36] Seal at the own counter, and send no fence."""
    for roll in rolling.due_rolls(front):
        head, end = front.heads.get(roll.range_id), counter_of(front, roll.range_id)
        size = ByteSize(0) if head is None else head.bytes
        front, _ = rolling.record_seal(front, roll, end, size, args["now"], effects.command)
    return front, ()


def length_from_counter(op: str) -> Run:
    """[ROL-3] Record the counter in place of the answer."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        end = counter_of(front, args["roll"].range_id)
        return right(op, front, {**args, "end_offset": end}, effects)

    return run


def seal_keeps_max(op: str) -> Run:
    """[ROL-6] Raise the counter at a seal in place of setting it."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        recorded, reply = right(op, front, args, effects)
        range_id = args["roll"].range_id
        if range_id not in recorded.offsets:
            return recorded, reply
        highest = max(counter_of(front, range_id), counter_of(recorded, range_id))
        return with_counter(recorded, range_id, highest), reply

    return run


def refusal_keeps_max(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-29] Raise the counter at a refusal in place of setting it."""
    seated, reply = right("forget_sealed", front, args, effects)
    if seated == front:
        return seated, reply
    highest = max(counter_of(front, args["range"]), counter_of(seated, args["range"]))
    return with_counter(seated, args["range"], highest), reply


class Listening(Through):
    """Hears which lengths were on record already."""

    def __init__(self, effects: Effects) -> None:
        super().__init__(effects)
        self.conflict: AlreadySealed | None = None

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane, and listen."""
        view, reply = self.effects.command(view, command)
        if isinstance(reply, AlreadySealed):
            self.conflict = reply
        return view, reply


def conflict_is_error(op: str) -> Run:
    """[ROL-8] Answer `already_sealed` as an error and adopt nothing."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        listening = Listening(effects)
        recorded = right(op, front, args, listening)
        return recorded if listening.conflict is None else (front, listening.conflict)

    return run


def conflict_overwrites(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RNG-19] Let the later length take the place of the one on record."""
    listening = Listening(effects)
    recorded, reply = right("record_seal", front, args, listening)
    if listening.conflict is None:
        return recorded, reply

    def overwritten(metadata: Metadata) -> Metadata:
        listed = metadata.segments.get(args["roll"].segment_id)
        if listed is None:
            return metadata
        length = Count(args["end_offset"] - listed.start_offset)
        changed = replace(listed, length=length)
        segments = metadata.segments.set(args["roll"].segment_id, changed)
        return replace(metadata, segments=segments)

    return with_metadata(recorded, overwritten), reply


def seal_half_done(op: str) -> Run:
    """[ROL-5] Drop head and roll although the seal failed."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        recorded, reply = right(op, front, args, effects)
        if isinstance(reply, Ok):
            return recorded, reply
        dropped = rolling.drop_roll(recorded, args["roll"])
        return rolling.evict_head(dropped, args["roll"].range_id), reply

    return run


def answer_needs_owed_roll(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-25] Ignore the answer to a fence whose roll is no longer owed."""
    if args["roll"].range_id not in front.rolling:
        return rolling.forget_fence(front, args["roll"]), Ok()
    return right("record_fence", front, args, effects)


def answer_needs_view(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-27] Ignore the answer for a segment that the view does not hold."""
    roll = args["roll"]
    if roll.segment_id not in metadata_of(front, roll.range_id).segments:
        return rolling.drop_roll(front, roll), Ok()
    return right("record_fence", front, args, effects)


def late_answer_seals(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-26] Seal although the view says that the segment is sealed."""
    sealed, reply = right("record_seal", front, args, effects)
    if isinstance(reply, NoSuchSegment):
        return rolling.drop_roll(front, args["roll"]), Ok()
    return sealed, reply


def refusal_unguarded(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """[ROL-7] Close whatever head is open, whichever segment the refusal names."""
    evicted = rolling.evict_head(front, args["range"])
    return with_counter(evicted, args["range"], args["end_offset"]), Ok()


def age_roll_from_cache(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-15] Roll by age only what this frontend caches itself."""
    cached = {head.id for head in front.heads.values()}
    segments = tuple(each for each in args["segments"] if each[0] in cached)
    return right("request_rolls", front, {"segments": segments}, effects)


def age_roll_keeps_sequence(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-16] Leave the sequence below the rolled segment."""
    requested, reply = right("request_rolls", front, args, effects)
    return replace(requested, sequences=front.sequences), reply


def roll_replaced(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-13] Let a second request take the place of the owed roll and its mark."""
    for segment_id, _ in args["segments"]:
        front = replace(front, rolling=without(front.rolling, segment_id.range_id))
    return right("request_rolls", front, args, effects)


def roll_is_a_barrier(op: str) -> Run:
    """[ROL-12] Close the head as soon as its roll is owed."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        produced, reply = right(op, front, args, effects)
        for roll in rolling.due_rolls(produced):
            produced = rolling.evict_head(produced, roll.range_id)
        return produced, reply

    return run


def fence_per_produce(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-18] Send a fence and do not mark it."""
    return front, right("fences_to_send", front, args, effects)[1]


def fence_never_resent(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[ROL-17] Send a marked roll never again."""
    sent = {one: roll for one, roll in front.rolling.items() if roll.fence_sent_at is not None}
    unmarked = replace(front, rolling=front.rolling)
    for range_id in sent:
        unmarked = replace(unmarked, rolling=without(unmarked.rolling, range_id))
    marked, rolls = right("fences_to_send", unmarked, args, effects)
    return replace(marked, rolling=marked.rolling.update(sent)), rolls


def wait_unbounded(op: str) -> Run:
    """[ROL-19] Await a fence however long it takes."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        return right(op, front, {**args, "window": args["now"] + 2**40}, effects)

    return run


def failed_fence_still_awaited(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """[ROL-22] Keep awaiting a fence that failed."""
    return front, Ok()


def roll_forgotten_with_its_fence(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """[ROL-22] Owe no roll any more whose fence failed."""
    return rolling.drop_roll(front, args["roll"]), Ok()


def split_seals_itself(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RNG-14] Seal the parent's head at the own counter before the split."""
    roll = rolling.active_roll(front, args["range"])
    if roll is not None:
        end = Offset(max(counter_of(front, args["range"]), roll.start_offset))
        length = Count(end - roll.start_offset)
        command = SealSegment(roll.segment_id, length, ByteSize(0), args.get("now", 0))
        view, _ = effects.command(front.view, command)
        front = replace(front, view=view)
    return right("split_range", front, args, effects)
