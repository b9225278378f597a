"""Where the documented protocol itself goes wrong, or is less than it seems.

Each is a law, searched in a world of the unchanged machine, with a pinned shortest trace. A
finding that no longer shows is news: the machine or the world has changed.
"""

from checker.world.copies import findings as copies
from checker.world.kinds import Finding
from checker.world.reading import findings as reading
from checker.world.recovering import findings as recovering
from checker.world.reshaping import findings as reshaping
from checker.world.sharing import findings as sharing
from checker.world.views import findings as views

FINDINGS: tuple[Finding, ...] = (
    *sharing.FINDINGS,
    *reshaping.FINDINGS,
    *reading.FINDINGS,
    *views.FINDINGS,
    *recovering.FINDINGS,
    *copies.FINDINGS,
)


def finding_named(name: str) -> Finding | None:
    """The finding of that name or title."""
    return next((each for each in FINDINGS if name.upper() in {each.name, each.title}), None)
