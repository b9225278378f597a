"""What rules, laws and goals say, in the words that kernels read."""

from array import array
from collections.abc import Sequence
from operator import and_
from typing import NamedTuple
from zlib import crc32

from checker.search.grouping import Group
from checker.search.judging import Judges
from checker.search.packing import Layout, ids_in
from checker.search.plain import Search
from checker.search.tables import Change, Row, Tables, ids_of

Words = tuple[int, ...]
"""A row or a key."""
Records = list[int]
"""Outcomes one behind the other: for each the words to set, then the step."""


class Member(NamedTuple):
    """A step of a group, with what it is known to answer."""

    step: int
    masks: Words
    known: dict[Words, Records]


class Rules:
    """The rules of the steps, asked group by group."""

    def __init__(self, begun: Search, groups: Sequence[Group], layout: Layout) -> None:
        self.tables: Tables = begun.tables
        self.layout = layout
        self._groups = groups
        self._fresh: list[tuple[int, Words, Row, tuple[Change, ...]]] = []
        self._crowded: dict[tuple[int, Row], tuple[Change, ...]] = {}
        self._members: list[list[Member]] = []
        self.calls = array("q")
        """The rules that were run since, each as the step and the ids it read."""
        self._answered = array("q")
        self._sum = 0
        self._lay_out(
            [
                [
                    (ids_of(key, look.reads), entry[1] if entry else ())
                    for key, entry in look.table.items()
                ]
                for look in begun.looks
            ]
        )

    def _lay_out(self, known: list[list[tuple[Row, tuple[Change, ...]]]]) -> None:
        self._fields = [self.layout.fields(reads) for reads in self.tables.step_reads]
        masks = [tuple(self.layout.mask(reads)) for reads in self.tables.step_reads]
        by_step = [
            {
                tuple(self.layout.packed(reads, ids)): self._records(step, changes)
                for ids, changes in known[step]
            }
            for step, reads in enumerate(self.tables.step_reads)
        ]
        self._members = [
            [Member(step, masks[step], by_step[step]) for step in steps]
            for _, steps in self._groups
        ]

    def _records(self, step: int, changes: Sequence[Change]) -> Records:
        records: Records = []
        for change in changes:
            records += self.layout.packed(change.positions, change.ids)
            records.append(step)
        return records

    def answer(self, who: int, words: Words) -> Records:
        """Answer the outcomes of a group's steps."""
        members, records = self._members[who], Records()
        if len(members) == 1:
            own = members[0].known.get(words)
            return self._learn(members[0].step, words) if own is None else own
        for step, masks, known in members:
            key = tuple(map(and_, words, masks))
            own = known.get(key)
            if own is None:
                own = known[key] = self._learn(step, key)
            records += own
        return records

    def _learn(self, step: int, key: Words) -> Records:
        ids = ids_in(key, self._fields[step])
        changes = self._crowded.pop((step, ids), None)
        if changes is None:
            changes = self._run(step, ids)
        self._fresh.append((step, key, ids, changes))
        return self._records(step, changes)

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
            self._crowded[step, ids] = self._run(step, ids)
            place = end
        return True

    def fits(self) -> bool:
        """Answer whether all ids fit the layout; where not, what came in last waits for a wider."""
        fits = self.layout.holds([len(values) for values in self.tables.values])
        if not fits:
            tables = {member.step: member.known for group in self._members for member in group}
            for step, key, ids, changes in self._fresh:
                tables[step].pop(key, None)
                self._crowded[step, ids] = changes
        self._fresh.clear()
        return fits

    def move(self, layout: Layout) -> None:
        """Go over to another layout."""
        old, stride = self.layout, self.layout.words + 1
        known: list[list[tuple[Row, tuple[Change, ...]]]] = [[] for _ in self.tables.step_reads]
        for member in (each for group in self._members for each in group):
            writes = self.tables.step_writes[member.step]
            read, written = self._fields[member.step], old.fields(writes)
            known[member.step] = [
                (
                    ids_in(key, read),
                    tuple(
                        Change(writes, ids_in(records[start : start + old.words], written))
                        for start in range(0, len(records), stride)
                    ),
                )
                for key, records in member.known.items()
            ]
        self.layout = layout
        self._lay_out(known)


class Questions:
    """The laws, goals and limits; an outcome stands for a law that is broken."""

    def __init__(self, judges: Judges, layout: Layout) -> None:
        self.judges = judges
        self.layout = layout
        self.all = [*judges.laws, *judges.goals]

    def answer(self, who: int, words: Words) -> Records:
        """Ask a law or a goal, unless it has answered before."""
        question, goal = self.all[who], who - len(self.judges.laws)
        ids = self.layout.ids(question.parts, words)
        if (ids[0] if len(ids) == 1 else ids) in question.asked:
            return []
        said = question.ask(ids)
        if goal >= 0 and said:
            self.judges.reach(goal)
        return [0] * (self.layout.words + 1) if goal < 0 and not said else []

    def fits(self) -> bool:
        """Answer that questions make no ids."""
        return True
