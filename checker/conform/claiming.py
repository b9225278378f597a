"""What a run may claim: no more of a profile than was played of it."""

from collections.abc import Collection, Iterable, Sequence

from checker.conform.running import claim_of, heights
from checker.conform.suite import shipped


def claimed(
    shown: Iterable[tuple[str | None, Sequence[str]]],
    seen: Collection[str],
    *,
    is_whole: bool = True,
) -> str:
    """The claim, and of how much: `L1 core (of a selection: 4 of the 61 scenarios that ship)`.

    It is made of levels with the profiles that they count for, and the ids that had their turn. A
    run that was interrupted claims nothing of what it did not come to, so `partial` stands first.
    """
    levels = list(shown)
    said = claim_of(levels)
    if not is_whole:
        return f"partial ({said} of what was played)"
    names = {profile for profile, height in heights(levels).items() if height >= 0}
    whole = {one.id for one in shipped() if names.issuperset(one.spoken_for)}
    played = whole.intersection(seen)
    if played == whole:
        return said
    return f"{said} (of a selection: {len(played)} of the {len(whole)} scenarios that ship)"
