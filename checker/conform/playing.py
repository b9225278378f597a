"""The world of a run as it goes: what others do to it, and the views that calls are given.

Runs that begin alike are alike to the last object, so that what one of them took is there for the
next: a failing run is played many times until it is small.
"""

from collections.abc import Mapping
from typing import Any

from checker.conform import world
from checker.conform.recalling import Recalled
from checker.conform.retracing import log_of
from checker.conform.steps import Append, Drop, Fence, Remember, Step, Tell, ViewOf
from checker.conform.views import LoggedView, blanked
from checker.conform.world import World
from reference.vnodes import View

Views = tuple[View, LoggedView]
"""A control plane as a value, and as the commands that lead to it."""


class Playing:
    """The world, and the reads of its control plane that have not landed yet."""

    def __init__(self, begun: World) -> None:
        self.world = begun
        self._remembered: dict[str, Views] = {}

    def around(self, step: Step) -> None:
        """What somebody else does. A call of a broker is not played here."""
        if isinstance(step, Remember):
            self._remembered[step.name] = shown_by(self.world)
        else:
            self.world = played(self.world, step)

    def arguments(
        self, args: Mapping[str, Any], *, is_logged: bool
    ) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The arguments as an adapter gets them, and as the reference does."""
        views = [self._views(each) for each in args.values() if isinstance(each, ViewOf)]
        if views:
            return filled(args, is_logged, *views)
        return (retold(args) if is_logged else args), args

    def _views(self, wanted: ViewOf) -> Views:
        """The control plane, now or as it was remembered."""
        now = shown_by(self.world)
        return self._remembered.get(wanted.remembered or "", now)


def _played(begun: World, step: Step) -> World:
    match step:
        case Tell(command, now):
            return world.tell(begun, command, now)[0]
        case Append(segment, base, records, is_forced):
            return world.append_at(begun, segment, base, records, is_forced)
        case Fence(segment, base):
            return world.fence_at(begun, segment, base)[0]
        case Drop(segment):
            return world.drop_at(begun, segment)
        case _:
            return begun


def _filled(
    args: Mapping[str, Any], is_logged: bool, *views: Views
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Arguments with views in their places, less what could not be read."""
    told, ours, coming = dict(args), dict(args), iter(views)
    for name, value in args.items():
        if isinstance(value, ViewOf):
            view, log = next(coming)
            if value.blank:
                view, log = blanked(view, log, value.blank)
            told[name], ours[name] = (log if is_logged else view), view
    return told, ours


def _retold(args: Mapping[str, Any]) -> Mapping[str, Any]:
    """Arguments with logs in place of views."""
    return {name: log_of(each) if isinstance(each, View) else each for name, each in args.items()}


shown_by: Recalled[Views] = Recalled(lambda begun: (begun.authority, begun.logged))
played: Recalled[World] = Recalled(_played)
retold: Recalled[Mapping[str, Any]] = Recalled(_retold)
filled: Recalled[tuple[Mapping[str, Any], Mapping[str, Any]]] = Recalled(_filled)
