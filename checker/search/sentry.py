"""A sentry stands by a run, state after state, and says which law it breaks."""

from collections.abc import Callable, Sequence

from checker.search.model import Accepting, Law, StepLaw
from checker.search.progress import NO_DEAD_END
from checker.search.recording import Entries, Expander
from checker.search.report import LawReport
from checker.search.tables import Key, Row, Tables, ids_of, key_getter

Broken = Law | StepLaw | Accepting
Choice = tuple[int, int]
"""A step and one of its outcomes, by their numbers."""
NOT_MOVED = -1
"""Stands for the step before the initial state."""


def report_on(broken: Broken) -> LawReport:
    """Answer the report of a broken law."""
    name = NO_DEAD_END if isinstance(broken, Accepting) else broken.name
    return LawReport(name, broken.clause, broken.sentence, "broken")


def is_dead(row: Row, entries: Entries) -> bool:
    """Answer whether no outcome leads out of a state."""
    return all(
        row[position] == value
        for changes in entries
        for change in changes
        for position, value in zip(*change, strict=True)
    )


def moved(row: Row, entries: Entries, choice: Choice) -> Row:
    """Answer the state after one of the outcomes."""
    fresh = list(row)
    for position, value in zip(*entries[choice[0]][choice[1]], strict=True):
        fresh[position] = value
    return tuple(fresh)


class Question:
    """A yes or no about a state, asked once for each combination of the ids it reads."""

    def __init__(
        self, tables: Tables, who: str, question: Callable[..., bool], reads: Sequence[str]
    ) -> None:
        self._ask = tables.ask
        self._who, self._question, self._reads = who, question, reads
        self.positions = tables.positions_of(reads)
        self._getter = key_getter(self.positions)
        self._said: dict[Key, bool] = {}

    def answer(self, row: Row) -> bool:
        """Answer what is said of a state."""
        key = self._getter(row)
        said = self._said.get(key)
        if said is None:
            ids = ids_of(key, len(self._reads))
            said = self._said[key] = self._ask(self._who, self._question, self._reads, ids)
        return said


class Sentry:
    """Judges the states and moves of one run after the other."""

    def __init__(self, tables: Tables) -> None:
        model = tables.model
        self.tables = tables
        self.expander = Expander(tables)
        self.reached: set[str] = set()
        """The names of the goals that some state has reached."""
        self._laws = [
            (law, Question(tables, f"the law {law.name}", law.holds, law.reads))
            for law in model.laws
        ]
        self._touched = [
            [each for each in self._laws if set(written) & set(each[1].positions)]
            for written in tables.step_writes
        ]
        self._goals = {
            goal.name: Question(tables, f"the goal {goal.name}", goal.reached, goal.reads)
            for goal in model.goals
        }
        self._rest = (
            None
            if model.accepting is None
            else Question(
                tables, "the accepting states", model.accepting.accepts, model.accepting.reads
            )
        )

    def broken_in(self, row: Row, step: int) -> Law | None:
        """Answer the first law that a state breaks, where the state before broke none.

        `step` is the one that led here; only laws that read what it writes are asked.
        """
        for law, question in self._laws if step == NOT_MOVED else self._touched[step]:
            if not question.answer(row):
                return law
        for name in [name for name, goal in self._goals.items() if goal.answer(row)]:
            self.reached.add(name)
            del self._goals[name]
        return None

    def is_stuck(self, row: Row, entries: Entries) -> bool:
        """Answer whether the world rests where it may not."""
        return self._rest is not None and is_dead(row, entries) and not self._rest.answer(row)

    def broken_by(self, row: Row) -> tuple[StepLaw, Choice] | None:
        """Answer the first known breach of a step law by a step out of this state."""
        for breach in self.tables.breaches:
            reads = self.tables.step_reads[breach.step]
            if tuple(row[part] for part in reads) == breach.read_ids:
                law = self.tables.model.step_laws[breach.law]
                return law, (breach.step, breach.outcome)
        return None
