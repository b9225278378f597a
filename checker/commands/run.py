"""`malachi-model run`: cases that are written down, taken step by step."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from checker.cases.exporting import export_case
from checker.cases.kinds import WorldCase
from checker.cases.parsing import CaseError, load, located
from checker.cases.result import Broken, CaseResult, Departure
from checker.cases.running import run_case
from checker.commands.exits import CommandError, Exit, worst
from checker.commands.keeping import keep_exported
from checker.commands.output import Format, complain, counted, format_option, say, write_json
from checker.replay.terms import MalformedError, printable

SUFFIX = ".toml"
SHOWN = 20
"""How many departures of a case the text report shows."""


@click.command("run")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--story", "is_told", is_flag=True, help="Show every step, with what it changed.")
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each run into this folder: as states in the Informal Trace Format (.itf.json), and"
    " as a recording (.jsonl) that `malachi-model replay` takes.",
)
@format_option
def run_command(paths: tuple[str, ...], is_told: bool, folder: Path | None, form: Format) -> int:
    """Take the steps of each case, and say where a run is not as its case says.

    PATH is a case, or a folder of them. A case that expects a law to break is as expected when it
    breaks exactly there. `malachi-model schema case` prints what a case is made of.
    """
    run = Run(folder)
    for path in files_of(paths, run):
        run.go(path)
    if form == "json":
        files = [as_json(path, result) for path, result in run.results]
        write_json("run", {"files": files, "unreadable": run.unreadable, "verdict": run.verdict})
    else:
        for path, result in run.results:
            write_text(path, result, is_told=is_told)
        say(f"{run.verdict}: {run.told}")
    return run.exit


class Run:
    """Cases, one after the other, and what came of them."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.results: list[tuple[Path, CaseResult]] = []
        self.unreadable: list[str] = []
        self.empty: list[str] = []

    def go(self, path: Path) -> None:
        """Run one case; what cannot be run is one line on standard error."""
        try:
            case = load(path)
            try:
                self.results.append((path, run_case(case)))
                if self.folder is not None:
                    has_defect = isinstance(case, WorldCase) and case.world.defect is not None
                    exported = export_case(case)
                    keep_exported(self.folder, path.stem, exported, has_defect=has_defect)
            except MalformedError as error:
                raise CaseError(located(path, path.read_text("utf-8"), error)) from None
        except CaseError as error:
            self.unreadable.append(str(error))
            complain(str(error))

    @property
    def exit(self) -> Exit:
        """What it means for the exit code."""
        exits = [
            Exit.OK if result.verdict == "as expected" else Exit.BROKEN
            for _, result in self.results
        ]
        exits += [Exit.USAGE] * len(self.unreadable) + [Exit.NOTHING] * len(self.empty)
        return worst(exits)

    @property
    def told(self) -> str:
        """How many cases ran, and how many files could not be read, where there are any."""
        cases, files = counted(len(self.results), "case"), counted(len(self.unreadable), "file")
        if not self.unreadable:
            return cases
        return f"{files}, beside {cases}" if self.results else files

    @property
    def verdict(self) -> str:
        """In words."""
        words = {Exit.OK: "as expected", Exit.BROKEN: "differs", Exit.USAGE: "unreadable"}
        return words.get(self.exit, "empty")


def files_of(paths: Sequence[str], run: Run) -> Iterator[Path]:
    """The files that are meant; those of a folder in ascending order."""
    if "" in paths:
        raise CommandError("a PATH is empty: name a case or a folder of them (. is this one)")
    for each in paths:
        path = Path(each)
        if not is_folder(path):
            yield path
            continue
        below = sorted(path.rglob(f"*{SUFFIX}"))
        if not below:
            run.empty.append(each)
            complain(f"{each}: no {SUFFIX} file in this folder: nothing to run")
        yield from below


def is_folder(path: Path) -> bool:
    """Whether it is a folder; one whose name is too long is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def write_text(path: Path, result: CaseResult, *, is_told: bool) -> None:
    """One case, for people."""
    taken, steps = len(result.taken), len(result.case.steps)
    whole = counted(steps, "step") if taken == steps else f"{taken} of {counted(steps, 'step')}"
    for line in lines_of(path, result, whole, is_told=is_told):
        say(printable(line))


def lines_of(path: Path, result: CaseResult, whole: str, *, is_told: bool) -> Iterator[str]:
    """One case, line by line."""
    name = result.case.heading.name
    yield f"{path}: {result.verdict}, {whole}" + (f": {name}" if name != path.stem else "")
    if is_told:
        width = len(str(len(result.taken)))
        for number, step in enumerate(result.taken, 1):
            yield f"{number:>{width}}. {step.said}"
            for line in step.changes or ("nothing changes",):
                yield f"{'':>{width}}    {line}"
    for departure in result.departures[:SHOWN]:
        yield from indented(departure.text())
    if len(result.departures) > SHOWN:
        yield f"  and {len(result.departures) - SHOWN} more places (--format json)"
    if is_told or not result.is_broken_as_said:
        for broken in result.broken:
            yield from indented(broken.text())
    if result.breaks is not None and not result.is_broken_as_said:
        yield f"  expected step {result.breaks.step} to break {result.breaks.law}"


def indented(text: str) -> Iterator[str]:
    """The lines of a text, further in."""
    return (f"  {line}" for line in text.split("\n"))


def as_json(path: Path, result: CaseResult) -> dict[str, object]:
    """One case in a JSON report."""
    breaks = result.breaks
    return {
        "file": str(path),
        "name": result.case.heading.name,
        "verdict": result.verdict,
        "steps": len(result.case.steps),
        "taken": [{"said": one.said, "changes": list(one.changes)} for one in result.taken],
        "departures": [departure_json(one) for one in result.departures],
        "broken": [broken_json(one) for one in result.broken],
        "expected_break": None if breaks is None else {"law": breaks.law, "step": breaks.step},
    }


def departure_json(one: Departure) -> dict[str, object]:
    """One place where a run is not as its case says."""
    return {
        "step": one.step,
        "taken": one.taken,
        "path": one.path,
        "expected": one.expected,
        "got": one.got,
        "clause": one.clause,
    }


def broken_json(one: Broken) -> dict[str, object]:
    """A law that broke."""
    return {"step": one.step, "law": one.law, "clause": one.clause, "sentence": one.sentence}
