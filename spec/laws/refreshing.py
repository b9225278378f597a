"""The laws of refreshing: what a frontend keeps and drops when it installs a newer view."""

from spec.commands import (
    Command,
    RegisterSegment,
    SealSegment,
)
from spec.premises import everywhere, where
from spec.replies import CommandReply, NoSuchTopic, Ok, Refusal
from spec.truth import (
    Asked,
    Catalog,
    Known,
    Listing,
    Seen,
    Viewed,
    edge_of,
    entry_of,
    is_sealed_in,
    whole,
)
from spec.vocabulary import START, Roll, State, TopicName
from spec.words import asked_for, last_words, rank_of, shows, to_survive


@where("a head is cached", lambda before, after: before.head is not None or after.head is not None)
def no_sealed_head_survives_a_refresh(before: Seen, after: Seen) -> bool:
    """[RFR-12] A stale head is dropped, and the counter set to the sealed edge. (S22)"""
    if before.head is None:
        return after.head is None
    segment = entry_of(after.listing, before.head.id)
    if segment is None or segment.state is State.ACTIVE:
        return after.head == before.head and after.counter == before.counter
    return after.head is None and after.counter == edge_of(segment)


@where("a roll is owed", lambda before, after: before.owed is not None or after.owed is not None)
def a_roll_is_dropped_exactly_when_it_is_superseded(before: Seen, after: Seen) -> bool:
    """[RFR-15] Sealed, or followed by a later head: otherwise an owed roll stays owed. (S22)"""
    if before.owed is None:
        return after.owed is None
    return after.owed == (None if is_superseded(after.listing, before.owed) else before.owed)


@everywhere
def a_recovery_only_raises(before: Seen, after: Seen) -> bool:
    """[RFR-20] Neither the counter nor the sequence goes back to what was recovered. (S9)"""
    return after.next_offset >= before.next_offset and (after.sequence or 0) >= (
        before.sequence or 0
    )


@everywhere
def a_recovery_that_learns_the_end_ends_the_wait(after: Seen) -> bool:
    """[RFR-21] The range is readable from then on. (S20, P6)"""
    return after.is_recovered


@where("the end was known", lambda before, _: before.counter is not None and before.is_recovered)
def a_known_end_survives_a_mute_primary(before: Seen, after: Seen) -> bool:
    """[RFR-23] The end a frontend holds is real, and one more silence takes nothing away. (S20)"""
    is_known = before.counter is not None and before.is_recovered
    return not is_known or (after.is_recovered and after.counter == before.counter)


@where("no counter was held", lambda before, _: before.counter is None)
def an_unknown_end_is_admitted(before: Seen, after: Seen) -> bool:
    """[RFR-22] A range whose end was never learned waits for it. (S18, S20)"""
    if before.counter is not None:
        return True
    return not after.is_recovered and after.next_offset == before.next_offset


@where(
    "the read could take the oldest journaled command",
    lambda read, before, _: bool(before.journal) and is_taken(read, before.journal[0]),
)
def a_refresh_replays_what_was_commanded_since_the_read(
    read: Listing, before: Seen, after: Seen
) -> bool:
    """[RFR-8] The oldest journaled command stands, if the read could take it. (S21)"""
    return not (before.journal and is_taken(read, before.journal[0])) or is_kept(
        before.journal[0], after.listing
    )


@everywhere
def a_command_brings_the_control_planes_own_view(
    before: Seen, after: Seen, listing: Listing
) -> bool:
    """[RNG-42] What was refused or not answered is not applied to the view. (S21)"""
    return after.listing in (before.listing, listing)


@where("the view lists a segment", lambda seen, _: bool(seen.listing))
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


@where(
    "the last segment that is known of is listed as sealed",
    lambda after: (
        after.head is None
        and bool(after.listing)
        and edge_of(after.listing[-1][1]) is not None
        and (after.sequence or 0) <= after.listing[-1][0].seq + 1
    ),
)
def a_recovered_frontend_stands_at_the_edge(after: Seen) -> bool:
    """[ROL-4] It would open the next segment where the last one that it knows of ends. (S1, P2)

    Tempting and false: a refusal names the end of one copy, which a failover may have sealed
    lower, at the end of the others. No refresh takes the counter down again once the head is
    dropped, and every registration of this frontend overlaps.
    """
    if after.head is not None or not after.listing:
        return True
    last, segment = after.listing[-1]
    edge, knows_more = edge_of(segment), (after.sequence or 0) > last.seq + 1
    return edge is None or knows_more or after.counter == edge


@where("the view listed a segment", lambda before, _: bool(before.listing))
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


def is_taken(read: Listing, command: Command) -> bool:
    """Whether a read could take a command that has an effect here."""
    match command:
        case SealSegment(segment_id):
            return entry_of(read, segment_id) is not None
        case RegisterSegment():
            return not read
        case _:
            return False


def is_kept(command: Command, after: Listing) -> bool:
    """Whether the effect of such a command stands after the refresh."""
    match command:
        case SealSegment(segment_id):
            return is_sealed_in(after, segment_id)
        case RegisterSegment(_, segment_id):
            return entry_of(after, segment_id) is not None
        case _:
            return True


@where(
    "something was held of a vnode that did not answer",
    lambda before, read, _: any(
        before.catalog[each].topics or before.catalog[each].committed for each in read.unread
    ),
)
def an_unread_vnode_keeps_what_was_held(before: Known, read: Viewed, after: Known) -> bool:
    """[RFR-2] A vnode that did not answer has not lost its topics. (S18, S21)"""
    return all(
        set(before.catalog[vnode].topics) <= set(after.catalog[vnode].topics)
        and set(before.catalog[vnode].committed) <= set(after.catalog[vnode].committed)
        for vnode in read.unread
    )


@where("the journal was empty", lambda before, *_: not before.journal)
def a_refresh_with_nothing_to_replay_holds_what_it_read(
    before: Known, read: Viewed, after: Known
) -> bool:
    """[RFR-1] The view is the read, vnode by vnode, and else what was held. (S21)"""
    return bool(before.journal) or all(
        after.catalog[vnode] == (before if vnode in read.unread else read).catalog[vnode]
        for vnode in after.catalog
    )


@where("nothing was commanded since the read began", lambda read, _: not read.since)
def a_refresh_holds_what_it_read_but_for_later_commands(read: Viewed, after: Known) -> bool:
    """[RFR-1] Where nothing was commanded since the read began, the view is what was read. (S21)

    Tempting and false: the journal reaches back to the last refresh and not to the beginning of
    the read, so older commands are done again over what others made of them.
    """
    return bool(read.since) or all(
        after.catalog[vnode] == shard
        for vnode, shard in read.catalog.items()
        if vnode not in read.unread
    )


@where(
    "the read can take a journaled command",
    lambda before, read, _: any(True for _ in to_survive(before, read)),
)
def what_the_read_can_take_survives_the_refresh(before: Known, read: Viewed, after: Known) -> bool:
    """[RFR-8] The last word that this frontend journaled on each thing stands. (S21)"""
    view = whole(after.catalog)
    return all(shows(view, command) for command in to_survive(before, read))


@where("something was commanded since the read began", lambda read, _: bool(read.since))
def what_was_commanded_since_the_read_survives_the_refresh(read: Viewed, after: Known) -> bool:
    """[RFR-8] What this frontend did is seen as done, in its own view at least. (S21)

    Tempting and false: a command may rest on what others did since the read began. The reply to it
    showed that, the read does not, and the replay is refused. And one that only repeated what
    others had done changed no view and is not in the journal.
    """
    view = whole(after.catalog)
    return all(shows(view, command) for command in last_words(read.since))


@where(
    "a position was read or committed",
    lambda read, _: any(positions for _, positions in asked_for(read)),
)
def a_refresh_moves_no_position_back(read: Viewed, after: Known) -> bool:
    """[RFR-33] Neither below what was read nor below what was committed since. (S31)"""
    now = whole(after.catalog).committed
    return all(
        range_id in now.get(key, {}) and rank_of(now[key][range_id]) >= rank_of(position)
        for key, positions in asked_for(read)
        for range_id, position in positions.items()
    )


@everywhere
def a_refresh_commands_nothing(before: Catalog | None, after: Catalog | None) -> bool:
    """[RFR-8] The control plane has the journal's commands, and others have gone on. (S21)"""
    return before == after


@everywhere
def a_refresh_empties_the_journal(after: Known) -> bool:
    """[RFR-7] What was replayed once is not replayed again. (S35)"""
    return not after.journal


@everywhere
def the_journal_takes_what_changed_the_view(before: Known, asked: Asked, after: Known) -> bool:
    """[RFR-6] Each command whose answer changed the view, behind the others, and no other. (S35)

    Command by command: the last of a call may take the view back to what it was before the first.
    """
    if before.journal is None or after.journal is None:
        return after.journal is before.journal
    return after.journal == (*before.journal, *asked.news)


@everywhere
def a_command_changes_the_view_only_by_its_answer(
    before: Known, after: Known, plane: Catalog
) -> bool:
    """[RNG-42] The view is the control plane's own from then on, or what it was before. (S21)"""
    return after.catalog in (before.catalog, plane)


@everywhere
def a_command_without_an_answer_leaves_the_view(before: Known, after: Known) -> bool:
    """[RNG-40] It may have happened or not, and the view says neither. (S21)"""
    return after.catalog == before.catalog


@where(
    "every command was refused",
    lambda _, asked, __: all(isinstance(reply, Refusal) for _, reply in asked.heard),
)
def a_refused_command_leaves_the_view(before: Known, asked: Asked, after: Known) -> bool:
    """[RNG-3] What the control plane did not do is not seen as done. (S21)

    Tempting and false in the mode `raft`: whatever the log answers, the caller applies the command
    to its own view, and where that is behind the command may take.
    """
    is_refused = all(isinstance(reply, Refusal) for _, reply in asked.heard)
    return not is_refused or after.catalog == before.catalog


@where(
    "every command was refused or not answered, and a head is cached",
    lambda _, asked, after: (
        bool(after.heads) and all(isinstance(reply, Refusal) for _, reply in asked.heard)
    ),
)
def a_command_that_did_not_take_moves_no_head(before: Known, asked: Asked, after: Known) -> bool:
    """[HEA-2] A head that is routed elsewhere was moved there by the control plane. (S21, S23)

    Tempting and false: the cached head follows `set_segment_replicas` whatever it was answered,
    also where it was not answered at all.
    """
    is_done = any(not isinstance(reply, Refusal) for _, reply in asked.heard)
    return is_done or all(head == before.heads[range_id] for range_id, head in after.heads.items())


@everywhere
def a_heal_is_answered_ok_only_if_every_command_took(asked: Asked) -> bool:
    """[HEA-6] Else with the first answer that is no success. (S24)"""
    failed = [reply for _, reply in asked.heard if isinstance(reply, Refusal)]
    return asked.reply == (failed[0] if failed else Ok())


@everywhere
def a_topic_is_unknown_only_where_the_view_lists_none(
    before: Known, topic: TopicName, reply: CommandReply
) -> bool:
    """[PRD-5] A produce answers `no_such_topic` exactly where the view has no such topic. (S36)"""
    return isinstance(reply, NoSuchTopic) == (topic not in whole(before.catalog).topics)


@where("a position was committed", lambda before, _: any(whole(before).committed.values()))
def what_lands_late_moves_no_position_back(before: Catalog, after: Catalog) -> bool:
    """[RNG-24] What a client gave up does not undo what it was promised later. (S31)

    Tempting and false: the last commit wins, and the last is the one that arrives last.
    """
    now = whole(after).committed
    return all(
        rank_of(now[key].get(range_id, START)) >= rank_of(position)
        for key, positions in whole(before).committed.items()
        for range_id, position in positions.items()
        if key in now
    )


@where(
    "a topic is new, and a position committed for it",
    lambda before, after: any(
        positions and topic in whole(after).topics and topic not in whole(before).topics
        for (_, topic), positions in whole(after).committed.items()
    ),
)
def a_new_topic_has_no_positions(before: Catalog, after: Catalog) -> bool:
    """[RNG-23] Its groups start at its start. (S31)

    Tempting and false: what was committed for a deleted topic is kept under its name, and its root
    range comes again with the same id.
    """
    held, now = whole(before), whole(after)
    return all(
        range_id not in now.ranges
        for (_, topic), positions in now.committed.items()
        if topic in now.topics and topic not in held.topics
        for range_id in positions
    )


@everywhere
def no_roll_is_owed_before_its_age(owed: int) -> bool:
    """[HEA-24] What was opened a moment ago is not due. (S28)

    Tempting and false: a registration that is replayed has no opening time, and what has none
    counts as due.
    """
    return owed == 0
