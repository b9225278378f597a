"""The loops of a search up to symmetry: rows become those that stand for them.

They keep to the same rules as the kernels of the search.
"""

from checker.search.kernels import hash_of, put
from checker.search.memory import load, shifted, store
from checker.search.places import (
    EXCHANGE_COUNT,
    EXCHANGE_WORDS,
    EXCHANGES,
    IMAGE,
    OUT,
    OUT_COUNT,
    TURNED,
    TURNED_COUNT,
    WORDS,
)


def turn(context: int) -> int:
    """Put in the place of each successor the row that stands for it, at the owner of that."""
    for taker in range(2):
        store(context, TURNED_COUNT + taker, 0)
    for owner in range(2):
        row = load(context, OUT + owner)
        for _ in range(load(context, OUT_COUNT + owner)):
            least = least_image(context, row)
            taker = hash_of(least) & 1
            taken = load(context, TURNED_COUNT + taker)
            put(load(context, TURNED + taker) + taken * (WORDS * 8), least)
            store(context, TURNED_COUNT + taker, taken + 1)
            row += WORDS * 8
    for owner in range(2):
        made = load(context, TURNED + owner)
        store(context, TURNED + owner, load(context, OUT + owner))
        store(context, OUT + owner, made)
        store(context, OUT_COUNT + owner, load(context, TURNED_COUNT + owner))
    return 0


def least_image(context: int, row: int) -> int:
    """Answer the address of the least of all that a row is renamed to, itself included."""
    least, image = row, load(context, IMAGE)
    exchange = load(context, EXCHANGES)
    for _ in range(load(context, EXCHANGE_COUNT)):
        if is_less(exchange, row, least):
            rename(exchange, row, image)
            least = image
        exchange += load(context, EXCHANGE_WORDS) * 8
    return least


def is_less(exchange: int, row: int, least: int) -> bool:
    """Answer whether an exchange makes less of a row than the least so far."""
    field = exchange + (WORDS + 1) * 8
    for _ in range(load(exchange, 0)):
        known = shifted(load(row, load(field, 0)), load(field, 1)) & load(field, 2)
        word = load(load(field, 3), known)
        own = load(least, load(field, 4)) & load(field, 5)
        if word != own:
            return shifted(word, load(field, 6)) < shifted(own, load(field, 6))
        field += 56
    return False


def rename(exchange: int, row: int, image: int) -> None:
    """Make what an exchange makes of a row."""
    for j in range(WORDS):
        store(image, j, load(row, j) & load(exchange, j + 1))
    field = exchange + (WORDS + 1) * 8
    for _ in range(load(exchange, 0)):
        known = shifted(load(row, load(field, 0)), load(field, 1)) & load(field, 2)
        word = load(field, 4)
        store(image, word, load(image, word) | load(load(field, 3), known))
        field += 56


TURN_KERNELS = (turn,)
"""What is called from outside, and compiled."""
