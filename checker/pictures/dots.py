"""The graphs as DOT: the house, the lives, the lineage of ranges, the states of a small scope."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import networkx as nx
import pydot

from checker.models.fencecore import fencecore
from checker.pictures.walking import Glance, Life, life, of_roll, of_segment, of_view
from checker.search.drawing import as_dot
from checker.search.graph import reachable
from checker.search.model import Model
from checker.ties.gathering import ROOT, pages_of
from checker.world.scopes import scope_named
from reference import controlplane
from reference.controlplane import Metadata, ranges_of
from spec.commands import CreateTopic, MergeRanges, SplitRange
from spec.vocabulary import Range, RangeId, Sequence, TopicName

FONT = "Courier"
"""What room is left for a text: as wide as the widest letters that a reader's own may have."""
FLOORS = ("spec", "reference", "checker")
STATES = 9
"""So many states of FenceCore are drawn, nearest first: more are no picture."""
BITS = 32
"""The size of the keyspace that the lineage is drawn of."""
LIVES: tuple[tuple[str, str, Glance, tuple[str, ...]], ...] = (
    ("segment", "The life of a segment", of_segment, ("roll", "retention")),
    ("roll", "The life of a roll and its fence", of_roll, ("roll", "faults")),
    ("view", "A frontend's view and the control plane", of_view, ("roll",)),
)
"""What lives, its title, what is seen of it, and in which worlds."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph with its words."""

    name: str
    title: str
    description: str
    """What stands in place of the picture for those who do not see it."""
    dot: str

    @property
    def mark(self) -> str:
        """What tells an SVG of this drawing from one of any other."""
        text = f"{self.title}\n{self.description}\n{self.dot}"
        return sha256(text.encode()).hexdigest()[:16]


def drawings() -> Iterator[Drawing]:
    """All of them."""
    yield house()
    yield lineage()
    yield states()
    for name, title, glance, scopes in LIVES:
        found = life((world(each) for each in scopes), glance)
        yield of_life(f"life-of-{name}", title, found)


def world(name: str) -> Model:
    """The world of a scope."""
    scope = scope_named(name)
    assert scope is not None, f"pictures are taken in the world called {name}"
    return scope.build()


def graph(name: str) -> pydot.Dot:
    """An empty graph, in the manner of all of them."""
    made = pydot.Dot(name, graph_type="digraph", rankdir="TB", bgcolor="transparent")
    made.set_node_defaults(shape="box", fontname=FONT)
    made.set_edge_defaults(fontname=FONT, fontsize="11")
    return made


def quoted(text: str) -> str:
    """A text as DOT has it; a new line stays one."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def drawn(name: str, title: str, arrows: dict[tuple[str, str], str], start: str = "") -> Drawing:
    """A drawing of arrows with labels; the description tells each of them."""
    made = graph(quoted(name))
    for node in dict.fromkeys(end for ends in sorted(arrows) for end in ends):
        made.add_node(pydot.Node(quoted(node), peripheries="2" if node == start else "1"))
    for (source, target), label in sorted(arrows.items()):
        made.add_edge(pydot.Edge(quoted(source), quoted(target), label=quoted(label)))
    said = [f"{a} to {b}" + (f" by {t}" if t else "") for (a, b), t in sorted(arrows.items())]
    text = "; ".join(said).replace("\n", ", ") + "."
    return Drawing(name, title, text, made.to_string())


def of_life(name: str, title: str, life: Life) -> Drawing:
    """A life as a drawing."""
    arrows = {ends: "\n".join(rules) for ends, rules in life.arrows.items()}
    return drawn(name, title, arrows, life.start)


def house(root: Path = ROOT) -> Drawing:
    """Which package imports which: the arrows point down. What others bring along is left out.

    The pages that stand beside the checker's packages are no package.
    """
    found: nx.DiGraph[str] = nx.DiGraph()
    for floor in FLOORS:
        for page in pages_of(root, floor):
            here = package(root, page.relative_to(root).with_suffix("").parts[:-1])
            for there in imported(root, page):
                if there != here and "checker" not in {here, there}:
                    found.add_edge(here, there)
    arrows = dict.fromkeys(sorted(reduced(found)), "")
    return drawn("house", "The house: which package imports which", arrows)


def reduced(found: "nx.DiGraph[str]") -> Iterator[tuple[str, str]]:
    """The arrows that no way over others stands for; those of a circle all stay."""
    circles = nx.condensation(found)
    of, kept = circles.graph["mapping"], nx.transitive_reduction(circles)
    for source, target in found.edges:
        if of[source] == of[target] or kept.has_edge(of[source], of[target]):
            yield source, target


def imported(root: Path, page: Path) -> Iterator[str]:
    """The packages of the house that a module imports."""
    for node in ast.walk(ast.parse(page.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            words = tuple(node.module.split("."))
            if words[0] in FLOORS:
                yield package(root, words)


def package(root: Path, words: tuple[str, ...]) -> str:
    """The package that a module is in, at most two words long."""
    first = words[:2]
    return ".".join(first if root.joinpath(*first).is_dir() else first[:1])


def lineage() -> Drawing:
    """What a split and a merge make of the ranges of a topic, told by the control plane."""
    topic = TopicName("t")
    metadata, arrows = Metadata(), {}
    first = RangeId(topic, Sequence(0))
    halves = RangeId(topic, Sequence(1)), RangeId(topic, Sequence(2))
    for command in (CreateTopic(topic, BITS), SplitRange(first), MergeRanges(*halves)):
        metadata, _ = controlplane.apply(metadata, command)
    known = dict(ranges_of(metadata, topic))
    for range_id, each in known.items():
        for parent in direct(each, known):
            rule = "split_range" if parent == first else "merge_ranges"
            arrows[described(parent, known), described(range_id, known)] = rule
    return drawn("lineage", "Ranges over a split and a merge", arrows, described(first, known))


def direct(each: Range, known: dict[RangeId, Range]) -> list[RangeId]:
    """The parents of a range that are no ancestors of another of its parents."""
    older = {one for parent in each.parents for one in known[parent].parents}
    return [parent for parent in each.parents if parent not in older]


def described(range_id: RangeId, known: dict[RangeId, Range]) -> str:
    """A range with its block of keys and its state."""
    each = known[range_id]
    keys = f"keys {each.key_start:#x} to {each.key_end:#x}"
    return f"{range_id.topic}.{range_id.seq}\n{keys}\n{each.state.name.lower()}"


def states() -> Drawing:
    """The first states of the smallest world."""
    found = reachable(fencecore(1, 1, 1), max_states=STATES)
    few = replace(found, name="states of fencecore-1-1-1")
    text = f"{len(few.nodes)} states and {len(few.edges)} steps, from the initial one on."
    style = f'node [shape=box, fontname="{FONT}"]; edge [fontname="{FONT}", fontsize=11];'
    style += " rankdir=LR; bgcolor=transparent;"
    dot = as_dot(few).replace("node [shape=box];", style)
    return Drawing("states", "The first states of FenceCore", text, dot)
