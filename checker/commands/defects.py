"""`malachi-model defects`: small changes of the machine, each of which a law has to notice."""

from pathlib import Path

import click

from checker.commands.exits import Exit, worst
from checker.commands.keeping import out_option
from checker.commands.negated import show_negated
from checker.commands.only import look, show_only
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
from checker.commands.strength import strength_of, write_strengths
from checker.world.defects import DEFECTS, defect_named
from checker.world.kinds import Defect


@click.command()
@click.argument("names", nargs=-1, metavar="[DEFECT...]")
@click.option(
    "--strength",
    "is_compared",
    is_flag=True,
    help="Show which of them the search alone catches, the prover alone, or both. For all of them"
    " about 2 minutes.",
)
@click.option(
    "--only",
    "is_only",
    is_flag=True,
    help="Show for each law the change that it alone notices, and try that again. The names are"
    " those of laws.",
)
@click.option(
    "--look",
    "is_looking",
    is_flag=True,
    help="Look for such a change for every law, and write the list of them (in a checkout).",
)
@click.option(
    "--negated",
    "is_negated",
    is_flag=True,
    help="Deny the conclusion of each law where its premise is met, and see how soon it falls. The"
    " names are those of laws.",
)
@out_option
@format_option
def defects(
    names: tuple[str, ...],
    is_compared: bool,
    is_only: bool,
    is_looking: bool,
    is_negated: bool,
    folder: Path | None,
    form: Format,
) -> int:
    """Put each DEFECT, or every one, into the machine, and see which law catches it.

    A defect that is named shows its shortest counterexample.
    """
    if looks := is_only + is_looking + is_negated:
        refuse_beside_laws(looks, is_compared, folder, names if is_looking else ())
        if is_looking:
            return look()
        return show_only(names, form) if is_only else show_negated(names, form)
    chosen = named("defect", names, DEFECTS, defect_named)
    pins = [pin_of(each) for each in chosen]
    is_bare = form == "text" and folder is None and (is_compared or not names)
    searched = settle_pinned(pins) if is_bare else search_pinned(pins)
    keep_all(searched.caught, folder)
    strengths = [strength_of(each) for each in searched.caught] if is_compared else []
    if form == "json":
        content: dict[str, object] = {
            "defects": [row(each) for each in searched.caught],
            "survivors": searched.missed,
            "unsearched": searched.unsearched,
        }
        if is_compared:
            content["strength"] = [each.as_json() for each in strengths]
        write_json("defects", content)
    elif is_compared:
        write_strengths(strengths)
    else:
        write_text(searched.caught, is_told=bool(names))
        total = counted(len(searched.caught), "defect")
        say(f"{total}, {counted(len(searched.missed), 'survivor')}")
    return worst([searched.exit, *(Exit.BROKEN for each in strengths if each.is_weaker)])


def refuse_beside_laws(
    looks: int, is_compared: bool, folder: Path | None, names: tuple[str, ...]
) -> None:
    """Refuse what does not go together with a look at laws, another look included."""
    if looks > 1:
        raise click.UsageError("--only, --look and --negated stand alone: give one of them")
    if is_compared or folder is not None:
        raise click.UsageError("--only, --look and --negated stand without --strength and --out")
    if names:
        raise click.UsageError(f"--look looks at every law: leave out {names[0]}")


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
