"""Laws, goals and limits, asked once about each distinct combination of the values they read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from checker.search.tables import Key, Row, Tables, ids_of, key_getter


@dataclass(slots=True)
class Question:
    """A law, a goal or a limit, with the keys it has answered."""

    parts: tuple[int, ...]
    """Where the parts that it reads stand in a row."""
    ask: Callable[[Row], bool]
    asked: set[Key] = field(default_factory=set)
    getter: Callable[[Row], Key] = field(init=False)

    def __post_init__(self) -> None:
        self.getter = key_getter(self.parts)

    def answer(self, layer: Sequence[Row]) -> list[tuple[Row, bool]]:
        """Answer the ids in a layer that were never asked about, with what is said of them."""
        fresh = set(map(self.getter, layer)) - self.asked
        self.asked |= fresh
        return [
            (ids, self.ask(ids)) for ids in sorted(ids_of(key, len(self.parts)) for key in fresh)
        ]

    def read(self, row: Row) -> Row:
        """Answer the ids that the question reads of a row."""
        return ids_of(self.getter(row), len(self.parts))


class Judges:
    """What laws, goals and limits have said so far."""

    def __init__(self, tables: Tables) -> None:
        model = tables.model
        self.tables = tables
        self.violations: dict[int, int] = {}
        """The first state, in order of discovery, that breaks a law; by the place of the law."""
        self.reached: set[int] = set()
        """The places of the goals that some state reaches, and behind them those of the limits
        of bounds that some state hits."""
        self.laws = [
            Question(tables.positions_of(law.reads), partial(tables.holds, law))
            for law in model.laws
        ]
        self.goals = [
            Question(tables.positions_of(goal.reads), partial(tables.reached, goal))
            for goal in model.goals
        ]
        self.goals += [
            Question(tables.positions_of(limit.reads), partial(tables.hits, limit))
            for limit in model.limits
        ]
        self.law_places = list(range(len(self.laws)))
        """By question of a law: the place of the law in the model."""
        self.goal_places = list(range(len(self.goals)))
        """By question of a goal or a limit: its place, limits behind the goals."""
        bounds = [limit.bound for limit in model.limits]
        self._first_limit = len(model.goals)
        self._beside = [
            frozenset(
                self._first_limit + place for place, each in enumerate(bounds) if each == bound
            )
            for bound in bounds
        ]

    def reach(self, question: int) -> None:
        """Note that a goal is reached, or that a limit is hit: no other of its bound is asked."""
        place = self.goal_places[question]
        number = place - self._first_limit
        self.reached |= {place} if number < 0 else self._beside[number]

    def open_goals(self) -> list[int]:
        """Answer the questions of goals and limits that are still to be asked."""
        return [
            question for question, place in enumerate(self.goal_places) if place not in self.reached
        ]

    def is_hit(self, bound: str) -> bool:
        """Answer whether some state hits a bound."""
        limits = self.tables.model.limits
        return any(
            limit.bound == bound and self._first_limit + place in self.reached
            for place, limit in enumerate(limits)
        )

    def judge(self, rows: Sequence[Row], start: int) -> bool:
        """Judge the rows from a place on; answer whether any of them breaks a law."""
        layer = rows[start:]
        for place, law in zip(self.law_places, self.laws, strict=True):
            bad = {ids for ids, holds in law.answer(layer) if not holds}
            if bad:
                first = next(index for index, row in enumerate(layer) if law.read(row) in bad)
                self.violations[place] = min(
                    start + first, self.violations.get(place, start + first)
                )
        for question in self.open_goals():
            # A question before this one may have reached the same goal.
            if self.goal_places[question] not in self.reached and any(
                said for _, said in self.goals[question].answer(layer)
            ):
                self.reach(question)
        return bool(self.violations)
