"""What a solver says of conditions: whether some integers fulfil them, and which."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import z3

from checker.prove.integers import Atom

Values = dict[str, int]
"""What each unknown is; one that is not named is 0."""
Clause = tuple[Atom, ...]
"""Conditions that hold together."""


_DEFINED = re.compile(r"\(define-fun (?:([^\s|]+)|\|([^|]*)\|) \(\) Int\s+(?:\(- (\d+)\)|(\d+))\)")


Hearer = Callable[[str, str], None]
"""Is told of each question, as SMT-LIB, and of its answer."""


class UndecidedError(Exception):
    """The solver gave up: nothing is known."""


class Solver:
    """Conditions in a stack, and whether all of them can be fulfilled at once."""

    def __init__(self, timeout: float | None = None, hear: Hearer | None = None) -> None:
        self._hear = hear
        self._solver = z3.SimpleSolver()
        self._end = None if timeout is None else time.process_time() + timeout
        if timeout is not None:
            self._solver.set("timeout", max(1, round(timeout * 1000)))
        self._unknowns: dict[str, z3.ArithRef] = {}
        self._formulas: dict[Atom, z3.BoolRef] = {}
        self._bound: Counter[str] = Counter()
        """In how many of the conditions in the stack an unknown stands."""
        self._frames: list[tuple[str, ...]] = []
        self.calls = 0

    def push(self, *alternatives: Clause) -> None:
        """Ask that one of these holds, until the pop that belongs to it."""
        self._solver.push()
        self._solver.assert_exprs(self._any(alternatives))
        names = tuple(name for clause in alternatives for atom in clause for name, _ in atom.parts)
        self._frames.append(names)
        self._bound.update(names)

    def pop(self) -> None:
        """Take back what was pushed last."""
        self._solver.pop()
        self._bound.subtract(self._frames.pop())

    def is_free(self, name: str) -> bool:
        """Whether no condition is about this unknown."""
        return self._bound[name] == 0

    def fulfilled(self, *further: Atom) -> Values | None:
        """Integers that fulfil all conditions and these; none where there are none."""
        self._solver.push()
        for atom in further:
            self._solver.assert_exprs(self._formula(atom))
        self.calls += 1
        answer = self._solver.check()
        if self._hear is not None:
            self._hear(str(self._solver.to_smt2()), str(answer))
        try:
            if self._end is not None and time.process_time() > self._end:
                raise UndecidedError("the time is used up")
            if answer == z3.unknown:
                raise UndecidedError(f"the solver gave up: {self._solver.reason_unknown()}")
            return _values(self._solver.model()) if answer == z3.sat else None
        finally:
            self._solver.pop()

    def _any(self, alternatives: Sequence[Clause]) -> z3.BoolRef:
        clauses = [self._all(clause) for clause in alternatives]
        return clauses[0] if len(clauses) == 1 else z3.Or(clauses)

    def _all(self, clause: Clause) -> z3.BoolRef:
        formulas = [self._formula(atom) for atom in clause]
        return formulas[0] if len(formulas) == 1 else z3.And(formulas)

    def _formula(self, atom: Atom) -> z3.BoolRef:
        if atom not in self._formulas:
            total = sum(
                self._unknown(name) if times == 1 else times * self._unknown(name)
                for name, times in atom.parts
            )
            found = total <= atom.bound if atom.kind == "<=" else total == atom.bound
            self._formulas[atom] = found if atom.holds else z3.Not(found)
        return self._formulas[atom]

    def _unknown(self, name: str) -> z3.ArithRef:
        if name not in self._unknowns:
            self._unknowns[name] = z3.Int(name)
        return self._unknowns[name]


def _values(model: z3.ModelRef) -> Values:
    """Read a model as it is written: one call for all its unknowns."""
    return {
        bare or quoted: -int(negative) if negative else int(positive)
        for bare, quoted, negative, positive in _DEFINED.findall(model.sexpr())
    }


def outside(domain: Iterable[Atom], conditions: Sequence[Clause]) -> Values | None:
    """Integers of a domain for which none of these conditions holds; none where all are covered."""
    if () in conditions:
        return None
    solver = Solver()
    solver.push(tuple(domain))
    for clause in conditions:
        solver.push(*((atom.negated,) for atom in clause))
    return solver.fulfilled()


def shared(domain: Iterable[Atom], conditions: Sequence[Clause]) -> tuple[int, int] | None:
    """Two of these conditions that some integers of a domain fulfil both; none where none are."""
    pairs = [
        pair for pair in combinations(range(len(conditions)), 2) if _may_meet(conditions, pair)
    ]
    if not pairs:
        return None
    solver = Solver()
    solver.push(tuple(domain))
    for one, other in pairs:
        if solver.fulfilled(*conditions[one], *conditions[other]) is not None:
            return one, other
    return None


def _may_meet(conditions: Sequence[Clause], pair: tuple[int, int]) -> bool:
    """Whether no condition of the one is the opposite of one of the other."""
    one, other = (set(conditions[each]) for each in pair)
    return not any(atom.negated in other for atom in one)
