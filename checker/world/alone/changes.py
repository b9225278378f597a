"""The changes that laws are tried on: every named defect, and smaller ones without a number."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from checker.search.model import Model
from checker.world.alone import copies, reading, recovering, reshaping, sharing, views
from checker.world.alone.nameless import Nameless
from checker.world.changing import in_full
from checker.world.defects import DEFECTS
from checker.world.kinds import Defect


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the machine, and the worlds that it can be put into."""

    name: str
    """`D09`, or a few words joined by underscores."""
    words: str
    """What is changed."""
    scope: str
    """The world that it is put into where no other is named."""
    build: Callable[[str], Model]
    """Takes the name of a world of the same kind; answers it with the change in it, and with all
    the laws that judge it."""


NAMELESS: tuple[Nameless[Any], ...] = (
    *sharing.CHANGES,
    *copies.CHANGES,
    *reshaping.CHANGES,
    *reading.CHANGES,
    *views.CHANGES,
    *recovering.CHANGES,
)


@cache
def changes() -> Mapping[str, Change]:
    """All of them, by name: first the defects, in order."""
    found = [*map(of_defect, DEFECTS), *map(of_nameless, NAMELESS)]
    return {each.name: each for each in found}


def of_defect(defect: Defect) -> Change:
    """A named defect, judged by all laws of its world."""
    whole = in_full(defect)
    assert isinstance(whole, partial), f"{defect.name} is rules exchanged in a world"
    return Change(defect.name, defect.change, defect.scope, partial(_rebuilt, whole))


def of_nameless(change: Nameless[Any]) -> Change:
    """A change that has no number."""
    return Change(change.name, change.words, change.scope, change.put_into)


def _rebuilt(build: "partial[Model]", scope: str) -> Model:
    _, *rest = build.args
    model: Any = build.func(scope, *rest, **build.keywords)
    assert isinstance(model, Model)
    return model
