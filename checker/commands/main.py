"""`malachi-model`: the command line."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper

import click

from checker.commands.assumptions import assumptions
from checker.commands.check import check
from checker.commands.defects import defects
from checker.commands.exits import Exit, worst
from checker.commands.explain import explain
from checker.commands.faults import PROGRAM, explained
from checker.commands.findings import findings
from checker.commands.graph import graph_command
from checker.commands.mutants import mutants
from checker.commands.output import complain, settle
from checker.commands.prove import prove
from checker.commands.replay import replay
from checker.commands.run import run_command
from checker.commands.schema import schema
from checker.commands.scopes import scopes
from checker.commands.simulate import simulate_command
from checker.commands.spec import spec_command

STRIPS_DOCSTRINGS = 2
"""The level at which Python drops docstrings, with which the laws say what they are."""


def installed_version() -> str:
    """The version that was installed, or a word where the source runs as it lies there."""
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "(not installed)"


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(installed_version(), prog_name=PROGRAM, message="%(prog)s %(version)s")
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
    assumptions,
    explain,
    prove,
    run_command,
    mutants,
    replay,
    spec_command,
    schema,
):
    cli.add_command(command)


def run(arguments: Sequence[str]) -> int:
    """Run one command. Whatever goes wrong is one line on standard error and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    codes = [outcome(arguments)]
    trouble = settle()
    if isinstance(trouble, BrokenPipeError):
        # Whoever read the output has gone: the report did not arrive, so this is no success.
        codes.append(Exit.UNFINISHED)
    elif trouble is not None:
        complain(f"standard output cannot be written ({trouble.strerror}): the report is lost")
        codes.append(Exit.USAGE)
    return worst(codes)


def outcome(arguments: Sequence[str]) -> Exit:
    """Run one command, and answer its exit code."""
    if sys.flags.optimize >= STRIPS_DOCSTRINGS:
        complain("PYTHONOPTIMIZE=2 strips the sentences of the laws: unset it")
        return Exit.USAGE
    try:
        with cli.make_context(PROGRAM, list(arguments)) as context:
            return Exit(cli.invoke(context) or Exit.OK)
    except click.exceptions.Exit as end:
        return Exit(end.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return Exit.USAGE
    except (Exception, KeyboardInterrupt) as error:
        line, code = explained(error)
        if code is Exit.INTERNAL and os.environ.get("MALACHI_MODEL_DEBUG"):
            raise
        complain(line)
        return code
