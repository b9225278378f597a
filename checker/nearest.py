"""The names that are near one that nobody knows."""

from collections.abc import Iterable
from difflib import get_close_matches

FEW = 12
"""So many names are listed where none is near."""


def unknown(kind: str, name: str, known: Iterable[str], listing: str | None = None) -> str:
    """Say that there is no such name, with the nearest ones, or all where they are few."""
    words = list(known)
    near = get_close_matches(name, words, n=3)
    if near:
        return f"there is no {kind} {name!r}: did you mean {' or '.join(near)}?"
    if words and len(words) <= FEW:
        return f"there is no {kind} {name!r}: there are {', '.join(words)}"
    return f"there is no {kind} {name!r}" + (f": `{listing}` lists them" if listing else "")
