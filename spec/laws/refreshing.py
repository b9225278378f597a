"""The laws of refreshing: what a frontend keeps and drops when it installs a newer view."""

from spec.commands import RegisterSegment, SealSegment
from spec.truth import Listing, Seen, edge_of, entry_of
from spec.vocabulary import Roll, State


def no_sealed_head_survives_a_refresh(before: Seen, after: Seen) -> bool:
    """[RFR-12] A stale head is dropped, and the counter set to the sealed edge. (S22)"""
    if before.head is None:
        return after.head is None
    segment = entry_of(after.listing, before.head.id)
    if segment is None or segment.state is State.ACTIVE:
        return after.head == before.head and after.counter == before.counter
    return after.head is None and after.counter == edge_of(segment)


def a_roll_is_dropped_exactly_when_it_is_superseded(before: Seen, after: Seen) -> bool:
    """[RFR-15] Sealed, or followed by a later head: otherwise an owed roll stays owed. (S22)"""
    if before.owed is None:
        return after.owed is None
    return after.owed == (None if is_superseded(after.listing, before.owed) else before.owed)


def a_recovery_only_raises(before: Seen, after: Seen) -> bool:
    """[RFR-20] Neither the counter nor the sequence goes back to what was recovered. (S9)"""
    return after.next_offset >= before.next_offset and (after.sequence or 0) >= (
        before.sequence or 0
    )


def a_recovery_that_learns_the_end_ends_the_wait(after: Seen) -> bool:
    """[RFR-21] The range is readable from then on. (S20, P6)"""
    return after.is_recovered


def a_known_end_survives_a_mute_primary(before: Seen, after: Seen) -> bool:
    """[RFR-23] The end a frontend holds is real, and one more silence takes nothing away. (S20)"""
    is_known = before.counter is not None and before.is_recovered
    return not is_known or (after.is_recovered and after.counter == before.counter)


def an_unknown_end_is_admitted(before: Seen, after: Seen) -> bool:
    """[RFR-22] A range whose end was never learned waits for it. (S18, S20)"""
    if before.counter is not None:
        return True
    return not after.is_recovered and after.next_offset == before.next_offset


def a_refresh_replays_what_was_commanded_since_the_read(
    read: Listing, before: Seen, after: Seen
) -> bool:
    """[RFR-8] The oldest journaled command stands, if the read could take it. (S21)"""
    return not before.journal or is_kept(read, before.journal[0], after.listing)


def a_command_brings_the_control_planes_own_view(
    before: Seen, after: Seen, listing: Listing
) -> bool:
    """[RNG-42] What was refused or not answered is not applied to the view. (S21)"""
    return after.listing in (before.listing, listing)


def a_view_holds_only_what_the_control_plane_said(seen: Seen, listing: Listing) -> bool:
    """[RNG-42] It may be old, but it is never made up. (S21)

    Tempting and false: a journal keeps commands that were refused or came second, and an older
    read takes them.
    """
    for segment_id, segment in seen.listing:
        truth = entry_of(listing, segment_id)
        if truth is None or truth.start_offset != segment.start_offset:
            return False
        if truth.state is State.ACTIVE and truth.replica_set != segment.replica_set:
            return False
        if segment.state is State.SEALED and edge_of(segment) != edge_of(truth):
            return False
    return True


def a_recovered_frontend_stands_at_the_edge(after: Seen) -> bool:
    """[ROL-4] It would open the next segment exactly where the last one ends. (S1, P2)

    Tempting and false: a refusal names the end of one copy, which a failover may have sealed
    lower, at the end of the others. No refresh takes the counter down again once the head is
    dropped, and every registration of this frontend overlaps.
    """
    if after.head is not None or not after.listing:
        return True
    edge = edge_of(after.listing[-1][1])
    return edge is None or after.counter == edge


def a_refresh_never_takes_the_view_back(before: Seen, after: Seen) -> bool:
    """[RFR-8] What the frontend listed as there, or as sealed, it lists so afterwards. (S21)

    Tempting and false: the reply to an own command brings what others did since the read, and
    the journal does not.
    """
    return all(
        (now := entry_of(after.listing, segment_id)) is not None
        and (segment.state is State.ACTIVE or now.state is State.SEALED)
        for segment_id, segment in before.listing
    )


def is_superseded(listing: Listing, roll: Roll) -> bool:
    """Whether a view has moved past the segment of a roll."""
    segment = entry_of(listing, roll.segment_id)
    if segment is not None and segment.state is State.SEALED:
        return True
    return any(
        each.state is State.ACTIVE
        and bool(each.replica_set)
        and segment_id.seq > roll.segment_id.seq
        for segment_id, each in listing
    )


def is_kept(read: Listing, command: object, after: Listing) -> bool:
    """Whether the effect of a command that the read could take stands after the refresh."""
    match command:
        case SealSegment(segment_id):
            listed, now = entry_of(read, segment_id), entry_of(after, segment_id)
            return listed is None or (now is not None and now.state is State.SEALED)
        case RegisterSegment(_, segment_id):
            return bool(read) or bool(entry_of(after, segment_id))
        case _:
            return True
