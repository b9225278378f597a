"""The states that fulfil all laws, drawn part by part: shapes are picked, integers are unknown.

Where a law says that two integers are one, they are drawn as one: the start of a segment as the
edge before it, the end that a latch names as the end of its log. That is the law itself, read
from left to right, so that no state that fulfils the laws is left out. The listing of the
control plane comes first, and every other part is drawn to fit it.
"""

from collections.abc import Sequence as ManyOf
from dataclasses import dataclass, replace

from checker.prove.drawing import Draw, current
from checker.prove.late import Waiting, late, owed
from checker.prove.measuring import Run, run_of
from checker.world.sharing.parts import (
    BROKERS,
    RANGE,
    TOPIC,
    Answered,
    Closed,
    Copies,
    Fence,
    Sent,
    segment_of,
)
from checker.world.sharing.roll import first_view
from checker.world.sharing.sight import listing_of
from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.frontend import open as open_frontend
from reference.producing import RECORD_OVERHEAD
from reference.store import NO_QUORUM, Latch, Log
from reference.vnodes import DEFAULT_VNODE, View, metadata_of
from spec.laws import ranges, rolling, supporting
from spec.premises import Judgement
from spec.replies import Appended, ReplicateReply, Sealed
from spec.truth import Acknowledged
from spec.vocabulary import (
    ByteSize,
    Count,
    Dispatch,
    Fencing,
    Head,
    Millis,
    Offset,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    State,
)

FIRST_VIEW = first_view()
"""What is listed before any segment is."""
Entries = tuple[Segment, ...]
"""The listed segments, in ascending id from 0."""
TAKEN_OUT: tuple[Judgement, ...] = (
    ranges.the_segments_of_a_range_tile_its_offsets,
    rolling.a_sealed_length_is_what_closing_answered,
    supporting.a_copy_begins_where_its_segment_is_listed,
    supporting.a_frontend_names_segments_where_they_begin,
    supporting.a_frontend_skips_no_sequence,
    supporting.a_latch_names_the_end_of_its_log,
    supporting.a_message_names_its_segment_where_it_begins,
    supporting.a_view_lists_what_the_control_plane_does,
    supporting.an_answered_batch_lies_in_every_copy_that_counts,
    supporting.an_answered_fence_tells_the_latch_of_its_primary,
    supporting.no_segment_ends_before_it_begins,
    supporting.nobody_counts_before_the_first_segment,
)
"""The laws that states can be drawn without, to see what rests on them: something rests on each."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Draws the parts of one state, each to fit the listing of its control plane."""

    draw: Draw
    segments: int
    """At most so many are listed."""
    without: frozenset[str] = frozenset()
    """The laws, by name, that the state need not fulfil: see `TAKEN_OUT`."""

    def keeps(self, law: Judgement) -> bool:
        """Whether the state fulfils a law."""
        return law.__name__ not in self.without

    def offset(self, name: str, known: Offset, law: Judgement) -> Offset:
        """An offset that a law knows; any where the state need not fulfil that law."""
        return known if self.keeps(law) else Offset(current().integer(name))

    def control(self) -> View:
        """What the control plane lists: all but the last segment are sealed."""
        shapes = [(0, False)]
        shapes += [(n, is_open) for n in range(1, self.segments + 1) for is_open in (True, False)]
        count, is_open = self.draw.pick("listing", shapes)
        entries: list[Segment] = []
        start = Offset(0)
        for seq in range(count):
            entry = self._segment(f"s{seq}", start, is_open=is_open and seq == count - 1)
            entries.append(entry)
            if entry.length is not None:
                edge = Offset(start + entry.length)
                law = ranges.the_segments_of_a_range_tile_its_offsets
                start = self.offset(f"s{seq + 1}.start", edge, law)
        return listing(entries)

    def _segment(self, name: str, start: Offset, *, is_open: bool) -> Segment:
        opened = Segment(RANGE, BROKERS, start, opened_at=Millis(0))
        if is_open:
            return opened
        least = 0 if self.keeps(supporting.no_segment_ends_before_it_begins) else None
        return replace(
            opened,
            state=State.SEALED,
            length=Count(self.draw.integer(f"{name}.length", least)),
            byte_size=ByteSize(self.draw.integer(f"{name}.bytes")),
            sealed_at=Millis(0),
        )

    def seen(self, name: str, entries: Entries) -> View:
        """A view that was the control plane's own once: some first segments, the last one open."""
        view = FIRST_VIEW

        def make(draw: Draw) -> Metadata:
            shapes = [(0, False)]
            for count, entry in enumerate(entries, start=1):
                was_open = (True, False) if entry.state is State.SEALED else (True,)
                shapes += [(count, is_open) for is_open in was_open]
            count, is_open = draw.pick(f"{name} lists", shapes)
            held = [self._as_seen(name, seq, entry) for seq, entry in enumerate(entries[:count])]
            if is_open and held[-1].state is State.SEALED:
                last = held[-1]
                held[-1] = Segment(RANGE, BROKERS, last.start_offset, opened_at=last.opened_at)
            return metadata_of(listing(held), TOPIC)

        return replace(view, vnodes=late(f"{name}.view", DEFAULT_VNODE, make))

    def _as_seen(self, name: str, seq: int, entry: Segment) -> Segment:
        """An entry of a view: as it is listed."""
        if entry.length is None or self.keeps(supporting.a_view_lists_what_the_control_plane_does):
            return entry
        return replace(entry, length=Count(current().integer(f"{name} lists s{seq}.length", 0)))

    def front(self, name: str, entries: Entries, *, floors: bool) -> Frontend:
        """What a frontend remembers: it names segments where they begin."""
        view = self.seen(name, entries)
        front = open_frontend(brokers=BROKERS, replication_factor=len(BROKERS), view=view)
        limit = ByteSize(self.draw.integer("segment_max_bytes", 1))
        waits = Waiting()
        waits.name = f"{name} waits"
        memory = _Memory(self, name, entries, floors=floors)
        return replace(
            front,
            options=replace(front.options, segment_max_bytes=limit),
            offsets=late(f"{name}.offsets", RANGE, memory.counter),
            sequences=late(f"{name}.sequences", RANGE, memory.sequence),
            heads=late(f"{name}.heads", RANGE, memory.head),
            rolling=late(f"{name}.rolling", RANGE, memory.owed),
            fencing=late(f"{name}.fencing", RANGE, memory.awaited),
            unrecovered=waits,
        )

    def copies(
        self, name: str, start: Offset, forms: ManyOf[tuple[bool, bool] | None]
    ) -> Copies | None:
        """The replicas of a segment, each closed or not."""
        form = self.draw.pick(f"{name} is", forms)
        if form is None:
            return None
        primary, majority = form
        law = supporting.a_copy_begins_where_its_segment_is_listed
        begin = self.offset(f"{name} begins", start, law)
        return Copies(
            self._log(f"{name}.primary", begin, is_closed=primary),
            self._log(f"{name}.majority", begin, is_closed=majority),
        )

    def _log(self, name: str, start: Offset, *, is_closed: bool) -> Log:
        run = self.run(name, 0)
        log = Log(start, (run,))
        if not is_closed:
            return log
        size = ByteSize(self.draw.integer(f"{name}.closed.bytes"))
        law = supporting.a_latch_names_the_end_of_its_log
        end = self.offset(f"{name}.closed", Offset(start + run.count), law)
        return replace(log, latch=Latch(end, size))

    def run(self, name: str, at_least: int = 1) -> Run:
        """So many records or more, of any size."""
        count = self.draw.integer(f"{name}.count", at_least)
        content = self.draw.integer(f"{name}.content", 0)
        return run_of(count, RECORD_OVERHEAD * count + content, RECORD_OVERHEAD)

    def dispatch(self, name: str, segment_id: SegmentId, entries: Entries) -> Dispatch:
        """A batch for a listed segment, planned at any offset."""
        batch = self.run(name)
        first = Offset(self.draw.integer(f"{name}.first", 0))
        return Dispatch(
            range_id=RANGE,
            primary=BROKERS[0],
            segment_id=segment_id,
            replica_set=BROKERS,
            base_offset=self._named(f"{name}.base", segment_id, entries),
            records=(batch,),
            first=first,
            last=Offset(first + batch.count - 1),
            count=batch.count,
        )

    def sent(self, name: str, segment_id: SegmentId, entries: Entries) -> Sent:
        """A batch on its way, the first time or again."""
        dispatch = self.dispatch(name, segment_id, entries)
        return Sent(dispatch, is_again=False)

    def answered(self, name: str, segment_id: SegmentId, entries: Entries) -> Answered:
        """A batch that was answered in any way."""
        kind = self.draw.pick(f"{name} is", ("appended", "sealed", "short"))
        dispatch = self.dispatch(name, segment_id, entries)
        reply: ReplicateReply = NO_QUORUM
        if kind == "appended":
            last = dispatch.base_offset + dispatch.count - 1
            reply = Appended(Offset(last + self.draw.integer(f"{name}.beyond", 0)))
        elif kind == "sealed":
            end = dispatch.base_offset + self.draw.integer(f"{name}.refused.length", 0)
            reply = Sealed(Offset(end))
        return Answered(dispatch, reply, is_again=False)

    def acknowledged(self, name: str, segment_id: SegmentId, start: Offset) -> Acknowledged:
        """A batch that stands in its segment."""
        first = Offset(start + self.draw.integer(f"{name}.place", 0))
        batch = self.run(name)
        return Acknowledged(segment_id, first, Offset(first + batch.count - 1), (batch,))

    def fence(
        self, name: str, segment_id: SegmentId, entries: Entries, closed: Closed | None
    ) -> Fence:
        """A fence of a listed segment, answered or not."""
        start = self._named(f"{name}.fence.start", segment_id, entries)
        return Fence(Roll(RANGE, segment_id, BROKERS[0], start), closed)

    def closed(self, name: str, latch: Latch) -> Closed:
        """The answer to a fence: what the latch of the primary says."""
        law = supporting.an_answered_fence_tells_the_latch_of_its_primary
        return Closed(self.offset(f"{name}.answered", latch.end, law), latch.byte_size)

    def _named(self, name: str, segment_id: SegmentId, entries: Entries) -> Offset:
        """Where a message says that its segment begins."""
        law = supporting.a_message_names_its_segment_where_it_begins
        return self.offset(name, entries[segment_id.seq].start_offset, law)


@dataclass(frozen=True, slots=True)
class _Memory:
    """What one frontend remembers, each part drawn when it is asked for."""

    cast: Cast
    name: str
    entries: Entries
    floors: bool
    """Whether the next sequence may become an id, and is picked; it is any integer otherwise."""

    def counter(self, draw: Draw) -> Offset | None:
        """The counter; 0 before there is a segment."""
        if not draw.pick(f"{self.name} has a counter", (False, True)):
            return None
        if not self.entries and self.cast.keeps(supporting.nobody_counts_before_the_first_segment):
            return Offset(0)
        return Offset(draw.integer(f"{self.name}.counter", 0))

    def sequence(self, draw: Draw) -> Sequence | None:
        """The next sequence: at most one past the last segment."""
        is_kept = self.cast.keeps(supporting.a_frontend_skips_no_sequence)
        if self.floors:
            most = len(self.entries) + (0 if is_kept else 1)
            floor = draw.pick(f"{self.name}.sequence", (None, *range(most + 1)))
            return None if floor is None else Sequence(floor)
        floor = draw.integer(f"{self.name}.sequence", 0)
        if is_kept:
            draw.assume(lambda: floor <= len(self.entries))
        return Sequence(floor)

    def _start(self, what: str, seq: int) -> Offset:
        """Where a frontend says that a segment begins."""
        known = self.entries[seq].start_offset
        law = supporting.a_frontend_names_segments_where_they_begin
        return self.cast.offset(f"{self.name}.{what}.start", known, law)

    def _one_of(self, draw: Draw, verb: str) -> SegmentId | None:
        seq = draw.pick(f"{self.name} {verb}", (None, *range(len(self.entries))))
        return None if seq is None else segment_of(seq)

    def head(self, draw: Draw) -> Head | None:
        """The head: of a listed segment, at its start."""
        found = self._one_of(draw, "caches")
        if found is None:
            return None
        tally = ByteSize(draw.integer(f"{self.name}.head.bytes", 0))
        return Head(found, self._start("head", found.seq), tally, BROKERS)

    def owed(self, draw: Draw) -> Roll | None:
        """The owed roll: of a listed segment, at its start."""
        found = self._one_of(draw, "owes")
        if found is None:
            return None
        roll = Roll(RANGE, found, BROKERS[0], self._start("owed", found.seq))
        return owed(roll, f"{self.name}.owed.sent_at", self.sent_at)

    def sent_at(self, draw: Draw) -> Millis | None:
        """When the fence of the owed roll was sent, if it was."""
        if not draw.pick(f"{self.name} has sent its fence", (False, True)):
            return None
        return Millis(draw.integer(f"{self.name}.owed.sent_at"))

    def awaited(self, draw: Draw) -> Fencing | None:
        """The awaited fence: of a listed segment, sent at any time."""
        found = self._one_of(draw, "awaits")
        if found is None:
            return None
        return Fencing(found, Millis(draw.integer(f"{self.name}.awaited.sent_at")))


def listing(entries: ManyOf[Segment]) -> View:
    """A view that lists these segments of the range."""
    view = FIRST_VIEW
    metadata = metadata_of(view, TOPIC)
    found = {segment_of(seq): entry for seq, entry in enumerate(entries)}
    listed = replace(metadata, segments=metadata.segments.update(found))
    return replace(view, vnodes=view.vnodes.set(DEFAULT_VNODE, listed))


def entries_of(view: View) -> Entries:
    """What a view lists, in order."""
    return tuple(segment for _, segment in listing_of(view))
