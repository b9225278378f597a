"""The commands of `malachi-model conform`."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import click

from checker.commands.conform.adapters import reached
from checker.commands.conform.history import history
from checker.commands.conform.run import limit, run, today
from checker.commands.exits import CommandError, Exit, unknown_name
from checker.commands.ondemand import Once
from checker.commands.output import say
from checker.commands.replay import replay
from checker.conform.calls.table import OPERATIONS
from checker.conform.coverage import coverage
from checker.conform.known import KnownError, read_known
from checker.conform.messages import PROTOCOL, Limits
from checker.conform.operations import PROFILES
from checker.conform.reports import events
from checker.conform.running import Bench, Played
from checker.conform.serving import reference_adapter, serve, serve_socket
from checker.conform.skeletons import CONFIG, SKELETONS, configuration
from checker.conform.steps import Call
from checker.conform.suite import shipped
from checker.conform.transports.channel import ChannelError
from checker.conform.transports.stdio import StartError
from checker.conform.wrong.brokers import WRONG_BROKERS, wrong_broker_named
from checker.conform.wrong.catching import caught as where_caught
from checker.replay.terms import printable

FIRST = frozenset({"open", "create_topic"})
"""The calls by which an adapter shows that it speaks the protocol."""
FEW = 6
"""So many calls are read at a glance."""


@click.group(cls=Once)
def conform() -> None:
    """Judge a broker in any language against the reference, over a wire."""


conform.add_command(run)
conform.add_command(history)
conform.add_command(replay)


@conform.command("serve")
@click.option("--tcp", is_flag=True, help="Connect to where the environment says.")
@click.option("--wrong", metavar="DEFECT", help="Be the wrong broker of this defect instead.")
def serve_command(*, tcp: bool, wrong: str | None) -> int:
    """Be the adapter of the reference: answer protocol 1 on standard input and output."""
    adapter = reference_adapter()
    if wrong is not None:
        broker = wrong_broker_named(wrong)
        if broker is None:
            names = [each.name for each in WRONG_BROKERS]
            raise unknown_name("wrong broker", wrong, names, "malachi-model conform list --wrong")
        adapter = broker.adapter()
    if tcp:
        serve_socket(adapter)
    else:
        serve(adapter, sys.stdin.buffer, sys.stdout.buffer)
    return Exit.OK


@conform.command("smoke", context_settings={"ignore_unknown_options": True})
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, required=True, metavar="[--] PROGRAM...")
@click.option("--tcp", is_flag=True, help="The program connects to us, told by its environment.")
@limit("start_ms", Limits().start_ms, "Time to start.")
def smoke_command(argv: tuple[str, ...], start_ms: int, *, tcp: bool) -> int:
    """See whether a PROGRAM speaks the protocol: greet it, open a broker, create a topic."""
    limits = replace(Limits(), start_ms=start_ms)
    bench = Bench(reached(argv, None, limits, tcp=tcp, reference=False), limits)
    try:
        welcome = bench.welcome()
        said = f"{welcome.implementation}: {len(welcome.ops)} of {len(OPERATIONS)} calls"
        say(printable(said))
        played = smoked(bench)
    except StartError as error:
        raise CommandError(str(error)) from None
    except ChannelError as error:
        raise CommandError(f"{error.outcome}: the adapter {error}", Exit.BROKEN) from None
    finally:
        bench.close()
    if played.finding is None:
        say(f"it speaks protocol {PROTOCOL}: {played.calls} calls answered")
        return Exit.OK
    for line in played.finding.lines():
        say(printable(line))
    return Exit.BROKEN


def smoked(bench: Bench) -> Played:
    """The first calls of all, judged by their replies."""
    name = "core-a-topic-is-created-with-one-range"
    scenario = next(each for each in shipped() if each.id == name)
    first = tuple(step for step in scenario.steps if isinstance(step, Call) and step.op in FIRST)
    return bench.play(scenario, first, "L1")


@conform.command("list")
@click.option("--wrong", is_flag=True, help="The wrong brokers instead.")
@click.option("--caught", is_flag=True, help="Where each wrong broker is caught, tried out now.")
@click.option("--coverage", "is_covered", is_flag=True, help="What the scenarios cover instead.")
def list_command(*, wrong: bool, caught: bool, is_covered: bool) -> int:
    """The scenarios that ship, with their profiles and clauses, and the calls of each profile."""
    if caught:
        return say_where_caught()
    if wrong:
        for broker in WRONG_BROKERS:
            say(f"{broker.name:<5} {broker.title} ({', '.join(broker.calls)})")
        return Exit.OK
    if is_covered:
        for kind in coverage(shipped()):
            for line in kind.lines():
                say(line)
        return Exit.OK
    for scenario in shipped():
        clauses = ", ".join(scenario.clauses)
        say(f"{scenario.id:<60} {'+'.join(scenario.spoken_for):<18} {clauses}")
    for profile in PROFILES:
        ops = [each.name for each in OPERATIONS.values() if each.profile == profile]
        say(f"{profile}: {', '.join(ops)}")
    say(f"{len(shipped())} scenarios; walks are drawn by run --walks")
    return Exit.OK


def say_where_caught() -> int:
    """The table of the wrong brokers. One that survives all scenarios is a failure."""
    every = [(broker, where_caught(broker, shipped())) for broker in WRONG_BROKERS]
    say(f"{'':<5} {'mistake':<34} level calls shrunk scenario")
    for broker, found in every:
        where = (
            "survives"
            if found is None
            else f"{found.level:<5} {found.calls:>5} {found.shrunk:>6} {found.scenario}"
        )
        say(f"{broker.name:<5} {broker.title:<34} {where}")
    caught = [found for _, found in every if found is not None]
    few = sum(found.shrunk <= FEW for found in caught)
    say(f"{len(caught)} of {len(every)} wrong brokers are caught")
    say(
        f"{few} of {len(every)} ({few / len(every):.0%}) are shown in {FEW} calls or fewer, none of"
        " which can be left out"
    )
    return Exit.OK if len(caught) == len(every) else Exit.BROKEN


@conform.command("init")
@click.option("--lang", required=True, metavar="LANGUAGE", help=f"One of {', '.join(SKELETONS)}.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
def init_command(lang: str, folder: Path) -> None:
    """Write an adapter with marked places, and a configuration file, into FOLDER."""
    if lang not in SKELETONS:
        raise unknown_name("skeleton for", lang, SKELETONS, "malachi-model conform init --help")
    skeleton = SKELETONS[lang]
    found = {skeleton.file: skeleton.text(), CONFIG: configuration(skeleton)}
    try:
        for name in found:
            if (folder / name).exists():
                raise CommandError(f"{folder / name} is there already: nothing was written")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in found.items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"{error.filename} cannot be written: {error.strerror}") from None
    say(f"wrote {' and '.join(found)}; next, in that folder:")
    say(f"  malachi-model conform smoke -- {shlex.join(skeleton.program)}")


@conform.command("known")
@click.argument("path", type=click.Path(path_type=Path))
def known_command(path: Path) -> int:
    """Read a list of known failures, and say what is in it. One that has expired ends it with 1."""
    try:
        found = read_known(path)
    except KnownError as error:
        raise CommandError(str(error)) from None
    day = today()
    for each in found:
        until = f"until {each.until}" if day <= each.until else f"EXPIRED on {each.until}"
        say(printable(f"{each.id}: {each.signature} {until}, {each.issue}: {each.reason}"))
    if not found:
        raise CommandError(f"{path} lists no failure", Exit.NOTHING)
    expired = sum(day > each.until for each in found)
    say(f"{len(found)} known failures, {expired} of them expired")
    return Exit.BROKEN if expired else Exit.OK


@conform.command("diff")
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
def diff_command(before: Path, after: Path) -> int:
    """What changed between two runs, from the files that `run --events` wrote."""
    try:
        old, new = events.read(before), events.read(after)
    except events.EventsError as error:
        raise CommandError(str(error)) from None
    if not old.results and not new.results:
        raise CommandError(f"{before} and {after} hold no results to compare", Exit.NOTHING)
    changed = list(events.differing(old, new))
    for line in changed:
        say(printable(line))
    claims = f"{old.footer['claim']} -> {new.footer['claim']}"
    say(printable(f"{len(changed)} scenarios changed; claim: {claims}"))
    return Exit.BROKEN if changed else Exit.OK
