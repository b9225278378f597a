"""Laws, goals and limits, asked of all states that one state stands for.

No renamed state is made for that: a law asked of one is a question of its own about the state
that is there, over the parts whose values would come to those that the law reads.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from checker.search.closed import ClosedTables
from checker.search.exchanges import Carrying, carried
from checker.search.judging import Judges, Question
from checker.search.tables import Row

Combined = Callable[[Iterable[bool]], bool]
"""What the answers for several renamed states come to: `all` for a law, `any` for a goal."""


class JudgesOfImages(Judges):
    """What laws, goals and limits have said so far, of states and of the renamed ones."""

    counts_states = False

    def __init__(self, tables: ClosedTables) -> None:
        super().__init__(tables)
        self.laws, self.law_places = _of_images(tables, self.laws, all)
        self.goals, self.goal_places = _of_images(tables, self.goals, any)

    def breaks(self, row: Row) -> bool:
        """Answer whether a row, or any renamed one, breaks a law."""
        return not all(law.ask(law.read(row)) for law in self.laws)


def _of_images(
    tables: ClosedTables, questions: Sequence[Question], combined: Combined
) -> tuple[list[Question], list[int]]:
    """Answer the questions about images, and by question the place of the one it comes from."""
    pairs = [
        (about, place)
        for place, question in enumerate(questions)
        for about in _images_of(tables, question, combined)
    ]
    return [about for about, _ in pairs], [place for _, place in pairs]


def _images_of(tables: ClosedTables, question: Question, combined: Combined) -> Iterator[Question]:
    """Answer one question for all exchanges that make it read the same parts."""
    ways: dict[Row, list[Carrying]] = {}
    for exchange in tables.group.exchanges:
        parts = tuple(sorted(exchange.sources[part] for part in question.parts))
        ways.setdefault(parts, []).append(exchange.carrying(parts, question.parts))
    known: dict[Row, bool] = {}

    def said_of(ids: Row) -> bool:
        if ids not in known:
            known[ids] = question.ask(ids)
        return known[ids]

    def asking(carryings: Sequence[Carrying]) -> Callable[[Row], bool]:
        return lambda ids: combined(said_of(carried(each, ids)) for each in carryings)

    for parts, carryings in ways.items():
        yield Question(parts, asking(carryings))
