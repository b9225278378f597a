"""Blocks of a topic's keyspace: which keys a range owns, and how blocks halve and join.

A block is half open, a power of two long and aligned to its length.
"""

from reference.hashing import position_of
from spec.vocabulary import Position, Range

SMALLEST_SPLITTABLE = 2


def is_owner(owner: Range, key: bytes | None) -> bool:
    """Whether a key falls in a range. A range over everything needs no hash to know."""
    if owner.key_end - owner.key_start == owner.keyspace_size:
        return True
    return owner.key_start <= position_of(key, owner.keyspace_size) < owner.key_end


def is_splittable(one: Range) -> bool:
    """Whether a range has two halves: one position has none."""
    return one.key_end - one.key_start >= SMALLEST_SPLITTABLE


def middle_of(one: Range) -> Position:
    """Where the upper half of a range begins."""
    return Position(one.key_start + (one.key_end - one.key_start) // 2)


def are_buddies(first: Range, second: Range) -> bool:
    """Whether two ranges are the halves of one block."""
    size = first.key_end - first.key_start
    return (
        first.keyspace_size == second.keyspace_size
        and size == second.key_end - second.key_start
        and first.key_start ^ size == second.key_start
    )
