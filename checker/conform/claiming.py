"""What a run may claim: no more of a profile than was played of it."""

from collections.abc import Collection, Iterable, Sequence

from checker.conform.running import claim_of, heights
from checker.conform.suite import shipped


def claimed(shown: Iterable[tuple[str | None, Sequence[str]]], seen: Collection[str]) -> str:
    """The claim, and of how much: `L1 core (of a selection: 4 of the 61 scenarios that ship)`.

    It is made of levels with the profiles that they count for, and the ids that had their turn.
    """
    levels = list(shown)
    said = claim_of(levels)
    names = {profile for profile, height in heights(levels).items() if height >= 0}
    whole = {one.id for one in shipped() if names.issuperset(one.spoken_for)}
    played = whole.intersection(seen)
    if played == whole:
        return said
    return f"{said} (of a selection: {len(played)} of the {len(whole)} scenarios that ship)"
