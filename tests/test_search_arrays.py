"""Large graphs are judged as small ones are: the two ways of looking agree on random graphs."""

import random
import time
from array import array

import pytest

from checker.models.toys import relay
from checker.search import lassos, progress
from checker.search.arrays import Arrays
from checker.search.components import backward, components, members
from checker.search.lassos import FairRuns
from checker.search.model import Model
from checker.search.progress import Finding, judge
from checker.search.recording import record
from checker.world.scopes import scope_named
from tests.test_search_progress import random_model

Graph = tuple["array[int]", "array[int]", bytearray, bytearray]


def random_graph(seed: int) -> Graph:
    """Answer starts and targets of a sparse graph, with a region and some other states."""
    draw = random.Random(seed)
    states = draw.randrange(2, 40)
    starts, targets = array("q", [0]), array("q")
    for _ in range(states):
        targets.extend(draw.randrange(states) for _ in range(draw.choice((0, 1, 1, 2))))
        starts.append(len(targets))
    region, goals = (
        bytearray(draw.random() < share for _ in range(states)) for share in (0.8, 0.2)
    )
    return starts, targets, region, goals


@pytest.mark.parametrize("seed", range(60))
def test_reach_and_components_are_the_same_either_way(seed: int) -> None:
    starts, targets, region, goals = random_graph(seed)

    arrays = Arrays(starts, targets)

    found = arrays.components(region).tolist()
    assert arrays.backward(goals) == backward(starts, targets, goals)
    assert sorted(members(found)) == sorted(members(components(starts, targets, region)))


def findings(model: Model, monkeypatch: pytest.MonkeyPatch, *, large: bool) -> tuple[Finding, ...]:
    """Judge the progress of a model as that of a large or a small graph."""
    most = -1 if large else 1 << 40
    monkeypatch.setattr(lassos, "LARGE", most)
    monkeypatch.setattr(progress, "LARGE", most)
    return judge(model)


@pytest.mark.parametrize("seed", range(80))
def test_random_graphs_have_the_same_lassos_either_way(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = random_model(seed)

    small = findings(model, monkeypatch, large=False)

    assert findings(model, monkeypatch, large=True) == small


@pytest.mark.parametrize("losses", [0, 2, None])
def test_a_toy_has_the_same_lasso_either_way(
    losses: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = findings(relay(losses), monkeypatch, large=False)

    assert findings(relay(losses), monkeypatch, large=True) == small


def test_ways_within_a_region_are_the_same_either_way() -> None:
    scope = scope_named("settling")
    assert scope is not None
    graph = record(scope.build(), max_depth=9)
    draw = random.Random(5)
    avoiding, owed = (bytearray(draw.random() < share for _ in graph.rows) for share in (0.9, 0.05))

    ways = Arrays(graph.starts, graph.targets).ways(avoiding, owed, graph.layers)

    expected = FairRuns(graph)._ways(avoiding, owed)  # noqa: SLF001 - what is compared
    assert ways.region() == bytearray(state in expected for state in range(len(graph.rows)))
    assert {
        state: (int(ways.distance[state]), int(ways.edge[state])) for state in expected
    } == expected


def test_a_graph_of_many_edges_is_looked_at_within_seconds() -> None:
    states, edges = 100_000, 600_000
    draw = random.Random(1)
    starts = array("q", range(0, edges + 1, edges // states))
    targets = array("q", (min(states - 1, n // 6 + draw.randrange(300)) for n in range(edges)))
    steps = array("l", (n % 6 for n in range(edges)))
    started = time.process_time()

    arrays = Arrays(starts, targets)
    component = arrays.components(bytearray(b"\1" * states))
    fair = arrays.fair(component, steps, frozenset(range(6)))
    reach = arrays.backward(bytearray(states - 1) + b"\1")

    assert time.process_time() - started < 10
    assert len(fair) == states
    assert fair.sum() == 1
    assert sum(reach) == states
