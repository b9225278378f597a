"""The worlds we search, and the exact size that each is known to have."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from checker.models.fencecore import fencecore
from checker.search.model import Model

FENCECORE = re.compile(r"fencecore-([1-9])-([1-9])-([1-9])")


@dataclass(frozen=True, slots=True)
class Size:
    """How large a world is, to the state."""

    states: int
    transitions: int
    depth: int


@dataclass(frozen=True, slots=True)
class Scope:
    """A world with a name and a reason."""

    name: str
    sentence: str
    """What it is for."""
    build: Callable[[], Model]
    size: Size | None = None
    """What a whole search has to count; none where nobody has searched it whole."""
    is_default: bool = False
    """Whether a bare `check` searches it."""


def fencecore_scope(frontends: int, segments: int, batches: int, size: Size | None = None) -> Scope:
    """FenceCore with these constants."""
    return Scope(
        name=f"fencecore-{frontends}-{segments}-{batches}",
        sentence="FenceCore, the small model whose counts other checkers confirm",
        build=partial(fencecore, frontends, segments, batches),
        size=size,
    )


SCOPES: tuple[Scope, ...] = (
    fencecore_scope(2, 1, 1, Size(2_857, 12_612, 20)),
    fencecore_scope(2, 2, 1, Size(23_867, 119_514, 26)),
    fencecore_scope(2, 3, 1, Size(79_149, 411_228, 31)),
    fencecore_scope(2, 2, 2, Size(1_759_222, 12_119_282, 36)),
    fencecore_scope(2, 3, 2, Size(10_877_219, 79_134_296, 46)),
)


def scope_named(name: str) -> Scope | None:
    """The scope of that name; any size of FenceCore has one, as `fencecore-3-1-1`."""
    for scope in SCOPES:
        if scope.name == name:
            return scope
    constants = FENCECORE.fullmatch(name)
    if constants is None:
        return None
    frontends, segments, batches = map(int, constants.groups())
    return fencecore_scope(frontends, segments, batches)
