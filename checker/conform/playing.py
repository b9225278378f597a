"""The world of a run as it goes: what others do to it, and the views that calls are given."""

from collections.abc import Mapping
from typing import Any

from checker.conform import world
from checker.conform.steps import Append, Drop, Fence, Remember, Step, Tell, ViewOf
from checker.conform.views import LoggedView, blanked
from checker.conform.world import World
from reference.vnodes import View


class Playing:
    """The world, and the reads of its control plane that have not landed yet."""

    def __init__(self, begun: World) -> None:
        self.world = begun
        self._remembered: dict[str, tuple[View, LoggedView]] = {}

    def around(self, step: Step) -> None:
        """What somebody else does. A call of a broker is not played here."""
        match step:
            case Tell(command, now):
                self.world, _ = world.tell(self.world, command, now)
            case Remember(name):
                self._remembered[name] = self.world.authority, self.world.logged
            case Append(segment, base, records, is_forced):
                self.world = world.append_at(self.world, segment, base, records, is_forced)
            case Fence(segment, base):
                self.world, _, _ = world.fence_at(self.world, segment, base)
            case Drop(segment):
                self.world = world.drop_at(self.world, segment)
            case _:
                pass

    def arguments(
        self, args: Mapping[str, Any], is_logged: bool
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The arguments as an adapter gets them, and as the reference does."""
        told, ours = dict(args), dict(args)
        for name, value in args.items():
            if isinstance(value, ViewOf):
                view, log = self._view(value)
                told[name], ours[name] = (log if is_logged else view), view
        return told, ours

    def _view(self, wanted: ViewOf) -> tuple[View, LoggedView]:
        """The control plane, now or as it was remembered, less what could not be read."""
        now = self.world.authority, self.world.logged
        view, log = self._remembered.get(wanted.remembered or "", now)
        return blanked(view, log, wanted.blank) if wanted.blank else (view, log)
