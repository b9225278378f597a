"""A graph written for other tools: networkx, DOT, GraphML, JSON."""

from typing import TYPE_CHECKING

from checker.differences import shown
from checker.search.graph import Graph, Node

if TYPE_CHECKING:
    import networkx as nx

MOST_PARTS_SHOWN = 6
"""A drawn node shows its parts up to so many; where there are more, a tooltip does."""


def as_networkx(graph: Graph) -> "nx.MultiDiGraph[int]":
    """Answer the graph with numbered nodes; `parts` are attributes, as text, beside `depth`."""
    import networkx as nx  # noqa: PLC0415 - slow to import, and only this needs it

    made: nx.MultiDiGraph[int] = nx.MultiDiGraph(name=graph.name)
    for number, node in enumerate(graph.nodes):
        made.add_node(number, **_texts(node), depth=node.depth, states=node.states)
    for edge in graph.edges:
        made.add_edge(edge.source, edge.target, label=edge.label)
    return made


def as_graphml(graph: Graph) -> str:
    """Answer the graph as GraphML."""
    import networkx as nx  # noqa: PLC0415 - slow to import, and only this needs it

    return "\n".join(nx.generate_graphml(as_networkx(graph))) + "\n"


def as_dot(graph: Graph) -> str:
    """Answer the graph in the language of Graphviz; the initial state has two borders."""
    lines = [f"digraph {_quoted(graph.name)} {{", "  node [shape=box];"]
    for number, node in enumerate(graph.nodes):
        texts = [f"{name}: {text}" for name, text in _texts(node).items()]
        label = texts if len(texts) <= MOST_PARTS_SHOWN else [str(number)]
        border = " peripheries=2" if node.depth == 0 else ""
        tooltip = "" if label is texts else f" tooltip={_quoted(*texts)}"
        lines.append(f"  {number} [label={_quoted(*label)}{border}{tooltip}];")
    lines += [
        f"  {edge.source} -> {edge.target} [label={_quoted(edge.label)}];" for edge in graph.edges
    ]
    return "\n".join([*lines, "}"]) + "\n"


def as_json(graph: Graph) -> dict[str, object]:
    """Answer the graph as what JSON can hold."""
    return {
        "name": graph.name,
        "whole": graph.is_whole,
        "nodes": [
            {
                "id": number,
                "depth": node.depth,
                "states": node.states,
                "parts": _texts(node),
            }
            for number, node in enumerate(graph.nodes)
        ],
        "edges": [
            {"source": edge.source, "target": edge.target, "label": edge.label}
            for edge in graph.edges
        ],
    }


def _texts(node: Node) -> dict[str, str]:
    return {name: shown(value) for name, value in node.parts.items()}


def _quoted(*lines: str) -> str:
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") for line in lines]
    return '"' + "\\n".join(escaped) + '"'
