"""`malachi-model draw`: every picture, made from code and traces."""

from pathlib import Path

import click

from checker.commands.exits import CommandError, Exit
from checker.commands.folders import writable
from checker.commands.output import counted, progress_line, say
from checker.pictures.dots import drawings
from checker.pictures.rendering import NoRendererError, rendered
from checker.pictures.stories import everything, stories
from checker.ties.gathering import ROOT, NoCheckoutError, needs_checkout


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--graphs", "is_graphs", is_flag=True, help="Only the graphs, and no sequences.")
def draw(folder: Path | None, *, is_graphs: bool) -> Exit:
    """Write every picture into FOLDER, which is diagrams/ of the checkout: about 20 seconds.

    The lives of a segment, a roll and a view, the lineage of ranges, the house, the states of a
    small world, and the sequence of each defect's and finding's shortest counterexample. Each is
    SVG, the graphs are DOT beside it, and the sequences Mermaid.
    """
    try:
        needs_checkout("draw")
        into = writable(ROOT / "diagrams" if folder is None else folder)
        count = 0
        for each in drawings():
            (into / f"{each.name}.dot").write_text(each.dot, "utf-8")
            (into / f"{each.name}.svg").write_text(rendered(each), "utf-8")
            count += 1
    except (NoCheckoutError, NoRendererError) as error:
        raise CommandError(str(error)) from None
    with progress_line() as show:
        for story in stories(() if is_graphs else everything()):
            if show is not None:
                show(story.pin.name)
            (into / f"{story.pin.name}.mmd").write_text(story.told.diagram, "utf-8")
            (into / f"{story.pin.name}.svg").write_text(story.svg, "utf-8")
            count += 1
    say(f"{counted(count, 'picture')} in {into}")
    return Exit.OK
