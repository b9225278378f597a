"""An explanation as a terminal shows it, with tables."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from checker.commands.telling import FOREVER, UNBROKEN, Told, facts, heading
from checker.explaining import Explanation


def drawn(found: Explanation, told: Told) -> Iterator[RenderableType]:
    """The pieces, from top to bottom."""
    yield Text(heading(found), style="bold")
    said = Table(show_header=False, box=None, pad_edge=False)
    for what, text in facts(found):
        said.add_row(Text(what, style="dim"), Text(text))
    yield said
    yield ""
    if not told.steps:
        yield Text(UNBROKEN)
        return
    yield Text(f"{told.words}:")
    for number, (phrase, rows) in enumerate(told.steps, 1):
        if told.loop == number - 1:
            yield Text(FOREVER)
        yield Text(f"{number}. {phrase}", style="bold")
        changed = Table("place", "before", "after")
        for row in rows:
            changed.add_row(*map(Text, row))
        yield Padding(changed if rows else Text("nothing changes"), (0, 0, 0, 3))
    if told.remark:
        yield Text(told.remark)
    broken = f"This breaks {found.law.name} [{found.law.clause}]: {found.law.sentence}"
    yield Text(broken, style="bold red")
    yield Text(f"See it again: {told.again}")
    yield ""
    yield Text(told.diagram.rstrip("\n"))
