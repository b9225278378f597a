"""The worlds we search, and the exact size that each is known to have."""

import re
from collections.abc import Callable
from functools import partial

from checker.models.fencecore import fencecore
from checker.nearest import unknown
from checker.world.copies import scopes as copies
from checker.world.kinds import Scope, Size
from checker.world.reading import scopes as reading
from checker.world.recovering import scopes as recovering
from checker.world.reshaping import scopes as reshaping
from checker.world.sharing import scopes as sharing
from checker.world.views import scopes as views

FENCECORE = re.compile(r"fencecore-([1-9])-([1-9])-([1-9])")


def fencecore_scope(frontends: int, segments: int, batches: int, size: Size | None = None) -> Scope:
    """FenceCore with these constants."""
    return Scope(
        name=f"fencecore-{frontends}-{segments}-{batches}",
        sentence="FenceCore, the small model whose counts other checkers confirm",
        build=partial(fencecore, frontends, segments, batches),
        size=size,
    )


SCOPES: tuple[Scope, ...] = (
    *sharing.SCOPES,
    *copies.SCOPES,
    *reshaping.SCOPES,
    *reading.SCOPES,
    *views.SCOPES,
    *recovering.SCOPES,
    fencecore_scope(2, 1, 1, Size(2_857, 12_612, 20)),
    fencecore_scope(2, 2, 1, Size(23_867, 119_514, 26)),
    fencecore_scope(2, 3, 1, Size(79_149, 411_228, 31)),
    fencecore_scope(2, 2, 2, Size(1_759_222, 12_119_282, 36)),
    fencecore_scope(2, 3, 2, Size(10_877_219, 79_134_296, 46)),
)

OTHER_SIZES: tuple[tuple[Callable[[str], object], Callable[[str, str], Scope]], ...] = (
    (sharing.bounds_named, sharing.world_scope),
    (copies.bounds_named, copies.copies_scope),
    (reshaping.bounds_named, reshaping.world_scope),
    (reading.bounds_named, reading.world_scope),
    (views.bounds_named, views.world_scope),
    (recovering.bounds_named, recovering.world_scope),
)
"""What bounds a name such as `roll:faults=2` stands for, if any, and the scope that it names."""


def scope_named(name: str) -> Scope | None:
    """The scope of that name; other sizes have names too: `fencecore-3-1-1`, `roll:faults=2`."""
    for scope in SCOPES:
        if scope.name == name:
            return scope
    constants = FENCECORE.fullmatch(name)
    if constants is not None:
        frontends, segments, batches = map(int, constants.groups())
        return fencecore_scope(frontends, segments, batches)
    for bounds_named, scope_with in OTHER_SIZES:
        if bounds_named(name) is not None:
            return scope_with(name, "another size of a known world")
    return None


SETTINGS = (
    *("batches", "segments", "refreshes", "rollat", "tries", "orders", "others", "atonce"),
    *("keys", "rolls", "spares", "shapes", "own", "expiries", "shortages", "failovers", "deaths"),
    *("remakes", "restarts", "reads", "faults", "failures", "mutes", "commits", "crashes"),
    *("stops", "misses", "turns", "breaks", "late", "fails", "cuts"),
)
"""What may stand behind the colon of a name, in one world or another."""
FORMS = {"2": "N", "1": "1", "1+1": "N+N", "1+1+1": "N+N+N"}
"""Numbers that a setting may take, each with how that is said."""


def settings_of(base: str) -> tuple[str, ...]:
    """What may stand behind the colon of a name: `faults=N`, `batches=N+N`."""
    found = (
        next(
            (
                f"{word}={said}"
                for form, said in FORMS.items()
                if scope_named(f"{base}:{word}={form}") is not None
            ),
            None,
        )
        for word in SETTINGS
    )
    return tuple(each for each in found if each is not None)


def no_such_scope(name: str) -> str:
    """Say that there is no such scope, with the nearest ones, or with the settings that it has."""
    base, colon, _ = name.partition(":")
    if not colon or scope_named(base) is None:
        return unknown("scope", base, [each.name for each in SCOPES], "malachi-model scopes")
    settings = settings_of(base)
    if not settings:
        return f"there is no scope {name!r}: {base} has one size, and nothing stands behind a colon"
    return (
        f"there is no scope {name!r}: behind {base}: may stand, with commas between them, "
        f"{', '.join(settings)}; N is one digit"
    )
