"""A table of what askers were answered, shared by the kernels and the rules in Python."""

from array import array
from collections.abc import Sequence
from typing import Protocol

from checker.search import places as k
from checker.search.answers import Records, Words
from checker.search.faults import ModelError
from checker.search.machinecode import Machine, slot_words
from checker.search.memory import WORD, Block
from checker.search.moving import Move, fields_between
from checker.search.packing import Layout

BITS = 64
FIRST_BITS = 12
MOST_KEYS = 1 << 14
"""How many new keys are answered at a time."""
FULL = 0.5
"""The share of a table that may be taken."""


class Answers(Protocol):
    """Who knows the outcomes that a table does not have yet."""

    def answer(self, who: int, words: Words) -> Records:
        """Answer the outcomes of an asker for the words it reads."""

    def fits(self) -> bool:
        """Answer whether what was answered since the last call fits the layout."""


class Crowded(Exception):  # noqa: N818 - a signal between the two halves of the engine, no fault
    """Some part has more ids than its field can hold: a wider layout is due."""


class Lookups:
    """The table, the outcomes it points to, and the masks of those who ask."""

    def __init__(
        self,
        machine: Machine,
        layout: Layout,
        reads: Sequence[Sequence[int]],
        answers: Answers,
    ) -> None:
        self.machine = machine
        self.layout = layout
        self.reads = [tuple(parts) for parts in reads]
        self.active = list(range(len(reads)))
        self.most = [0] * len(reads)
        """The most outcomes that each asker ever had."""
        self.answers = answers
        self._count = 0
        self._outcome_count = 0
        self._bits = FIRST_BITS
        self._outcomes = Block(1 << 12)
        self._slots = Block(slot_words(layout.words) << self._bits)
        self._active = Block(len(reads))
        self._lay_out()

    def _lay_out(self) -> None:
        words = self.layout.words
        self._keys = Block(MOST_KEYS * (words + 2))
        self._masks = Block(len(self.reads) * words)
        for who, parts in enumerate(self.reads):
            self._masks.put(who * words, self.layout.mask(parts))

    def attach(self, context: Block) -> None:
        """Put the addresses of everything into a context."""
        view, size = context.view, 1 << self._bits
        self._active.put(0, self.active)
        view[k.ASKERS], view[k.ACTIVE] = len(self.active), self._active.address
        view[k.MASKS], view[k.OUTCOMES] = self._masks.address, self._outcomes.address
        view[k.TABLE], view[k.TABLE_SHIFT] = self._slots.address, BITS - self._bits
        view[k.TABLE_LAST], view[k.KEYS] = size - 1, self._keys.address
        view[k.TABLE_LIMIT] = int(FULL * size) - self._count

    def learn(self, context: Block) -> list[tuple[int, int]]:
        """Answer all misses that a context lists; return who was answered with how many outcomes.

        Raises Crowded where the ids of some part outgrow the layout; the same misses are to be
        offered again after a move to another.
        """
        view, start, heard = context.view, 0, list[tuple[int, int]]()
        while start < view[k.MISS_COUNT]:
            self.attach(context)
            view[k.FIRST], view[k.KEY_COUNT], view[k.KEY_ROOM] = start, 0, MOST_KEYS
            self.machine.collect(context.address)
            start = view[k.NEXT]
            heard += self.answer_keys(view[k.KEY_COUNT])
            self.grow_where_full(context)
        return heard

    def tally_misses(self, context: Block) -> None:
        """Count the rows of all misses that were answered with an outcome, by asker."""
        self.attach(context)
        self.machine.tally_misses(context.address)

    def grow_where_full(self, context: Block) -> None:
        """Make the table larger where no more keys may go into it."""
        if self._count >= int(FULL * (1 << self._bits)):
            self.grow(context)

    def answer_keys(self, count: int) -> list[tuple[int, int]]:
        """Ask for the answers to the keys listed, and enter them into the table."""
        words, stride = self.layout.words, self.layout.words + 2
        flat, answer = self._keys.view[: count * stride].tolist(), self.answers.answer
        made, entries, start = list[int](), [], self._outcome_count
        for place in range(0, len(flat), stride):
            who = flat[place]
            records = answer(who, tuple(flat[place + 2 : place + stride]))
            outcomes = 0
            if records:
                made += records
                outcomes = len(records) // (words + 1)
            entries.append((who, flat[place + 1], outcomes, start))
            start += outcomes
        if not self.answers.fits():
            # An id that is too wide may not even fit into a word.
            raise Crowded
        self._append(array("Q", made))
        self._count += count
        if start > k.START_MASK - k.COUNT_MASK or max((each[2] for each in entries), default=0) > (
            k.COUNT_MASK
        ):
            raise ModelError("the steps of the model have more outcomes than a table can hold")
        slots, base = self._slots.view, self._slots.address - words * WORD
        for who, slot, outcomes, first in entries:
            self.most[who] = max(self.most[who], outcomes)
            information = ((who + 1) << k.WHO) | (outcomes << k.COUNT) | first
            slots[(slot - base) // WORD] = information
        return [(who, outcomes) for who, _, outcomes, _ in entries]

    def _append(self, made: "array[int]") -> None:
        used = self._outcome_count * (self.layout.words + 1)
        if used + len(made) > self._outcomes.words:
            self._outcomes = self._outcomes.grown(2 * (used + len(made)), used)
        self._outcomes.view[used : used + len(made)] = memoryview(made)
        self._outcome_count += len(made) // (self.layout.words + 1)

    def grow(self, context: Block) -> None:
        """Make the table larger."""
        old, size = self._slots, 1 << self._bits
        self._bits += 1
        self._slots = Block(slot_words(self.layout.words) << self._bits)
        self._refill(context, old, size)

    def _refill(self, context: Block, old: Block, size: int) -> None:
        view = context.view
        rows, last = view[k.ROWS], view[k.LAST]
        self.attach(context)
        view[k.ROWS], view[k.LAST] = old.address, size
        self.machine.rebuild(context.address)
        view[k.ROWS], view[k.LAST] = rows, last

    def move(self, machine: Machine, layout: Layout, context: Block) -> None:
        """Carry everything over to another layout; keys that nobody answered are dropped."""
        old, size = self.layout, 1 << self._bits
        slots, stride = slot_words(layout.words), slot_words(old.words)
        moved = Move(fields_between(old, layout, beside=1))
        copied = Block(slots << self._bits)
        moved.copy(machine, context, (self._slots.address, stride, size), (copied.address, slots))
        outcomes = Block(max(1, self._outcome_count) * 2 * (layout.words + 1))
        moved.copy(
            machine,
            context,
            (self._outcomes.address, old.words + 1, self._outcome_count),
            (outcomes.address, layout.words + 1),
        )
        self.machine, self.layout, self._outcomes = machine, layout, outcomes
        self._slots = Block(slots << self._bits)
        self._lay_out()
        self._refill(context, copied, size)
