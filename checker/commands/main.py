"""`malachi-model`: the command line."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from types import MappingProxyType

import click

from checker.commands.exits import Exit, worst
from checker.commands.faults import PROGRAM, explained
from checker.commands.ondemand import OnDemand
from checker.commands.output import complain, settle

STRIPS_DOCSTRINGS = 2
"""The level at which Python drops docstrings, with which the laws say what they are."""


def installed_version() -> str:
    """The version that was installed, or a word where the source runs as it lies there."""
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "(not installed)"


COMMANDS = MappingProxyType(
    {
        "check": "checker.commands.check:check",
        "scopes": "checker.commands.scopes:scopes",
        "simulate": "checker.commands.simulate:simulate_command",
        "graph": "checker.commands.graph:graph_command",
        "defects": "checker.commands.defects:defects",
        "findings": "checker.commands.findings:findings",
        "assumptions": "checker.commands.assumptions:assumptions",
        "explain": "checker.commands.explain:explain",
        "prove": "checker.commands.prove:prove",
        "run": "checker.commands.run:run_command",
        "mutants": "checker.commands.mutants:mutants",
        "replay": "checker.commands.replay:replay",
        "conform": "checker.commands.conform.group:conform",
        "spec": "checker.commands.spec:spec_command",
        "draw": "checker.commands.draw:draw",
        "site": "checker.commands.site:site",
        "schema": "checker.commands.schema:schema",
    }
)
"""Every command, and where it stands."""


@click.group(
    cls=OnDemand, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(installed_version(), prog_name=PROGRAM, message="%(prog)s %(version)s")
def cli() -> None:
    """The model-checked reference implementation of Malachi's broker frontend.

    Exit codes: 0 as expected; 1 a law is broken or an implementation departs; 2 usage or bad
    input; 3 undetermined; 4 a budget was used up; 5 nothing selected; 70 internal error.
    """


assert isinstance(cli, OnDemand)
cli.places = COMMANDS


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
