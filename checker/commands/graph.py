"""`malachi-model graph`: the reachable graph of a world, a slice or a view of it."""

import json
from pathlib import Path
from typing import Literal

import click

from checker.commands.check import scopes_named
from checker.commands.exits import CommandError, Exit
from checker.commands.output import say
from checker.commands.reports import shown_by
from checker.differences import shown
from checker.nearest import unknown
from checker.search.drawing import as_dot, as_graphml, as_json
from checker.search.graph import Graph, around, projected, reachable, where
from checker.search.plain import search
from checker.world.kinds import Scope

GraphFormat = Literal["dot", "graphml", "json"]


@click.command("graph")
@click.argument("name", metavar="SCOPE")
@click.option(
    "--format",
    "form",
    type=click.Choice(["dot", "graphml", "json"]),
    default="dot",
    show_default=True,
)
@click.option("--depth", type=click.IntRange(min=0), help="Only states so few steps away.")
@click.option(
    "--where",
    "wheres",
    multiple=True,
    metavar="PART=VALUE",
    help="Only states that show this value; may be given again.",
)
@click.option(
    "--around",
    "radius",
    type=click.IntRange(min=0),
    metavar="N",
    help="Only states so near to the counterexample of the scope.",
)
@click.option(
    "--project",
    "parts",
    multiple=True,
    metavar="PART",
    help="Merge the states that show the same in this part, or in all of these parts.",
)
@click.option(
    "--minimise",
    "is_minimised",
    is_flag=True,
    help="With --project: merge only what nobody who sees those parts can ever tell apart.",
)
@click.option("--max-states", type=click.IntRange(min=1), default=20_000, show_default=True)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file."
)
def graph_command(
    name: str,
    form: GraphFormat,
    depth: int | None,
    wheres: tuple[str, ...],
    radius: int | None,
    parts: tuple[str, ...],
    is_minimised: bool,
    max_states: int,
    output: Path | None,
) -> int:
    """Write the graph of SCOPE for other tools.

    A part is named as the nodes of the graph show it. Slices are cut before a view is taken.
    """
    (scope,) = scopes_named([name])
    if is_minimised and not parts:
        raise CommandError("--minimise needs --project: say which parts are seen")
    graph = whole_graph(scope, depth, max_states)
    for condition in wheres:
        graph = where_shown(graph, condition)
    if radius is not None:
        graph = near_counterexample(scope, graph, radius)
    if not graph.nodes:
        raise CommandError("no state is left: the slices have nothing in common", Exit.NOTHING)
    if parts:
        for part in parts:
            check_part(graph, part)
        graph = projected(graph, parts, is_minimised=is_minimised)
    write(written(graph, form), output)
    return Exit.OK


def whole_graph(scope: Scope, depth: int | None, max_states: int) -> Graph:
    """The graph, or its first layers; an error where it is too large to be of use."""
    graph = reachable(scope.build(), max_states=max_states, max_depth=depth, show=scope.show)
    if len(graph.nodes) > max_states:
        raise CommandError(
            f"{scope.name} has more than {max_states:,} states:"
            " give a smaller --depth or a larger --max-states",
            Exit.UNFINISHED,
        )
    return graph


def where_shown(graph: Graph, condition: str) -> Graph:
    """The slice of the states that show a value."""
    part, sign, value = condition.partition("=")
    if not sign:
        raise CommandError(f"--where {condition!r} is not of the form PART=VALUE")
    check_part(graph, part)
    return where(graph, lambda parts: shown(parts[part]) == value)


def near_counterexample(scope: Scope, graph: Graph, radius: int) -> Graph:
    """The slice around the shortest counterexample."""
    trace = search(scope.build()).trace
    if trace is None:
        raise CommandError(f"{scope.name} has no counterexample to look around", Exit.NOTHING)
    return around(graph, shown_by(scope, trace), radius)


def check_part(graph: Graph, part: str) -> None:
    """Refuse a part that the states do not show."""
    known = [] if not graph.nodes else list(graph.nodes[0].parts)
    if part not in known:
        said, listed = unknown("part", part, known), ", ".join(known)
        raise CommandError(said if listed in said else f"{said} (the states show {listed})")


def written(graph: Graph, form: GraphFormat) -> str:
    """The graph in one of the formats."""
    match form:
        case "dot":
            return as_dot(graph)
        case "graphml":
            return as_graphml(graph)
        case "json":
            named = {"schema": "malachi-model/graph/1", **as_json(graph)}
            return json.dumps(named, indent=2, ensure_ascii=True) + "\n"


def write(text: str, output: Path | None) -> None:
    """Write to a file, or to standard output."""
    if output is None:
        say(text, nl=False)
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"{output} cannot be written: {error.strerror}") from error
