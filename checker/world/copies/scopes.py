"""The worlds of copies and coordinators, and the exact size of each."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from checker.search.model import Model
from checker.world.copies.bounds import Bounds, Duty, Fault
from checker.world.copies.failover import world
from checker.world.copies.glance import glance
from checker.world.copies.needs import NEEDS
from checker.world.copies.rules import RAFT, REFERENCE, Rules, serve_what_a_majority_holds
from checker.world.kinds import Level, Scope, Size
from checker.world.sizing import resized
from reference.coordinating import RetentionPolicy
from spec.vocabulary import Millis

LOG_OF_ONE = RetentionPolicy(max_age_ms=Millis(0))
"""Whatever is sealed is too old."""

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
        settles=True,
        faults=2,
        kinds=frozenset({Fault.STOP, Fault.SHORTAGE, Fault.SUSPICION}),
        idle=frozenset({"hold", "plan"}),
    ),
    "quiet": Bounds(
        batches=((1,), ()),
        segments=1,
        roll_at=0,
        settles=True,
        faults=2,
        kinds=frozenset({Fault.STOP, Fault.SHORTAGE}),
        idle=frozenset(
            {
                *("adopt", "close", "fail fence", "fence", "hold", "leave"),
                *("plan", "probe", "record", "settle", "wait"),
            }
        ),
    ),
    "healing": Bounds(
        batches=((1,), ()),
        segments=1,
        spares=1,
        duties=frozenset({Duty.FAILOVER, Duty.OVERRUNS, Duty.HEALING}),
        faults=2,
        kinds=frozenset({Fault.STOP, Fault.SHORTAGE, Fault.SILENCE}),
        idle=frozenset({"hold", "plan", "settle"}),
    ),
    "retention": Bounds(
        batches=((1, 1), ()),
        duties=frozenset({Duty.RETENTION}),
        policy=LOG_OF_ONE,
        faults=0,
        idle=frozenset({"bounce", "fail fence", "leave copy", "settle", "wait"}),
    ),
    "moves": Bounds(
        segments=1,
        spares=1,
        duties=frozenset(),
        kinds=frozenset({Fault.MOVE}),
        idle=frozenset({"bounce", "fail fence", "hold", "settle", "wait"}),
    ),
    "readers": Bounds(
        batches=((1,), ()),
        segments=1,
        roll_at=0,
        duties=frozenset({Duty.FAILOVER}),
        reads=1,
        faults=2,
        kinds=frozenset({Fault.STOP, Fault.SHORTAGE}),
    ),
    "served": Bounds(
        batches=((1,), ()),
        segments=1,
        roll_at=0,
        duties=frozenset({Duty.FAILOVER}),
        reads=1,
        is_sure=True,
        faults=2,
        kinds=frozenset({Fault.STOP, Fault.SHORTAGE}),
        idle=frozenset(
            {"close", "fail fence", "fence", "hold", "plan", "record", "settle", "wait"}
        ),
    ),
    "disks": Bounds(
        batches=((1,), ()),
        segments=1,
        duties=frozenset(),
        faults=2,
        kinds=frozenset({Fault.STOP, Fault.DISK}),
    ),
}
"""The worlds of copies; each has a twin in the mode `raft`, as `failover-raft`."""
DEEP: Mapping[str, Bounds] = {
    "doubts-deep": replace(BOUNDS["doubts"], faults=4),
    "unheard-deep": replace(BOUNDS["unheard"], faults=3),
    "healing-deep": replace(BOUNDS["healing"], faults=3, idle=frozenset({"plan", "settle"})),
    "retention-deep": replace(
        BOUNDS["retention"],
        segments=3,
        faults=1,
        kinds=frozenset({Fault.STOP}),
        idle=frozenset({"settle"}),
    ),
}
"""Larger ones of the same kinds."""
SWITCHES: Mapping[str, Fault | Duty | str] = {
    "breaks": Fault.BREAK,
    "stops": Fault.STOP,
    "turns": Fault.TURN,
    "misses": Fault.SHORTAGE,
    "fails": Duty.FAILOVER,
    "cuts": Duty.OVERRUNS,
    "late": "is_late",
}
"""What a name may add to a world, as `quiet:breaks=1`."""


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for; none where it stands for no world.

    After a colon stand other numbers: `segments`, `faults`, `rollat`, `reads`, and a 1 for each
    kind of fault or duty to add; `batches` count for each frontend, as in `failover:batches=2+1`.
    """
    base, colon, _ = name.partition(":")
    bounds = DEEP.get(base) or BOUNDS.get(base.removesuffix("-raft"))
    if bounds is not None and base.endswith("-raft"):
        # The mode has a hole of its own there: F39.
        idle = bounds.idle | ({"hold"} if base == "retention-raft" else frozenset())
        bounds = replace(bounds, duties=bounds.duties - {Duty.OVERRUNS}, idle=idle)
    if bounds is not None and colon:
        bounds = replace(bounds, idle=frozenset())
    return resized(bounds, name, _with_setting)


def _with_setting(bounds: Bounds, name: str, numbers: tuple[int, ...]) -> Bounds | None:
    match name, numbers:
        case "segments", (segments,) if segments:
            return replace(bounds, segments=segments)
        case "batches", (_, _, *_):
            return replace(bounds, batches=tuple((1,) * number for number in numbers))
        case "faults" | "rollat" | "reads", (number,):
            setting: dict[str, Any] = {name.replace("rollat", "roll_at"): number}
            return replace(bounds, **setting)
        case _, (1,):
            return _switched_on(bounds, SWITCHES.get(name))
        case _:
            return None


def _switched_on(bounds: Bounds, what: Fault | Duty | str | None) -> Bounds | None:
    match what:
        case Fault():
            return replace(bounds, kinds=bounds.kinds | {what})
        case Duty():
            return replace(bounds, duties=bounds.duties | {what})
        case str():
            return replace(bounds, is_late=True)
        case None:
            return None


def defective(name: str, rules: Rules | None = None) -> Model:
    """A world by its name, run by the rules of its mode or by others."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    return world(name, bounds, mode_of(name) if rules is None else rules)


def mode_of(name: str) -> Rules:
    """The rules of the mode that a name ends with, with the overlay of a world that has one."""
    base = name.partition(":")[0]
    if base == "served":
        return replace(REFERENCE, serve=serve_what_a_majority_holds)
    return RAFT if base.endswith("-raft") else REFERENCE


def copies_scope(
    name: str,
    sentence: str,
    size: Size | None = None,
    level: Level | None = None,
) -> Scope:
    """A world of copies: `failover`, `failover-raft`, or `failover:faults=2`."""
    build = partial(defective, name)
    return Scope(name, sentence, build, size, level, glance, NEEDS.get(name, {}))


SCOPES: tuple[Scope, ...] = (
    copies_scope(
        "failover",
        "two frontends write and roll while a primary stops and comes back (HEA-9, HEA-10)",
        Size(36_659, 132_943, 19),
        Level.QUICK,
    ),
    copies_scope(
        "doubts",
        "copies are missed, suspected and reported, and passes break off (HEA-12, HEA-25)",
        Size(25_644, 108_854, 16),
        Level.QUICK,
    ),
    copies_scope(
        "unheard",
        "the coordinator's own frontend writes, and its commands are lost (HEA-1, HEA-5)",
        Size(15_335, 50_016, 24),
        Level.QUICK,
    ),
    copies_scope(
        "sweep",
        "an age roll races the failover of the segment that it rolls (HEA-24, ROL-15)",
        Size(4_234, 16_690, 16),
        Level.QUICK,
    ),
    copies_scope(
        "quiet",
        "a range that nobody rolls takes writes again once faults stop (HEA-15)",
        Size(522, 1_313, 12),
        Level.QUICK,
    ),
    copies_scope(
        "healing",
        "a sealed segment gets a new replica, and the old copy is cleared away (HEA-7, HEA-17)",
        Size(16_833, 47_884, 22),
        Level.QUICK,
    ),
    copies_scope(
        "retention",
        "a range loses its sealed segments, and goes on where they ended (HEA-23, PRD-27)",
        Size(14_052, 44_130, 28),
        Level.QUICK,
    ),
    copies_scope(
        "moves",
        "an active segment gets another follower, and nothing fails (HEA-2)",
        Size(1_585, 4_319, 13),
        Level.QUICK,
    ),
    copies_scope(
        "served",
        "a consumer is served only what a majority holds, which no broker does today (RDG-37)",
        Size(808, 2_208, 13),
        Level.QUICK,
    ),
    copies_scope(
        "failover-raft",
        "the same, where a refused command is applied to its caller's view (RNG-43)",
        Size(35_197, 128_155, 18),
        Level.QUICK,
    ),
    copies_scope(
        "retention-raft",
        "retention where a refused command is applied to its caller's view (RNG-43)",
        Size(14_259, 45_733, 28),
        Level.DEEP,
    ),
    copies_scope(
        "healing-raft",
        "self-healing where a refused command is applied to its caller's view (RNG-43)",
        Size(14_077, 41_435, 22),
        Level.DEEP,
    ),
    copies_scope(
        "doubts-raft",
        "doubts where a refused command is applied to its caller's view (RNG-43)",
        Size(25_190, 107_473, 16),
        Level.DEEP,
    ),
    copies_scope(
        "unheard-raft",
        "lost commands where a refused one is applied to its caller's view (RNG-43)",
        Size(15_157, 49_527, 24),
        Level.DEEP,
    ),
    copies_scope(
        "sweep-raft",
        "age rolls where a refused command is applied to its caller's view (RNG-43)",
        Size(4_306, 16_811, 16),
        Level.DEEP,
    ),
    copies_scope(
        "failover:faults=2",
        "two brokers stop, or one does and a batch misses a follower (HEA-9)",
        Size(256_930, 1_134_802, 21),
        Level.DEEP,
    ),
    copies_scope(
        "failover:segments=2",
        "a failover, and what is opened behind it (HEA-10, RNG-16)",
        Size(306_022, 1_156_446, 31),
        Level.DEEP,
    ),
    copies_scope(
        "failover:faults=3",
        "brokers stop and come back until no majority is the first one (HEA-9)",
        Size(799_098, 4_109_813, 25),
        Level.DEEP,
    ),
    copies_scope(
        "failover:segments=2,faults=2",
        "a failover of what was opened behind a failover (HEA-10, RNG-16)",
        Size(2_590_557, 11_480_542, 36),
        Level.DEEP,
    ),
    copies_scope(
        "failover-raft:faults=2",
        "two brokers stop where a refused command is applied to its caller's view (RNG-43)",
        Size(249_756, 1_103_804, 21),
        Level.DEEP,
    ),
    copies_scope(
        "doubts:batches=1+1",
        "the doubts of one failover, while two frontends write (HEA-12, HEA-25)",
        Size(1_607_540, 8_786_703, 22),
        Level.DEEP,
    ),
    copies_scope(
        "failover:segments=2,faults=3",
        "three brokers stop before and behind a failover (HEA-10, RNG-16)",
        Size(10_304_036, 51_932_517, 38),
        Level.EXHAUSTIVE,
    ),
    copies_scope(
        "doubts-deep",
        "four things go wrong in one failover (HEA-12)",
        Size(57_752, 286_248, 19),
        Level.DEEP,
    ),
    copies_scope(
        "unheard-deep",
        "three things go wrong, commands lost among them (HEA-5)",
        Size(56_566, 215_435, 27),
        Level.DEEP,
    ),
    copies_scope(
        "healing-deep",
        "three things go wrong before and while a segment is healed (HEA-17)",
        Size(116_220, 394_468, 28),
        Level.DEEP,
    ),
    copies_scope(
        "retention-deep",
        "three segments expire while brokers stop (HEA-23)",
        Size(1_026_818, 4_052_018, 38),
        Level.DEEP,
    ),
)
