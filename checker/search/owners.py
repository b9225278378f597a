"""The rows that one of two owners keeps: a log in order of discovery, and a table to know them by.

The lowest bit of a row's hash names its owner, so that two threads never write to one table.
"""

from pathlib import Path

from checker.search import places as k
from checker.search.machinecode import Machine
from checker.search.memory import WORD, Block, most_words
from checker.search.moving import Move

BITS = 64
FIRST_BITS = 13
FULL = 0.7
"""The share of a table that may be taken."""
MARGIN = 1 << 12
"""Places behind the last home in a table, for rows that find theirs taken."""
OWNERS = 2
MOST_PORTION_BITS = 10
UNEVEN = 1.1
"""An owner has at most so many times its share of the rows."""
PORTION = 1 << 16
"""So many places of a table are doubled before memory is let go of."""


class Buffers:
    """What one worker fills: successors for each owner, misses, hits."""

    def __init__(self, words: int, rows: int, askers: int) -> None:
        self.rows = rows
        self.context = Block(k.PLACES)
        self._out = [Block(rows * words) for _ in range(OWNERS)]
        self._misses = Block(2 * rows)
        self._hits = Block(2 * rows)
        self._notes = Block(3 * askers)
        self._askers = askers
        view = self.context.view
        view[k.OUT], view[k.OUT + 1] = (block.address for block in self._out)
        view[k.FORESEEN], view[k.ENTRIES] = self._notes.address, self._notes.address + askers * 8
        view[k.TALLIES] = self._notes.address + 2 * askers * 8
        view[k.OUT_ROOM], view[k.MISS_ROOM] = rows, rows
        view[k.MISSES], view[k.HITS] = self._misses.address, self._hits.address

    def clear(self) -> None:
        """Forget everything but the addresses."""
        view = self.context.view
        view[k.OUT_COUNT] = view[k.OUT_COUNT + 1] = view[k.MISS_COUNT] = view[k.HIT_COUNT] = 0
        self._notes.put(2 * self._askers, [0] * self._askers)

    def out(self, owner: int) -> tuple[int, int]:
        """Answer address and number of the rows for an owner."""
        view = self.context.view
        return view[k.OUT + owner], view[k.OUT_COUNT + owner]

    def hits(self) -> list[int]:
        """Answer the places of the rows that were hit."""
        return self._hits.view[: 2 * self.context.view[k.HIT_COUNT] : 2].tolist()

    def tallied(self, who: int) -> int:
        """Answer how many rows had an outcome of an asker."""
        return self._notes.view[2 * self._askers + who]


class Owner:
    """The rows of one owner."""

    def __init__(self, words: int) -> None:
        self.words = words
        self.count = 0
        self._portion_bits = 0
        self._context = Block(k.PLACES)
        self._log = Block(most_words())
        self._bits = FIRST_BITS
        self._seen = Block(2 * most_words())

    @property
    def log(self) -> int:
        """The address of the first row."""
        return self._log.address

    @property
    def seen(self) -> tuple[int, int]:
        """The address of the table, and how far a hash is shifted to be a place in it."""
        return self._seen.address, BITS - self._bits

    def take_in(self, machine: Machine, rows: tuple[int, int]) -> None:
        """Enter those of some rows that were never seen, portion by portion of the table."""
        view = self._context.view
        view[k.IN], view[k.IN_COUNT] = rows
        self._log.ensure((self.count + rows[1]) * self.words)
        for portion in range(1 << self._portion_bits):
            view[k.PORTION], view[k.PORTION_SHIFT] = portion, BITS - 1 - self._portion_bits
            self._take_in(machine, rows[1])
            if self._portion_bits:
                self._seen.rest()

    def _take_in(self, machine: Machine, last: int) -> None:
        context, view, start = self._context, self._context.view, 0
        while start < last:
            self._attach()
            view[k.FIRST] = start
            machine.take_in(context.address)
            start, self.count = view[k.NEXT], view[k.LOG_COUNT]
            if start < last:
                self._grow(machine)

    def take_in_by(self, size: int) -> None:
        """Take rows in by portions of the table of at most so many bytes, from now on."""
        self._portion_bits = min(MOST_PORTION_BITS, (self.growth // size).bit_length())

    def _attach(self) -> None:
        view, size = self._context.view, 1 << self._bits
        view[k.SEEN], view[k.SEEN_SHIFT] = self._seen.address, BITS - self._bits
        view[k.SEEN_LAST], view[k.SEEN_LIMIT] = size + MARGIN - 1, int(FULL * size)
        view[k.LOG], view[k.LOG_COUNT] = self.log, self.count

    def _grow(self, machine: Machine) -> None:
        context = self._context
        self._seen.ensure(((2 << self._bits) + 2 * MARGIN) * self.words)
        waiting, view = Block(2 * MARGIN * self.words), context.view
        view[k.LAST], view[k.TO], view[k.HIT_COUNT] = (1 << self._bits) + MARGIN, waiting.address, 1
        self._bits += 1
        self._attach()
        for first in range(0, view[k.LAST], PORTION):
            view[k.FIRST], view[k.NEXT] = first, min(first + PORTION, view[k.LAST])
            machine.double(context.address)
            self._seen.rest()

    @property
    def growth(self) -> int:
        """How many bytes the next growth of the table takes."""
        return (self.words << self._bits) * WORD

    def bytes_for(self, rows: int) -> int:
        """Answer how many bytes log and table take, its share of so many rows in them."""
        return int(rows / OWNERS * (1 + 2 / FULL)) * self.words * WORD

    def reserve(self, rows: int) -> None:
        """Take room on the disk for its share of so many rows; OSError where there is none."""
        share = int(rows * UNEVEN / OWNERS)
        self._log.ensure(max(1, share * self.words))
        size = 1 << max(FIRST_BITS, int(share / FULL).bit_length())
        self._seen.ensure((size + 2 * MARGIN) * self.words)

    def spill(self, folder: Path, name: str) -> None:
        """Keep all rows in files from now on."""
        self._log = self._log.moved(self.count * self.words, folder / f"{name}-log")
        taken = ((1 << self._bits) + 2 * MARGIN) * self.words
        self._seen = self._seen.moved(taken, folder / f"{name}-seen")

    def rest(self) -> None:
        """Let go of memory whose content is in files."""
        self._log.rest()
        self._seen.rest()

    def rows(self, start: int, end: int) -> memoryview:
        """Answer the bytes of some rows."""
        return self._log.view[start * self.words : end * self.words].cast("B")

    def row(self, index: int) -> list[int]:
        """Answer the words of a row."""
        return self._log.view[index * self.words : (index + 1) * self.words].tolist()


def deal(
    machine: Machine,
    owners: list[Owner],
    buffers: Buffers,
    move: Move,
    source: tuple[int, int, int],
) -> None:
    """Copy rows to the layout of their new owners, and give them to these."""
    address, stride, count = source
    words = owners[0].words
    copied = Block(min(count, buffers.rows) * words)
    view = buffers.context.view
    for start in range(0, count, buffers.rows):
        some = min(count - start, buffers.rows)
        place = address + start * stride * 8
        move.copy(machine, buffers.context, (place, stride, some), (copied.address, words))
        buffers.clear()
        view[k.ROWS], view[k.FIRST], view[k.LAST] = copied.address, 0, some
        machine.deal(buffers.context.address)
        for number, owner in enumerate(owners):
            owner.take_in(machine, buffers.out(number))
    buffers.clear()
