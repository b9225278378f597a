"""`malachi-model findings`: where the documented protocol itself breaks a law."""

from pathlib import Path

import click

from checker.commands import remedies
from checker.commands.exits import CommandError
from checker.commands.keeping import out_option
from checker.commands.output import Format, counted, format_option, say, write_json
from checker.commands.pinned import (
    Pin,
    keep_all,
    named,
    row,
    search_pinned,
    settle_pinned,
    write_text,
)
from checker.commands.places import places_json, write_places
from checker.explaining import facts_of
from checker.world.findings import FINDINGS, finding_named
from checker.world.kinds import Finding


@click.command()
@click.argument("names", nargs=-1, metavar="[FINDING...]")
@click.option(
    "--remedies",
    "are_closed",
    is_flag=True,
    help="Search the worlds with the rule that closes each finding in them: is its law kept there,"
    " and is no other law broken but those that are declared?",
)
@click.option(
    "--places",
    "is_account",
    is_flag=True,
    help="Search nothing: tell at which places findings were looked for, which were found there,"
    " and in which worlds, and how large, nothing else was.",
)
@out_option
@format_option
def findings(
    names: tuple[str, ...], are_closed: bool, is_account: bool, folder: Path | None, form: Format
) -> int:
    """Search each FINDING, or every one, in the unchanged machine, and see that it is still there.

    A finding that is named shows its shortest trace, and what permits each step of it. One that is
    gone fails the run. All of them take about 10 seconds on two cores.
    """
    if is_account:
        return account(names, folder, form, are_closed=are_closed)
    chosen = named("finding", names, FINDINGS, finding_named)
    if are_closed:
        return close(chosen, folder, form)
    pins = [pin_of(each) for each in chosen]
    is_bare = form == "text" and not names and folder is None
    searched = settle_pinned(pins) if is_bare else search_pinned(pins)
    keep_all(searched.caught, folder)
    if form == "json":
        content = {"gone": searched.missed, "unsearched": searched.unsearched}
        write_json("findings", {"findings": [row(each) for each in searched.caught], **content})
    else:
        write_text(searched.caught, is_told=bool(names))
        say(f"{counted(len(searched.caught), 'finding')}, {len(searched.missed)} gone")
        if not names:
            say("Where they were looked for, and what was found sound: findings --places")
    return searched.exit


def account(names: tuple[str, ...], folder: Path | None, form: Format, *, are_closed: bool) -> int:
    """Tell where findings were looked for."""
    if names or folder is not None or are_closed:
        raise CommandError("--places tells all places, and takes no FINDING, --remedies or --out")
    if form == "json":
        write_json("places", {"places": places_json()})
    else:
        write_places()
    return 0


def close(chosen: tuple[Finding, ...], folder: Path | None, form: Format) -> int:
    """Try what closes them."""
    if folder is not None:
        raise CommandError("--remedies keeps no counterexamples: leave out --out")
    tries = remedies.try_all(chosen)
    if form == "json":
        write_json("remedies", remedies.as_json(tries))
    else:
        remedies.write_text(tries)
    return tries.exit


def pin_of(finding: Finding) -> Pin:
    """What has to come of a finding."""
    return Pin(
        kind="finding",
        name=finding.name,
        title=finding.title,
        words=f"What happens: {finding.meaning}",
        law=finding.law,
        steps=finding.steps,
        scope=finding.scope,
        build=finding.build,
        more=tuple(f"  {what}: {said}" for what, said in facts_of(finding)),
    )
