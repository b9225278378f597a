"""What happens to the topic meanwhile, each act in one step: how acts interleave, other worlds say.

The frontend that writes always holds the newest view; it forgets all but that when it restarts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from immutables import Map

from checker.search.model import Outcome, Step
from checker.world.reading.bounds import Bounds
from checker.world.reading.parts import Left, Past
from checker.world.reading.rules import Rules
from checker.world.reshaping.parts import Logs, place, range_of
from checker.world.reshaping.refreshing import recover
from checker.world.reshaping.sight import blocks_of, listing_in
from checker.world.sharing.control import ControlPlane
from checker.world.sharing.parts import TOPIC
from checker.world.sharing.rules import NOW
from reference.controlplane import active_segment
from reference.frontend import Frontend
from reference.store import Log, append_past_latch
from reference.vnodes import View, metadata_of
from spec.commands import DeleteSegment, SealSegment
from spec.replies import Appended, Planned
from spec.truth import edge_of
from spec.vocabulary import ByteSize, Count, Dispatch, Offset, RangeId, Record, SegmentId, State

Outcomes = Sequence[Outcome]
Act = Callable[..., Outcomes]
PARTS = ("f2", "control", "logs", "past", "left")


def writing_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step that changes what there is to read."""
    names = {"expire": "retention expires", "fail over": "a head fails over"}
    steps = [
        Step(names.get(rule_name, f"f2 {rule_name}s"), rule_name, PARTS, PARTS, act)
        for rule_name, act in _possible(bounds.future, _Writing(bounds, rules))
    ]
    if bounds.future.own:
        parts, act = ("f1", "control", "logs", "left"), _Writing(bounds, rules).reshape_here
        steps.append(Step("f1 reshapes", "reshape here", parts, parts, act))
    return steps


def acts_of(left: Left, bounds: Bounds, rules: Rules) -> list[Act]:
    """The acts of which some are left."""
    return [act for _, act in _possible(left, _Writing(bounds, rules))]


def _possible(left: Left, writing: "_Writing") -> list[tuple[str, Act]]:
    acts = (
        ("produce", left.keys, writing.produce),
        ("open", left.spares, writing.open),
        ("roll", left.rolls, writing.roll),
        ("reshape", left.shapes, writing.reshape),
        ("expire", left.expiries, writing.expire),
        ("fall short", left.shortages, writing.fall_short),
        ("fail over", left.failovers, writing.fail_over),
        ("restart", left.deaths, writing.restart),
        ("recover", left.deaths, writing.recover),
        ("remake", left.remakes, writing.remake),
    )
    return [(rule_name, act) for rule_name, is_possible, act in acts if is_possible]


@dataclass(frozen=True, slots=True)
class _Writing:
    """The acts. Each takes all that it may change, and answers it."""

    bounds: Bounds
    rules: Rules

    def produce(self, front: Frontend, view: View, logs: Logs, past: Past, left: Left) -> Outcomes:
        """Produce the next record; it is acknowledged."""
        if not left.keys:
            return ()
        key, *later = left.keys
        record = Record(str(key).encode(), f"{len(later)}".encode())
        planned, after, dispatch = self._plan(front, view, record)
        if dispatch is None:
            return ()
        held = logs.get(dispatch.segment_id, Log(dispatch.base_offset))
        log, reply = self.rules.append(held, dispatch.records)
        if not isinstance(reply, Appended):
            return ()
        adopted, _ = self.rules.adopt_answer(planned, dispatch, reply.last)
        kept = (*past.get(dispatch.segment_id, ()), log.records[-1])
        label = f"f2 produces key {key} to {place(dispatch.segment_id)} at {reply.last}"
        values = (
            adopted,
            after,
            logs.set(dispatch.segment_id, log),
            past.set(dispatch.segment_id, kept),
            replace(left, keys=tuple(later)),
        )
        return [Outcome(label, values)]

    def open(self, front: Frontend, view: View, logs: Logs, past: Past, left: Left) -> Outcomes:
        """Open a head for a batch that never arrives."""
        planned, after, dispatch = self._plan(front, view, Record(b"0", b"lost"))
        if not left.spares or dispatch is None or after == view:
            return ()
        label = f"f2 opens {place(dispatch.segment_id)}, and its batch is lost"
        opened = logs.set(dispatch.segment_id, Log(dispatch.base_offset))
        return [
            Outcome(label, (planned, after, opened, past, replace(left, spares=left.spares - 1)))
        ]

    def fall_short(
        self, front: Frontend, view: View, logs: Logs, past: Past, left: Left
    ) -> Outcomes:
        """Store a batch at the primary alone; nobody is told that it is safe."""
        planned, after, dispatch = self._plan(front, view, Record(b"0", b"short"))
        if not left.shortages or dispatch is None:
            return ()
        held = logs.get(dispatch.segment_id, Log(dispatch.base_offset))
        stored = logs.set(dispatch.segment_id, append_past_latch(held, dispatch.records))
        label = f"a batch reaches the primary of {place(dispatch.segment_id)} alone"
        fewer = replace(left, shortages=left.shortages - 1)
        return [Outcome(label, (planned, after, stored, past, fewer))]

    def roll(self, front: Frontend, view: View, logs: Logs, past: Past, left: Left) -> Outcomes:
        """Close a head, and record it."""
        if not left.rolls:
            return ()
        fewer = replace(left, rolls=left.rolls - 1)
        return [
            Outcome(f"f2 rolls r{each.seq}", (*self._close(front, view, logs, each), past, fewer))
            for each, _ in blocks_of(view)
            if active_segment(metadata_of(view, TOPIC), each) is not None
        ]

    def reshape(self, front: Frontend, view: View, logs: Logs, past: Past, left: Left) -> Outcomes:
        """Close the heads of the next parents, and split or merge them."""
        if not left.shapes:
            return ()
        shape, *later = left.shapes
        current = self._current(front, view)
        reshaped = self._reshape(current, view, logs, tuple(map(range_of, shape)))
        if reshaped is None:
            return ()
        fewer = replace(left, shapes=tuple(later))
        return [Outcome(f"f2 {_act(shape)}", (*reshaped, past, fewer))]

    def reshape_here(self, front: Frontend, view: View, logs: Logs, left: Left) -> Outcomes:
        """The same by the frontend that reads, with whatever view it holds."""
        if not left.own:
            return ()
        shape, *later = left.own
        reshaped = self._reshape(front, view, logs, tuple(map(range_of, shape)))
        if reshaped is None:
            return ()
        return [Outcome(f"f1 {_act(shape)}", (*reshaped, replace(left, own=tuple(later))))]

    def expire(self, front: Frontend, view: View, logs: Logs, past: Past, left: Left) -> Outcomes:
        """[HEA-22] Remove a sealed segment, and its copies at once or later."""
        if not left.expiries:
            return ()
        fewer = replace(left, expiries=left.expiries - 1)
        return [
            Outcome(
                f"retention removes {place(each)}{how}",
                (front, self.rules.command(view, DeleteSegment(each))[0], kept, past, fewer),
            )
            for each in self._expirable(view)
            for how, kept in ((" with its copies", logs.delete(each)), ("", logs))
        ]

    def fail_over(
        self, front: Frontend, view: View, logs: Logs, past: Past, left: Left
    ) -> Outcomes:
        """[HEA-10] Seal a head at what a majority holds; its primary may hold more."""
        if not left.failovers:
            return ()
        outcomes: list[Outcome] = []
        for range_id, _ in blocks_of(view):
            head = active_segment(metadata_of(view, TOPIC), range_id)
            if head is None:
                continue
            segment_id, segment = head
            end = max([segment.start_offset, *(_after(each) for each in past.get(segment_id, ()))])
            length = Count(end - segment.start_offset)
            seal = SealSegment(segment_id, length, ByteSize(0), NOW)
            after, _ = self.rules.command(view, seal)
            label = f"a failover seals {place(segment_id)} at {end}"
            seated = self.rules.install(front, after)
            fewer = replace(left, failovers=left.failovers - 1)
            outcomes.append(Outcome(label, (seated, after, logs, past, fewer)))
        return outcomes

    def restart(self, front: Frontend, view: View, logs: Logs, past: Past, left: Left) -> Outcomes:
        """Forget everything, and read the control plane."""
        if not left.deaths:
            return ()
        fewer = replace(left, deaths=left.deaths - 1)
        return [Outcome("f2 restarts", (Frontend(front.options, view), view, logs, past, fewer))]

    def recover(self, front: Frontend, view: View, logs: Logs, past: Past, left: Left) -> Outcomes:
        """Learn the ends of the ranges that it lists."""
        recovered = recover(self.rules, replace(front, view=view), logs)
        if recovered == front:
            return ()
        return [Outcome("f2 recovers", (recovered, view, logs, past, left))]

    def remake(self, front: Frontend, view: View, logs: Logs, past: Past, left: Left) -> Outcomes:
        """Delete the topic with all that it holds, and create it again."""
        del logs, past
        if not left.remakes:
            return ()
        again = self.rules.remake(view, self.bounds.bits)
        fewer = replace(left, remakes=left.remakes - 1)
        label = "the topic is deleted and created again"
        return [Outcome(label, (front, again, Map(), Map(), fewer))]

    def _plan(
        self, front: Frontend, view: View, record: Record
    ) -> tuple[Frontend, View, Dispatch | None]:
        plane = ControlPlane(self.rules, view)
        current = self._current(front, view)
        planned, reply = self.rules.produce_plan(current, TOPIC, (record,), plane.tell)
        match reply:
            case Planned(_, (dispatch,)):
                return planned, plane.view, dispatch
            case _:
                return front, view, None

    def _current(self, front: Frontend, view: View) -> Frontend:
        """The frontend with the newest view, as a refresh leaves it."""
        return front if front.view == view else self.rules.install(front, view)

    def _reshape(
        self, front: Frontend, view: View, logs: Logs, parents: tuple[RangeId, ...]
    ) -> tuple[Frontend, View, Logs] | None:
        blocks = dict(blocks_of(view))
        if any(each not in blocks or blocks[each].state is State.SEALED for each in parents):
            return None
        for each in parents:
            front, view, logs = self._seal(front, view, logs, each)
        plane = ControlPlane(self.rules, view)
        reshaped, _ = self.rules.reshape(front, parents, plane.tell)
        return reshaped, plane.view, logs

    def _close(
        self, front: Frontend, view: View, logs: Logs, range_id: RangeId
    ) -> tuple[Frontend, View, Logs]:
        return self._seal(self._current(front, view), view, logs, range_id)

    def _seal(
        self, front: Frontend, view: View, logs: Logs, range_id: RangeId
    ) -> tuple[Frontend, View, Logs]:
        roll = self.rules.active_roll(front, range_id)
        if roll is None or roll.segment_id not in logs:
            return front, view, logs
        log, end, byte_size = self.rules.fence(logs[roll.segment_id])
        plane = ControlPlane(self.rules, view)
        recorded, _ = self.rules.record_seal(front, roll, end, byte_size, NOW, plane.tell)
        return recorded, plane.view, logs.set(roll.segment_id, log)

    def _expirable(self, view: View) -> Iterator[SegmentId]:
        for range_id, _ in blocks_of(view):
            sealed = tuple(
                segment_id
                for segment_id, segment in listing_in(view, range_id)
                if edge_of(segment) is not None
            )
            if self.bounds.is_retention_orderly:
                yield from self.rules.expirable(sealed)
            elif len(sealed) > 1:
                yield sealed[-1]


def _after(record: Record) -> Offset:
    return Offset((record.offset or 0) + 1)


def _act(shape: tuple[int, ...]) -> str:
    names = " and ".join(f"r{seq}" for seq in shape)
    return f"{'splits' if len(shape) == 1 else 'merges'} {names}"
