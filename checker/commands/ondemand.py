"""Commands that are imported when somebody asks for them: no one waits for those of others."""

from collections.abc import Mapping
from importlib import import_module

import click


class OnDemand(click.Group):
    """A group that knows its commands by the module and the name that each stands under."""

    places: Mapping[str, str]
    """`{"check": "checker.commands.check:check"}`, in the order in which help lists them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in their order."""
        del ctx
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        del ctx
        if cmd_name not in self.places:
            return None
        module, _, attribute = self.places[cmd_name].partition(":")
        found = getattr(import_module(module), attribute)
        assert isinstance(found, click.Command), f"{cmd_name} stands for no command"
        return found
