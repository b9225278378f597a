"""The steps of producing: plan, send, append, hear the answer, give up."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from checker.search.model import Outcome, Step
from checker.world.sharing import guards
from checker.world.sharing.bounds import Bounds, Fault
from checker.world.sharing.control import ControlPlane, Delivery, out_of_reach
from checker.world.sharing.parts import (
    RANGE,
    TOPIC,
    Answered,
    Batch,
    Copies,
    Failed,
    Held,
    Sent,
    record_of,
    segment_of,
)
from checker.world.sharing.rules import NOW, WINDOW, Rules
from reference.frontend import Frontend
from reference.store import NO_QUORUM, Log
from reference.vnodes import View, metadata_of
from spec.replies import Appended, Planned, Sealed
from spec.truth import Acknowledged
from spec.vocabulary import Dispatch, Offset, Record, SegmentId, State

Outcomes = Sequence[Outcome]
Overflow = Callable[..., bool]


def producing_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every batch."""
    steps: list[Step] = []
    for name, number, count in bounds.slots():
        batch = _Producing(bounds, rules, name, number, records_of(name, number, count))
        steps += batch.planning_steps()
        steps += batch.sending_steps()
    return steps


def overflows(bounds: Bounds, rules: Rules) -> Iterator[tuple[tuple[str, ...], Overflow]]:
    """What each batch reads when it opens a segment, and whether it would open one too many."""
    for name, number, count in bounds.slots():
        batch = _Producing(bounds, rules, name, number, records_of(name, number, count))
        before = (f"{name}.{number - 1}",) if number > 1 else ()
        yield (name, f"{name}.{number}", "control", *before), batch.overflows


def records_of(name: str, number: int, count: int) -> tuple[Record, ...]:
    """The records of one batch of a frontend."""
    return tuple(record_of(name, number, each) for each in range(1, count + 1))


def calls_sealed(front: Frontend, segment_id: SegmentId) -> bool:
    """Whether a frontend's view says that a segment is sealed."""
    segment = metadata_of(front.view, TOPIC).segments.get(segment_id)
    return segment is not None and segment.state is State.SEALED


@dataclass(frozen=True, slots=True)
class _Producing:
    """The life of one batch."""

    bounds: Bounds
    rules: Rules
    name: str
    number: int
    records: tuple[Record, ...]

    @property
    def slot(self) -> str:
        return f"{self.name}.{self.number}"

    def planning_steps(self) -> list[Step]:
        """The steps that need the frontend and perhaps the control plane, not the store."""
        name, slot = self.name, self.slot
        before = (f"{name}.{self.number - 1}",) if self.number > 1 else ()
        alone, both, pair = (name, slot, *before), (name, slot, "control", *before), (name, slot)
        waits, heard, holds = guards.unplanned(slot), guards.answered(slot), guards.held(slot)
        told = (*pair, "control")
        steps = [
            Step(f"{slot} is planned", "plan", alone, pair, self.plan, waits),
            Step(f"{slot} opens a segment", "open", both, told, self.open, waits),
            Step(f"{slot} is answered", "hear", pair, pair, self.hear, heard),
            Step(f"{slot} is held too long", "hold", pair, (slot,), self.let_go, holds),
        ]
        if self.bounds.may(Fault.SILENCE):
            reads = (name, slot, "control", "faults", *before)
            writes = (name, "control", "faults")
            guard, unheard = guards.unplanned_and_may_fail(slot, "faults"), self.unheard
            steps.append(
                Step(f"{slot} opens unheard", "open unheard", reads, writes, unheard, guard)
            )
        return steps

    def sending_steps(self) -> list[Step]:
        """The steps of the batch on its way."""
        slot = self.slot
        steps = [
            Step(
                f"{slot} reaches s{seq}",
                "append",
                (slot, f"s{seq}"),
                (slot, f"s{seq}"),
                self._append_to(segment_of(seq)),
                guards.sent_to(segment_of(seq), slot),
            )
            for seq in range(self.bounds.segments)
        ]
        if self.bounds.may(Fault.SHORTAGE):
            for seq in range(self.bounds.segments):
                parts = (slot, f"s{seq}", "faults")
                short = self._append_to(segment_of(seq)).short
                guard = guards.sent_to(segment_of(seq), slot, "faults")
                name = f"{slot} reaches s{seq} alone"
                steps.append(Step(name, "append short", parts, parts, short, guard))
        if self.bounds.may(Fault.LOSS):
            parts = (self.name, slot, "faults")
            guard = guards.under_way(slot, "faults")
            steps.append(Step(f"{slot} is lost", "lose", parts, parts, self.lose, guard))
        return steps

    def plan(self, front: Frontend, slot: Batch, *earlier: Batch) -> Outcomes:
        """Plan on a head that is cached or listed."""
        plane = out_of_reach(self.rules, front.view)
        if not self._is_next(front, slot, earlier):
            return ()
        planned, sent = self._plan(front, slot, plane)
        if plane.was_asked or sent is None:
            return ()
        return [Outcome(self._phrase(sent.dispatch, "sends"), (planned, sent))]

    def open(self, front: Frontend, slot: Batch, view: View, *earlier: Batch) -> Outcomes:
        """Plan on a head that the control plane has to be asked for."""
        plane = ControlPlane(self.rules, view)
        if not self._is_next(front, slot, earlier):
            return ()
        planned, sent = self._plan(front, slot, plane)
        if not plane.was_asked:
            return ()
        if sent is None:
            label = f"{self.name} cannot open a segment: its registration is refused"
            return [Outcome(label, (planned, slot, plane.view))]
        if self._is_one_too_many(sent.dispatch.segment_id):
            return ()
        verb = "is refused, adopts" if plane.view == view else "opens"
        return [Outcome(self._phrase(sent.dispatch, verb), (planned, sent, plane.view))]

    def overflows(self, front: Frontend, slot: Batch, view: View, *earlier: Batch) -> bool:
        """Whether the batch would open a segment but for their number."""
        if front.sequences.get(RANGE, 0) < self.bounds.segments or not self._is_next(
            front, slot, earlier
        ):
            return False
        plane = ControlPlane(self.rules, view)
        _, sent = self._plan(front, slot, plane)
        return (
            plane.was_asked and sent is not None and self._is_one_too_many(sent.dispatch.segment_id)
        )

    def _is_one_too_many(self, segment_id: SegmentId) -> bool:
        return segment_id.seq >= self.bounds.segments

    def unheard(
        self, front: Frontend, slot: Batch, view: View, faults: int, *earlier: Batch
    ) -> Outcomes:
        """Register a segment, and never hear that it was."""
        plane = ControlPlane(self.rules, view, Delivery.UNANSWERED)
        if not faults or not self._is_next(front, slot, earlier):
            return ()
        planned, _ = self._plan(front, slot, plane)
        opened = metadata_of(plane.view, TOPIC).segments
        if plane.view == view or len(opened) > self.bounds.segments:
            return ()
        label = f"{self.name} registers a segment and gets no answer"
        return [Outcome(label, (planned, plane.view, faults - 1))]

    def hear(self, front: Frontend, slot: Batch) -> Outcomes:
        """[PRD-34] Take the primary's answer."""
        match slot:
            case Answered(dispatch, Appended(last)):
                heard, is_acknowledged = self.rules.adopt_answer(front, dispatch, last)
                done: Batch = Failed()
                if is_acknowledged:
                    first = Offset(last - dispatch.count + 1)
                    done = Acknowledged(dispatch.segment_id, first, last, dispatch.records)
                return [
                    Outcome(f"{self.name} hears that {self.slot} ends at {last}", (heard, done))
                ]
            case Answered(dispatch, Sealed(end)):
                return [self._hear_refusal(front, slot, dispatch, end)]
            case Answered(dispatch):
                heard = self.rules.give_up(front, RANGE, dispatch.count)
                return [Outcome(f"{self.name} hears that {self.slot} failed", (heard, Failed()))]
            case _:
                return ()

    def let_go(self, front: Frontend, slot: Batch) -> Outcomes:
        """[ROL-42] Fail a held batch whose fence brought no seal in time."""
        match slot:
            case Held(segment_id) if self.rules.is_let_go(
                self._is_waiting(front, segment_id), calls_sealed(front, segment_id)
            ):
                label = f"{self.name} waits for its fence no longer and fails {self.slot}"
                return [Outcome(label, (Failed(),))]
            case _:
                return ()

    def lose(self, front: Frontend, slot: Batch, faults: int) -> Outcomes:
        """Lose the batch or its answer; the client is told that it failed."""
        match slot:
            case Sent(dispatch) if faults:
                what = f"{self.slot} is lost on its way"
            case Answered(dispatch) if faults:
                what = f"the answer to {self.slot} is lost"
            case _:
                return ()
        given_up = self.rules.give_up(front, RANGE, dispatch.count)
        return [Outcome(what, (given_up, Failed(), faults - 1))]

    def _append_to(self, segment_id: SegmentId) -> "_Append":
        return _Append(self.rules, self.slot, segment_id)

    def _is_next(self, front: Frontend, slot: Batch, earlier: tuple[Batch, ...]) -> bool:
        match slot:
            case None:
                return None not in earlier
            case Held(segment_id):
                return not self._is_waiting(front, segment_id) and calls_sealed(front, segment_id)
            case _:
                return False

    def _is_waiting(self, front: Frontend, segment_id: SegmentId) -> bool:
        return self.rules.is_awaiting_fence(front, RANGE, segment_id, NOW, WINDOW)

    def _plan(
        self, front: Frontend, slot: Batch, plane: ControlPlane
    ) -> tuple[Frontend, Sent | None]:
        planned, reply = self.rules.produce_plan(front, TOPIC, self.records, plane.tell)
        match reply:
            case Planned(_, (dispatch,)):
                return planned, Sent(dispatch, is_again=slot is not None)
            case _:
                return planned, None

    def _hear_refusal(
        self, front: Frontend, slot: Answered, dispatch: Dispatch, end: Offset
    ) -> Outcome:
        segment_id = dispatch.segment_id
        is_own = self._is_waiting(front, segment_id) or calls_sealed(front, segment_id)
        heard = self.rules.forget_sealed(front, RANGE, segment_id, end)
        label = f"{self.name} hears that s{segment_id.seq} is sealed at {end}"
        if self.rules.is_planned_again(is_own, slot.is_again):
            return Outcome(f"{label}, and holds {self.slot}", (heard, Held(segment_id)))
        return Outcome(f"{label}, and fails {self.slot}", (heard, Failed()))

    def _phrase(self, dispatch: Dispatch, verb: str) -> str:
        place = f"s{dispatch.segment_id.seq}"
        last = f" to {dispatch.last}" if dispatch.last > dispatch.first else ""
        end = f"{self.slot} at {dispatch.first}{last}"
        if verb == "sends":
            return f"{self.name} sends {end} to {place}"
        return f"{self.name} {verb} {place} and sends {end}"


@dataclass(frozen=True, slots=True)
class _Append:
    """A batch reaches the primary of one segment."""

    rules: Rules
    slot: str
    segment_id: SegmentId

    def __call__(self, slot: Batch, copies: Copies | None) -> Outcomes:
        """Refuse it, or store it, with a majority unless a failover has closed that."""
        if not isinstance(slot, Sent) or slot.dispatch.segment_id != self.segment_id:
            return ()
        held = copies or empty(slot.dispatch.base_offset)
        primary, reply = self.rules.append(held.primary, slot.dispatch.records)
        if isinstance(reply, Sealed):
            refused = Answered(slot.dispatch, reply, slot.is_again)
            label = f"s{self.segment_id.seq} is fenced and refuses {self.slot}"
            return [Outcome(label, (refused, Copies(primary, held.majority)))]
        if held.majority.fenced:
            return [Outcome(*self._alone(slot, primary, held))]
        stored = Answered(slot.dispatch, reply, slot.is_again)
        majority = Log(primary.start, primary.records)
        label = f"{self.slot} reaches s{self.segment_id.seq} and ends at {reply.last}"
        return [Outcome(label, (stored, Copies(primary, majority)))]

    def short(self, slot: Batch, copies: Copies | None, faults: int) -> Outcomes:
        """Store it at the primary alone."""
        if not faults or not isinstance(slot, Sent):
            return ()
        held = copies or empty(slot.dispatch.base_offset)
        if slot.dispatch.segment_id != self.segment_id or held.majority.fenced:
            return ()
        primary, reply = self.rules.append(held.primary, slot.dispatch.records)
        if isinstance(reply, Sealed):
            return ()
        label, values = self._alone(slot, primary, held)
        return [Outcome(label, (*values, faults - 1))]

    def _alone(self, slot: Sent, primary: Log, held: Copies) -> tuple[str, tuple[Answered, Copies]]:
        label = f"{self.slot} reaches the primary of s{self.segment_id.seq} and no majority"
        short = Answered(slot.dispatch, NO_QUORUM, slot.is_again)
        return label, (short, Copies(primary, held.majority))


def empty(start: Offset) -> Copies:
    """The copies of a segment that nobody has written to."""
    log = Log(start)
    return Copies(log, log)
