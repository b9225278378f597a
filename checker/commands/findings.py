"""`malachi-model findings`: where the documented protocol itself breaks a law."""

import click

from checker.commands.exits import Exit
from checker.commands.output import Format, counted, format_option, write_json
from checker.commands.pinned import Pin, named, row, search_pinned, write_text
from checker.world.findings import FINDINGS, Finding, finding_named


@click.command()
@click.argument("names", nargs=-1, metavar="[FINDING...]")
@format_option
def findings(names: tuple[str, ...], form: Format) -> int:
    """Search each FINDING, or every one, in the unchanged machine, and see that it is still there.

    A finding that is named shows its shortest trace. One that is gone fails the run.
    """
    chosen = named("finding", names, FINDINGS, finding_named)
    caught = search_pinned(pin_of(each) for each in chosen)
    gone = [each.pin.name for each in caught if each.trace is None]
    if form == "json":
        write_json("findings", {"findings": [row(each) for each in caught], "gone": gone})
    else:
        write_text(caught, is_told=bool(names))
        click.echo(f"{counted(len(caught), 'finding')}, {len(gone)} gone")
    return Exit.BROKEN if any(each.problem for each in caught) else Exit.OK


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
