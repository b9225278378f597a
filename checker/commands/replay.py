"""`malachi-model replay`: recordings of a broker, judged call by call."""

from collections import Counter

import click

from checker.commands.exits import CommandError
from checker.commands.output import (
    Format,
    complain,
    counted,
    format_option,
    progress_line,
    say,
    write_json,
)
from checker.replay.deviations import DeviationsError
from checker.replay.replaying import replay_paths
from checker.replay.result import ReplayResult

SHOWN = 20
"""How many differences the text report shows whole."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@format_option
def replay(paths: tuple[str, ...], form: Format) -> int:
    """Run the reference beside recorded calls, and report where a recording departs.

    PATH is a recording, or a folder of them. Effects, reply, whole state, control plane and store
    are compared after every call.
    """
    try:
        with progress_line() as show:
            result = replay_paths(
                paths, lambda done, of: show(f"{done}/{of} files") if show else None
            )
    except DeviationsError as error:
        raise CommandError(str(error)) from None
    if form == "json":
        content = dict(result.as_json())
        del content["schema"]
        write_json("replay", content)
    else:
        write_text(result)
    for complaint in (*result.malformed, *result.unselected):
        complain(complaint.text())
    return result.exit_code


def write_text(result: ReplayResult) -> None:
    """Differences first, then the counts."""
    for difference in result.differences[:SHOWN]:
        say(difference.text())
    if len(result.differences) > SHOWN:
        say(f"and {len(result.differences) - SHOWN} more calls that differ (--format json)")
    for stale in result.stale:
        say(f"stale deviation: {stale.text()}")
    kinds = Counter((known.deviation, known.clause) for known in result.known)
    for (kind, clause), covered in sorted(kinds.items()):
        say(f"known deviation from {clause}, {kind}: {counted(covered, 'call')}")
    say(
        f"{result.verdict}: {counted(result.files, 'file')}, {counted(result.calls, 'call')}, "
        f"{result.agree:,} agree, {result.known_deviations:,} known deviations, "
        f"{result.unexplained:,} unexplained"
    )
