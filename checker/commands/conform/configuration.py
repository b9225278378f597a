"""The configuration file of a run: what stands on the command line counts before it."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from checker.commands.exits import CommandError
from checker.conform.messages import LEVELS
from checker.conform.tomls import TomlError, read_toml
from checker.nearest import unknown

DEFAULT = Path("malachi-conform.toml")
KEYS: dict[str, tuple[str, Any]] = {
    "program": ("argv", list),
    "connect": ("address", str),
    "tcp": ("tcp", bool),
    "profiles": ("profiles", list),
    "only": ("only", list),
    "walks": ("walks", int),
    "seed": ("seed", int),
    "level": ("level", str),
    "known": ("known_path", str),
    "events": ("events_path", str),
    "junit": ("junit_path", str),
    "markdown": ("markdown_path", str),
    "sarif": ("sarif_path", str),
    "html": ("html_path", str),
    "start_ms": ("start_ms", int),
    "turn_ms": ("turn_ms", int),
}
"""Each key with the option that it stands for, and what its value is."""
BOUNDS = {
    "walks": (0, 1_000_000),
    "start_ms": (1, 86_400_000),
    "turn_ms": (1, 86_400_000),
    "effects": (0, 1_000_000_000),
}
"""The least and the most that a number may be; no time is longer than a day."""
NAMES_ADAPTER = {"argv", "address", "reference"}


def bounded(option: str) -> click.IntRange:
    """The numbers that an option takes."""
    least, most = BOUNDS[option]
    return click.IntRange(least, most)


def with_configuration(given: dict[str, Any]) -> dict[str, Any]:
    """The options, with those of the file where the command line says nothing."""
    path = given["config"]
    if path is None and not DEFAULT.exists():
        return given
    context = click.get_current_context()
    names_adapter = any(given[name] for name in NAMES_ADAPTER)
    merged = dict(given)
    for name, value in read(path or DEFAULT).items():
        is_said = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not is_said and not (name in NAMES_ADAPTER and names_adapter):
            merged[name] = value
    return merged


def read(path: Path) -> dict[str, Any]:
    """The options that a file sets. Paths in it are taken from where the file lies."""
    try:
        content = read_toml(path)
    except TomlError as error:
        raise CommandError(str(error)) from None
    found: dict[str, Any] = {}
    for key, value in sorted(content.items()):
        if key not in KEYS:
            said = unknown("setting", key, KEYS, "malachi-model conform run --help")
            raise CommandError(f"{path}: {said}")
        option, kind = KEYS[key]
        if wrong := mistake(option, kind, value):
            raise CommandError(f"{path}: {key} is {value!r}, and {wrong}")
        if option.endswith("_path"):
            found[option] = path.parent / value
        else:
            found[option] = tuple(value) if kind is list else value
    return found


def mistake(option: str, kind: type, value: object) -> str:
    """What is wrong with the value of an option; nothing where it can be used."""
    if type(value) is not kind:
        return f"not of the kind {kind.__name__}"
    if isinstance(value, list) and not all(isinstance(each, str) for each in value):
        return "not all of it is text"
    if option == "level" and value not in LEVELS:
        return f"not one of {', '.join(LEVELS)}"
    if isinstance(value, int) and option in BOUNDS:
        least, most = BOUNDS[option]
        return "" if least <= value <= most else f"not from {least} to {most}"
    return ""
