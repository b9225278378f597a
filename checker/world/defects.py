"""The named defects: small changes of the machine, each caught by a law, with a pinned trace."""

from collections.abc import Callable
from dataclasses import dataclass

from checker.search.model import Model


@dataclass(frozen=True, slots=True)
class Defect:
    """One small change, and the law that notices it."""

    name: str
    """`D09`."""
    title: str
    """`SEAL-KEEPS-MAX`."""
    change: str
    """What is changed, in words."""
    caught_by: str
    """The name of the law."""
    scope: str
    """The scope whose world it is searched in."""
    steps: int
    """The length of the shortest trace."""
    build: Callable[[], Model]
    """The world with the change in it."""


DEFECTS: tuple[Defect, ...] = ()


def defect_named(name: str) -> Defect | None:
    """The defect of that name or title."""
    return next((each for each in DEFECTS if name.upper() in {each.name, each.title}), None)
