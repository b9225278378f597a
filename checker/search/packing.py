"""Rows as bits: which bits of which word hold the id of each part."""

from collections.abc import Sequence
from dataclasses import dataclass

PRESENT = 1 << 63
"""Set in the first word of every row, so that no row is all zeros."""
BITS = 64


Field = tuple[int, int, int]
"""A word, how far it is shifted, and what is kept of it then."""


def ids_in(words: Sequence[int], fields: Sequence[Field]) -> tuple[int, ...]:
    """Answer the ids in some fields of a row."""
    return tuple([(words[word] >> shift) & kept for word, shift, kept in fields])


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the id of each part stands."""

    words: int
    word: tuple[int, ...]
    shift: tuple[int, ...]
    width: tuple[int, ...]

    def mask(self, parts: Sequence[int]) -> list[int]:
        """Answer the words in which the bits of these parts are set."""
        words = [0] * self.words
        for part in parts:
            words[self.word[part]] |= ((1 << self.width[part]) - 1) << self.shift[part]
        return words

    def packed(self, parts: Sequence[int], ids: Sequence[int]) -> list[int]:
        """Answer the words that hold these ids, and zeros elsewhere."""
        words, word, shift = [0] * self.words, self.word, self.shift
        for part, known in zip(parts, ids):  # noqa: B905 - of one length; hot
            words[word[part]] |= known << shift[part]
        return words

    def row(self, ids: Sequence[int]) -> list[int]:
        """Answer the row of a whole state."""
        words = self.packed(range(len(self.word)), ids)
        words[0] |= PRESENT
        return words

    def fields(self, parts: Sequence[int]) -> list[Field]:
        """Answer where the ids of these parts are found, for `ids_in`."""
        return [(self.word[part], self.shift[part], (1 << self.width[part]) - 1) for part in parts]

    def ids(self, parts: Sequence[int], words: Sequence[int]) -> tuple[int, ...]:
        """Answer the ids of these parts in a row."""
        return ids_in(words, self.fields(parts))

    def holds(self, counts: Sequence[int]) -> bool:
        """Answer whether so many ids of each part fit."""
        return all(count <= 1 << width for count, width in zip(counts, self.width, strict=True))


def layout_for(
    counts: Sequence[int], before: Sequence[int] | None = None, least_words: int = 1
) -> Layout:
    """Answer a layout for parts with so many ids each.

    `before` tells how many ids each part had some time ago. Bits to spare go to the parts that
    grew, the fastest first.
    """
    needs = [max(1, (count - 1).bit_length()) for count in counts]
    words = least_words
    while _placed(needs, words) is None:
        words += 1
    growth = [count / max(1, old) for count, old in zip(counts, before or counts, strict=True)]
    eager = sorted(range(len(counts)), key=lambda part: (-growth[part], -counts[part]))
    growing = [part for part in eager if growth[part] > 1 or counts[part] == 1]
    widths = list(needs)
    for part in (*growing, *growing, *eager):
        widths[part] += 1
        if _placed(widths, words) is None:
            widths[part] -= 1
    placed = _placed(widths, words)
    assert placed is not None, "the widths were tried before"
    return _laid_out(widths, placed, words)


def _placed(widths: Sequence[int], words: int) -> list[int] | None:
    """Answer a word for each part, the widest part first into the emptiest word."""
    free = [BITS - (word == 0) for word in range(words)]
    placed = [0] * len(widths)
    for part in sorted(range(len(widths)), key=lambda part: -widths[part]):
        word = max(range(words), key=lambda word: free[word])
        if free[word] < widths[part]:
            return None
        placed[part] = word
        free[word] -= widths[part]
    return placed


def _laid_out(widths: Sequence[int], placed: Sequence[int], words: int) -> Layout:
    shifts, taken = [], [0] * words
    for width, word in zip(widths, placed, strict=True):
        shifts.append(taken[word])
        taken[word] += width
    return Layout(words, tuple(placed), tuple(shifts), tuple(widths))
