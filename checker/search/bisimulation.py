"""Which states nobody who sees only part of them can ever tell apart."""

from array import array
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from checker.search.components import components


class Arrow(NamedTuple):
    """An edge between numbered nodes."""

    source: int
    target: int
    label: str


def classes(seen: Sequence[Hashable], arrows: Sequence[Arrow]) -> list[int]:
    """Answer by node the number of its class, counted in the order of the nodes.

    Two nodes are in one class where the same is seen of them, and each can follow the other for
    ever: what changes what is seen has to be matched by an arrow of the same label into the same
    class, after any number of arrows that change nothing seen and stay in the class. (This is
    branching bisimilarity with those arrows as silent ones; whether they can go on for ever is
    not told.) Found by refining the partition until no class splits.
    """
    silent = [arrow for arrow in arrows if seen[arrow.source] == seen[arrow.target]]
    loud = [arrow for arrow in arrows if seen[arrow.source] != seen[arrow.target]]
    group = _groups(len(seen), silent)
    refiner = _Refiner(group, seen, silent, loud)
    blocks = refiner.blocks
    while True:
        finer = refiner.refine(blocks)
        if max(finer, default=0) == max(blocks, default=0):
            break
        blocks = finer
    numbers: dict[int, int] = {}
    return [numbers.setdefault(blocks[each], len(numbers)) for each in group]


def _groups(nodes: int, silent: Sequence[Arrow]) -> Sequence[int]:
    """Answer by node its circle of silent arrows, which nobody can see it go round."""
    leaving: list[list[int]] = [[] for _ in range(nodes)]
    for arrow in silent:
        leaving[arrow.source].append(arrow.target)
    starts, targets = array("q", [0]), array("q")
    for found in leaving:
        targets.extend(found)
        starts.append(len(targets))
    return components(starts, targets, bytearray(b"\1" * nodes))


class _Refiner:
    """Splits classes of groups by what can be seen from them. Lower groups are led to by others."""

    def __init__(
        self,
        group: Sequence[int],
        seen: Sequence[Hashable],
        silent: Sequence[Arrow],
        loud: Sequence[Arrow],
    ) -> None:
        count = max(group, default=-1) + 1
        self._silent: list[set[int]] = [set() for _ in range(count)]
        self._loud: list[set[tuple[str, int]]] = [set() for _ in range(count)]
        for source, target, _ in silent:
            if group[source] != group[target]:
                self._silent[group[source]].add(group[target])
        for source, target, label in loud:
            self._loud[group[source]].add((label, group[target]))
        looks: dict[int, Hashable] = dict(zip(group, seen, strict=True))
        numbers: dict[Hashable, int] = {}
        self.blocks = [numbers.setdefault(looks[each], len(numbers)) for each in range(count)]
        """By group: its class, at first by what is seen."""

    def refine(self, blocks: Sequence[int]) -> list[int]:
        """Answer finer classes: of those in one class that offer different things."""
        offers: list[frozenset[tuple[str | None, int]]] = []
        numbers: dict[Hashable, int] = {}
        finer = []
        for each, block in enumerate(blocks):
            offer: set[tuple[str | None, int]] = {
                (label, blocks[target]) for label, target in self._loud[each]
            }
            for target in self._silent[each]:
                if blocks[target] == block:
                    offer |= offers[target]
                else:
                    offer.add((None, blocks[target]))
            offers.append(frozenset(offer))
            finer.append(numbers.setdefault((block, offers[-1]), len(numbers)))
        return finer
