"""Mistakes about the cache, the journal and recovery, and about healing."""

from dataclasses import replace

from checker.conform.operations import Answered, Arguments, Effects, Run
from checker.conform.wrong.twists import metadata_of, right, with_counter
from reference import refreshing, rolling, vnodes
from reference.controlplane import active_segment
from reference.frontend import Frontend
from spec.commands import CommitOffset
from spec.replies import Ok, Refusal
from spec.vocabulary import START, Cursor, Offset, Page, Roll


def no_seed(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """[RFR-20] Learn nothing from a recovery."""
    return front, Ok()


def stale_head_kept(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RFR-12] Drop no head that the view calls sealed."""
    dropped, reply = right("drop_stale_active_segments", front, args, effects)
    return replace(dropped, heads=front.heads, offsets=front.offsets), reply


def roll_dropped_for_any_other_head(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RFR-16] Drop an owed roll because the listed head is merely another."""
    dropped, reply = right("drop_stale_active_segments", front, args, effects)
    for roll in rolling.due_rolls(dropped):
        listed = active_segment(metadata_of(dropped, roll.range_id), roll.range_id)
        if listed is not None and listed[0] != roll.segment_id:
            dropped = rolling.drop_roll(dropped, roll)
    return dropped, reply


def roll_kept_forever(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RFR-15] Never drop an owed roll whose segment is not cached."""
    dropped, reply = right("drop_stale_active_segments", front, args, effects)
    kept: dict[object, Roll] = {}
    for range_id, roll in front.rolling.items():
        head = front.heads.get(range_id)
        if head is None or head.id != roll.segment_id:
            kept[range_id] = roll
    return replace(dropped, rolling=dropped.rolling.update(kept)), reply  # type: ignore[arg-type] # by range


def roll_dropped_if_unseen(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RFR-16] Drop an owed roll whose segment the view lacks."""
    dropped, reply = right("drop_stale_active_segments", front, args, effects)
    for roll in rolling.due_rolls(dropped):
        if roll.segment_id not in metadata_of(dropped, roll.range_id).segments:
            dropped = rolling.drop_roll(dropped, roll)
    return dropped, reply


def seed_sets(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RFR-20] Set the counter to what was recovered in place of raising it."""
    seeded, reply = right("seed_range_state", front, args, effects)
    return with_counter(seeded, args["range"], args["next_offset"]), reply


def unknown_end_served(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RDG-16] Answer an empty page where the end is not known."""
    if args["range"] in front.unrecovered:
        cursor = args["cursor"]
        return front, Page((), Cursor(0, Offset(0)) if cursor == START else cursor)
    return right("read_consume", front, args, effects)


def probe_failure_takes_range(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RFR-23] Take a range whose end is known for one whose end is not."""
    seeded, reply = right("seed_unrecovered_range", front, args, effects)
    return replace(seeded, unrecovered=seeded.unrecovered | {args["range"]}), reply


def blank_vnode_installed(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RFR-2] Install also the vnodes that could not be read."""
    return right("put_cache", front, {**args, "unreachable": ()}, effects)


def no_replay(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """[RFR-8] Forget the journal."""
    return front, Ok()


def replay_stops(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """[RFR-8] End the replay at the first command that is refused."""
    taken = []
    view = front.view
    for command in args["commands"]:
        taken.append(command)
        view, reply = vnodes.command(view, command)
        if isinstance(reply, Refusal):
            break
    return refreshing.replay_journal(front, taken), Ok()


def replay_writes(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RFR-8] Send the commands to the control plane again."""
    view = front.view
    for command in args["commands"]:
        view, _ = effects.command(view, command)
    return replace(front, view=view), Ok()


def replay_last_wins(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """[RFR-10] Let a replayed commit move a group back."""
    view = front.view
    for command in args["commands"]:
        if isinstance(command, CommitOffset):
            view, _ = vnodes.command(view, command)
        else:
            view = refreshing.replay_journal(replace(front, view=view), (command,)).view
    return replace(front, view=view), Ok()


def heal_skips_cache(op: str) -> Run:
    """[HEA-2] Let healing change only the view."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        healed, reply = right(op, front, args, effects)
        return replace(front, view=healed.view, journal=healed.journal), reply

    return run


def heal_reply_discarded(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[HEA-6] Answer ok whatever the control plane said."""
    return right("apply_heal_reply", front, args, effects)[0], Ok()
