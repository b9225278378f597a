"""The options of commands that search: how, and within what."""

import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click

from checker.commands.exits import CommandError
from checker.commands.output import complain
from checker.search.explore import Options
from checker.search.model import Model

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)B?", re.IGNORECASE)

MOST_BYTES = float(1 << 60)


class Bytes(click.ParamType[int]):
    """A size in bytes: `800M`, `1.5G`."""

    name = "size"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Answer the number of bytes."""
        found = SIZE.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r} is no size; write it as 800M or 1.5G", param, ctx)
        size = float(found[1]) * UNITS[found[2].upper()]
        if not 1 <= size < MOST_BYTES:
            self.fail(f"{value!r} is no size: give 1 byte or more, as 800M or 1.5G", param, ctx)
        return int(size)


class Folder(click.Path):
    """A folder in which files can be made."""

    def __init__(self) -> None:
        super().__init__(exists=True, file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 # as click has it
        """Answer the folder. Some folders say that they may be written, and take no files."""
        folder = super().convert(value, param, ctx)
        try:
            with TemporaryFile(dir=folder):
                return folder
        except OSError as error:
            self.fail(f"no file can be made in {str(folder)!r}: {error.strerror}", param, ctx)


class Seconds(click.ParamType[float]):
    """A time in seconds, more than none."""

    name = "seconds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Answer the seconds; `nan` is no number of them."""
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = 0.0
        if not seconds > 0:
            self.fail(f"{value!r} is no time: give seconds, more than 0", param, ctx)
        return seconds


OPTIONS = (
    click.option(
        "--workers",
        type=click.IntRange(1, 2),
        default=2,
        show_default=True,
        help="Threads of a large search.",
    ),
    click.option(
        "--memory", type=Bytes(), help="Hold so much memory; what does not fit goes to disk."
    ),
    click.option(
        "--spill",
        type=Folder(),
        help="The folder for what does not fit; that for temporary files by default.",
    ),
    click.option(
        "--checkpoint",
        type=click.Path(file_okay=False, path_type=Path),
        help="Keep checkpoints of large searches in this folder.",
    ),
    click.option(
        "--symmetry",
        is_flag=True,
        help="Search one of the states that differ only in names; its size is another. For"
        " scopes that `malachi-model scopes` marks with s.",
    ),
    click.option(
        "--reduction",
        is_flag=True,
        help="Leave out orders of steps that commute, in plain Python; size and traces are"
        " others. No listed scope gains by it: where nothing is left out, that is said, and the"
        " search is whole.",
    ),
    click.option("--resume", is_flag=True, help="Go on from the checkpoints in that folder."),
)


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a search; it takes them as `given`."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def options_for(model: Model, expected_states: int | None, given: dict[str, Any]) -> Options:
    """Answer the options of one search."""
    if given["symmetry"] and not model.symmetries:
        raise CommandError(f"{model.name} declares no symmetries: search it without --symmetry")
    if given["resume"] and given["checkpoint"] is None:
        raise CommandError("--resume goes on from a checkpoint: name its folder by --checkpoint")
    if given["symmetry"] and given["reduction"]:
        raise CommandError("--symmetry and --reduction do not go together: take one of them")
    return Options(expected_states=expected_states, warn=complain, **given)
