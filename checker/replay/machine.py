"""The machine that a trace drives: frontends by name, and the world they share."""

from collections.abc import Callable
from dataclasses import dataclass

from immutables import Map

from checker.replay.arguments import Arguments
from checker.replay.effects import Effects, World
from checker.replay.shown import Shown
from checker.replay.terms import MalformedError, Term, only
from checker.replay.trace import Header
from reference import vnodes
from reference.frontend import Frontend, Options
from reference.vnodes import View

FAULT = ("fault",)
"""What a call that has effects may be given besides."""


@dataclass(slots=True)
class Machine:
    """All that runs in one trace."""

    world: World
    empty: View
    """The control plane before anything happened."""
    frontends: dict[str, Frontend]
    opened: dict[str, tuple[Options, bool]]
    """What each frontend was last opened with, and whether it keeps a journal."""
    snapshots: dict[str, View]
    """Control planes remembered under a name."""
    shown: Shown

    def front(self, name: str) -> Frontend:
        """A frontend that was opened."""
        if name not in self.frontends:
            raise MalformedError(f'frontend "{name}" is not open')
        return self.frontends[name]

    def options(self, name: str) -> Options:
        """What a frontend was opened with, or would have been if it had not been refused."""
        if name not in self.opened:
            raise MalformedError(f'frontend "{name}" is not open')
        return self.opened[name][0]

    def snapshot(self, name: str) -> View:
        """A control plane that was remembered."""
        if name not in self.snapshots:
            raise MalformedError(f'no snapshot is named "{name}"')
        return self.snapshots[name]


@dataclass(slots=True)
class Turn:
    """One call: who is called, with what, in which world."""

    machine: Machine
    name: str
    args: Arguments
    effects: Effects

    @property
    def front(self) -> Frontend:
        """The frontend that is called."""
        return self.machine.front(self.name)

    @front.setter
    def front(self, front: Frontend) -> None:
        self.machine.frontends[self.name] = front


class Entry:
    """A call of the format: how it runs and what arguments it has."""

    def __init__(
        self,
        run: Callable[[Turn], Term],
        required: tuple[str, ...] = (),
        optional: tuple[str, ...] = (),
    ) -> None:
        self.run = run
        self.required = frozenset(required)
        self.known = frozenset(required + optional)

    def check(self, args: dict[str, Term]) -> None:
        """Refuse arguments that the call does not have, and miss those it must have."""
        if not self.required <= args.keys() <= self.known:
            only(args, self.known, "args")
            raise MalformedError(f"args.{min(self.required - args.keys())} is missing")


def machine(header: Header) -> Machine:
    """The machine as it is before the first call."""
    empty = vnodes.single() if header.vnodes is None else vnodes.sharded(header.vnodes)
    world = World(header.mode, empty, Map(), header.policies)
    return Machine(world, empty, {}, {}, {}, Shown())
