"""The table of groups of steps: put together, in machine code, from what each step answers.

A group's key is more than any of its steps reads, so that most new keys of groups bring no new
key of a step. The rules in Python hear of these alone.
"""

from collections.abc import Sequence
from itertools import accumulate

from checker.search import places as k
from checker.search.faults import ModelError
from checker.search.grouping import Group
from checker.search.lookups import MOST_KEYS, Lookups
from checker.search.machinecode import Machine
from checker.search.memory import Block
from checker.search.packing import Layout


class Grouped(Lookups):
    """Looks up groups of steps, and learns of them from the table of all steps."""

    def __init__(self, steps: Lookups, groups: Sequence[Group]) -> None:
        self._steps = steps
        self._context = Block(k.PLACES)
        members = [steps for _, steps in groups]
        self._members = Block(2 * len(groups) + sum(map(len, members)))
        firsts = accumulate(map(len, members), initial=2 * len(groups))
        spans = [
            each
            for first, steps in zip(firsts, members, strict=False)
            for each in (first, len(steps))
        ]
        self._members.put(0, [*spans, *(step for steps in members for step in steps)])
        self._most = Block(len(groups))
        super().__init__(steps.machine, steps.layout, [parts for parts, _ in groups], steps.answers)

    def answer_keys(self, count: int) -> list[tuple[int, int]]:
        """Let the steps answer what is new to them, and put the outcomes of groups together."""
        view, steps = self._context.view, self._steps
        view[k.IN], view[k.IN_COUNT], view[k.NEXT] = self._keys.address, count, 0
        view[k.MEMBERS], view[k.MOST] = self._members.address, self._most.address
        while view[k.NEXT] < count:
            steps.attach(self._context)
            view[k.FIRST], view[k.KEY_COUNT], view[k.KEY_ROOM] = view[k.NEXT], 0, MOST_KEYS
            self.machine.split(self._context.address)
            if view[k.NEXT] == view[k.FIRST]:
                steps.grow(self._context)
            steps.answer_keys(view[k.KEY_COUNT])
            steps.grow_where_full(self._context)
        self._compose(count)
        self._count += count
        self.most = self._most.view.tolist()
        return []

    def _compose(self, count: int) -> None:
        view, stride = self._context.view, self.layout.words + 1
        self._steps.attach(self._context)
        view[k.NEXT], view[k.MADE_COUNT] = 0, self._outcome_count
        while view[k.NEXT] < count:
            view[k.MADE], view[k.MADE_ROOM] = self._outcomes.address, self._outcomes.words // stride
            view[k.FIRST] = view[k.NEXT]
            self.machine.compose(self._context.address)
            if view[k.NEXT] < count:
                used = view[k.MADE_COUNT] * stride
                self._outcomes = self._outcomes.grown(2 * self._outcomes.words, used)
        self._outcome_count = view[k.MADE_COUNT]
        if max(self._most.view) > k.COUNT_MASK or self._outcome_count > k.START_MASK - k.COUNT_MASK:
            raise ModelError("the steps of the model have more outcomes than a table can hold")

    def move(self, machine: Machine, layout: Layout, context: Block) -> None:
        """Carry everything over to another layout, the table of all steps first."""
        self._steps.move(machine, layout, context)
        super().move(machine, layout, context)
