"""The worlds of frontends that share a range, and the exact size of each."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.kinds import Level, Scope, Size
from checker.world.sharing.bounds import Bounds, Fault
from checker.world.sharing.glance import glance
from checker.world.sharing.progress import with_progress
from checker.world.sharing.roll import world
from checker.world.sharing.rules import REFERENCE, Rules
from checker.world.sizing import resized

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


def world_scope(
    name: str, sentence: str, size: Size | None = None, level: Level | None = None
) -> Scope:
    """A world of frontends that share a range: `roll`, or `roll:faults=2` with another bound."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    build = partial(world, name, bounds)
    return Scope(name, sentence, build, size, level, glance)


def settling() -> Model:
    """A world that is also judged on what it comes to in the end."""
    bounds = Bounds(batches=((1, 1), ()), faults=1)
    return with_progress(world("settling", bounds), bounds)


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for; none where it stands for no world.

    After a colon stand other numbers: `segments`, `faults`, `rollat`; `batches` and `refreshes`
    count for each frontend, as in `roll:batches=2+1,faults=0`, and `roll:batches=1+1+1` has three.
    """
    base, *_ = name.partition(":")
    bounds = BOUNDS.get(base)
    return resized(bounds, name, with_setting)


def with_setting(bounds: Bounds, name: str, numbers: tuple[int, ...]) -> Bounds | None:
    """The bounds with one of these numbers exchanged; none where it means nothing."""
    match name, numbers:
        case "segments", (segments,) if segments:
            return replace(bounds, segments=segments)
        case "faults", (faults,):
            return replace(bounds, faults=faults)
        case "rollat", (records,):
            return replace(bounds, roll_at=records)
        case "batches", (_, _, *_):
            batches = tuple((1,) * number for number in numbers)
            refreshes = (*bounds.refreshes, *(0 for _ in numbers))[: len(numbers)]
            return replace(bounds, batches=batches, refreshes=refreshes)
        case "refreshes", _ if len(numbers) == len(bounds.batches):
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
        level=Level.QUICK,
    ),
    world_scope(
        "faults",
        "two frontends produce and roll by size, any two things fail (ROL-5, ROL-22)",
        Size(117_621, 444_935, 27),
        level=Level.QUICK,
    ),
    world_scope(
        "batches",
        "one frontend has two batches beside another's one (PRD-23, ROL-7)",
        Size(52_012, 172_441, 30),
        level=Level.QUICK,
    ),
    world_scope(
        "age",
        "a frontend that caches no head rolls by age what another writes (ROL-15, RFR-16)",
        Size(140_335, 511_142, 26),
        level=Level.QUICK,
    ),
    world_scope(
        "race",
        "two frontends roll by age what both write, and race to open what follows (RNG-2, ROL-30)",
        Size(15_116, 59_380, 28),
        level=Level.QUICK,
    ),
    world_scope(
        "recovery",
        "a frontend recovers twice, and one primary does not answer (RFR-21)",
        Size(32_177, 111_366, 25),
        level=Level.QUICK,
    ),
    world_scope(
        "roll:faults=2",
        "the same as roll, and two things fail (ROL-8, RFR-12)",
        Size(2_123_872, 8_162_234, 33),
        level=Level.DEEP,
    ),
    Scope(
        "settling",
        "an owed roll is settled in the end, whatever fails once (ROL-38)",
        settling,
        Size(6_476, 16_399, 21),
        level=Level.QUICK,
        show=glance,
    ),
)


def scope_of_size(name: str) -> Scope | None:
    """The scope of another size: `roll:faults=2`; none where the name stands for no world."""
    if bounds_named(name) is None:
        return None
    return world_scope(name, "another size of a known world")
