"""Who says what to whom in a trace, read from the parts that its steps touch.

A frontend, a control plane and a store are participants by what their parts hold. A part whose
name begins with a frontend's, as `f1.1` or `f1/s0`, is a message of that frontend: where it was
brought last is where its answer comes from.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from checker.differences import content_of
from checker.search.model import Model, Parts, Step
from checker.search.report import Trace
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View
from spec.vocabulary import Dispatch, SegmentId

CLIENT = "client"
COORDINATOR = "coordinator"
SOME_STORE = "store"
"""Where a message was bound for that never came to a store."""
SHOWN: Mapping[str, str] = {"control": "control plane", "logs": "stores"}
"""How parts are called where they take part, if not by their names."""

LOSS = re.compile(r"\b(lose|lost|unheard|unanswered|no answer)\b")
"""What the name of a rule or its label says where something is lost."""

Kind = Literal["says", "answers", "loses", "does"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens between participants, or at one of them."""

    kind: Kind
    sender: str
    receiver: str
    """The sender once more, where it happens at one participant."""
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A trace as what happens between participants."""

    participants: tuple[str, ...]
    """Only those that something happens to, in the order of their columns."""
    events: tuple[tuple[Event, ...], ...]
    """For each step what happens in it."""


def scene_of(model: Model, trace: Trace, roles: Mapping[str, str] | None = None) -> Scene:
    """What happens in a trace. Roles are given to parts whose values do not tell them."""
    director = Director(model, trace, roles or {})
    states = [trace.initial, *(move.parts for move in trace.moves)]
    events = [
        tuple(director.events(number, states[number - 1], states[number]))
        for number in range(1, len(states))
    ]
    busy = {who for some in events for each in some for who in (each.sender, each.receiver)}
    columns = [CLIENT, *director.columns(), SOME_STORE, director.model.name]
    return Scene(tuple(each for each in columns if each in busy), tuple(events))


class Director:
    """Knows who takes part, and where each message is."""

    def __init__(self, model: Model, trace: Trace, roles: Mapping[str, str]) -> None:
        self.model, self.trace = model, trace
        self.steps = {step.name: step for step in model.steps}
        states = [trace.initial, *(move.parts for move in trace.moves)]
        self.roles = {
            name: roles.get(name) or role_of(name, [state[name] for state in states])
            for name in trace.initial
        }
        fronts = [name for name, role in self.roles.items() if role == "frontend"]
        self.owners = {
            name: front
            for name, role in self.roles.items()
            for front in fronts
            if role == "" and name.startswith((f"{front}.", f"{front}/"))
        }
        self.at: dict[str, str] = {}
        """Where a message was brought, until its answer came back."""

    def columns(self) -> list[str]:
        """Everybody who can take part."""
        order = ("frontend", "plane", COORDINATOR, "store")
        parts = [name for role in order for name, own in self.roles.items() if own == role]
        return [shown(name) for name in parts]

    def events(self, number: int, before: Parts, after: Parts) -> Iterator[Event]:
        """What happens in one step."""
        move = self.trace.moves[number - 1]
        step, text = self.steps[move.step], f"{number}. {move.label}"
        moved = [name for name in step.writes if before[name] != after[name]]
        message = next((name for name in moved if name in self.owners), None)
        if message is not None:
            yield from self.asked_for(message, before, after)
        yield from self.main(step, text, moved, message, before, after)
        if message is not None:
            yield from self.told(message, after)

    def main(
        self,
        step: Step,
        text: str,
        moved: list[str],
        message: str | None,
        before: Parts,
        after: Parts,
    ) -> Iterator[Event]:
        """What the step itself does."""
        actor, target = self.actor(step, message, moved), self.target(step, moved)
        is_lost = self.is_lost(step, text, moved, before, after)
        if actor is None:
            yield from self.at_rest(step, moved, text)
            return
        if message is not None and target is not None and self.roles[target] == "store":
            self.at[message] = target
            yield Event("says", actor, shown(target), text)
            return
        if message in self.at and target is not None:
            yield Event("answers", shown(self.at.pop(message)), actor, f"{message} is answered")
        if target is not None and is_lost:
            yield from self.unheard(actor, target, text, is_applied=target in moved)
        elif target is not None:
            if message is not None and not self.is_of_a_frontend(step):
                self.at[message] = target
            yield Event("says", actor, shown(target), text)
        elif message is not None and message in self.at:
            kind: Kind = "loses" if is_lost else "answers"
            yield Event(kind, shown(self.at.pop(message)), actor, text)
        elif message is not None and is_lost and (to := self.bound_for(message, before)):
            yield Event("loses", actor, to, text)
        else:
            yield Event("does", actor, actor, text)

    def actor(self, step: Step, message: str | None, moved: list[str]) -> str | None:
        """Who takes a step: whose message it moves, else the coordinator or frontend in it."""
        if message is not None:
            return self.owners[message]
        if any(self.roles[name] == COORDINATOR for name in moved):
            return COORDINATOR
        roles = {self.roles[name]: name for name in reversed(step.reads)}
        return roles.get("frontend") or roles.get(COORDINATOR)

    def target(self, step: Step, moved: list[str]) -> str | None:
        """Whom a step reaches: what it changes, or what alone it asks."""
        for role in ("store", "plane"):
            changed = [name for name in moved if self.roles[name] == role]
            if changed:
                return changed[0]
        planes = [name for name in step.reads if self.roles[name] == "plane"]
        stores = [name for name in step.reads if self.roles[name] == "store"]
        if planes:
            return planes[0]
        return stores[0] if len(stores) == 1 and not self.is_of_a_frontend(step) else None

    def is_of_a_frontend(self, step: Step) -> bool:
        """Whether a frontend takes part in a step itself, and not only its message."""
        return any(self.roles[name] == "frontend" for name in step.reads)

    def at_rest(self, step: Step, moved: list[str], text: str) -> Iterator[Event]:
        """What happens where nobody acts: at what it changes, or in the world as a whole."""
        there = [name for name in (*moved, *step.reads) if self.roles[name] in {"plane", "store"}]
        there = there or [store for name in moved for store in self.stores_at(name)]
        ends = (shown(there[0]), shown(there[-1])) if there else (self.model.name,) * 2
        yield Event("does", *ends, text)

    def stores_at(self, broker: str) -> list[str]:
        """The stores of a broker: their names begin with its."""
        stores = [name for name, role in self.roles.items() if role == "store"]
        return [name for name in stores if name.startswith(f"{broker}.")]

    def unheard(self, actor: str, target: str, text: str, *, is_applied: bool) -> Iterator[Event]:
        """A command that is lost, or applied and its answer lost."""
        if not is_applied:
            yield Event("loses", actor, shown(target), text)
            return
        yield Event("says", actor, shown(target), text)
        yield Event("loses", shown(target), actor, "the answer is lost")

    def asked_for(self, message: str, before: Parts, after: Parts) -> Iterator[Event]:
        """A client asks for a batch when it is first sent."""
        if before[message] is None and any(
            isinstance(each, Dispatch) for each in inside(after[message])
        ):
            yield Event("says", CLIENT, self.owners[message], f"produce {message}")

    def told(self, message: str, after: Parts) -> Iterator[Event]:
        """A client is told what became of its batch."""
        word = {"Acknowledged": "acknowledged", "Failed": "failed"}.get(
            type(after[message]).__name__
        )
        if word is not None:
            self.at.pop(message, None)
            yield Event("answers", self.owners[message], CLIENT, f"{message} {word}")

    def is_lost(self, step: Step, text: str, moved: list[str], before: Parts, after: Parts) -> bool:
        """Whether a step takes something that is lost out of a budget of faults."""
        is_spent = any(
            self.roles[name] == "budget" and str(after[name]) < str(before[name]) for name in moved
        )
        return is_spent and LOSS.search(f"{step.rule_name}: {text}") is not None

    def bound_for(self, message: str, before: Parts) -> str | None:
        """The store that a message is on its way to."""
        for each in inside(before[message]):
            if isinstance(each, SegmentId):
                named = (name for name, role in self.roles.items() if role == "store")
                return next((name for name in named if name.endswith(f"s{each.seq}")), SOME_STORE)
        return None


def role_of(name: str, values: list[object]) -> str:
    """What a part is in a scene: `frontend`, `plane`, `store`, `coordinator`, `budget`, or none."""
    if any(isinstance(each, Frontend) for each in values):
        return "frontend"
    if any(isinstance(each, View) for each in values):
        return "plane"
    if name == COORDINATOR:
        return COORDINATOR
    if name == "logs" or any(isinstance(one, Log) for each in values for one in inside(each)):
        return "store"
    is_number = all(isinstance(each, int) and not isinstance(each, bool) for each in values)
    return "budget" if is_number else ""


def inside(value: object) -> Iterator[object]:
    """What a value consists of, itself first."""
    yield value
    if isinstance(value, Frontend | View | SegmentId):
        return
    content = content_of(value)
    for each in () if content is None else content.members.values():
        yield from inside(each)


def shown(name: str) -> str:
    """What a part is called where it takes part."""
    return SHOWN.get(name, name)
