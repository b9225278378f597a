"""Obligations that are no step of the world: the start, what surrounds a step, and what follows.

`initially`   the first state fulfils the laws.
`growth`      what ties a frontend, a message, a view or a copy to the listing of the control plane
              survives every change by which the listing only grows.
`overlap`     two batches that were acknowledged share no offset, and none lies above an edge: that
              follows from the other laws, in every state.
`f1 refreshes with a journal`
              a refresh keeps what was commanded since the read, whatever the numbers in it are.
`pacing`      fences are sent, and awaited, by their windows, whatever time it is and however long
              the windows are.
"""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from checker.prove.casting import FORMS
from checker.prove.claims import LISTING_LAWS, Claim, claim, front_claims, refuse_made_up
from checker.prove.drawing import Draw
from checker.prove.proving import Casts, Stage, Taken, model_for
from checker.prove.shapes import Cast, Entries, entries_of, listing
from checker.world.sharing.parts import BROKERS, RANGE, Reading, segment_of
from checker.world.sharing.rules import Rules
from checker.world.sharing.sight import listing_of, seen_by, stored_in
from reference.vnodes import View
from spec.commands import Command, RegisterSegment, SealSegment
from spec.laws import producing, refreshing, rolling, supporting
from spec.truth import Acknowledged, Listing
from spec.vocabulary import ByteSize, Count, Millis, Offset, Segment, State

if TYPE_CHECKING:
    from reference.frontend import Frontend
    from spec.truth import Stored


def initially(rules: Rules, segments: int) -> Stage:
    """The first state fulfils the laws."""
    model = model_for(rules, segments)

    def stage(_draw: Draw) -> Iterable[Taken]:
        parts = model.initial
        listed = listing_of(cast("View", parts["control"]))
        claims = [claim(law, listed) for law in LISTING_LAWS]
        claims += front_claims(cast("Frontend", parts["f1"]), listed)
        yield Taken("nothing has happened", parts, parts, tuple(claims))

    return stage


def growth(cast_of: Casts) -> Stage:
    """What a part that a step does not touch has to do with the listing survives the step."""

    def stage(draw: Draw) -> Iterable[Taken]:
        cast_ = cast_of(draw)
        before = cast_.control()
        entries = entries_of(before)
        grown = _grown(draw, entries, cast_.segments)
        if grown is None:
            return
        after = listing_of(grown)
        what = draw.pick("what it does not touch", ("frontend", "message", "read", "copies"))
        parts: dict[str, Hashable] = {"control": before}
        if what == "frontend":
            front = cast_.front("f2", entries, floors=False)
            parts["f2"] = front
            claims = list(front_claims(front, after))
        elif not entries:
            return
        elif what == "message":
            seq = draw.pick("the message is for", range(len(entries)))
            start = entries[seq].start_offset
            law = supporting.a_message_names_its_segment_where_it_begins
            claims = [claim(law, segment_of(seq), start, after)]
        elif what == "read":
            read = cast_.seen("f2.read", entries)
            claims = [refuse_made_up(read, after)]
        else:
            name, copies, claims = _copies(draw, cast_, entries, after)
            parts[name] = copies
        yield Taken("the listing grows", parts, parts | {"control": grown}, tuple(claims))

    return stage


def _copies(
    draw: Draw, cast_: Cast, entries: Entries, after: Listing
) -> tuple[str, Hashable, list[Claim]]:
    seq = draw.pick("the copies are of", range(len(entries)))
    copies = cast_.copies(f"s{seq}", entries[seq].start_offset, FORMS)
    stored = None if copies is None else stored_in(copies)
    law = supporting.a_copy_begins_where_its_segment_is_listed
    return f"s{seq}", copies, [claim(law, segment_of(seq), stored, after)]


def _grown(draw: Draw, entries: Entries, segments: int) -> View | None:
    """The listing after a segment was opened behind all others, or the open one was closed."""
    if entries and entries[-1].state is State.ACTIVE:
        closed = replace(
            entries[-1],
            state=State.SEALED,
            length=Count(draw.integer("closed.length", 0)),
            byte_size=ByteSize(draw.integer("closed.bytes")),
            sealed_at=Millis(draw.integer("closed.at")),
        )
        return listing((*entries[:-1], closed))
    if len(entries) == segments:
        return None
    last = entries[-1] if entries else None
    edge = Offset(0) if last is None else Offset(last.start_offset + (last.length or 0))
    opened = Segment(RANGE, BROKERS, edge, opened_at=Millis(0))
    return listing((*entries, opened))


def replaying(rules: Rules, cast_of: Casts) -> Stage:
    """A refresh installs a read, and what this frontend commanded since stands.

    Nothing else is asked: with a journal a view may list what the control plane does not.
    """

    def stage(draw: Draw) -> Iterable[Taken]:
        cast_ = cast_of(draw)
        view = cast_.control()
        entries = entries_of(view)
        count = draw.pick("the journal holds", (1, 2))
        commands = tuple(_commanded(draw, f"command {n}", entries) for n in range(count))
        read = cast_.seen("f1.read", entries)
        front = replace(cast_.front("f1", entries, floors=False), journal=commands)
        before: dict[str, Hashable] = {"control": view, "f1": front, "f1.read": Reading(0, read)}
        after = rules.install(front, read)
        law = refreshing.a_refresh_replays_what_was_commanded_since_the_read
        claims = (claim(law, listing_of(read), seen_by(front), seen_by(after)),)
        yield Taken("f1 installs what it read", before, before | {"f1": after}, claims)

    return stage


def _commanded(draw: Draw, name: str, entries: Entries) -> Command:
    """A command that this frontend may have sent: a seal of a listed segment, or the first one."""
    seq = draw.pick(f"{name} closes", (None, *range(len(entries))))
    if seq is None:
        return RegisterSegment(RANGE, segment_of(0), BROKERS, Offset(0))
    return SealSegment(
        segment_of(seq),
        Count(draw.integer(f"{name}.length", 0)),
        ByteSize(draw.integer(f"{name}.bytes", 0)),
        Millis(draw.integer(f"{name}.at")),
    )


def overlap(cast_of: Casts) -> Stage:
    """No two acknowledged batches share an offset, and none lies above an edge."""

    def stage(draw: Draw) -> Iterable[Taken]:
        cast_ = cast_of(draw)
        view = cast_.control()
        entries, listed = entries_of(view), listing_of(view)
        if not entries:
            return
        places = range(len(entries))
        one_at = draw.pick("one batch is in", places)
        other_at = draw.pick("the other is in", [None, *(each for each in places if each > one_at)])
        parts: dict[str, Hashable] = {"control": view}
        batches = [_acknowledged(cast_, "f1.1", entries, one_at, parts)]
        if other_at is not None:
            batches.append(_acknowledged(cast_, "f2.1", entries, other_at, parts))
        claims = [
            claim(producing.acknowledged_records_lie_below_the_edge, listed, batch)
            for batch in batches
        ]
        if other_at is not None:
            claims.append(claim(supporting.no_offset_is_acknowledged_twice, *batches))
        yield Taken("nothing happens", parts, parts, tuple(claims))

    return stage


def _acknowledged(
    cast_: Cast, name: str, entries: Entries, place: int, parts: dict[str, Hashable]
) -> Acknowledged:
    """Draw a batch that stands in the copies of its segment, as the laws have it."""
    draw, start = cast_.draw, entries[place].start_offset
    listed = listing_of(listing(entries))
    copies = cast_.copies(f"{name} in s{place}", start, FORMS)
    stored: Stored | None = None if copies is None else stored_in(copies)
    batch = cast_.acknowledged(name, segment_of(place), start)
    parts |= {f"s{place}": copies, name: batch}
    length, lies = (
        rolling.a_sealed_length_is_what_closing_answered,
        supporting.an_answered_batch_lies_in_every_copy_that_counts,
    )
    if cast_.keeps(length):
        draw.assume(lambda: length(listed, segment_of(place), stored))
    if cast_.keeps(lies):
        draw.assume(lambda: lies(batch, stored))
    return batch


def pacing(rules: Rules, cast_of: Casts) -> Stage:
    """Fences go out, and are awaited, by their windows: at any time, for any window."""

    def stage(draw: Draw) -> Iterable[Taken]:
        cast_ = replace(cast_of(draw), segments=1)
        entries = entries_of(cast_.control())
        front = cast_.front("f1", entries, floors=False)
        now, window = Millis(draw.integer("now")), Millis(draw.integer("window"))
        seen = seen_by(front)
        after, sent = rules.fences_to_send(front, now, window)
        due = rolling.an_owed_roll_is_due_again_past_its_window
        claims = [claim(due, seen, bool(sent), now, window)]
        if sent:
            again = rolling.a_fence_is_sent_at_once_and_again_only_past_the_window
            claims += [
                claim(again, seen, now, window),
                claim(rolling.a_sent_fence_is_marked, seen_by(after), now),
            ]
        awaited = front.fencing.get(RANGE)
        if awaited is not None:
            is_awaited = rules.is_awaiting_fence(front, RANGE, awaited.segment_id, now, window)
            law = rolling.a_fence_is_awaited_only_inside_its_window
            claims.append(claim(law, seen, is_awaited, now, window))
        yield Taken("time passes", {"f1": front}, {"f1": after}, tuple(claims))

    return stage
