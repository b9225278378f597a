"""Traces out of the compiled search: backwards over packed rows, layer by layer."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from checker.search import places as k
from checker.search.compiled import Bounds, Compiled
from checker.search.lookups import Lookups
from checker.search.memory import Block
from checker.search.owners import OWNERS, Owner
from checker.search.report import Trace
from checker.search.tables import Row
from checker.search.ways import Marks, first_trace

Hits = tuple[list[int], ...]
"""By owner: the places of rows in its log."""
NO_HITS: Hits = ([],) * OWNERS


def trace_of(search: Compiled) -> Trace | None:
    """Answer the first of the shortest traces; none where no law is broken."""
    breaches = tuple(search.tables.breaches)
    if search.is_torn or (not search.judges.violations and not breaches):
        return None
    layers = list(pairwise([*search.bounds, search.ends()]))
    marked = [_breaking(search, layers[-1]) if search.judges.violations else NO_HITS]
    for layer in layers[: search.foreign]:
        _look_up(search, layer)
    for number, layer in enumerate(reversed(layers[:-1])):
        hits = _leading(search, layer, marked[-1])
        for breach in breaches if number == 0 else ():
            for step, read_ids in search.tables.readings(breach.step, breach.read_ids):
                hits = _merged(hits, _reading(search, layer, step, read_ids))
        marked.append(hits)
    rows = [partial(_rows, search, hits) for hits in reversed(marked)]
    return first_trace(search.tables, Marks(rows, breaches))


def _look_up(search: Compiled, layer: tuple[Bounds, Bounds]) -> None:
    """Enter into the table what the steps answer for rows that another engine expanded."""
    firsts, ends = layer
    while firsts != ends:
        firsts = search.sweep(search.steps, search.machine.ask, firsts, ends)
        for buffers in search.buffers:
            search.steps.learn(buffers.context)


def _breaking(search: Compiled, layer: tuple[Bounds, Bounds]) -> Hits:
    """Answer the rows that break a law."""
    search.questions.active = list(range(len(search.judges.laws)))
    return _hits(search, search.questions, search.machine.ask, layer)


def _leading(search: Compiled, layer: tuple[Bounds, Bounds], targets: Hits) -> Hits:
    """Answer the rows that lead to a target in one step."""
    words = search.layout.words
    images = [
        image
        for owner, hits in zip(search.owners, targets, strict=True)
        for place in hits
        for image in search.images(owner.row(place))
    ]
    rows = Block(len(images) * words)
    for number, image in enumerate(images):
        rows.put(number * words, image)
    table, scratch = Owner(words), [Block(words) for _ in range(OWNERS)]
    table.take_in(search.machine, (rows.address, len(images)))

    def prepare(number: int, view: memoryview) -> None:
        view[k.TARGETS], view[k.TARGETS_SHIFT] = table.seen
        view[k.TO] = scratch[number].address

    return _hits(search, search.steps, search.machine.trace_back, layer, prepare)


def _reading(search: Compiled, layer: tuple[Bounds, Bounds], step: int, read_ids: Row) -> Hits:
    """Answer the rows of which a step reads what makes it break its law."""
    words, reads = search.layout.words, search.tables.step_reads[step]
    both = Block(2 * words)
    both.put(0, search.layout.mask(reads))
    both.put(words, search.layout.packed(reads, read_ids))

    def prepare(_number: int, view: memoryview) -> None:
        view[k.MASKS], view[k.KEY] = both.address, both.address + words * 8

    return _hits(search, search.steps, search.machine.match, layer, prepare)


def _nothing_more(_number: int, _view: memoryview) -> None:
    """Leave the context as it is."""


def _hits(
    search: Compiled,
    lookups: Lookups,
    kernel: Callable[[int], None],
    layer: tuple[Bounds, Bounds],
    prepare: Callable[[int, memoryview], None] = _nothing_more,
) -> Hits:
    firsts, ends = layer
    found: Hits = tuple([] for _ in range(OWNERS))
    while firsts != ends:
        firsts = search.sweep(lookups, kernel, firsts, ends, prepare)
        for places, buffers in zip(found, search.buffers, strict=True):
            places.extend(dict.fromkeys(buffers.hits()))
    return found


def _merged(left: Hits, right: Hits) -> Hits:
    return tuple(sorted({*old, *new}) for old, new in zip(left, right, strict=True))


def _rows(search: Compiled, hits: Sequence[Sequence[int]]) -> frozenset[Row]:
    parts = range(len(search.tables.names))
    return frozenset(
        search.layout.ids(parts, owner.row(place))
        for owner, places in zip(search.owners, hits, strict=True)
        for place in places
    )
