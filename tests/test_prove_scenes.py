"""Every function of the source on unknown integers, beside itself on known ones."""

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from checker.prove.drawing import Given
from checker.prove.exploring import (
    departure,
    difference,
    explored,
    overlapping,
    uncovered,
    with_quotients,
)
from checker.prove.scenes.every import REFUSED, SCENES, WITHOUT_NUMBERS
from checker.prove.scenes.scene import Scene
from tests.test_spec_clauses import FUNCTIONS, NEIGHBOURS

BOUNDARIES = Path(__file__).parent / "data" / "boundaries.json"
INPUTS = 30
"""For each scene. `python -m bench.paths` runs 10,000."""


def test_every_function_of_the_source_has_a_scene_or_a_reason() -> None:
    shown = {scene.function for scene in SCENES}

    assert not (FUNCTIONS | NEIGHBOURS) - shown - WITHOUT_NUMBERS - set(REFUSED)
    assert not shown & (WITHOUT_NUMBERS | set(REFUSED))


@cache
def boundaries() -> dict[str, list[Given]]:
    """The cases at the edges, by scene. `python -m bench.boundaries` writes them."""
    found: dict[str, list[Given]] = {}
    for scene, _, picks, values in json.loads(BOUNDARIES.read_text("utf-8")):
        found.setdefault(scene, []).append(Given(values, picks))
    return found


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_for_all_integers_exactly_one_path_says_what_a_function_does(scene: Scene) -> None:
    found = explored(scene)
    source = random.Random(scene.name)
    largest = max(found.values(), key=len)

    assert [shape for shape, paths in found.items() if uncovered(paths) is not None] == []
    assert [shape for shape, paths in found.items() if overlapping(paths) is not None] == []
    assert uncovered(largest[1:]) is not None
    assert uncovered(largest[:-1]) is not None
    assert overlapping((*largest, largest[-1])) == (len(largest) - 1, len(largest))
    assert [met for _ in range(INPUTS) if (met := difference(scene, found, source))] == []
    edges = boundaries()[scene.name]
    assert [met for case in edges if (met := departure(scene, found, case))] == []
    assert {path.condition for paths in found.values() for path in paths} == {
        path.condition
        for case in edges
        for path in found[frozenset(case.picks.items())]
        if all(atom.is_true(with_quotients(path, case.values)) for atom in path.condition)
    }


def test_a_path_that_says_something_else_is_noticed() -> None:
    scene = next(each for each in SCENES if each.name == "adopt_offsets")
    wrong = {
        shape: tuple(replace(path, outcome="something else") for path in paths)
        for shape, paths in explored(scene).items()
    }

    met = difference(scene, wrong, random.Random(1))

    assert met is not None
    assert "something else" in met.why


def test_a_path_that_is_missing_is_noticed() -> None:
    scene = next(each for each in SCENES if each.name == "raise_counter")

    met = difference(scene, {}, random.Random(1))

    assert met is not None
    assert met.why == "0 paths are for them"
