"""Every path of a function on unknown integers, by running it again for each.

A run decides as the one before up to the last place where another way is open, and takes that
one. At each comparison whose answer is not plain, the solver says which ways are open.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from checker.prove.drawing import DRAWS, Draw, ExcludedError, Memory
from checker.prove.facts import Facts
from checker.prove.integers import DECIDERS, Atom, Number, unknown
from checker.prove.solving import Clause, Solver, Values

Value = TypeVar("Value")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Path(Generic[Result]):
    """One way through a function."""

    picks: Mapping[str, int]
    """Which shapes were picked, by name."""
    domain: Clause
    """What was laid down of the unknowns as they were drawn."""
    assumed: tuple[tuple[Clause, ...], ...]
    """What was assumed: of each, one alternative holds."""
    condition: Clause
    """What was decided on the way."""
    outcome: Result
    witness: Mapping[str, int]
    """Integers that take this path."""
    quotients: Mapping[str, tuple[Number, int]]
    """The unknowns that were not drawn: each the whole part of a sum divided by a constant."""


@dataclass(slots=True)
class _Turn:
    """A place where a run decided."""

    atom: Atom | None
    """What was asked; none where a shape was picked or something assumed."""
    taken: int
    ways: int
    """How many there were."""
    frames: int = 0
    """How many conditions it put on the solver's stack."""
    clauses: tuple[Clause, ...] = ()
    """What an assumption came to."""
    other: Values | None = None
    """Integers that take the next way."""


@dataclass(slots=True)
class _Sofar:
    """What a run has come to."""

    position: int = 0
    picks: dict[str, int] = field(default_factory=dict)
    domain: list[Atom] = field(default_factory=list)
    assumed: list[tuple[Clause, ...]] = field(default_factory=list)
    condition: list[Atom] = field(default_factory=list)
    quotients: dict[str, tuple[Number, int]] = field(default_factory=dict)


class Explorer:
    """Explores one function; it is the `Draw` of its runs and decides their comparisons."""

    def __init__(self, solver: Solver | None = None) -> None:
        self.solver = Solver() if solver is None else solver
        self.witness: Values = {}
        self._base = Facts()
        self._facts = Facts()
        self._turns: list[_Turn] = []
        self._sofar = _Sofar()
        self._names: set[str] = set()
        self._known: dict[str, object] = {}
        self._memory = Memory()

    def paths(self, run: Callable[[], Result]) -> Generator[Path[Result], None, None]:
        """Yield each path, while the solver's stack still holds what leads to it.

        Raises UndecidedError once the solver's time is used up, also where no path was found yet.
        """
        is_open = True
        try:
            while is_open:
                self.solver.check_time()
                self._sofar, self._names = _Sofar(), set()
                self._memory = Memory(self._known)
                self._facts = self._base.copy()
                # As `deciding` and `drawing` do, in less time: it is done very often.
                DECIDERS.append(self)
                DRAWS.append(self)
                try:
                    outcome = run()
                except ExcludedError:
                    is_left_out = True
                else:
                    is_left_out = False
                finally:
                    DECIDERS.pop()
                    DRAWS.pop()
                if not is_left_out:
                    yield self._path(outcome)
                is_open = self._turn()
        finally:
            self._drop(0)

    def integer(self, name: str, at_least: int | None = None) -> int:
        """Answer an unknown, with the least that it can be."""
        assert name not in self._names, f"{name} is drawn twice"
        self._names.add(name)
        if at_least is not None:
            atom = Atom(((name, 1),), "<=", at_least - 1, holds=False)
            self._sofar.domain.append(atom)
            if not self._is_replayed():
                self.solver.push((atom,))
                self._turns.append(_Turn(None, 0, 1, frames=1))
                self.witness[name] = at_least
            self._sofar.position += 1
            self._facts.learn(atom)
        return unknown(name)

    def pick(self, name: str, options: Sequence[Value]) -> Value:
        """Answer the first of the shapes that is still open."""
        if not self._is_replayed():
            self._turns.append(_Turn(None, 0, len(options), other=dict(self.witness)))
        taken = self._turns[self._sofar.position].taken
        self._sofar.position += 1
        self._sofar.picks[name] = taken
        return options[taken]

    def assume(self, holds: Callable[[], bool]) -> None:
        """Leave out what this does not hold of; where nothing is left, the path ends."""
        if not self._is_replayed():
            found = [
                (path.condition, path.witness) for path in self.branches(holds) if path.outcome
            ]
            clauses = tuple(condition for condition, _ in found)
            frames = 1 if clauses and all(clauses) else 0
            self._turns.append(_Turn(None, 0, 1, frames=frames, clauses=clauses))
            if frames:
                self.solver.push(*clauses)
                self.witness = dict(found[0][1])
        clauses = self._turns[self._sofar.position].clauses
        self._sofar.position += 1
        if not clauses:
            raise ExcludedError("an assumption does not hold on this path")
        if len(clauses) == 1:
            for atom in clauses[0]:
                self._facts.learn(atom)
        if all(clauses):
            self._sofar.assumed.append(clauses)

    def branches(self, run: Callable[[], Result]) -> Generator[Path[Result], None, None]:
        """Yield the paths of a function of what this path has drawn; this path goes on after."""
        inner = Explorer(self.solver)
        inner.witness = dict(self.witness)
        inner._base = self._facts.copy()
        inner._known = dict(self._memory.made)
        return inner.paths(run)

    def once(self, name: str, make: Callable[[Draw], Value]) -> Value:
        """Answer what was made under this name on this path, or make it."""
        return self._memory.once(self, name, make)

    def decide(self, atom: Atom) -> bool:
        """Answer whether a condition holds on this path."""
        plain = self._facts.verdict(atom)
        if plain is not None:
            return plain
        if not self._is_replayed():
            self._turns.append(self._asked(atom))
        turn = self._turns[self._sofar.position]
        self._sofar.position += 1
        decided = atom if turn.taken == 0 else atom.negated
        self._facts.learn(decided)
        if turn.ways > 1:
            self._sofar.condition.append(decided)
        return turn.taken == 0

    def quotient(self, number: Number, divisor: int) -> Number:
        """Answer an unknown that is the whole part of a number divided by a constant."""
        name = f"({number}) // {divisor}"
        if name not in self._names:
            whole = self.integer(name)
            rest = number - whole * divisor
            self.assume(lambda: 0 <= rest < divisor)
            self._sofar.quotients[name] = (number, divisor)
        return Number(((name, 1),))

    def _asked(self, atom: Atom) -> _Turn:
        """The ways that are open where a condition is asked for, the first of them taken."""
        is_met = atom.is_true(self.witness)
        other = self._on_the_edge(atom, is_met=is_met)
        if other is None:
            further = atom.negated if is_met else atom
            other = self.solver.fulfilled(further, beside=self.witness)
        if other is None:
            return _Turn(atom, 0 if is_met else 1, 1)
        mine = dict(self.witness)
        first, second = (mine, other) if is_met else (other, mine)
        self.witness = first
        self.solver.push((atom,))
        return _Turn(atom, 0, 2, frames=1, other=second)

    def _on_the_edge(self, atom: Atom, *, is_met: bool) -> Values | None:
        """Integers for the other way, where an unknown that nothing else binds can make it."""
        free = [(name, times) for name, times in atom.parts if self.solver.is_free(name)]
        if not free or abs(free[0][1]) != 1:
            return None
        name, times = free[0]
        total = sum(each * self.witness.get(word, 0) for word, each in atom.parts)
        wanted = atom.bound + 1 if is_met is atom.holds else atom.bound
        value = self.witness.get(name, 0) + times * (wanted - total)
        return {**self.witness, name: value}

    def _turn(self) -> bool:
        """Take the last way that is still open; answer whether there was one."""
        while self._turns:
            turn = self._turns[-1]
            self._drop(len(self._turns) - 1)
            if turn.ways > 1 and turn.taken + 1 < turn.ways:
                taken = _Turn(turn.atom, turn.taken + 1, turn.ways)
                assert turn.other is not None, "another way is open, so integers take it"
                self.witness = turn.other
                if turn.atom is None:
                    taken.other = dict(turn.other)
                else:
                    self.solver.push((turn.atom.negated,))
                    taken.frames = 1
                self._turns.append(taken)
                return True
        return False

    def _drop(self, length: int) -> None:
        while len(self._turns) > length:
            for _ in range(self._turns.pop().frames):
                self.solver.pop()

    def _is_replayed(self) -> bool:
        return self._sofar.position < len(self._turns)

    def _path(self, outcome: Result) -> Path[Result]:
        sofar = self._sofar
        return Path(
            dict(sofar.picks),
            tuple(sofar.domain),
            tuple(sofar.assumed),
            tuple(sofar.condition),
            outcome,
            dict(self.witness),
            dict(sofar.quotients),
        )
