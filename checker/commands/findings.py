"""`malachi-model findings`: where the documented protocol itself breaks a law."""

from pathlib import Path

import click

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
from checker.world.findings import FINDINGS, finding_named
from checker.world.kinds import Finding


@click.command()
@click.argument("names", nargs=-1, metavar="[FINDING...]")
@out_option
@format_option
def findings(names: tuple[str, ...], folder: Path | None, form: Format) -> int:
    """Search each FINDING, or every one, in the unchanged machine, and see that it is still there.

    A finding that is named shows its shortest trace. One that is gone fails the run.
    """
    chosen = named("finding", names, FINDINGS, finding_named)
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
    return searched.exit


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
    )
