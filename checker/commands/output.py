"""How commands write: text or JSON on standard output, progress on a terminal's standard error."""

import errno
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Literal

import click

from checker.replay.terms import printable

Format = Literal["text", "json"]

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, or one JSON object.",
)


class Trouble:
    """What went wrong with standard output, if anything did: the first of it counts."""

    error: OSError | None = None


def say(text: str, *, nl: bool = True) -> None:
    """Write on standard output. Where that fails the command goes on, and its end tells."""
    if sys.stdout is None:
        Trouble.error = OSError(errno.EBADF, "it is closed")
    if Trouble.error is not None:
        return
    try:
        sys.stdout.write(text + "\n" * nl)
    except OSError as error:
        Trouble.error = error


def deliver() -> None:
    """Bring what was written to its reader now, before something that takes long."""
    if sys.stdout is None or Trouble.error is not None:
        return
    try:
        sys.stdout.flush()
    except OSError as error:
        Trouble.error = error


LONG = re.compile(r"\S{400,}")
"""No name and hardly a path is as long as that."""


def shortened(word: re.Match[str]) -> str:
    """The ends of a long word."""
    return f"{word[0][:100]}...{word[0][-20:]}"


def complain(line: str) -> None:
    """Write one line on standard error, if there is anybody to read it."""
    if sys.stderr is None:
        return
    with suppress(OSError):
        sys.stderr.write(f"malachi-model: {printable(LONG.sub(shortened, line))}\n")
        sys.stderr.flush()


def write_json(schema: str, content: Mapping[str, object]) -> None:
    """Write one object, with the name of the schema that it keeps to."""
    say(json.dumps({"schema": f"malachi-model/{schema}/1", **content}, indent=2))


def is_watched() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def settle() -> OSError | None:
    """Bring what was written to its reader; answer what went wrong with that.

    Nothing is left for the interpreter to write at its end, where it would fail once more.
    """
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        try:
            if stream is not None:
                stream.flush()
        except OSError as error:
            if number == 1 and Trouble.error is None:
                Trouble.error = error
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
    trouble, Trouble.error = Trouble.error, None
    return trouble


def counted(number: int, noun: str) -> str:
    """`1 state`, `2 states`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


@contextmanager
def progress_line() -> Iterator[Callable[[str], None] | None]:
    """A line that is written over as work goes on; none where nobody is watching."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - not needed in a pipe, and slow to import

    with Console(stderr=True).status("starting") as status:
        yield status.update
