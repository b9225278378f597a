"""`malachi-model conform run`: scenarios against an adapter, and the reports of it."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from checker.cases.writing import written
from checker.commands.conform.adapters import bench_for, command_of
from checker.commands.conform.configuration import bounded, with_configuration
from checker.commands.conform.selection import is_named, profiles_named, selected
from checker.commands.exits import CommandError, Exit, unknown_name, worst
from checker.commands.output import complain, progress_line, say
from checker.conform.collecting import rarely_collecting
from checker.conform.exhaustive import SOURCES, exhaustive
from checker.conform.known import Known, KnownError, Weighed, read_known, unmatched, weigh
from checker.conform.messages import LEVELS, Level, Limits, Welcome
from checker.conform.parallel import MakeBench, Placed, WorkerError, run_shared
from checker.conform.recorder import transcript
from checker.conform.reports import events, junit, markdown, page, sarif, terminal
from checker.conform.reports.summary import Summary
from checker.conform.running import Bench, Result, is_out_of_reach, level_of, run_one
from checker.conform.scenarios import Scenario
from checker.conform.suite import shipped
from checker.conform.transports.channel import ChannelError
from checker.conform.transports.stdio import StartError
from checker.conform.writing import UnwritableError, case_of
from checker.replay.terms import printable

OUT = click.Path(path_type=Path, dir_okay=False)


def limit(option: str, default: int, said: str) -> Callable[[Callable[..., int]], Any]:
    """An option that is a number within bounds."""
    name = f"--{option.replace('_', '-')}"
    return click.option(name, type=bounded(option), default=default, show_default=True, help=said)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="[--] PROGRAM [ARGUMENT...]")
@click.option("--config", type=OUT, help="A configuration file [malachi-conform.toml].")
@click.option("--connect", "address", metavar="HOST:PORT", help="An adapter that runs already.")
@click.option("--tcp", is_flag=True, help="The program connects to us, told by its environment.")
@click.option("--reference", is_flag=True, help="Judge the reference itself, in this process.")
@click.option("--profile", "profiles", multiple=True, help="Only these calls; may be repeated.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Only scenarios so named.")
@click.option(
    "--scenarios",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="Cases and recordings, or folders of them, in place of those that ship.",
)
@limit("walks", 3, "Random walks of each profile.")
@click.option("--seed", default=0, show_default=True, help="The first walk's seed.")
@click.option(
    "--exhaustive",
    "scopes",
    multiple=True,
    metavar="SCOPE",
    help=f"Every transition of a frontend in a scope: {', '.join(SOURCES)}; may be repeated.",
)
@click.option("--level", type=click.Choice(LEVELS), help="Judge at this level, not the adapter's.")
@click.option("-j", "--jobs", default=1, show_default=True, help="So many adapters at once.")
@click.option("--no-shrink", is_flag=True, help="Leave failing runs as long as they are.")
@click.option("--known", "known_path", type=OUT, help="A list of known failures.")
@click.option("--events", "events_path", type=OUT, help="Write the results as JSON lines.")
@click.option("--junit", "junit_path", type=OUT, help="Write the results as JUnit does.")
@click.option("--markdown", "markdown_path", type=OUT, help="Write a page for a CI's summary.")
@click.option("--sarif", "sarif_path", type=OUT, help="Write what departs as SARIF.")
@click.option("--transcript", "transcript_path", type=OUT, help="Write every message of a run.")
@click.option("--html", "html_path", type=OUT, help="Write one page of HTML.")
@click.option(
    "--save",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep each failing run there, as a case.",
)
@click.option("-v", "--verbose", is_flag=True, help="Tell each scenario that is unsupported, too.")
@limit("start_ms", Limits().start_ms, "Time to start.")
@limit("turn_ms", Limits().turn_ms, "Time for a turn.")
@limit("effects", Limits().effects, "Effects of a call.")
def run(**given: Any) -> int:  # noqa: ANN401 # click's own
    """Judge a broker: start the PROGRAM that is its adapter, and play scenarios against it."""
    asked = asked_for(with_configuration(given))
    refuse_shared(asked)
    limits = limits_of(asked)
    refuse_unknown(asked.scopes)
    known = known_failures(asked)
    scenarios = selected(
        profiles_named(asked.profiles), asked.only, asked.files, asked.walks, asked.seed
    )
    refuse_unmatched(known, scenarios)
    ways = {"tcp": asked.tcp, "reference": asked.reference}
    keep_lines = asked.html_path is not None or asked.transcript_path is not None
    make = partial(bench_for, asked.argv, asked.address, limits, keep_lines=keep_lines, **ways)
    bench = make()
    try:
        command = command_of(asked.argv, asked.address, **ways)
        with rarely_collecting():
            found = judged(asked, bench, make, scenarios, known, command)
    except StartError as error:
        raise CommandError(str(error)) from None
    finally:
        bench.close()
    summary = found.summary
    if isinstance(found.trouble, KeyboardInterrupt):
        complain(summary.interruption)
    report(asked, found)
    if isinstance(found.trouble, WorkerError):
        raise found.trouble
    if summary.exit is Exit.NOTHING and not summary.left_out:
        raise CommandError(f"no scenario is selected{by(asked)}", Exit.NOTHING)
    return summary.exit


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was asked for."""

    argv: tuple[str, ...]
    address: str | None
    tcp: bool
    reference: bool
    profiles: tuple[str, ...]
    only: tuple[str, ...]
    files: tuple[Path, ...]
    walks: int
    seed: int
    scopes: tuple[str, ...]
    level: Level | None
    jobs: int
    no_shrink: bool
    known_path: Path | None
    events_path: Path | None
    junit_path: Path | None
    markdown_path: Path | None
    sarif_path: Path | None
    transcript_path: Path | None
    html_path: Path | None
    save: Path | None
    verbose: bool
    start_ms: int
    turn_ms: int
    effects: int


def asked_for(given: dict[str, Any]) -> Asked:
    """The options as one value."""
    return Asked(**{name: value for name, value in given.items() if name != "config"})


def by(asked: Asked) -> str:
    """What narrows the selection."""
    named = {"--scenarios": asked.files, "--profile": asked.profiles, "--only": asked.only}
    said = [f"{option} {each}" for option, several in named.items() for each in several]
    return f" by {', '.join(said)}" if said else ""


def refuse_shared(asked: Asked) -> None:
    """Two reports in one file would leave the last; one in the known failures, none of them.

    What is no regular file, as a terminal or a pipe, takes both.
    """
    paths = {
        "--known": asked.known_path,
        "--events": asked.events_path,
        "--junit": asked.junit_path,
        "--markdown": asked.markdown_path,
        "--sarif": asked.sarif_path,
        "--transcript": asked.transcript_path,
        "--html": asked.html_path,
        "--save": asked.save,
    }
    taken: dict[object, str] = {}
    for option, path in paths.items():
        if path is not None and (place := place_of(path)) is not None:
            other = taken.setdefault(place, option)
            if other != option:
                raise CommandError(f"{other} and {option} name one file, {path}: give each its own")


def place_of(path: Path) -> object:
    """What two names of one file have in common; none for what keeps nothing."""
    if path.is_file():
        status = path.stat()
        return status.st_dev, status.st_ino
    return None if path.exists() and not path.is_dir() else os.path.realpath(path)


def limits_of(asked: Asked) -> Limits:
    """How long and how large, as it was asked for."""
    if asked.jobs < 1 or (asked.jobs > 1 and asked.address is not None):
        raise CommandError("-j is 1 or more, and 1 where --connect names the one adapter")
    return replace(Limits(), start_ms=asked.start_ms, turn_ms=asked.turn_ms, effects=asked.effects)


def known_failures(asked: Asked) -> dict[str, Known]:
    """The list of known failures by scenario."""
    if asked.known_path is None:
        return {}
    try:
        return {each.id: each for each in read_known(asked.known_path)}
    except KnownError as error:
        raise CommandError(str(error)) from None


def refuse_unknown(scopes: tuple[str, ...]) -> None:
    """Only some scopes have rules that note what they are called with."""
    for scope in scopes:
        if scope not in SOURCES:
            raise unknown_name("scope of transitions", scope, SOURCES, "conform run --help")


def refuse_unmatched(known: dict[str, Known], scenarios: list[Scenario]) -> None:
    """A known failure of a scenario that nobody knows is a mistake in the list."""
    names = {one.id for one in scenarios} | {one.id for one in shipped()}
    left = [one for one in unmatched(known.values(), names) if not one.id.startswith("walk-")]
    if left:
        raise CommandError(f"no scenario is called {left[0].id!r}, which the known failures name")


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of all scenarios, or of those before the run was cut off."""

    summary: Summary
    stream: events.Writer
    trouble: KeyboardInterrupt | WorkerError | None
    """What ended the run too early."""


def judged(
    asked: Asked,
    bench: Bench,
    make: MakeBench,
    scenarios: list[Scenario],
    known: dict[str, Known],
    command: str,
) -> Judged:
    """Play all scenarios."""
    welcome = welcomed(bench)
    level = level_of(welcome, asked.level)
    exhausted = [exhaustive(each, welcome, profiles_named(asked.profiles)) for each in asked.scopes]
    every = [one for each in exhausted for one in each.scenarios]
    scenarios = [*scenarios, *(one for one in every if is_named(one, asked.only))]
    left_out = [one.id for one in scenarios if is_out_of_reach(welcome, one)]
    scenarios = [one for one in scenarios if one.id not in left_out]
    found: dict[int, Weighed] = {}
    stream = events.Writer(asked.events_path, welcome.implementation, level)
    trouble: KeyboardInterrupt | WorkerError | None = None
    try:
        with progress_line() as show:
            for place, result in placed(asked, bench, make, scenarios, level):
                found[place] = weigh(result, known, today())
                stream.add(place, found[place])
                if show is not None:
                    show(f"{len(found)}/{len(scenarios)} {result.scenario.id}")
    except (KeyboardInterrupt, WorkerError) as error:
        trouble = error
    weighed = tuple(found[place] for place in sorted(found))
    summary = Summary(
        welcome.implementation,
        level,
        command,
        weighed,
        trouble is None,
        tuple(left_out),
        tuple(exhausted),
        len(scenarios) - len(weighed),
    )
    return Judged(summary, stream, trouble)


def welcomed(bench: Bench) -> Welcome:
    """Who answers."""
    try:
        return bench.welcome()
    except ChannelError as error:
        complaints = bench.complaints().decode(errors="replace").strip()
        said = f", after it wrote {complaints[-200:]!r}" if complaints else ""
        raise CommandError(f"{error.outcome}: the adapter {error}{said}", Exit.BROKEN) from None


def placed(
    asked: Asked, bench: Bench, make: MakeBench, scenarios: list[Scenario], level: Level
) -> Iterator[Placed]:
    """What comes of each scenario, with its place: here, or in several processes."""
    shrink = not asked.no_shrink
    if asked.jobs == 1:
        for place, scenario in enumerate(scenarios):
            yield place, run_one(bench, scenario, level, shrink=shrink)
        return
    bench.close()
    yield from run_shared(make, scenarios, level, asked.jobs, shrink=shrink)


def today() -> date:
    """The day, by which known failures expire."""
    return datetime.now(UTC).date()


def report(asked: Asked, found: Judged) -> None:
    """The report for the terminal, and then every other one that was asked for.

    One that cannot be written keeps no other from being so.
    """
    summary = found.summary
    for line in told(summary, is_verbose=asked.verbose):
        say(printable(line))
    unwritten = []
    for path, write in written_to(asked, found):
        try:
            write(path)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            unwritten.append(f"{path} cannot be written: {why or error}")
    if unwritten:
        raise CommandError("; ".join(unwritten), worst([summary.exit, Exit.USAGE]))


def written_to(asked: Asked, found: Judged) -> Iterator[tuple[Path, Callable[[Path], object]]]:
    """Where each report goes, and what writes it there."""
    summary = found.summary
    results = [each.result for each in summary.weighed]
    ways: tuple[tuple[Path | None, Callable[[Path], object]], ...] = (
        (asked.events_path, lambda _: found.stream.end(summary)),
        (asked.markdown_path, lambda path: put(path, "\n".join(markdown.lines(summary)) + "\n")),
        (asked.sarif_path, lambda path: put(path, sarif.text(summary))),
        (asked.transcript_path, lambda path: path.write_bytes(b"".join(transcripts(summary)))),
        (asked.junit_path, lambda path: junit.write(summary, path)),
        (asked.html_path, lambda path: put(path, page.html(summary))),
        (asked.save, lambda path: save(path, results)),
    )
    for path, write in ways:
        if path is not None:
            yield path, write


def put(path: Path, text: str) -> None:
    """Write a report. What has no UTF-8 form is escaped: an adapter may say anything."""
    path.write_text(text, "utf-8", errors="backslashreplace")


def transcripts(summary: Summary) -> Iterator[bytes]:
    """What passed in each scenario, or in the smallest run in which it fails."""
    for each in summary.weighed:
        yield f"# {each.result.scenario.id}\n".encode()
        yield transcript(each.result.lines)


def told(summary: Summary, *, is_verbose: bool) -> Iterator[str]:
    """The report on the terminal; in an action of GitHub with its annotations."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        yield from markdown.annotations(summary)
    yield from terminal.lines(summary, is_verbose=is_verbose)


def save(folder: Path, results: list[Result]) -> None:
    """Keep each failing run as a case that can be played again."""
    folder.mkdir(parents=True, exist_ok=True)
    for result in results:
        if result.steps:
            try:
                case = case_of(result.scenario, result.steps)
            except UnwritableError:
                continue
            (folder / f"{result.scenario.id}.toml").write_text(written(case), "utf-8")
