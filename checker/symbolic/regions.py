"""Sets of the unknown integers, each known by the conditions that hold in it.

A region is a small integer; `EVERYWHERE` is the first one. What was asked of the solver once is
known from then on.
"""

from collections.abc import Iterable

from checker.prove.integers import Atom
from checker.prove.solving import Clause, Solver, Values

EVERYWHERE = 0
NOWHERE = -1


class Regions:
    """All regions that a search has met, within a domain."""

    def __init__(self, domain: Clause) -> None:
        self._solver = Solver()
        self._solver.push(domain)
        self.atoms: list[Clause] = []
        """The conditions of each region, none of which follows from the others."""
        self.witnesses: list[Values] = []
        """Integers in each region."""
        self._ids: dict[Clause, int] = {}
        self._narrowed: dict[tuple[int, Atom], int] = {}
        self._met: dict[tuple[int, int], int] = {}
        self._covered: dict[tuple[int, tuple[int, ...]], bool] = {}
        witness = self._solver.fulfilled()
        assert witness is not None, "some integers lie in the domain"
        self._known((), witness)

    @property
    def calls(self) -> int:
        """How often the solver was asked."""
        return self._solver.calls

    def narrowed(self, region: int, atom: Atom) -> int:
        """The part of a region in which a condition holds: the region itself, or nowhere."""
        found = self._narrowed.get((region, atom))
        if found is None:
            found = self._narrowed[region, atom] = self._narrow(region, atom)
        return found

    def met(self, one: int, other: int) -> int:
        """What two regions have in common."""
        if one in {EVERYWHERE, other}:
            return other
        if other == EVERYWHERE:
            return one
        pair = (one, other) if one < other else (other, one)
        found = self._met.get(pair)
        if found is None:
            found = pair[0]
            for atom in self.atoms[pair[1]]:
                found = self.narrowed(found, atom) if found != NOWHERE else found
            self._met[pair] = found
        return found

    def is_covered(self, region: int, others: tuple[int, ...]) -> bool:
        """Whether a region lies in some others, taken together."""
        found = self._covered.get((region, others))
        if found is None:
            found = self._covered[region, others] = self._is_covered(region, others)
        return found

    def fewest(self, region: int, within: Iterable[Atom] = ()) -> Values:
        """The integers of a region that add up to the least, or nearly so."""
        best = self._solver.fulfilled(*self.atoms[region], *within)
        assert best is not None, "a region that is somewhere has integers in it"
        names = sorted(best)
        low, high = -1, sum(best.values())
        while high - low > 1:
            middle = (low + high) // 2
            total = Atom(tuple((name, 1) for name in names), "<=", middle)
            found = self._solver.fulfilled(*self.atoms[region], *within, total)
            if found is None:
                low = middle
            else:
                best, high = found, sum(found.get(name, 0) for name in names)
        return best

    def _is_covered(self, region: int, others: tuple[int, ...]) -> bool:
        if any(self.met(region, other) == region for other in others):
            return True
        if len(others) == 1:
            return False
        self._solver.push(*(((),) if region == EVERYWHERE else (self.atoms[region],)))
        for other in others:
            self._solver.push(*((atom.negated,) for atom in self.atoms[other]))
        left = self._solver.fulfilled()
        for _ in range(len(others) + 1):
            self._solver.pop()
        return left is None

    def _narrow(self, region: int, atom: Atom) -> int:
        atoms, witness = self.atoms[region], self.witnesses[region]
        is_met = atom.is_true(witness)
        inside = witness if is_met else self._solver.fulfilled(*atoms, atom)
        if inside is None:
            return NOWHERE
        if is_met and self._solver.fulfilled(*atoms, atom.negated) is None:
            return region
        kept = atoms
        for each in atoms:
            rest = tuple(other for other in kept if other != each)
            if self._solver.fulfilled(*rest, atom, each.negated) is None:
                kept = rest
        return self._known(tuple(sorted((*kept, atom))), inside)

    def _known(self, atoms: Clause, witness: Values) -> int:
        found = self._ids.get(atoms)
        if found is None:
            found = self._ids[atoms] = len(self.atoms)
            self.atoms.append(atoms)
            self.witnesses.append(witness)
        return found
