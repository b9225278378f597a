"""Groups of commands: each takes a setting once, and some import a command when it is asked for."""

from collections import Counter
from collections.abc import Mapping
from importlib import import_module

import click


class Once(click.Group):
    """A group whose commands take each setting once: of two, nobody knows which was meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for, by its name, and its arguments."""
        name, command, arguments = super().resolve_command(ctx, args)
        if command is not None:
            context = click.Context(command, ctx, name, **command.context_settings)
            refuse_twice(command, context, arguments)
        return name, command, arguments


def refuse_twice(command: click.Command, context: click.Context, arguments: list[str]) -> None:
    """Raise UsageError where a setting with a value is given twice, and may be only once."""
    try:
        _, _, order = command.make_parser(context).parse_args(list(arguments))
    except click.UsageError:
        # The command says so itself.
        return
    for parameter, count in Counter(order).items():
        is_setting = isinstance(parameter, click.Option) and not parameter.is_flag
        if is_setting and count > 1 and not parameter.multiple:
            said = f"{parameter.opts[0]} is given {count} times: give it once"
            raise click.UsageError(said, context)


class OnDemand(Once):
    """A group that knows its commands by the module and the name that each stands under.

    They are imported when somebody asks for them: no one waits for those of others.
    """

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
