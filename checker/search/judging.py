"""Laws and goals, asked once about each distinct combination of the values they read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from checker.search.tables import Key, Row, Tables, ids_of, key_getter


@dataclass(slots=True)
class Question:
    """A law or a goal, with the keys it has answered."""

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
    """What laws and goals have said so far."""

    def __init__(self, tables: Tables) -> None:
        model = tables.model
        self.violations: dict[int, int] = {}
        """The first state, in order of discovery, that breaks a law; by the place of the law."""
        self.reached: set[int] = set()
        """The places of the goals that some state reaches."""
        self.laws = [
            Question(tables.positions_of(law.reads), partial(tables.holds, law))
            for law in model.laws
        ]
        self.goals = [
            Question(tables.positions_of(goal.reads), partial(tables.reached, goal))
            for goal in model.goals
        ]

    def judge(self, rows: Sequence[Row], start: int) -> bool:
        """Judge the rows from a place on; answer whether any of them breaks a law."""
        layer = rows[start:]
        for place, law in enumerate(self.laws):
            bad = {ids for ids, holds in law.answer(layer) if not holds}
            if bad:
                first = next(index for index, row in enumerate(layer) if law.read(row) in bad)
                self.violations[place] = start + first
        for place, goal in enumerate(self.goals):
            if place not in self.reached and any(said for _, said in goal.answer(layer)):
                self.reached.add(place)
        return bool(self.violations)
