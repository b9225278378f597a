"""Keeps runs as files: cases to take again, states for other tools, calls for a broker."""

import re
from dataclasses import dataclass
from pathlib import Path

import click

from checker.cases.counterexamples import case_of
from checker.cases.exporting import Exported, export_trace
from checker.cases.kinds import World
from checker.cases.writing import written
from checker.commands.exits import CommandError
from checker.commands.output import complain
from checker.search.model import Model
from checker.search.report import Trace
from checker.world.kinds import Scope

UNSAFE = re.compile(r"[^A-Za-z0-9.+-]+")

out_option = click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each counterexample into this folder: as a case that `malachi-model run` takes"
    " (.toml), as states in the Informal Trace Format (.itf.json), and as calls that a broker can"
    " be put to (.jsonl), which `malachi-model replay` takes.",
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A counterexample, and where it was found."""

    name: str
    """Its first word becomes the name of the files."""
    about: str
    world: World
    model: Model
    scope: Scope
    trace: Trace


def keep(folder: Path, kept: Kept) -> None:
    """Write one counterexample in each form that it has."""
    stem = stem_of(kept.name.split(" ", 1)[0])
    case = case_of(kept.trace, kept.world, kept.scope.show, kept.name, kept.about)
    write(folder / f"{stem}.toml", written(case))
    exported = export_trace(kept.model, kept.trace, kept.name, kept.about)
    keep_exported(folder, stem, exported, has_defect=kept.world.defect is not None)


def keep_exported(folder: Path, stem: str, exported: Exported, *, has_defect: bool) -> None:
    """Write the states, and the calls; one line says what the calls do not tell.

    A defect is not in the calls: they say what a broker without it answers.
    """
    write(folder / f"{stem}.itf.json", exported.states)
    if exported.calls is None:
        complain(f"{stem} is not written as calls: {exported.why_not}")
        return
    write(folder / f"{stem}.jsonl", exported.calls)
    if exported.departs_at is not None and not has_defect:
        complain(f"{stem}.jsonl: from step {exported.departs_at} on, no calls lead where it leads")


def stem_of(name: str) -> str:
    """A name that any disk takes."""
    return UNSAFE.sub("-", name).strip("-.") or "case"


def write(path: Path, content: str) -> None:
    """Write one file whole. Raises CommandError where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}") from None
