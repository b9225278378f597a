"""The worlds we search, and the exact size that each is known to have."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from checker.models.fencecore import fencecore
from checker.search.model import Model, Parts
from checker.world.bounds import Bounds, Fault
from checker.world.glance import glance
from checker.world.progress import with_progress
from checker.world.roll import world
from checker.world.rules import REFERENCE, Rules

FENCECORE = re.compile(r"fencecore-([1-9])-([1-9])-([1-9])")
SETTING = re.compile(r"([a-z]+)=([0-9](?:\+[0-9])*)")


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
    show: Callable[[Parts], Parts] = dict
    """How a state is shown to people."""


def fencecore_scope(frontends: int, segments: int, batches: int, size: Size | None = None) -> Scope:
    """FenceCore with these constants."""
    return Scope(
        name=f"fencecore-{frontends}-{segments}-{batches}",
        sentence="FenceCore, the small model whose counts other checkers confirm",
        build=partial(fencecore, frontends, segments, batches),
        size=size,
    )


BOUNDS: Mapping[str, Bounds] = {
    "roll": Bounds(
        segments=3,
        refreshes=(0, 1),
        faults=1,
        kinds=frozenset({Fault.LOSS, Fault.MUTENESS, Fault.SHORTAGE, Fault.FAILOVER}),
    ),
    "faults": Bounds(faults=2),
    "batches": Bounds(batches=((1, 1), (1,))),
    "age": Bounds(
        batches=((1, 1), ()),
        roll_at=0,
        refreshes=(1, 1),
        sweepers=("f2",),
        faults=1,
        kinds=frozenset({Fault.FAILOVER}),
    ),
    "race": Bounds(roll_at=0, sweepers=("f1", "f2")),
    "recovery": Bounds(
        roll_at=0,
        refreshes=(0, 2),
        sweepers=("f1",),
        faults=1,
        kinds=frozenset({Fault.MUTENESS}),
    ),
}
"""The worlds of frontends that share a range."""


def world_scope(name: str, sentence: str, size: Size | None = None, **kind: bool) -> Scope:
    """A world of frontends that share a range: `roll`, or `roll:faults=2` with another bound."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    build = partial(world, name, bounds)
    return Scope(name, sentence, build, size, kind.get("is_default", False), glance)


def settling() -> Model:
    """A world that is also judged on what it comes to in the end."""
    bounds = Bounds(batches=((1, 1), ()), faults=1)
    return with_progress(world("settling", bounds), bounds)


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for; none where it stands for no world.

    After a colon stand other numbers: `segments`, `faults`, `rollat`; `batches` and `refreshes`
    count for each frontend, as in `roll:batches=2+1,faults=0`.
    """
    base, colon, settings = name.partition(":")
    bounds = BOUNDS.get(base)
    for setting in settings.split(",") if colon else ():
        found = SETTING.fullmatch(setting)
        if bounds is None or found is None:
            return None
        bounds = _with_setting(bounds, found[1], tuple(map(int, found[2].split("+"))))
    return bounds


def _with_setting(bounds: Bounds, name: str, numbers: tuple[int, ...]) -> Bounds | None:
    match name, numbers:
        case "segments", (segments,) if segments:
            return replace(bounds, segments=segments)
        case "faults", (faults,):
            return replace(bounds, faults=faults)
        case "rollat", (records,):
            return replace(bounds, roll_at=records)
        case "batches", (first, second):
            return replace(bounds, batches=((1,) * first, (1,) * second))
        case "refreshes", (_, _):
            return replace(bounds, refreshes=numbers)
        case _:
            return None


def defective(name: str, rules: Rules = REFERENCE) -> Model:
    """A world by its name, run by other rules."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    return world(name, bounds, rules)


SCOPES: tuple[Scope, ...] = (
    world_scope(
        "roll",
        "two frontends produce and roll by size, one refreshes, one thing fails (ROL-8, RFR-12)",
        Size(552_413, 1_908_270, 30),
        is_default=True,
    ),
    world_scope(
        "faults",
        "two frontends produce and roll by size, any two things fail (ROL-5, ROL-22)",
        Size(117_621, 444_935, 27),
        is_default=True,
    ),
    world_scope(
        "batches",
        "one frontend has two batches beside another's one (PRD-23, ROL-7)",
        Size(52_012, 172_441, 30),
        is_default=True,
    ),
    world_scope(
        "age",
        "a frontend that caches no head rolls by age what another writes (ROL-15, RFR-16)",
        Size(140_335, 511_142, 26),
        is_default=True,
    ),
    world_scope(
        "race",
        "two frontends roll by age what both write, and race to open what follows (RNG-2, ROL-30)",
        Size(15_116, 59_380, 28),
        is_default=True,
    ),
    world_scope(
        "recovery",
        "a frontend recovers twice, and one primary does not answer (RFR-21)",
        Size(32_177, 111_366, 25),
        is_default=True,
    ),
    Scope(
        "settling",
        "an owed roll is settled in the end, whatever fails once (ROL-38)",
        settling,
        Size(6_476, 16_399, 21),
        is_default=True,
        show=glance,
    ),
    fencecore_scope(2, 1, 1, Size(2_857, 12_612, 20)),
    fencecore_scope(2, 2, 1, Size(23_867, 119_514, 26)),
    fencecore_scope(2, 3, 1, Size(79_149, 411_228, 31)),
    fencecore_scope(2, 2, 2, Size(1_759_222, 12_119_282, 36)),
    fencecore_scope(2, 3, 2, Size(10_877_219, 79_134_296, 46)),
)


def scope_named(name: str) -> Scope | None:
    """The scope of that name; other sizes have names too: `fencecore-3-1-1`, `roll:faults=2`."""
    for scope in SCOPES:
        if scope.name == name:
            return scope
    constants = FENCECORE.fullmatch(name)
    if constants is not None:
        frontends, segments, batches = map(int, constants.groups())
        return fencecore_scope(frontends, segments, batches)
    if bounds_named(name) is not None:
        return world_scope(name, "another size of a known world")
    return None
