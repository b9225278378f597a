"""Rows from one layout to another."""

from collections.abc import Sequence

from checker.search import places as k
from checker.search.machinecode import Machine
from checker.search.memory import FULL_WORD, Block
from checker.search.packing import BITS, Layout

FIELD = 5
"""Words in a field: word, shift and mask before, word and shift after."""


Field = tuple[int, int, int, int, int]


def fields_between(old: Layout, new: Layout, beside: int = 0) -> list[Field]:
    """Answer the fields of rows with so many words beside them that stay as they are."""
    parts = [
        (word, shift, (1 << width) - 1, new.word[part], new.shift[part])
        for part, (word, shift, width) in enumerate(
            zip(old.word, old.shift, old.width, strict=True)
        )
    ]
    besides = [(old.words + each, 0, FULL_WORD, new.words + each, 0) for each in range(beside)]
    return [(0, BITS - 1, 1, 0, BITS - 1), *parts, *besides]


def fields_from_ids(new: Layout) -> list[Field]:
    """Answer the fields of rows that give each id a word, and the last word to a one."""
    parts = [(part, 0, FULL_WORD, word, new.shift[part]) for part, word in enumerate(new.word)]
    return [*parts, (len(parts), 0, 1, 0, BITS - 1)]


class Move:
    """A way to copy rows from one layout to another."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self._count = len(fields)
        self._fields = Block(self._count * FIELD)
        self._fields.put(0, [number for field in fields for number in field])

    def copy(
        self, machine: Machine, context: Block, source: tuple[int, int, int], to: tuple[int, int]
    ) -> None:
        """Copy rows; a source is an address, a stride and a count, a target address and stride."""
        view = context.view
        view[k.ROWS], view[k.STRIDE], view[k.LAST] = source
        view[k.TO], view[k.TO_STRIDE] = to
        view[k.FIRST], view[k.FIELDS], view[k.FIELD_COUNT] = 0, self._fields.address, self._count
        machine.lay_out(context.address)
