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
from dataclasses import dataclass, replace
from functools import _lru_cache_wrapper
from typing import Any, Self, cast

from immutables import Map

from checker.prove.late import Glimpse
from checker.world.remembering import Remembering
from checker.world.sharing.parts import RANGE, TOPIC
from checker.world.sharing.sight import listing_of, seen_by
from reference import store
from reference.controlplane import segments_of
from reference.vnodes import View, metadata_of
from spec.truth import Listing
from spec.vocabulary import Count, Record

MEASURED = ("reference.", "spec.", "checker.world.", "checker.prove.")
"""The modules in which records are counted."""
UNMEASURED = frozenset({"checker.prove.measuring", "checker.prove.paths", "checker.prove.solving"})
"""Those of them that hold no records, and count often."""
KEEPING = ("checker.world.", "checker.prove.")
"""The modules whose functions keep what they worked out of values with integers in them."""
JUDGING = "spec.laws."
"""The modules that ask what a frontend would be like with another field."""


ONE = Count(1)


_LISTINGS: dict[int, tuple[View, Listing]] = {}
"""By the identity of a view, which is kept, so that no other takes its place."""
MOST_LISTINGS = 1 << 10


def listed(view: View) -> Listing:
    """What a view lists. All ids are known, so that no path decides anything on the way to it."""
    if type(view.vnodes) is not Map:
        # It is drawn when it is looked at, on each path for itself.
        return segments_of(metadata_of(view, TOPIC), RANGE)
    if id(view) not in _LISTINGS:
        if len(_LISTINGS) >= MOST_LISTINGS:
            _LISTINGS.clear()
        _LISTINGS[id(view)] = view, segments_of(metadata_of(view, TOPIC), RANGE)
    return _LISTINGS[id(view)][1]


def replaced(some: object, **changes: object) -> object:
    """The same with some other fields; what is shown late stays so."""
    return some.but(**changes) if type(some) is Glimpse else replace(cast("Any", some), **changes)


INSTEAD: dict[object, object] = {seen_by: Glimpse, listing_of: listed}
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
    if isinstance(some, tuple | list):
        for each in some:
            if type(each) is Run:
                return sum((each.count if type(each) is Run else 1) for each in some)
    return builtins.len(cast("tuple[object, ...]", some))


@contextmanager
def measuring() -> Iterator[None]:
    """Let the modules of the reference count runs, and keep nothing, until the block ends.

    A block within a block changes nothing more.
    """
    if "len" in vars(store):
        yield
        return
    undone: list[tuple[dict[str, object], str, object]] = []
    for name, module in sorted(sys.modules.items()):
        if name.startswith(MEASURED) and name not in UNMEASURED and "len" not in vars(module):
            vars(module)["len"] = measured
            undone.append((vars(module), "len", None))
        if name.startswith(JUDGING) and vars(module).get("replace") is replace:
            vars(module)["replace"] = replaced
            undone.append((vars(module), "replace", replace))
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
