"""The configuration file of a run: what stands on the command line counts before it."""

import tomllib
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from checker.commands.exits import CommandError, unknown_name

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
NAMES_ADAPTER = {"argv", "address", "reference"}


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
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from None
    found: dict[str, Any] = {}
    for key, value in sorted(content.items()):
        if key not in KEYS:
            raise unknown_name("setting", key, KEYS, "malachi-model conform run --help")
        option, kind = KEYS[key]
        if type(value) is not kind:
            raise CommandError(f"{path}: {key} is {value!r}, and not of the kind {kind.__name__}")
        if option.endswith("_path"):
            found[option] = path.parent / value
        else:
            found[option] = tuple(value) if kind is list else value
    return found
