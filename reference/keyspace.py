"""Blocks of a topic's keyspace: how they halve and join.

[RNG-45] A block is half open, a power of two long and aligned to its length.
"""

from spec.vocabulary import Position, Range

SMALLEST_SPLITTABLE = 2


def is_splittable(one: Range) -> bool:
    """[RNG-9] Whether a range has two halves: one position has none."""
    return one.key_end - one.key_start >= SMALLEST_SPLITTABLE


def middle_of(one: Range) -> Position:
    """[RNG-10] Where the upper half of a range begins."""
    return Position(one.key_start + (one.key_end - one.key_start) // 2)


def are_buddies(first: Range, second: Range) -> bool:
    """[RNG-13] Whether two ranges are the halves of one block."""
    size = first.key_end - first.key_start
    return (
        first.keyspace_size == second.keyspace_size
        and size == second.key_end - second.key_start
        and first.key_start ^ size == second.key_start
    )
