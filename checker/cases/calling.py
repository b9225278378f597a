"""Frontends, a control plane and stores that are driven call by call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checker.cases.answering import script_of
from checker.replay.arguments import Arguments
from checker.replay.calls.table import CALLS
from checker.replay.effects import Effects
from checker.replay.faults import Fault, Kind
from checker.replay.judging import run, shown_after
from checker.replay.machine import Turn, machine
from checker.replay.terms import Term
from checker.replay.trace import FORMAT, Header

IMPLEMENTATION = "malachi-model reference"
Faults = Mapping[Kind, tuple[Fault, ...]]
NO_FAULTS: Faults = {}


@dataclass(frozen=True, slots=True)
class Called:
    """One call, and what was there after it."""

    frontend: str
    call: str
    args: dict[str, Term]
    faults: Faults
    reply: Term
    effects: list[Term]
    state: Term
    """None where the frontend was never opened."""
    plane: Term
    store: Term


class Caller:
    """Calls the reference, and keeps what a recording of it would show."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.machine = machine(header)
        self.called: list[Called] = []

    def call(
        self,
        frontend: str,
        name: str,
        args: Mapping[str, Term],
        faults: Faults = NO_FAULTS,
    ) -> Called:
        """Make one call. Raises MalformedError for arguments that it cannot have."""
        given, entry = dict(args), CALLS[name]
        entry.check({**given, "fault": {}} if faults else given)
        effects = Effects(self.machine.world, [], faults, has_flags=False)
        reply = run(entry, Turn(self.machine, frontend, Arguments(given), effects))
        shown = shown_after(self.machine, frontend)
        made = Called(frontend, name, given, faults, reply, effects.happened, *shown)
        self.called.append(made)
        return made


def written(header: Header, called: Sequence[Called]) -> list[dict[str, Term]]:
    """The lines of a recording of these calls. Plane and store stand where they changed."""
    options: dict[str, Term] = {"mode": header.mode}
    if header.vnodes is not None:
        options["vnodes"] = [list(pair) for pair in header.vnodes]
    if header.policies:
        options["policies"] = {
            name: {"spread_by": policy.spread_by} for name, policy in header.policies.items()
        }
    lines: list[dict[str, Term]] = [
        {
            "format": FORMAT,
            "name": header.name,
            "implementation": header.implementation,
            "options": options,
        }
    ]
    plane: Term = None
    store: Term = None
    for n, one in enumerate(called):
        line: dict[str, Term] = {
            "n": n,
            "frontend": one.frontend,
            "call": one.call,
            "args": one.args | ({"fault": script_of(one.faults)} if one.faults else {}),
            "reply": one.reply,
            "effects": one.effects,
            "state": one.state,
        }
        if one.plane != plane:
            line["authority"] = plane = one.plane
        if one.store != store:
            line["store"] = store = one.store
        lines.append(line)
    return lines
