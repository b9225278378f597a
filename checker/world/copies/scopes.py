"""The worlds of copies and coordinators, and the exact size of each."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.copies.bounds import Bounds, Fault
from checker.world.copies.failover import world
from checker.world.copies.glance import glance
from checker.world.copies.rules import REFERENCE, Rules
from checker.world.kinds import Level, Scope, Size

SETTING = re.compile(r"([a-z]+)=([0-9](?:\+[0-9])*)")

BOUNDS: Mapping[str, Bounds] = {
    "failover": Bounds(segments=1, kinds=frozenset({Fault.STOP, Fault.SHORTAGE})),
    "doubts": Bounds(
        batches=((1,), ()),
        segments=1,
        faults=3,
        kinds=frozenset({Fault.STOP, Fault.SHORTAGE, Fault.SUSPICION, Fault.REPORT, Fault.BREAK}),
        idle=frozenset({"leave", "plan", "settle"}),
    ),
    "unheard": Bounds(
        batches=((), (1,)),
        faults=2,
        kinds=frozenset({Fault.STOP, Fault.SHORTAGE, Fault.SILENCE}),
        idle=frozenset({"hold", "plan"}),
    ),
    "sweep": Bounds(
        batches=((1,), ()),
        segments=1,
        roll_at=0,
        sweepers=("f2",),
        faults=2,
        kinds=frozenset({Fault.STOP, Fault.SHORTAGE, Fault.SUSPICION}),
        idle=frozenset({"hold", "plan"}),
    ),
}
"""The worlds of copies; each has a twin in the mode `raft`."""


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for, without its mode; none where it stands for no world.

    After a colon stand other numbers: `segments`, `faults`, `rollat`; `batches` count for each
    frontend, as in `failover:batches=2+1,faults=2`.
    """
    base, colon, settings = name.partition(":")
    bounds = BOUNDS.get(base)
    if bounds is not None and colon:
        bounds = replace(bounds, idle=frozenset())
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
        case _:
            return None


def defective(name: str, rules: Rules = REFERENCE) -> Model:
    """A world by its name, run by other rules."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    return world(name, bounds, rules)


def copies_scope(
    name: str,
    sentence: str,
    size: Size | None = None,
    level: Level | None = None,
    needs: Mapping[str, str] | None = None,
) -> Scope:
    """A world of copies: `failover`, `failover-raft`, or `failover:faults=2`."""
    build = partial(defective, name)
    return Scope(name, sentence, build, size, level, glance, needs or {})


SCOPES: tuple[Scope, ...] = (
    copies_scope(
        "failover",
        "two frontends write and roll while a primary stops and comes back (HEA-9, HEA-10)",
        Size(36_659, 132_943, 19),
        Level.QUICK,
        {"batches": "a_pass_is_behind", "faults": "D90"},
    ),
    copies_scope(
        "doubts",
        "copies are missed, suspected and reported, and passes break off (HEA-12, HEA-25)",
        Size(25_644, 108_854, 16),
        Level.QUICK,
        {"faults": "D92"},
    ),
    copies_scope(
        "unheard",
        "the coordinator's own frontend writes, and its commands are lost (HEA-1, HEA-5)",
        Size(15_335, 50_016, 24),
        Level.QUICK,
        {"segments": "an_orphaned_fence_is_sealed_where_it_ends"},
    ),
    copies_scope(
        "sweep",
        "an age roll races the failover of the segment that it rolls (HEA-24, ROL-15)",
        Size(4_234, 16_690, 16),
        Level.QUICK,
    ),
)


def scope_of_size(name: str) -> Scope | None:
    """The scope of another size: `failover:faults=2`; none where the name stands for no world."""
    if bounds_named(name) is None:
        return None
    return copies_scope(name, "another size of a known world")
