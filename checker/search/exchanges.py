"""The exchanges that a model's symmetries make together, by places and ids."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from checker.search.faults import ModelError
from checker.search.model import Model, Symmetry

MOST_EXCHANGES = 5040
"""Seven interchangeable participants; more would not be quicker."""

Ids = tuple[int, ...]
"""The ids of some parts, or of all of them."""
Places = tuple[int, ...]
"""By part, by step or by name: where it goes."""
Carrying = tuple[tuple[int, list[int]], ...]
"""By part of what is made: the place of the id that comes there, and what it becomes."""


@dataclass(slots=True)
class Exchange:
    """One of all the exchanges."""

    parts: Places
    """By part: the part its value goes to."""
    steps: Places
    known: list[list[int]] = field(init=False)
    """By part and id: the id at the part it goes to."""
    sources: Places = field(init=False)
    """By part: the part whose value comes to it."""
    _whole: Carrying = field(init=False)

    def __post_init__(self) -> None:
        self.known = [[] for _ in self.parts]
        self.sources = tuple(sorted(range(len(self.parts)), key=self.parts.__getitem__))
        everything = range(len(self.parts))
        self._whole = self.carrying(everything, everything)

    def carrying(self, parts: Sequence[int], to: Sequence[int]) -> Carrying:
        """Answer how the ids of some parts become those of the parts that they go to."""
        places = {part: place for place, part in enumerate(parts)}
        sources = (self.sources[part] for part in to)
        return tuple((places[source], self.known[source]) for source in sources)

    def row(self, row: Ids) -> Ids:
        """Answer the renamed row."""
        return carried(self._whole, row)


def carried(carrying: Carrying, ids: Ids) -> Ids:
    """Answer the ids that others become."""
    return tuple([known[ids[place]] for place, known in carrying])


@dataclass(frozen=True, slots=True)
class Declared:
    """An exchange that a model declares, of which others are made."""

    symmetry: Symmetry
    exchange: Exchange
    reads: tuple[Carrying, ...]
    """By step: how what it reads becomes what its counterpart reads."""
    writes: tuple[Carrying, ...]
    names: Places
    """By name that stands in values alone: what it becomes."""


class Group(NamedTuple):
    """All exchanges, the first of which changes nothing."""

    exchanges: tuple[Exchange, ...]
    made_of: tuple[tuple[int, int], ...]
    """By exchange: an earlier one, and which of those declared comes after it."""
    products: tuple[tuple[int, ...], ...]
    """By exchange, and by the one declared that comes after it: what they make together."""

    def is_undone_by_itself(self, declared: int) -> bool:
        """Answer whether a declared exchange made twice changes nothing."""
        return self.products[self.products[0][declared]][declared] == 0


def group_of(model: Model, declared: Sequence[Declared]) -> Group:
    """Answer all exchanges that those declared make."""
    names = len(declared[0].names) if declared else 0
    sizes = len(model.initial), len(model.steps), names
    nothing = tuple(tuple(range(size)) for size in sizes)
    found, made_of, products = {nothing: 0}, [(0, 0)], list[list[int]]()
    waiting = [nothing]
    for number, first in enumerate(waiting):
        products.append([])
        for place, each in enumerate(declared):
            then = each.exchange.parts, each.exchange.steps, each.names
            both = tuple(
                tuple(moved[at] for at in places) for moved, places in zip(then, first, strict=True)
            )
            if both not in found:
                found[both] = len(waiting)
                waiting.append(both)
                made_of.append((number, place))
            products[-1].append(found[both])
            if len(found) > MOST_EXCHANGES:
                raise ModelError(f"{model.name}: its symmetries make more than {MOST_EXCHANGES}")
    return Group(
        tuple(Exchange(parts, steps) for parts, steps, _ in waiting),
        tuple(made_of),
        tuple(map(tuple, products)),
    )
