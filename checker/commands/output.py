"""How commands write: text or JSON on standard output, progress on a terminal's standard error."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

import click

Format = Literal["text", "json"]

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, or one JSON object.",
)


def write_json(schema: str, content: Mapping[str, object]) -> None:
    """Write one object, with the name of the schema that it keeps to."""
    named = {"schema": f"malachi-model/{schema}/1", **content}
    click.echo(json.dumps(named, indent=2, ensure_ascii=False))


def counted(number: int, noun: str) -> str:
    """`1 state`, `2 states`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


@contextmanager
def progress_line() -> Iterator[Callable[[str], None] | None]:
    """A line that is written over as work goes on; none where nobody is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - not needed in a pipe, and slow to import

    with Console(stderr=True).status("starting") as status:
        yield status.update
