"""Search up to symmetry in machine code: successors become the rows that stand for them.

What is learned, judged and traced is the business of the tables and judges that the search in
plain Python began with; here rows are renamed, by tables of ids that grow with those.
"""

from collections.abc import Callable, Sequence

from checker.search import places as k
from checker.search.budgets import NO_BUDGET, Budget
from checker.search.closed import ClosedTables
from checker.search.compiled import Compiled
from checker.search.exchanges import Exchange
from checker.search.machinecode import SEARCHING, Family, Kernel, Loaded
from checker.search.memory import Block
from checker.search.owners import OWNERS, Buffers
from checker.search.packing import PRESENT, Layout
from checker.search.symmetric import Symmetric

TURNING = Family("turnkernels", ("turnkernels.py", *SEARCHING.sources), ("TURN_KERNELS",))
FIELD = 7
"""Words in a field."""

_made: dict[int, Loaded] = {}


def turn_for(words: int, warn: Callable[[str], None] | None = None) -> Kernel:
    """Answer the kernel that turns rows of so many words; it is loaded once."""
    if words not in _made:
        _made[words] = Loaded(words, warn, TURNING)
    return _made[words].kernel("turn")


class Turned(Compiled):
    """A search of one state among those that differ only in names, in machine code."""

    engine = "compiled, up to symmetry"

    def __init__(
        self,
        begun: Symmetric,
        workers: int,
        warn: Callable[[str], None] | None,
        budget: Budget = NO_BUDGET,
    ) -> None:
        self._closed = begun.closed
        super().__init__(begun, workers, warn, budget)

    def _settle(self, rows: int) -> None:
        super()._settle(rows)
        self._turn = turn_for(self.layout.words, self._warn)
        self._renaming = Renaming(self._closed, self.layout)
        self._renaming.catch_up()
        self._further = [Further(each, self.layout.words) for each in self.buffers]
        for each in self.buffers:
            self._renaming.attach(each.context)

    def _finish_round(self) -> None:
        self._renaming.catch_up()
        super()._finish_round()

    def _expand(self, context: int) -> None:
        super()._expand(context)
        self._turn(context)

    def _answer_misses(self, context: int) -> None:
        super()._answer_misses(context)
        self._turn(context)

    def images(self, row: Sequence[int]) -> list[list[int]]:
        """Answer a row and all that it stands for."""
        layout = self.layout
        ids = layout.ids(range(len(layout.word)), row)
        return [layout.row(image) for image in self._closed.images(ids)]


class Further:
    """What a worker needs beside its other buffers; either pair holds all that it makes."""

    def __init__(self, buffers: Buffers, words: int) -> None:
        view, most = buffers.context.view, OWNERS * buffers.rows
        self.rows = [Block(most * words) for _ in range(2 * OWNERS)]
        self._image = Block(words)
        view[k.OUT], view[k.OUT + 1], view[k.TURNED], view[k.TURNED + 1] = (
            block.address for block in self.rows
        )
        view[k.IMAGE] = self._image.address


class Renaming:
    """What ids become by each exchange, as words of a layout."""

    def __init__(self, tables: ClosedTables, layout: Layout) -> None:
        self._exchanges, self._layout = tables.exchanges, layout
        self._values = tables.values
        self._parts = range(len(tables.names))
        self._sizes = [1 << width for width in layout.width]
        self._ids = [Block(sum(self._sizes)) for _ in self._exchanges]
        self._firsts = [sum(self._sizes[:part]) for part in self._parts]
        self._entered = [0] * len(self._parts)
        """By part: how many of its ids are entered."""
        self._stays = [True] * len(self._parts)
        """By part: whether no exchange has made anything of its ids but themselves."""
        self._words = 1 + layout.words + FIELD * len(self._parts)
        self._all = Block(len(self._exchanges) * self._words)

    def attach(self, context: Block) -> None:
        """Put the address of everything into a context."""
        view = context.view
        view[k.EXCHANGES], view[k.EXCHANGE_COUNT] = self._all.address, len(self._exchanges)
        view[k.EXCHANGE_WORDS] = self._words

    def catch_up(self) -> None:
        """Enter the ids that are new."""
        counts, shift = [len(values) for values in self._values], self._layout.shift
        if counts == self._entered:
            return
        for exchange, ids in zip(self._exchanges, self._ids, strict=True):
            for part, first in enumerate(self._entered):
                known, target = exchange.known[part], exchange.parts[part]
                for own, new in enumerate(known[first:], first):
                    ids.view[self._firsts[part] + own] = new << shift[target]
                    self._stays[part] &= (target, new) == (part, own)
        for number, exchange in enumerate(self._exchanges):
            self._all.put(number * self._words, self._record(exchange, number))
        self._entered = counts

    def _record(self, exchange: Exchange, number: int) -> list[int]:
        layout, stays = self._layout, self._stays
        fields: list[int] = []
        for target, source in enumerate(exchange.sources):
            if not stays[source]:
                address = self._ids[number].address + 8 * self._firsts[source]
                ((word, shift, kept),) = layout.fields((source,))
                mask = layout.mask((target,))[layout.word[target]]
                fields += [word, shift, kept, address]
                fields += [layout.word[target], mask, layout.shift[target]]
        keep = layout.mask([part for part in self._parts if stays[part]])
        keep[0] |= PRESENT
        return [len(fields) // FIELD, *keep, *fields]
