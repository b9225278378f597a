"""The names that are near one that nobody knows."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

FEW = 12
"""So many names are listed where none is near."""


LONG = 4
"""Of so many characters, the beginning of a name is as good as a name that is near."""
MOST = 3
LONGEST = 80
"""So many characters of a name that nobody knows are said."""


def nearest(name: str, words: Sequence[str]) -> list[str]:
    """Those that begin so, then those that are spelt much alike, in capitals or not."""
    plain, known = name.lower(), {word.lower(): word for word in words}
    begun = [word for word in known if len(plain) >= LONG and word.startswith(plain)]
    near = dict.fromkeys([*begun, *get_close_matches(plain, known, n=MOST)])
    return [known[word] for word in near][:MOST]


def unknown(kind: str, name: str, known: Iterable[str], listing: str | None = None) -> str:
    """Say that there is no such name, with the nearest ones, or all where they are few."""
    words = list(known)
    near = nearest(name, words)
    said = f"{name[:LONGEST]}..." if len(name) > LONGEST else name
    if near:
        return f"there is no {kind} {said!r}: did you mean {' or '.join(near)}?"
    if words and len(words) <= FEW:
        return f"there is no {kind} {said!r}: there are {', '.join(words)}"
    return f"there is no {kind} {said!r}" + (f": `{listing}` lists them" if listing else "")
