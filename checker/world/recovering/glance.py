"""The parts of such a world in a few words each, for people who read a trace."""

from collections.abc import Hashable, Iterator

from checker.search.model import Parts
from checker.world.recovering.parts import Orphan
from checker.world.sharing import glance as sharing
from spec.truth import Expired


def glance(parts: Parts) -> Parts:
    """Answer the same state, each part as the words that matter."""
    usual = {name: value for name, value in parts.items() if not _is_own(value)}
    own = {key: words for name, value in parts.items() for key, words in _words(name, value)}
    return {**sharing.glance(usual), **own}


def _is_own(value: Hashable) -> bool:
    return isinstance(value, Orphan | Expired | frozenset)


def _words(name: str, value: Hashable) -> Iterator[tuple[str, Hashable]]:
    match value:
        case Orphan(dispatch):
            place = sharing.place(dispatch.segment_id)
            yield f"batch {name}", f"on its way to {place}, and nobody waits"
        case Expired(first, last):
            yield f"batch {name}", f"acknowledged at {first} to {last}, and expired"
        case frozenset():
            yield name, ", ".join(sorted(map(sharing.place, value))) or "none"
        case _:
            return
