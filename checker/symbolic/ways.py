"""Every way through a function on unknown integers, each with the region that takes it.

The unknowns are the same in all states of a search, so what decides a way is a region of them,
and what is known of one region serves all functions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from checker.prove.integers import Atom, NotSymbolicError, Number, deciding
from checker.symbolic.regions import EVERYWHERE, NOWHERE, Regions

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Way(Generic[Result]):
    """One way through a function."""

    region: int
    outcome: Result


@dataclass(frozen=True, slots=True)
class Raised:
    """What a function raised: of no interest where no state comes to this way."""

    error: Exception


Turns = tuple[bool, ...]
"""At each place where two ways were open, whether the condition was taken to hold."""


class Ways:
    """Runs functions as often as there are ways through them."""

    def __init__(self, regions: Regions) -> None:
        self.regions = regions
        self._turns: list[bool] = []
        self._regions: list[int] = []
        """The region before each of these places, and the one behind the last."""
        self._place = 0

    def through(
        self, run: Callable[[], Result], region: int = EVERYWHERE
    ) -> list[Way[Result | Raised]]:
        """Each way that some integers of a region take.

        Two ways that part at a condition and answer the same are one.
        """
        found: list[tuple[Turns, Way[Result | Raised]]] = []
        self._turns, self._regions = [], [region]
        with deciding(self):
            while True:
                self._place = 0
                outcome, turns = self._tried(run), tuple(self._turns)
                while turns and not turns[-1] and _is_beside(found[-1], turns, outcome):
                    found.pop()
                    turns = turns[:-1]
                found.append((turns, Way(self._regions[len(turns)], outcome)))
                while self._turns and not self._turns[-1]:
                    self._turns.pop()
                if not self._turns:
                    return [way for _, way in found]
                self._turns[-1] = False

    def _tried(self, run: Callable[[], Result]) -> Result | Raised:
        try:
            return run()
        except NotSymbolicError:
            raise
        except Exception as error:
            if isinstance(error.__cause__, NotSymbolicError):
                raise error.__cause__ from error
            return Raised(error)

    def decide(self, atom: Atom) -> bool:
        """Answer whether a condition holds on this way."""
        region = self._regions[self._place]
        holds = self.regions.narrowed(region, atom)
        if holds == region:
            return True
        if holds == NOWHERE:
            return False
        if self._place == len(self._turns):
            self._turns.append(True)
        is_taken = self._turns[self._place]
        self._place += 1
        del self._regions[self._place :]
        self._regions.append(holds if is_taken else self.regions.narrowed(region, atom.negated))
        return is_taken

    def quotient(self, number: Number, _divisor: int) -> Number:
        """Refuse: no rule that is searched so divides what is unknown."""
        raise NotSymbolicError(f"{number} is divided")


def _is_beside(
    found: tuple[Turns, Way[Result | Raised]], turns: Turns, outcome: Result | Raised
) -> bool:
    """Whether a way parts from another at its last turn, and comes to the same."""
    return found[0] == (*turns[:-1], True) and found[1].outcome == outcome
