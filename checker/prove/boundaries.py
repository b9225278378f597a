"""The values at the edges of conditions: for each path some, and for each condition three.

A fault that moves an edge by one shows at the edge and nowhere else, and chance seldom meets it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from checker.prove.drawing import Given, drawing
from checker.prove.exploring import Explored, domain_of
from checker.prove.integers import Atom
from checker.prove.measuring import measuring
from checker.prove.paths import Path
from checker.prove.scenes.scene import Scene
from checker.prove.solving import Solver, Values


@dataclass(frozen=True, slots=True)
class Case:
    """Shapes and integers on which to call a function."""

    scene: str
    why: str
    """`n <= 3, at its edge`."""
    picks: Mapping[str, int]
    values: Mapping[str, int]


def cases(scene: Scene, found: Explored) -> Iterator[Case]:
    """Yield a case for each way of deciding, and three for each condition, where there are such."""
    decided: set[tuple[Atom, ...]] = set()
    asked: set[Atom] = set()
    for paths in found.values():
        domain = domain_of(paths)
        for path in paths:
            if path.condition not in decided:
                decided.add(path.condition)
                yield Case(scene.name, "a path", path.picks, path.witness)
            yield from _edges(scene, path, domain, asked)


def _edges(
    scene: Scene, path: Path[object], domain: Iterable[Atom], asked: set[Atom]
) -> Iterator[Case]:
    for place, atom in enumerate(path.condition):
        plain = atom._replace(holds=True)
        if plain in asked:
            continue
        asked.add(plain)
        for step, where in ((-1, "below its edge"), (0, "at its edge"), (1, "above its edge")):
            at = Atom(atom.parts, "==", atom.bound + step)
            values = _fulfilling((*domain, *path.condition[:place], at))
            if values is not None:
                yield Case(scene.name, f"{plain}, {where}", path.picks, values)


def _fulfilling(conditions: tuple[Atom, ...]) -> Values | None:
    solver = Solver()
    return solver.fulfilled(*conditions)


def called(scene: Scene, case: Case) -> object:
    """What the function does in a case."""
    draw = Given(case.values, case.picks)
    with measuring(), drawing(draw):
        return scene.call(draw)
