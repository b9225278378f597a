"""Keeps counterexamples as files: cases to run again."""

import re
from pathlib import Path

import click

from checker.cases.counterexamples import case_of
from checker.cases.kinds import World
from checker.cases.writing import written
from checker.commands.exits import CommandError
from checker.search.report import Trace
from checker.world.kinds import Scope

UNSAFE = re.compile(r"[^A-Za-z0-9.+-]+")

out_option = click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each counterexample into this folder, as a case that `malachi-model run` takes.",
)


def keep(folder: Path, name: str, trace: Trace, world: World, scope: Scope, about: str) -> None:
    """Write one counterexample, under a name that any disk takes."""
    case = case_of(trace, world, scope.show, name, about)
    stem = UNSAFE.sub("-", name.split(" ", 1)[0]).strip("-.") or "case"
    write(folder / f"{stem}.toml", written(case))


def write(path: Path, content: str) -> None:
    """Write one file whole. Raises CommandError where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}") from None
