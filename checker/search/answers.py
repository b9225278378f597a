"""What rules, laws and goals say, in the words that kernels read."""

from array import array
from operator import and_
from zlib import crc32

from checker.search.judging import Judges
from checker.search.packing import Layout, ids_in
from checker.search.plain import Search
from checker.search.tables import Change, Row, Tables, ids_of, key_of

Words = tuple[int, ...]
"""A row or a key."""
Records = list[int]
"""Outcomes one behind the other: for each the words to set, then the step."""
NOTHING: Records = []
"""No outcome; it is only read."""


class Rules:
    """The rules of the steps."""

    def __init__(self, begun: Search, layout: Layout) -> None:
        self.tables: Tables = begun.tables
        self.layout = layout
        self._fresh: list[tuple[int, Row, tuple[Change, ...]]] = []
        self._known = {
            (look.step, ids_of(key, look.reads)): entry[1] if entry else ()
            for look in begun.looks
            for key, entry in look.table.items()
        }
        """By step and the ids it read: answers that no table in memory holds."""
        self.calls = array("q")
        """The rules that were run since, each as the step and the ids it read."""
        self._answered = array("q")
        self._sum = 0

    def answer(self, who: int, words: Words) -> Records:
        """Answer the outcomes of a step."""
        guarded, shut = tuple(map(and_, words, self._guarded[who])), self._shut[who]
        if guarded in shut:
            return NOTHING
        ids = ids_in(words, self._fields[who])
        changes = self._known.pop((who, ids), None)
        if changes is None:
            if self.tables.is_shut(who, ids):
                shut.add(guarded)
                return NOTHING
            changes = self._run(who, ids)
        self._fresh.append((who, ids, changes))
        records: Records = []
        for change in changes:
            records += self._layout.packed(change.positions, change.ids)
            records.append(who)
        return records

    @property
    def layout(self) -> Layout:
        """Where ids stand in words."""
        return self._layout

    @layout.setter
    def layout(self, layout: Layout) -> None:
        self._layout = layout
        self._fields = [layout.fields(reads) for reads in self.tables.step_reads]
        positions_of = self.tables.positions_of
        self._guarded = [
            layout.mask(positions_of(step.guard.reads if step.guard else step.reads))
            for step in self.tables.model.steps
        ]
        """By step: the words that its guard reads, as masks."""
        self._shut: list[set[Words]] = [set() for _ in self._guarded]
        """By step: what its guard said no to."""

    def _run(self, step: int, ids: Row) -> tuple[Change, ...]:
        self.calls.append(step)
        self.calls.extend(ids)
        changes = self.tables.learn(step, ids)
        for change in changes:
            self._answered.extend(change.ids)
        return changes

    def answer_sum(self) -> int:
        """Answer a check of all that the rules answered."""
        self._sum = crc32(self._answered, self._sum)
        self._answered = array("q")
        return self._sum

    def run_again(self, calls: "array[int]") -> bool:
        """Run rules in the order in which another process ran them; keep what they answer.

        Answer whether they could be: other rules do not make the values that these were run on.
        """
        values = self.tables.values
        place = 0
        while place < len(calls):
            step = calls[place]
            end = place + 1 + len(self.tables.step_reads[step])
            ids = tuple(calls[place + 1 : end])
            known = (len(values[part]) for part in self.tables.step_reads[step])
            if any(each >= count for each, count in zip(ids, known, strict=True)):
                return False
            self._known[step, ids] = self._run(step, ids)
            place = end
        return True

    def fits(self) -> bool:
        """Answer whether all ids fit the layout; where not, what came in last waits for a wider."""
        fits = self.layout.holds([len(values) for values in self.tables.values])
        if not fits:
            self._known |= {(step, ids): changes for step, ids, changes in self._fresh}
        self._fresh.clear()
        return fits


class Questions:
    """The laws, goals and limits; an outcome stands for a law that is broken or a goal reached."""

    def __init__(self, judges: Judges, layout: Layout) -> None:
        self.judges = judges
        self.layout = layout
        self.all = [*judges.laws, *judges.goals]

    def answer(self, who: int, words: Words) -> Records:
        """Ask a law or a goal, unless it has answered before."""
        question, goal = self.all[who], who - len(self.judges.laws)
        ids = self.layout.ids(question.parts, words)
        key = key_of(ids)
        if key in question.asked:
            return self._outcome if key in question.met else []
        question.kinds += 1
        said = question.ask(ids)
        if goal >= 0 and said:
            self.judges.reach(goal)
        return self._outcome if said == (goal >= 0) else []

    @property
    def _outcome(self) -> Records:
        return [0] * (self.layout.words + 1)

    def fits(self) -> bool:
        """Answer that questions make no ids."""
        return True
