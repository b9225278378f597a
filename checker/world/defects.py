"""The named defects: small changes of the machine, each caught by a law, with a pinned trace."""

from checker.world.copies import defects as copies
from checker.world.kinds import Defect
from checker.world.reading import defects as reading
from checker.world.recovering import defects as recovering
from checker.world.reshaping import defects as reshaping
from checker.world.sharing import callers
from checker.world.sharing import defects as sharing
from checker.world.views import defects as views

DEFECTS: tuple[Defect, ...] = tuple(
    sorted(
        (
            *sharing.DEFECTS,
            *callers.DEFECTS,
            *copies.DEFECTS,
            *reshaping.DEFECTS,
            *reading.DEFECTS,
            *views.DEFECTS,
            *recovering.DEFECTS,
        ),
        key=lambda defect: defect.name,
    )
)


def defect_named(name: str) -> Defect | None:
    """The defect of that name or title."""
    return next((each for each in DEFECTS if name.upper() in {each.name, each.title}), None)
