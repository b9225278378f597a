"""Laws, goals and limits, asked once about each distinct combination of the values they read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from checker.search.tables import Key, Row, Tables, ids_of, key_getter, key_of

MOST_ASKED = 1 << 9
"""A goal that is reached is asked about so many combinations of values, for the sake of its count;
then a layer is brought to its end, and the states of later ones are not counted."""


@dataclass(slots=True)
class Question:
    """A law, a goal or a limit, with the keys it has answered."""

    parts: tuple[int, ...]
    """Where the parts that it reads stand in a row."""
    ask: Callable[[Row], bool]
    asked: set[Key] = field(default_factory=set)
    met: set[Key] = field(default_factory=set)
    """The keys of a goal or limit that were answered with yes."""
    kinds: int = 0
    """How many keys were answered, in whichever engine."""
    getter: Callable[[Row], Key] = field(init=False)

    def __post_init__(self) -> None:
        self.getter = key_getter(self.parts)

    def answer(self, layer: Sequence[Row]) -> list[tuple[Row, bool]]:
        """Answer the ids in a layer that were never asked about, with what is said of them."""
        fresh = set(map(self.getter, layer)) - self.asked
        self.asked |= fresh
        self.kinds += len(fresh)
        return [
            (ids, self.ask(ids)) for ids in sorted(ids_of(key, len(self.parts)) for key in fresh)
        ]

    def count(self, layer: Sequence[Row]) -> int:
        """Answer in how many rows of a layer the answer is yes."""
        self.met |= {key_of(ids) for ids, said in self.answer(layer) if said}
        return sum(map(self.met.__contains__, map(self.getter, layer))) if self.met else 0

    def read(self, row: Row) -> Row:
        """Answer the ids that the question reads of a row."""
        return ids_of(self.getter(row), len(self.parts))


class Judges:
    """What laws, goals and limits have said so far."""

    counts_states = True
    """Whether it is counted how many states reach a goal: not where some stand for others."""

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
        self.counts = [0] * len(model.goals)
        """By goal: how many states were found to reach it."""
        self.is_counted = [True] * len(model.goals)
        """Whether those are all."""
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

    def begin_layer(self) -> int:
        """Count no more what takes too many questions to count; answer how many ask about laws."""
        for place, goal in enumerate(self.goals[: self._first_limit]):
            self.is_counted[place] &= goal.kinds <= MOST_ASKED
        return len(self.laws)

    def open_goals(self) -> list[int]:
        """Answer the questions of goals and limits that are still to be asked or counted."""
        return [
            question
            for question, place in enumerate(self.goal_places)
            if place not in self.reached or self._is_counting(question)
        ]

    def _is_counting(self, question: int) -> bool:
        return self.counts_states and question < self._first_limit and self.is_counted[question]

    def count(self, tallied: Callable[[int], int]) -> None:
        """Note of each goal how many states more reach it."""
        for goal in range(len(self.counts)):
            self.counts[goal] += tallied(goal)

    def counted(self, goal: int) -> tuple[int | None, bool]:
        """Answer how many states reach a goal, and whether those are all."""
        return self.counts[goal] if self.counts_states else None, self.is_counted[goal]

    def cases(self, law: int) -> int | None:
        """Answer how many cases a law has judged, all different."""
        return self.laws[law].kinds if self.counts_states else None

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
        self.begin_layer()
        for question in self.open_goals():
            if self._is_counting(question):
                states = self.goals[question].count(layer)
                self.counts[question] += states
                self.reached |= {question} if states else set()
            # A question before this one may have reached the same goal.
            elif self.goal_places[question] not in self.reached and any(
                said for _, said in self.goals[question].answer(layer)
            ):
                self.reach(question)
        return bool(self.violations)
