"""Batches and fences on their way: what was kept of a plan, and what becomes of it."""

from dataclasses import dataclass
from typing import Literal

from checker.cases.answering import faults_of
from checker.cases.calling import Called, Caller
from checker.cases.kinds import MessageStep
from checker.nearest import unknown
from checker.replay.terms import MalformedError, Term, fields

Stage = Literal["sent", "answered", "heard", "lost"]


@dataclass(slots=True)
class Message:
    """One batch or fence."""

    frontend: str
    body: dict[str, Term]
    """A dispatch, or a roll."""
    stage: Stage = "sent"
    answer: Term = None

    @property
    def is_fence(self) -> bool:
        """Whether it closes a segment in place of writing to it."""
        return "records" not in self.body


class Messages:
    """All messages that were kept, by name."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.kept: dict[str, list[Message]] = {}

    def keep(self, name: str, made: Called) -> None:
        """Keep what a call answered to be sent: the batches of a plan, or the fences."""
        match made.call, made.reply:
            case "produce_plan", {"ok": [_, list() as dispatches]}:
                bodies = dispatches
            case "fences_to_send", list() as rolls:
                bodies = rolls
            case "active_roll", dict() as roll:
                bodies = [roll]
            case _:
                return
        self.kept[name] = [Message(made.frontend, fields(each, "a message")) for each in bodies]

    def take(self, step: MessageStep) -> Called | None:
        """Deliver a message, bring back its answer, or lose either."""
        message = self.found(step)
        due: Stage = "answered" if step.verb == "hear" else "sent"
        if step.verb == "lose" and message.stage in {"sent", "answered"}:
            message.stage = "lost"
            return None
        if message.stage != due:
            raise MalformedError(f"cannot {step.verb} {step.message!r}: it is {message.stage}")
        if step.verb == "deliver":
            made = self.deliver(message)
            message.stage, message.answer = "answered", made.reply
            return made
        message.stage = "heard"
        return self.hear(message, step)

    def found(self, step: MessageStep) -> Message:
        """The message that a step is about."""
        if step.message not in self.kept:
            raise MalformedError(unknown("message called", step.message, self.kept))
        several = self.kept[step.message]
        if step.item >= len(several):
            raise MalformedError(f"{step.message!r} has {len(several)} messages, counted from 0")
        return several[step.item]

    def deliver(self, message: Message) -> Called:
        """Bring a message to its store."""
        body = message.body
        args: dict[str, Term] = {"segment": body["segment_id"]}
        if message.is_fence:
            args["start_offset"] = body["start_offset"]
            return self.caller.call(message.frontend, "store_fence", args)
        args |= {"base_offset": body["base_offset"], "records": body["records"]}
        return self.caller.call(message.frontend, "store_append", args)

    def hear(self, message: Message, step: MessageStep) -> Called | None:
        """Bring the answer of the store to the frontend that waits for it."""
        body, faults = message.body, faults_of(step.answers)
        names: dict[str, Term] = {"range": body["range_id"], "segment": body["segment_id"]}
        match message.answer:
            case {"ok": [end, size]}:
                args = {"roll": body, "end_offset": end, "byte_size": size, "sealed_at": step.now}
                return self.caller.call(message.frontend, "record_fence", args, faults)
            case {"ok": last}:
                return self.caller.call(message.frontend, "adopt_offsets", {**names, "last": last})
            case {"error": ["sealed", end]}:
                args = {**names, "end_offset": end}
                return self.caller.call(message.frontend, "forget_sealed", args)
            case _:
                return None
