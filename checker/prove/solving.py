"""What a solver says of conditions: whether some integers fulfil them, and which."""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
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


class Answers:
    """What a solver said before: the same question gets the same answer without asking again."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[Clause, ...], int] = {}
        """Each condition that was ever laid down, by a number of its own."""
        self.known: dict[tuple[frozenset[int], tuple[Atom, ...]], Values | None] = {}
        self.formulas: dict[Atom, z3.BoolRef] = {}
        self.unknowns: dict[str, z3.ArithRef] = {}

    def number(self, alternatives: tuple[Clause, ...]) -> int:
        """The number of a condition."""
        return self.numbers.setdefault(alternatives, len(self.numbers))

    def formula(self, atom: Atom) -> z3.BoolRef:
        """A condition as the solver reads it."""
        if atom not in self.formulas:
            total = sum(
                self._unknown(name) if times == 1 else times * self._unknown(name)
                for name, times in atom.parts
            )
            found = total <= atom.bound if atom.kind == "<=" else total == atom.bound
            self.formulas[atom] = found if atom.holds else z3.Not(found)
        return self.formulas[atom]

    def _unknown(self, name: str) -> z3.ArithRef:
        if name not in self.unknowns:
            self.unknowns[name] = z3.Int(name)
        return self.unknowns[name]


@dataclass(frozen=True, slots=True)
class _Frame:
    """One condition in the stack: that one of these holds."""

    alternatives: tuple[Clause, ...]
    number: int
    names: frozenset[str]
    """The unknowns that it speaks of."""


class Solver:
    """Conditions in a stack, and whether all of them can be fulfilled at once.

    Conditions that share no unknown, not even by way of others, have nothing to do with each
    other. So who knows integers that fulfil the stack asks only of what hangs together with a
    further condition, and most of what is asked was asked before.
    """

    def __init__(
        self,
        timeout: float | None = None,
        hear: Hearer | None = None,
        answers: Answers | None = None,
    ) -> None:
        self._hear = hear
        self._answers = Answers() if answers is None else answers
        self._solver = z3.SimpleSolver()
        self._end = None if timeout is None else time.process_time() + timeout
        if timeout is not None:
            self._solver.set("timeout", max(1, round(timeout * 1000)))
        self._frames: list[_Frame] = []
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        """Where in the stack an unknown stands."""
        self.calls = 0

    def push(self, *alternatives: Clause) -> None:
        """Ask that one of these holds, until the pop that belongs to it."""
        names = frozenset(
            name for clause in alternatives for atom in clause for name, _ in atom.parts
        )
        for name in names:
            self._places[name].append(len(self._frames))
        self._frames.append(_Frame(alternatives, self._answers.number(alternatives), names))

    def pop(self) -> None:
        """Take back what was pushed last."""
        for name in self._frames.pop().names:
            self._places[name].pop()

    def is_free(self, name: str) -> bool:
        """Whether no condition is about this unknown."""
        return not self._places[name]

    def fulfilled(self, *further: Atom, beside: Values | None = None) -> Values | None:
        """Integers that fulfil all conditions and these; none where there are none.

        `beside` are integers that fulfil all conditions in the stack: then only those that hang
        together with the further ones are looked at.
        """
        if beside is None:
            return self._answered(self._frames, further)
        frames, names = self._tied(further)
        found = self._answered(frames, further)
        return None if found is None else {**beside, **dict.fromkeys(names, 0), **found}

    def _tied(self, further: tuple[Atom, ...]) -> tuple[list[_Frame], set[str]]:
        """What hangs together with some conditions: others, and unknowns."""
        left = [name for atom in further for name, _ in atom.parts]
        names, places = set(left), set[int]()
        while left:
            for place in self._places[left.pop()]:
                if place not in places:
                    places.add(place)
                    more = self._frames[place].names - names
                    names |= more
                    left += more
        return [self._frames[place] for place in sorted(places)], names

    def _answered(self, frames: Sequence[_Frame], further: tuple[Atom, ...]) -> Values | None:
        question = (frozenset(frame.number for frame in frames), further)
        if question not in self._answers.known:
            self._answers.known[question] = self._asked(frames, further)
        return self._answers.known[question]

    def check_time(self) -> None:
        """Give up once the time is used up."""
        if self._end is not None and time.process_time() > self._end:
            raise UndecidedError("the time is used up")

    def _asked(self, frames: Sequence[_Frame], further: tuple[Atom, ...]) -> Values | None:
        self.check_time()
        self._solver.push()
        try:
            for frame in frames:
                self._solver.assert_exprs(self._any(frame.alternatives))
            for atom in further:
                self._solver.assert_exprs(self._answers.formula(atom))
            self.calls += 1
            answer = self._solver.check()
            if self._hear is not None:
                self._hear(str(self._solver.to_smt2()), str(answer))
            if answer == z3.unknown:
                raise UndecidedError(f"the solver gave up: {self._solver.reason_unknown()}")
            return _values(self._solver.model()) if answer == z3.sat else None
        finally:
            self._solver.pop()

    def _any(self, alternatives: Sequence[Clause]) -> z3.BoolRef:
        clauses = [self._all(clause) for clause in alternatives]
        return clauses[0] if len(clauses) == 1 else z3.Or(clauses)

    def _all(self, clause: Clause) -> z3.BoolRef:
        formulas = [self._answers.formula(atom) for atom in clause]
        return formulas[0] if len(formulas) == 1 else z3.And(formulas)


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
