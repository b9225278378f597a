"""All paths of a scene, and what is asked of them: to cover all integers and to meet nowhere."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from checker.prove.concrete import concrete
from checker.prove.drawing import ExcludedError, Given, Random
from checker.prove.integers import Atom, value_of
from checker.prove.measuring import measuring
from checker.prove.paths import Explorer, Path
from checker.prove.scenes.scene import Scene
from checker.prove.solving import Clause, outside, shared

Shape = frozenset[tuple[str, int]]
"""The picks of a scene."""
Explored = Mapping[Shape, tuple[Path[object], ...]]
"""The paths of each shape."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Integers on which a scene does not do what its paths say."""

    picks: Mapping[str, int]
    values: Mapping[str, int]
    why: str


def explored(scene: Scene) -> Explored:
    """Every path of a scene, by its shape."""
    found: dict[Shape, list[Path[object]]] = {}
    explorer = Explorer()
    with measuring():
        for path in explorer.paths(lambda: scene.call(explorer)):
            found.setdefault(frozenset(path.picks.items()), []).append(path)
    return {shape: tuple(paths) for shape, paths in found.items()}


def domain_of(paths: Iterable[Path[object]]) -> Clause:
    """What was laid down of the unknowns of these paths, each condition once."""
    atoms: dict[Atom, None] = {}
    for path in paths:
        atoms |= dict.fromkeys(path.domain)
        for alternatives in path.assumed:
            assert len(alternatives) == 1, "a scene assumes nothing that has two sides"
            atoms |= dict.fromkeys(alternatives[0])
    return tuple(atoms)


def uncovered(paths: Iterable[Path[object]]) -> Mapping[str, int] | None:
    """Integers that none of these paths is for; none where they are for all of the domain."""
    some = tuple(paths)
    return outside(domain_of(some), [path.condition for path in some])


def overlapping(paths: Iterable[Path[object]]) -> tuple[int, int] | None:
    """Two of these paths that are for the same integers; none where none are."""
    some = tuple(paths)
    return shared(domain_of(some), [path.condition for path in some])


def difference(scene: Scene, found: Explored, source: random.Random) -> Difference | None:
    """Run a scene once on integers drawn by chance, beside its paths."""
    try:
        return departure(scene, found, Random(source))
    except ExcludedError:
        return None


def departure(scene: Scene, found: Explored, draw: Random | Given) -> Difference | None:
    """Run a scene once on integers that are drawn from somewhere, beside its paths."""
    with measuring():
        outcome = scene.call(draw)
    fitting = [
        (path, values)
        for path in found.get(frozenset(draw.picks.items()), ())
        for values in [with_quotients(path, draw.values)]
        if all(atom.is_true(values) for atom in path.condition)
    ]
    if len(fitting) != 1:
        return Difference(draw.picks, draw.values, f"{len(fitting)} paths are for them")
    [(path, values)] = fitting
    promised = concrete(path.outcome, values)
    if promised != outcome:
        return Difference(draw.picks, draw.values, f"{promised} is not {outcome}")
    return None


def with_quotients(path: Path[object], values: Mapping[str, int]) -> Mapping[str, int]:
    """The integers that were drawn, and those that follow from them."""
    if not path.quotients:
        return values
    every = dict(values)
    for name, (number, divisor) in path.quotients.items():
        every[name] = value_of(number, every) // divisor
    return every
