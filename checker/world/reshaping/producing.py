"""The steps of producing: send, append, hear the answer, lose.

What is told to the control plane is judged beside the logs, and what is stored beside the
listing: those parts are read for the laws alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from checker.search.model import Guard, Outcome, Step
from checker.world.reshaping.bounds import Bounds, Fault
from checker.world.reshaping.parts import Batch, Logs, place, record_of
from checker.world.reshaping.rules import Rules
from checker.world.sharing.control import ControlPlane
from checker.world.sharing.guards import answered, unplanned
from checker.world.sharing.parts import TOPIC, Answered, Failed, Sent
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View
from spec.replies import Appended, Planned, Sealed
from spec.truth import Acknowledged
from spec.vocabulary import Offset, Record

Outcomes = Sequence[Outcome]


def producing_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every batch."""
    steps: list[Step] = []
    for name, number, key in bounds.slots():
        batch = _Producing(bounds, rules, name, number, record_of(name, number, key))
        steps += batch.steps()
    return steps


def overflows(
    bounds: Bounds, rules: Rules
) -> Iterator[tuple[tuple[str, ...], Callable[..., bool]]]:
    """What each batch reads when it is sent, and whether it would open a segment too many."""
    for name, number, key in bounds.slots():
        batch = _Producing(bounds, rules, name, number, record_of(name, number, key))
        yield batch.reads, batch.overflows


@dataclass(frozen=True, slots=True)
class _Producing:
    """The life of one batch."""

    bounds: Bounds
    rules: Rules
    name: str
    number: int
    record: Record

    @property
    def slot(self) -> str:
        return f"{self.name}.{self.number}"

    @property
    def reads(self) -> tuple[str, ...]:
        """What a batch reads when it is sent; the logs for the laws alone."""
        before = (f"{self.name}.{self.number - 1}",) if self.number > 1 else ()
        return (self.name, self.slot, "control", "logs", *before)

    def steps(self) -> list[Step]:
        """The steps, in the order of its life."""
        name, slot = self.name, self.slot
        sending, storing = (name, slot, "control"), (slot, "logs")
        steps = [
            Step(f"{slot} is sent", "send", self.reads, sending, self.send, unplanned(slot)),
            Step(
                f"{slot} arrives", "append", (*storing, "control"), storing, self.append, sent(slot)
            ),
            Step(
                f"{slot} is answered", "hear", (name, slot), (name, slot), self.hear, answered(slot)
            ),
        ]
        if self.bounds.may(Fault.LOSS):
            lost = (slot, "faults")
            steps.append(Step(f"{slot} is lost", "lose", lost, lost, self.lose))
        return steps

    def send(
        self, front: Frontend, slot: Batch, view: View, _logs: Logs, *earlier: Batch
    ) -> Outcomes:
        """Plan the batch, on a head that is there or is opened for it, and send it."""
        if slot is not None or None in earlier:
            return ()
        plane = ControlPlane(self.rules, view)
        planned, reply = self.rules.produce_plan(front, TOPIC, (self.record,), plane.tell)
        match reply:
            case Planned(_, (dispatch,)) if dispatch.segment_id.seq < self.bounds.segments:
                label = f"{self.name} sends {self.slot} to {place(dispatch.segment_id)}"
                return [Outcome(label, (planned, Sent(dispatch, is_again=False), plane.view))]
            case Planned():
                return ()
            case refusal:
                label = f"{self.name} cannot send {self.slot}: {refusal.name}"
                return [Outcome(label, (planned, slot, plane.view))]

    def overflows(
        self, front: Frontend, slot: Batch, view: View, _logs: Logs, *earlier: Batch
    ) -> bool:
        """Whether the batch would be sent but for the number of segments."""
        if slot is not None or None in earlier:
            return False
        plane = ControlPlane(self.rules, view)
        _, reply = self.rules.produce_plan(front, TOPIC, (self.record,), plane.tell)
        return isinstance(reply, Planned) and any(
            each.segment_id.seq >= self.bounds.segments for each in reply.dispatches
        )

    def append(self, slot: Batch, logs: Logs, _view: View) -> Outcomes:
        """Store it, or refuse it behind a fence."""
        if not isinstance(slot, Sent):
            return ()
        segment_id = slot.dispatch.segment_id
        held = logs.get(segment_id, Log(slot.dispatch.base_offset))
        log, reply = self.rules.append(held, slot.dispatch.records)
        answered = Answered(slot.dispatch, reply, slot.is_again)
        label = f"{self.slot} reaches {place(segment_id)}, {_in_words(reply)}"
        return [Outcome(label, (answered, logs.set(segment_id, log)))]

    def hear(self, front: Frontend, slot: Batch) -> Outcomes:
        """Take the primary's answer. After a refusal the client is told to try again."""
        match slot:
            case Answered(dispatch, Appended(last)):
                heard, _ = self.rules.adopt_answer(front, dispatch, last)
                first = Offset(last - dispatch.count + 1)
                done = Acknowledged(dispatch.segment_id, first, last, dispatch.records)
                return [
                    Outcome(f"{self.name} hears that {self.slot} ends at {last}", (heard, done))
                ]
            case Answered(dispatch, Sealed(end)):
                heard = self.rules.forget_sealed(front, dispatch.range_id, dispatch.segment_id, end)
                label = f"{self.name} hears that {place(dispatch.segment_id)} is sealed at {end}"
                return [Outcome(label, (heard, Failed()))]
            case _:
                return ()

    def lose(self, slot: Batch, faults: int) -> Outcomes:
        """Lose the batch or its answer; the client is told that it failed."""
        if not faults or not isinstance(slot, Sent | Answered):
            return ()
        what = "" if isinstance(slot, Sent) else "the answer to "
        return [Outcome(f"{what}{self.slot} is lost", (Failed(), faults - 1))]


def sent(slot: str) -> Guard:
    """The batch is on its way to its store."""
    return Guard((slot,), lambda batch: isinstance(batch, Sent))


def _in_words(reply: Appended | Sealed) -> str:
    match reply:
        case Appended(last):
            return f"and ends at {last}"
        case Sealed(end_offset):
            return f"which is closed at {end_offset}"
