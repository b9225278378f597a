"""What every exact search of FenceCore has to find."""

from typing import NamedTuple

from bench.peers.fencecore import Size


class Counts(NamedTuple):
    """What a search found."""

    states: int
    """Distinct states, the initial one included."""
    transitions: int
    """Enabled instances of actions, summed over the distinct states."""
    depth: int | None = None
    """Steps from the initial state to the farthest one, where the search is breadth first."""


FIGURES = {
    Size(2, 1, 1): Counts(2_857, 12_612),
    Size(2, 2, 1): Counts(23_867, 119_514, 26),
    Size(2, 3, 1): Counts(79_149, 411_228, 31),
    Size(2, 1, 2): Counts(88_581, 546_498),
    Size(3, 1, 1): Counts(271_870, 1_970_271),
    Size(2, 2, 2): Counts(1_759_222, 12_119_282, 36),
    Size(2, 1, 3): Counts(2_481_915, 19_707_018),
    Size(3, 2, 1): Counts(7_859_500, 63_137_649),
    Size(2, 3, 2): Counts(10_877_219, 79_134_296, 46),
}


def disagreement(size: Size, found: Counts) -> str | None:
    """Say in what the counts differ from the known ones; sizes not known have none to differ."""
    known = FIGURES.get(size)
    if known is None:
        return None
    wrong = [
        f"{name} {is_:,} instead of {due:,}"
        for name, is_, due in zip(Counts._fields, found, known, strict=True)
        if is_ is not None and due is not None and is_ != due
    ]
    return ", ".join(wrong) or None
