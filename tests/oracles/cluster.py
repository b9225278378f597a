"""A tiny cluster: frontends over one control plane, one log for each segment, messages between."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from reference import frontend as frontends
from reference import store
from reference.controlplane import Metadata, ranges_of, segments_of
from reference.coordinating import orphaned_fence_plan
from reference.frontend import Frontend
from reference.healing import apply_heal_reply
from reference.producing import adopt_offsets, produce_plan
from reference.ranges import active_range_ids, merge_ranges, metadata, split_range
from reference.refreshing import (
    drop_stale_active_segments,
    journal,
    put_cache,
    replay_journal,
    seed_range_state,
    take_journal,
)
from reference.rolling import (
    active_roll,
    fences_to_send,
    forget_sealed,
    record_fence,
    record_seal,
    request_rolls,
)
from reference.store import Log
from reference.vnodes import View
from spec.replies import (
    Appended,
    Eof,
    Ok,
    Planned,
    ReadReply,
    Sealed,
)
from spec.vocabulary import (
    Broker,
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
    State,
)
from tests.oracles.values import B1, NOW, TOPIC, ControlPlane, record

KEYS = (b"a", b"b", b"c", b"d", b"e")
Answer = tuple[Roll, Offset, ByteSize]
Sent = TypeVar("Sent")


@dataclass
class Cluster:
    """What happens is decided from outside: every method is one step, and `pick` chooses."""

    control: ControlPlane = field(default_factory=ControlPlane)
    fronts: list[Frontend] = field(default_factory=list)
    logs: dict[SegmentId, Log] = field(default_factory=dict)
    batches: list[tuple[int, Dispatch]] = field(default_factory=list)
    """Planned and not delivered."""
    answers: list[tuple[int, Answer]] = field(default_factory=list)
    """Of fences, and not recorded."""
    views: list[View] = field(default_factory=list)
    """Every view that a refresh may have read, oldest first."""
    installed: dict[int, int] = field(default_factory=dict)
    """The newest of these when each frontend last installed one."""
    acknowledged: dict[tuple[RangeId, Offset], str] = field(default_factory=dict)
    queues: dict[bytes, list[str]] = field(default_factory=dict)
    """What was stored of each key, oldest first."""
    written: int = 0

    def join(self, max_bytes: int = 100) -> None:
        """Open one more frontend."""
        front = frontends.open(
            brokers=(B1,), segment_max_bytes=ByteSize(max_bytes), view=self.control.view
        )
        self.fronts.append(self._recovered(journal(front)))
        self._remember()
        self.installed[len(self.fronts) - 1] = len(self.views) - 1

    def plan(self, who: int, pick: int) -> None:
        """A client writes one to three records."""
        records: list[Record] = []
        for place in range(1 + pick % 3):
            self.written += 1
            records.append(record(str(self.written), KEYS[(pick + place) % len(KEYS)]))
        self.fronts[who], reply = produce_plan(self.fronts[who], TOPIC, records, self.control)
        if isinstance(reply, Planned):
            self.batches += [(who, dispatch) for dispatch in reply.dispatches]
        self._remember()

    def deliver(self, _who: int, pick: int) -> None:
        """A batch reaches its primary, and the answer its frontend."""
        for who, dispatch in _taken(self.batches, pick):
            front = self.fronts[who]
            range_id, segment_id = dispatch.range_id, dispatch.segment_id
            match self._append(dispatch):
                case Appended(last):
                    front = adopt_offsets(front, range_id, segment_id, last)
                    for back, one in enumerate(reversed(dispatch.records)):
                        at = (range_id, Offset(last - back))
                        assert at not in self.acknowledged
                        self.acknowledged[at] = one.value.decode()
                case Sealed(end_offset):
                    front = forget_sealed(front, range_id, segment_id, end_offset)
            self.fronts[who] = front

    def land(self, _who: int, pick: int) -> None:
        """A batch reaches its primary, and the answer is lost."""
        for _, dispatch in _taken(self.batches, pick):
            self._append(dispatch)

    def lose(self, _who: int, pick: int) -> None:
        """A batch, or else the answer to a fence, is lost."""
        if self.batches:
            _taken(self.batches, pick)
        else:
            _taken(self.answers, pick)

    def fence(self, who: int, pick: int) -> None:
        """The fences of the owed rolls are sent, and reach their primaries."""
        retry_after = Millis(pick % 2)
        self.fronts[who], rolls = fences_to_send(self.fronts[who], NOW, retry_after)
        self.answers += [(who, self._fence(roll)) for roll in rolls]

    def record(self, _who: int, pick: int) -> None:
        """The answer to a fence is recorded."""
        for who, (roll, end, size) in _taken(self.answers, pick):
            self.fronts[who], reply = record_fence(
                self.fronts[who], roll, end, size, NOW, self.control
            )
            assert reply == Ok()
        self._remember()

    def roll(self, who: int, _pick: int) -> None:
        """Every active segment is too old."""
        self.fronts[who] = request_rolls(self.fronts[who], self._active())

    def refresh(self, who: int, pick: int) -> None:
        """A read lands that may be old, but began after the last one was installed.

        Only what took is replayed: a refused command would come true on the read.
        """
        since = self.installed[who]
        read = since + pick % (len(self.views) - since)
        commands, front = take_journal(self.fronts[who])
        took = [command for command in commands if command in self.control.took]
        front = replay_journal(put_cache(front, self.views[read]), took)
        self.fronts[who] = drop_stale_active_segments(front)
        self.installed[who] = len(self.views) - 1

    def recover(self, who: int, _pick: int) -> None:
        """A frontend learns the ends of its ranges, as it does after a refresh."""
        self.fronts[who] = self._recovered(self.fronts[who])

    def split(self, who: int, pick: int) -> None:
        """An operator splits a range: fence, seal, split."""
        owned = active_range_ids(self.fronts[who], TOPIC)
        range_id = owned[pick % len(owned)]
        if self._close(who, range_id):
            self.fronts[who], _ = split_range(self.fronts[who], range_id, self.control)
        self._remember()

    def merge(self, who: int, pick: int) -> None:
        """An operator merges two ranges: fence, seal, both, and merge."""
        owned = active_range_ids(self.fronts[who], TOPIC)
        first, second = owned[pick % len(owned)], owned[(pick + 1) % len(owned)]
        if self._close(who, first) and self._close(who, second):
            self.fronts[who], _ = merge_ranges(self.fronts[who], first, second, self.control)
        self._remember()

    def orphan(self, who: int, pick: int) -> None:
        """An operator stops between the fence and its record."""
        owned = active_range_ids(self.fronts[who], TOPIC)
        roll = active_roll(self.fronts[who], owned[pick % len(owned)])
        if roll is not None:
            self._fence(roll)

    def heal(self, who: int, _pick: int) -> None:
        """The coordinator seals what is fenced and still called active."""
        ends = [
            (segment_id, *self._fence_again(segment_id))
            for segment_id, _ in self._active()
            if segment_id in self.logs and self.logs[segment_id].fenced
        ]
        commands = orphaned_fence_plan(self.control.metadata, ends, NOW)
        self.fronts[who], reply = apply_heal_reply(self.fronts[who], commands, self.control)
        assert reply == Ok()
        self._remember()

    def restart(self, who: int, _pick: int) -> None:
        """A frontend forgets everything, and recovers; what it sent is on its way."""
        options = self.fronts[who].options
        front = frontends.open(
            brokers=options.brokers,
            segment_max_bytes=options.segment_max_bytes,
            view=self.control.view,
        )
        self.fronts[who] = self._recovered(journal(front))
        self.batches = [each for each in self.batches if each[0] != who]
        self.answers = [each for each in self.answers if each[0] != who]
        self.installed[who] = len(self.views) - 1

    def settle(self) -> None:
        """All that is on its way arrives, fences are sent, and frontends refresh and recover."""
        for _ in range(3):
            while self.batches:
                self.deliver(0, 0)
            for who in range(len(self.fronts)):
                self.fence(who, 0)
            while self.answers:
                self.record(0, 0)
            self.heal(0, 0)
            for who in range(len(self.fronts)):
                self.installed[who] = len(self.views) - 1
                self.refresh(who, 0)
                self.recover(who, 0)

    def read(
        self, _broker: Broker, segment_id: SegmentId, offset: Offset, at_most: Count
    ) -> ReadReply:
        """A read of a store."""
        log = self.logs.get(segment_id)
        return Eof() if log is None else store.read(log, offset, at_most)

    def stored_at(self, range_id: RangeId, offset: Offset) -> str | None:
        """What the log of the range holds at an offset, below the edge of its segment."""
        for segment_id, segment in segments_of(self.control.metadata, range_id):
            for one in self.logs.get(segment_id, Log(Offset(0))).records:
                above = segment.length is not None and (
                    offset >= segment.start_offset + segment.length
                )
                if one.offset == offset and not above:
                    return one.value.decode()
        return None

    def _append(self, dispatch: Dispatch) -> Appended | Sealed:
        log = self.logs.get(dispatch.segment_id, Log(dispatch.base_offset))
        self.logs[dispatch.segment_id], reply = store.append(log, dispatch.records)
        if isinstance(reply, Appended):
            for one in dispatch.records:
                self.queues.setdefault(one.key or b"", []).append(one.value.decode())
        return reply

    def _fence(self, roll: Roll) -> Answer:
        log = self.logs.get(roll.segment_id, Log(roll.start_offset))
        self.logs[roll.segment_id], end, size = store.fence(log)
        return roll, end, size

    def _fence_again(self, segment_id: SegmentId) -> tuple[Offset, ByteSize]:
        _, end, size = store.fence(self.logs[segment_id])
        return end, size

    def _close(self, who: int, range_id: RangeId) -> bool:
        roll = active_roll(self.fronts[who], range_id)
        if roll is None:
            return True
        _, end, size = self._fence(roll)
        self.fronts[who], reply = record_seal(self.fronts[who], roll, end, size, NOW, self.control)
        return isinstance(reply, Ok)

    def _active(self) -> list[tuple[SegmentId, Segment]]:
        listed = sorted(self.control.metadata.segments.items())
        return [pair for pair in listed if pair[1].state is State.ACTIVE]

    def _recovered(self, front: Frontend) -> Frontend:
        for range_id, listed in segments_by_range(metadata(front)):
            end, seq = Offset(0), Sequence(0)
            for segment_id, segment in listed:
                end = Offset(segment.start_offset + (segment.length or 0))
                if segment.state is State.ACTIVE and segment_id in self.logs:
                    end = self.logs[segment_id].end
                seq = max(seq, Sequence(segment_id.seq + 1))
            front = seed_range_state(front, range_id, end, seq)
        return front

    def _remember(self) -> None:
        if not self.views or self.views[-1] != self.control.view:
            self.views.append(self.control.view)


def segments_by_range(
    known: Metadata,
) -> Iterator[tuple[RangeId, list[tuple[SegmentId, Segment]]]]:
    """The segments that each range lists, by start."""
    for range_id, _ in ranges_of(known, TOPIC):
        listed = segments_of(known, range_id)
        yield range_id, sorted(listed, key=lambda pair: (pair[1].start_offset, pair[0]))


def _taken(waiting: list[Sent], pick: int) -> list[Sent]:
    """One message, taken off the wire; none where none is on its way."""
    return [waiting.pop(pick % len(waiting))] if waiting else []
