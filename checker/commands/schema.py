"""`malachi-model schema`: the published schemas of what the other commands write as JSON."""

from importlib.resources import files

import click

from checker.commands.exits import unknown_name
from checker.commands.output import say

SUFFIX = ".schema.json"


def schema_names() -> tuple[str, ...]:
    """The commands whose JSON has a schema."""
    found = (entry.name for entry in files("checker.schemas").iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX)))


def schema_text(name: str) -> str:
    """The JSON Schema of one command's output."""
    return files("checker.schemas").joinpath(name + SUFFIX).read_text("utf-8")


@click.command()
@click.argument("name", required=False)
def schema(name: str | None) -> None:
    """Print the JSON Schema of a command's output, or list those there are."""
    if name is None:
        for each in schema_names():
            say(each)
        return
    if name not in schema_names():
        raise unknown_name("schema", name, schema_names(), "malachi-model schema")
    say(schema_text(name), nl=False)
