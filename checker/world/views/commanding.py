"""The steps of commanding: a frontend's calls, what others command, and what lands late."""

from collections.abc import Sequence as ManyOf
from dataclasses import dataclass, replace

from immutables import Map

from checker.search.model import Outcome, Step
from checker.world.sharing.control import ControlPlane, Delivery
from checker.world.sharing.parts import record_of
from checker.world.sharing.rules import NOW
from checker.world.views.bounds import Bounds, Fault, is_told
from checker.world.views.orders import (
    GROUP,
    Bind,
    Commit,
    Create,
    Delete,
    Heal,
    Members,
    Open,
    Order,
    Racks,
    Sweep,
    in_words,
    root_of,
)
from checker.world.views.parts import Reads, Told
from checker.world.views.rules import Rules
from reference.coordinating import age_rolls
from reference.frontend import CommandFun, Frontend
from reference.ranges import metadata
from reference.vnodes import View
from spec.commands import Command, Positions
from spec.replies import CommandReply, Failed, Ok, Planned, Refusal, Unexpected
from spec.vocabulary import Millis

Outcomes = ManyOf[Outcome]
AGE = Millis(1)
"""Nothing that this world opens is ever so old."""


def commanding_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every call."""
    steps: list[Step] = []
    for name, slot, order in bounds.slots():
        call = Call(bounds, rules, name, slot, order)
        steps += call.steps() if is_told(order) else call.local_steps()
    for number, command in enumerate(bounds.operator, start=1):
        parts = (f"o.{number}", "control")
        step = _Operating(rules, command).operate
        steps.append(Step(f"o.{number} is done", "operate", parts, parts, step))
    if bounds.may(Fault.LATENESS):
        parts = ("late", "control")
        steps.append(Step("a command lands late", "land", parts, parts, _Landing(rules).land))
    return steps


def took(reply: CommandReply | Refusal) -> bool:
    """Whether an answer says that the command was done."""
    return not isinstance(reply, Refusal | Unexpected)


class Listener:
    """Hears every command of one call, and what each was answered."""

    def __init__(self, tell: CommandFun) -> None:
        self.told = tell
        self.heard: tuple[tuple[Command, CommandReply], ...] = ()

    def tell(self, held: View, command: Command) -> tuple[View, CommandReply]:
        """[RNG-42] The `command_fun` of this call."""
        view, reply = self.told(held, command)
        self.heard += ((command, reply),)
        return view, reply


@dataclass(frozen=True, slots=True)
class Call:
    """One order of one frontend."""

    bounds: Bounds
    rules: Rules
    name: str
    slot: str
    order: Order

    @property
    def reads(self) -> tuple[str, ...]:
        """The part of the frontend's reads, if it refreshes."""
        return (f"{self.name}.reads",) if self.name in self.bounds.readers else ()

    def steps(self) -> list[Step]:
        """The steps of a call that sends commands."""
        name, slot = self.name, self.slot
        rule = "open" if isinstance(self.order, Open) else "command"
        parts = (name, slot, "control", *self.reads)
        steps = [Step(f"{slot} is called", rule, parts, parts, self.call)]
        unheard = (name, slot, "control", "faults")
        if self.bounds.may(Fault.LOSS) or self.bounds.may(Fault.SILENCE):
            steps.append(
                Step(f"{slot} is unheard", f"{rule} unheard", unheard, unheard, self.unheard)
            )
        if self.bounds.may(Fault.LATENESS):
            late = (*unheard, "late")
            steps.append(Step(f"{slot} is late", f"{rule} late", late, late, self.late))
        return steps

    def local_steps(self) -> list[Step]:
        """The step of a call that sends nothing."""
        parts = (self.name, self.slot)
        rule = "sweep" if isinstance(self.order, Sweep) else "member"
        return [Step(f"{self.slot} is called", rule, parts, parts, self.hear)]

    def call(self, front: Frontend, slot: Told | None, view: View, *reads: Reads) -> Outcomes:
        """Send it and hear the answer."""
        if slot is not None:
            return ()
        plane = ControlPlane(self.rules.plane, view)
        called, told = self._run(front, plane)
        since = tuple(command for command, reply in told.heard if took(reply))
        now = (_collecting(each, since) for each in reads)
        return [Outcome(self._phrase(told.reply), (called, told, plane.view, *now))]

    def unheard(self, front: Frontend, slot: Told | None, view: View, faults: int) -> Outcomes:
        """Lose the command, or apply it and lose its answer."""
        if slot is not None or not faults:
            return ()
        outcomes = []
        for fault, delivery in (
            (Fault.LOSS, Delivery.LOST),
            (Fault.SILENCE, Delivery.UNANSWERED),
        ):
            plane = ControlPlane(self.rules.plane, view, delivery)
            called, told = self._run(front, plane)
            if self.bounds.may(fault) and plane.was_asked:
                values = (called, told, plane.view, faults - 1)
                label = f"{self.name} {in_words(self.order)}: {fault.value}"
                outcomes.append(Outcome(label, values))
        return outcomes

    def late(
        self, front: Frontend, slot: Told | None, view: View, faults: int, late: Command | None
    ) -> Outcomes:
        """Give up a command that is still on its way."""
        if slot is not None or not faults or late is not None:
            return ()
        plane = ControlPlane(self.rules.plane, view, Delivery.LOST)
        called, told = self._run(front, plane)
        if not told.heard:
            return ()
        command, _ = told.heard[0]
        label = f"{self.name} gives up to hear of: {in_words(command)}"
        return [Outcome(label, (called, told, view, faults - 1, command))]

    def hear(self, front: Frontend, slot: Told | None) -> Outcomes:
        """Make a call that needs no control plane."""
        if slot is not None:
            return ()
        called, reply = local(self.rules, self.order, front)
        return [Outcome(f"{self.name} {in_words(self.order)}", (called, Told((), reply)))]

    def _run(self, front: Frontend, plane: ControlPlane) -> tuple[Frontend, Told]:
        listener = Listener(plane.tell)
        called, reply = run(self.bounds, self.rules, self.order, front, listener.tell)
        return called, Told(listener.heard, reply)

    def _phrase(self, reply: CommandReply) -> str:
        end = f": {reply.name}" if isinstance(reply, Refusal) else ""
        return f"{self.name} {in_words(self.order)}{end}"


def run(  # noqa: PLR0911 - one case for each call
    bounds: Bounds, rules: Rules, order: Order, front: Frontend, tell: CommandFun
) -> tuple[Frontend, CommandReply]:
    """Make a call that may send commands."""
    match order:
        case Create(topic, bits):
            return rules.create_topic(front, topic, bits, tell)
        case Commit(position, topic):
            positions: Positions = Map({root_of(topic): position})
            return rules.commit_offset(front, GROUP, topic, positions, tell)
        case Bind(policy, topic):
            return rules.bind_topic_policy(front, topic, policy, tell)
        case Delete(segment_id):
            return rules.delete_segment(front, segment_id, tell)
        case Heal(commands):
            return rules.apply_heal_reply(front, commands, tell)
        case Open(topic):
            batch = (record_of("f", 1, 1),)
            planned, reply = rules.produce_plan(front, topic, batch, tell, bounds.policies.get)
            return planned, Ok() if isinstance(reply, Planned) else reply
        case Members() | Racks() | Sweep():
            return local(rules, order, front)


def local(rules: Rules, order: Order, front: Frontend) -> tuple[Frontend, CommandReply]:
    """Make a call that sends nothing."""
    match order:
        case Members(brokers):
            heard = rules.set_brokers(front, brokers)
            return (heard, Ok()) if isinstance(heard, Frontend) else (front, heard)
        case Racks(attributes):
            return rules.set_broker_attributes(front, attributes), Ok()
        case Sweep():
            old = age_rolls(metadata(front), dict.fromkeys(metadata(front).topics, AGE), NOW)
            return rules.request_rolls(front, old), Ok()
        case Create() | Commit() | Bind() | Delete() | Heal() | Open():
            return front, Failed("nobody to tell")


def _collecting(reads: Reads, commands: tuple[Command, ...]) -> Reads:
    begun = tuple(replace(each, since=each.since + commands) for each in reads.begun)
    return replace(reads, begun=begun)


@dataclass(frozen=True, slots=True)
class _Operating:
    """What others command."""

    rules: Rules
    command: Command

    def operate(self, done: bool, view: View) -> Outcomes:
        """Take the command of somebody who is no frontend of this world."""
        if done:
            return ()
        now, reply = self.rules.plane.command(view, self.command)
        if not took(reply):
            return ()
        return [Outcome(f"somebody {in_words(self.command)}", (True, now))]


@dataclass(frozen=True, slots=True)
class _Landing:
    """A command that was given up."""

    rules: Rules

    def land(self, late: Command | None, view: View) -> Outcomes:
        """Take it at last."""
        if late is None:
            return ()
        now, _ = self.rules.plane.command(view, late)
        return [Outcome(f"late, the control plane hears: {in_words(late)}", (None, now))]
