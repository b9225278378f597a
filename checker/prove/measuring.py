"""Batches of any size, and functions that keep nothing from one path to the next.

A `Run` stands for any number of records in a row: it is one value in a batch or in a log, and
counts as many. So that the reference counts it so, its modules see a `len` that knows runs
while a path is explored; nothing else of them changes. Functions that keep results are called
afresh on each path, since what they kept was worked out on another.
"""

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from typing import Self, cast

from checker.prove.late import Glimpse
from checker.world.remembering import Remembering
from checker.world.sharing.sight import seen_by
from spec.vocabulary import Count, Record

MEASURED = ("reference.", "spec.", "checker.world.", "checker.prove.")
"""The modules in which records are counted."""
KEEPING = ("checker.world.", "checker.prove.")
"""The modules whose functions keep what they worked out of values with integers in them."""


ONE = Count(1)


INSTEAD: dict[object, object] = {seen_by: Glimpse}
"""What is asked in the place of a function that keeps results."""


class Blob(bytes):
    """Some bytes of which only their number is of interest."""

    size: int

    def __new__(cls, size: int) -> Self:
        """Answer bytes of this number."""
        blob = super().__new__(cls)
        blob.size = size
        return blob

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Blob) and self.size == other.size)

    def __hash__(self) -> int:
        return hash(self.size)


@dataclass(frozen=True, slots=True)
class Run(Record):
    """Any number of records in a row; the offset is that of the first."""

    count: Count = ONE


def run_of(count: int, byte_size: int, overhead: int) -> Run:
    """So many records that take so many bytes when they are encoded."""
    return Run(key=None, value=Blob(byte_size - overhead), count=Count(count))


def measured(some: object) -> int:
    """How many there are: `len`, but that a run counts as many records as it stands for."""
    if isinstance(some, Blob):
        return some.size
    if isinstance(some, tuple | list) and any(isinstance(each, Run) for each in some):
        return sum((each.count if isinstance(each, Run) else 1) for each in some)
    return builtins.len(cast("tuple[object, ...]", some))


@contextmanager
def measuring() -> Iterator[None]:
    """Let the modules of the reference count runs, and keep nothing, until the block ends."""
    undone: list[tuple[dict[str, object], str, object]] = []
    for name, module in sorted(sys.modules.items()):
        if name.startswith(MEASURED) and name != __name__ and "len" not in vars(module):
            vars(module)["len"] = measured
            undone.append((vars(module), "len", None))
        if name.startswith(KEEPING):
            for word, value in list(vars(module).items()):
                if isinstance(value, _lru_cache_wrapper | Remembering):
                    vars(module)[word] = INSTEAD.get(value, value.__wrapped__)
                    undone.append((vars(module), word, value))
    try:
        yield
    finally:
        for namespace, word, value in undone:
            if value is None:
                del namespace[word]
            else:
                namespace[word] = value
