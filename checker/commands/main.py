"""`malachi-model`: the command line."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

import click

from checker.commands.check import check
from checker.commands.defects import defects
from checker.commands.exits import CommandError, Exit
from checker.commands.findings import findings
from checker.commands.graph import graph_command
from checker.commands.replay import replay
from checker.commands.schema import schema
from checker.commands.scopes import scopes
from checker.commands.simulate import simulate_command
from checker.search.faults import CheckpointError, InternalError, ModelError

PROGRAM = "malachi-model"


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version(PROGRAM), prog_name=PROGRAM, message="%(prog)s %(version)s")
def cli() -> None:
    """The model-checked reference implementation of Malachi's broker frontend.

    Exit codes: 0 as expected; 1 a law is broken or an implementation departs; 2 usage or bad
    input; 3 undetermined; 4 a budget was used up; 5 nothing selected; 70 internal error.
    """


for command in (
    check,
    scopes,
    simulate_command,
    graph_command,
    defects,
    findings,
    replay,
    schema,
):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and leave with its exit code."""
    code = run(sys.argv[1:] if arguments is None else list(arguments))
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command. Whatever goes wrong is one line on standard error and an exit code."""
    try:
        done = cli.main(args=list(arguments), prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # Whoever read the output has gone (click makes an exit of it): the report did not arrive,
        # so this is no success, and nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.UNFINISHED
    except (Exception, KeyboardInterrupt) as error:
        if "MALACHI_MODEL_DEBUG" in os.environ:
            raise
        line, code = explained(error)
        click.echo(line, err=True)
        return code
    return done if isinstance(done, int) else Exit.OK


def explained(error: BaseException) -> tuple[str, Exit]:
    """What went wrong in one line, and the exit code for it."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            return error.format_message(), Exit.USAGE
        case click.ClickException():
            return f"{PROGRAM}: {usage_line(error)}", Exit.USAGE
        case CommandError() | CheckpointError():
            return f"{PROGRAM}: {error}", getattr(error, "code", Exit.USAGE)
        case KeyboardInterrupt() | click.Abort():
            said = "interrupted before there was anything to report"
            return f"{PROGRAM}: {said}", Exit.UNFINISHED
        case InternalError() | ModelError():
            return f"{PROGRAM}: internal error: {error}", Exit.INTERNAL
        case _:
            said = f"{type(error).__name__}: {error}".replace("\n", " ")
            hint = "MALACHI_MODEL_DEBUG=1 shows where"
            return f"{PROGRAM}: internal error: {said} ({hint})", Exit.INTERNAL


def usage_line(error: click.ClickException) -> str:
    """What is wrong with the arguments, and where the right ones are listed."""
    said = error.format_message().replace("\n", " ").rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = PROGRAM if context is None else context.command_path
    return f"{said}: `{path} --help` lists what it takes"
