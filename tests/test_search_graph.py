"""The reachable graph, slices and views of it, and what other tools are given."""

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import jsonschema
import networkx as nx
import pytest

from checker.commands import check as check_command
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.models.fencecore import fencecore
from checker.models.toys import diners, relay
from checker.search.bisimulation import Arrow, classes
from checker.search.drawing import as_dot, as_graphml, as_networkx
from checker.search.faults import ModelError
from checker.search.graph import UNSEEN, Graph, around, projected, reachable, where
from checker.search.model import Model, Outcome, Step
from checker.search.plain import search
from checker.world.kinds import Scope
from tests.search_models import below, counters


def edges_of(graph: Graph) -> list[tuple[int, int, str]]:
    """Answer the edges as tuples."""
    return [(edge.source, edge.target, edge.label) for edge in graph.edges]


def test_the_graph_has_every_state_at_its_depth_and_every_outcome() -> None:
    graph, report = reachable(fencecore(2, 1, 1)), search(fencecore(2, 1, 1))

    assert len(graph.nodes) == report.states
    assert max(node.depth for node in graph.nodes) == report.depth
    assert graph.is_whole
    assert len(reachable(counters()).edges) == 40


def test_a_slice_by_depth_leaves_the_later_states_out() -> None:
    graph = reachable(counters(), max_depth=2)

    assert [dict(node.parts) for node in graph.nodes] == [
        {"left": 0, "right": 0},
        {"left": 1, "right": 0},
        {"left": 0, "right": 1},
        {"left": 2, "right": 0},
        {"left": 1, "right": 1},
        {"left": 0, "right": 2},
    ]
    assert not graph.is_whole
    assert (3, 5, "they swap") not in edges_of(graph)


def test_a_slice_by_a_predicate_keeps_the_edges_between_its_states() -> None:
    graph = where(reachable(counters()), lambda parts: parts["left"] == parts["right"])

    assert [dict(node.parts)["left"] for node in graph.nodes] == [0, 1, 2, 3]
    assert edges_of(graph) == [(each, each, "they swap") for each in range(4)]


@pytest.mark.parametrize(("radius", "states"), [(0, 3), (1, 8), (9, 16)])
def test_a_slice_around_a_trace_keeps_what_is_near_it(radius: int, states: int) -> None:
    trace = search(counters(laws=(below(2),))).trace
    assert trace is not None

    graph = around(reachable(counters()), trace, radius)

    assert len(graph.nodes) == states


def test_a_view_merges_the_states_of_which_the_same_is_seen() -> None:
    view = projected(reachable(relay(1)), ["receiver"])

    assert [(dict(node.parts), node.states) for node in view.nodes] == [
        ({"receiver": "waits"}, 4),
        ({"receiver": "served"}, 2),
    ]
    assert edges_of(view) == [(0, 1, "the letter arrives")]


def chooser() -> Model:
    """Answer a model that decides in secret whether it will ever ring."""

    def decide(mind: str) -> list[Outcome]:
        return [
            Outcome(f"it decides to {what}", (what,)) for what in ("ring", "rest") if mind == "open"
        ]

    def ring(mind: str, bell: str) -> list[Outcome]:
        can_ring = mind == "ring" and bell == "silent"
        return [Outcome("the bell rings", ("rung",))] if can_ring else []

    return Model(
        "chooser",
        {"mind": "open", "bell": "silent"},
        (
            Step("decide", "decide", ("mind",), ("mind",), decide),
            Step("ring", "ring", ("mind", "bell"), ("bell",), ring),
        ),
    )


def test_a_minimised_view_tells_states_apart_by_what_comes_after() -> None:
    merged = projected(reachable(chooser()), ["bell"])
    minimised = projected(reachable(chooser()), ["bell"], is_minimised=True)

    assert edges_of(merged) == [(0, 1, "the bell rings")]
    assert [dict(node.parts)["bell"] for node in minimised.nodes] == [
        "silent",
        "silent",
        "silent",
        "rung",
    ]
    assert edges_of(minimised) == [(0, 1, UNSEEN), (0, 2, UNSEEN), (1, 3, "the bell rings")]


def test_a_minimised_view_merges_what_only_silent_steps_tell_apart() -> None:
    minimised = projected(reachable(relay(3)), ["receiver"], is_minimised=True)

    assert [node.states for node in minimised.nodes] == [8, 4]
    assert edges_of(minimised) == [(0, 1, "the letter arrives")]


def test_a_view_of_a_part_that_is_not_there_is_refused() -> None:
    with pytest.raises(ModelError, match="its states show no part 'sender'"):
        projected(reachable(relay()), ["sender"])


def simulates(
    left: int, right: int, seen: Sequence[int], arrows: Sequence[Arrow], pairs: set[tuple[int, int]]
) -> bool:
    """Answer whether each arrow of one node is matched by the other, by the definition."""
    for arrow in arrows:
        if arrow.source != left:
            continue
        is_silent = seen[arrow.source] == seen[arrow.target]
        if is_silent and (arrow.target, right) in pairs:
            continue
        reach, stack = {right}, [right]
        while stack:
            place = stack.pop()
            for each in arrows:
                is_inert = each.source == place and seen[each.target] == seen[place]
                if is_inert and each.target not in reach:
                    reach.add(each.target)
                    stack.append(each.target)
        if not any(
            each.source in reach
            and (left, each.source) in pairs
            and (arrow.target, each.target) in pairs
            and (is_silent == (seen[each.source] == seen[each.target]))
            and (is_silent or each.label == arrow.label)
            for each in arrows
        ):
            return False
    return True


def bisimilar(seen: Sequence[int], arrows: Sequence[Arrow]) -> set[tuple[int, int]]:
    """Answer the largest branching bisimulation, by taking pairs away until none has to go."""
    pairs = {
        (left, right)
        for left, right in product(range(len(seen)), repeat=2)
        if seen[left] == seen[right]
    }
    while True:
        kept = {
            (left, right)
            for left, right in pairs
            if simulates(left, right, seen, arrows, pairs)
            and simulates(right, left, seen, arrows, pairs)
        }
        if kept == pairs:
            return pairs
        pairs = kept


@pytest.mark.parametrize("seed", range(60))
def test_classes_are_those_of_the_largest_bisimulation(seed: int) -> None:
    draw = random.Random(seed)
    seen = [draw.randrange(2) for _ in range(7)]
    arrows = [Arrow(draw.randrange(7), draw.randrange(7), draw.choice("ab")) for _ in range(10)]

    found = classes(seen, arrows)

    same = {pair for pair in product(range(7), repeat=2) if found[pair[0]] == found[pair[1]]}
    assert same == bisimilar(seen, arrows)


def test_networkx_is_given_the_states_as_text() -> None:
    made = as_networkx(reachable(diners()))

    assert isinstance(made, nx.MultiDiGraph)
    assert made.nodes[0] == {
        "left fork": "free",
        "right fork": "free",
        "depth": 0,
        "states": 1,
    }
    assert made.number_of_edges() == len(reachable(diners()).edges)
    assert [node for node, out in made.out_degree() if out == 0] != []


def test_graphml_is_read_back_as_the_same_graph(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_text(as_graphml(reachable(diners())), "utf-8")

    read, given = nx.read_graphml(path, node_type=int), as_networkx(reachable(diners()))
    assert [read.nodes[node] for node in read] == [given.nodes[node] for node in given]
    assert sorted(read.edges(data="label")) == sorted(given.edges(data="label"))


def test_dot_names_every_node_and_edge_and_marks_the_initial_state() -> None:
    text = as_dot(projected(reachable(relay(1)), ["receiver"]))

    assert text == (
        'digraph "relay" {\n'
        "  node [shape=box];\n"
        '  0 [label="receiver: waits" peripheries=2];\n'
        '  1 [label="receiver: served"];\n'
        '  0 -> 1 [label="the letter arrives"];\n'
        "}\n"
    )


def test_dot_shows_many_parts_in_a_tooltip_and_quotes_what_it_must() -> None:
    model = counters(initial={"left": 0, "right": 0, **{f'a "{n}"\\': "x\ny" for n in range(9)}})

    text = as_dot(reachable(model, max_depth=0))

    assert '0 [label="0" peripheries=2 tooltip="left: 0\\nright: 0\\na \\"0\\"\\\\: x y' in text


def stands_for(monkeypatch: pytest.MonkeyPatch, model: Model) -> None:
    """Let every scope name stand for one model."""
    scope = Scope("toy", "a toy", lambda: model)
    monkeypatch.setattr(check_command, "scope_named", lambda _: scope)


def test_the_command_writes_json_that_keeps_to_its_schema(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_for(monkeypatch, diners())

    code = run(["graph", "toy", "--format", "json", "--where", "left fork=free"])

    graph = json.loads(capsys.readouterr().out)
    jsonschema.validate(graph, json.loads(schema_text("graph")))
    assert code == Exit.OK
    assert {node["parts"]["left fork"] for node in graph["nodes"]} == {"free"}


def test_the_command_writes_graphml_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"

    code = run(["graph", "fencecore-2-1-1", "--depth", "3", "--format", "graphml", "-o", str(path)])

    assert code == Exit.OK
    assert nx.read_graphml(path).nodes["0"]["depth"] == 0


def test_the_command_shows_the_view_of_one_frontend(capsys: pytest.CaptureFixture[str]) -> None:
    project = ["--project", "cached f0", "--project", "owed f0"]

    merged = run(["graph", "fencecore-2-1-1", *project]), capsys.readouterr().out
    minimised = run(["graph", "fencecore-2-1-1", *project, "--minimise"]), capsys.readouterr().out

    assert merged[0] == minimised[0] == Exit.OK
    assert 0 < merged[1].count("cached f0") < minimised[1].count("cached f0") < 2_857


def test_the_command_looks_around_the_counterexample(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_for(monkeypatch, counters(laws=(below(2),)))

    code = run(["graph", "toy", "--around", "0"])

    assert code == Exit.OK
    assert capsys.readouterr().out.count('label="left: 0') == 3


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--max-states", "5"], Exit.UNFINISHED, "toy has more than 5 states: give a smaller"),
        (["--minimise"], Exit.USAGE, "--minimise needs --project"),
        (["--project", "lef"], Exit.USAGE, "there is no part 'lef': did you mean left?"),
        (["--where", "left"], Exit.USAGE, "--where 'left' is not of the form PART=VALUE"),
        (["--where", "up=1"], Exit.USAGE, "there are left, right"),
        (["--where", "left=9"], Exit.NOTHING, "no state is left"),
        (["--around", "1"], Exit.NOTHING, "toy has no counterexample"),
        (["-o", "no/such/place"], Exit.USAGE, "no/such/place cannot be written"),
    ],
)
def test_what_the_command_cannot_do_is_one_line_and_an_exit_code(
    arguments: list[str],
    code: Exit,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stands_for(monkeypatch, counters())

    found = run(["graph", "toy", *arguments])

    (line,) = capsys.readouterr().err.splitlines()
    assert found == code
    assert said in line


def test_dot_needs_no_heavy_library() -> None:
    probe = (
        "import sys; from checker.commands.main import run; run(['graph', 'fencecore-1-1-1']);"
        "sys.exit(sorted({'numba', 'numpy', 'networkx', 'rich'} & set(sys.modules)) or 0)"
    )

    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")


def test_the_graph_is_the_same_under_every_hash_seed() -> None:
    probe = (
        "from checker.commands.main import run;"
        "run(['graph', 'fencecore-2-1-1', '--project', 'cp', '--minimise'])"
    )

    said = {
        subprocess.run(
            [sys.executable, "-c", probe],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(said) == 1
