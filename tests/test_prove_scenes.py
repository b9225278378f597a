"""Every function of the source on unknown integers, beside itself on known ones."""

import random
from dataclasses import replace

import pytest

from checker.prove.exploring import difference, explored, overlapping, uncovered
from checker.prove.scenes.every import REFUSED, SCENES, WITHOUT_NUMBERS
from checker.prove.scenes.scene import Scene
from tests.test_spec_clauses import FUNCTIONS, NEIGHBOURS

INPUTS = 60
"""For each scene. `python -m bench.paths` runs 10,000."""


def test_every_function_of_the_source_has_a_scene_or_a_reason() -> None:
    shown = {scene.function for scene in SCENES}

    assert not (FUNCTIONS | NEIGHBOURS) - shown - WITHOUT_NUMBERS - set(REFUSED)
    assert not shown & (WITHOUT_NUMBERS | set(REFUSED))


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
