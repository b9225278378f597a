"""`malachi-model defects`: small changes of the machine, each of which a law has to notice."""

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
from checker.world.defects import DEFECTS, defect_named
from checker.world.kinds import Defect


@click.command()
@click.argument("names", nargs=-1, metavar="[DEFECT...]")
@out_option
@format_option
def defects(names: tuple[str, ...], folder: Path | None, form: Format) -> int:
    """Put each DEFECT, or every one, into the machine, and see which law catches it.

    A defect that is named shows its shortest counterexample.
    """
    chosen = named("defect", names, DEFECTS, defect_named)
    pins = [pin_of(each) for each in chosen]
    is_bare = form == "text" and not names and folder is None
    searched = settle_pinned(pins) if is_bare else search_pinned(pins)
    keep_all(searched.caught, folder)
    if form == "json":
        content = {"survivors": searched.missed, "unsearched": searched.unsearched}
        write_json("defects", {"defects": [row(each) for each in searched.caught], **content})
    else:
        write_text(searched.caught, is_told=bool(names))
        total = counted(len(searched.caught), "defect")
        say(f"{total}, {counted(len(searched.missed), 'survivor')}")
    return searched.exit


def pin_of(defect: Defect) -> Pin:
    """What has to come of a defect."""
    return Pin(
        kind="defect",
        name=defect.name,
        title=defect.title,
        words=f"The change: {defect.change}",
        law=defect.caught_by,
        steps=defect.steps,
        scope=defect.scope,
        build=defect.build,
    )
