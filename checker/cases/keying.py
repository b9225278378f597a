"""Keys that fall under Malachi's own hash where the keys of a world fall under the world's."""

import string
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from checker.replay.terms import Term
from reference.frontend import PositionFun
from reference.hashing import position_of

ALPHABET = string.digits + string.ascii_lowercase
MOST_TRIES = 100_000


def placed_alike(records: Term, place: PositionFun, keyspace_size: int) -> Term:
    """Records as a recording writes them, each with a key as long as its own that falls alike."""
    if place is position_of or not isinstance(records, list):
        return records
    return [
        {**each, "key": key_like(each["key"], place, keyspace_size)}
        if isinstance(each, dict) and isinstance(each["key"], str)
        else each
        for each in records
    ]


@lru_cache(maxsize=1024)
def key_like(key: str, place: PositionFun, keyspace_size: int) -> str:
    """A key of the same length that falls where this one does; this one where none is found."""
    wanted = place(key.encode(), keyspace_size)
    return next(
        (one for one in _keys(key) if position_of(one.encode(), keyspace_size) == wanted), key
    )


def _keys(first: str) -> Iterator[str]:
    yield first
    for tries, letters in enumerate(product(ALPHABET, repeat=len(first))):
        if tries >= MOST_TRIES:
            return
        yield "".join(letters)
