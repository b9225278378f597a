"""How the coordinator's commands reach the control plane: all of them, or one of them not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from checker.search.model import Outcome, Step
from checker.world.copies.bounds import Bounds, Fault
from checker.world.copies.outcomes import distinct
from checker.world.copies.parts import Pass
from checker.world.copies.rules import Rules
from checker.world.sharing.control import ControlPlane, Delivery
from reference.frontend import Frontend
from reference.vnodes import View
from spec.commands import Command, DeleteSegment, SealSegment, SetSegmentReplicas
from spec.replies import CommandReply

Outcomes = Sequence[Outcome]
Decide = Callable[[Pass, Frontend], tuple[Command, ...]]
"""What a pass comes to; no command where it has not come to anything yet."""
Finish = Callable[[Pass, CommandReply], Pass]
"""What is left of a pass once its commands were answered."""


def forget(_held: Pass, _reply: CommandReply) -> Pass:
    """Nothing is left to do; what did not take is found again by the next pass."""
    return None


class Deliveries:
    """Takes the commands of one step, and loses at most one of them or its answer."""

    def __init__(self, rules: Rules, view: View, missed: int | None, how: Delivery) -> None:
        self.rules = rules
        self.view = view
        self.missed = missed
        self.how = how
        self.told = 0

    def tell(self, held: View, request: Command) -> tuple[View, CommandReply]:
        """[RNG-42] Take a command: the `command_fun` of this step."""
        delivery = self.how if self.told == self.missed else Delivery.ANSWERED
        self.told += 1
        plane = ControlPlane(self.rules, self.view, delivery)
        answer = plane.tell(held, request)
        self.view = plane.view
        return answer


@dataclass(frozen=True, slots=True)
class Telling:
    """The last step of a pass: its commands, sent through the frontend that it runs on."""

    bounds: Bounds
    rules: Rules
    rule_name: str
    place: str
    decide: Decide
    finish: Finish = forget

    def steps(self) -> Iterator[Step]:
        """The step, and the one in which a command or its answer is lost."""
        parts = ("coordinator", self.bounds.coordinator, "control")
        yield Step(f"{self.place}: {self.rule_name}", self.rule_name, parts, parts, self.heard)
        if self.bounds.may(Fault.SILENCE):
            name, also = f"{self.rule_name} unheard", (*parts, "faults")
            yield Step(f"{self.place}: {name}", name, also, also, self.unheard)

    def heard(self, held: Pass, front: Frontend, view: View) -> Outcomes:
        """[HEA-29] Send the commands, and hear every answer."""
        commands = self.decide(held, front)
        if not commands:
            return ()
        plane = Deliveries(self.rules, view, None, Delivery.ANSWERED)
        healed, reply = self.rules.heal(front, commands, plane.tell)
        label = "the coordinator " + " and ".join(map(in_words, commands))
        return [Outcome(label, (self.finish(held, reply), healed, plane.view))]

    def unheard(self, held: Pass, front: Frontend, view: View, faults: int) -> Outcomes:
        """Send the commands, and lose one of them or its answer."""
        commands = self.decide(held, front)
        if not faults:
            return ()
        outcomes: list[Outcome] = []
        for missed, command in enumerate(commands):
            for how in (Delivery.LOST, Delivery.UNANSWERED):
                plane = Deliveries(self.rules, view, missed, how)
                healed, reply = self.rules.heal(front, commands, plane.tell)
                values = (self.finish(held, reply), healed, plane.view, faults - 1)
                told = " and ".join(map(in_words, commands))
                fate = "is lost" if how is Delivery.LOST else "gets no answer"
                label = f"the coordinator {told}; what {in_words(command)} {fate}"
                outcomes.append(Outcome(label, values))
        return distinct(outcomes)


def in_words(command: Command) -> str:
    """What a command of the coordinator does."""
    match command:
        case SealSegment(segment_id, length):
            return f"seals s{segment_id.seq} with length {length}"
        case SetSegmentReplicas(segment_id, replicas):
            return f"moves s{segment_id.seq} to {' '.join(replicas)}"
        case DeleteSegment(segment_id):
            return f"removes s{segment_id.seq}"
        case _:
            return f"sends {command.tag}"
