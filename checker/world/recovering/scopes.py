"""The worlds of restarts and of expiry, and the exact size of each."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.kinds import Level, Scope, Size
from checker.world.recovering.bounds import Bounds
from checker.world.recovering.glance import glance
from checker.world.recovering.rules import LATCHED, RAFT, REFERENCE, REMEMBERED, Rules
from checker.world.recovering.world import world
from checker.world.sharing.bounds import Bounds as Shared
from checker.world.sharing.bounds import Fault
from checker.world.sharing.scopes import with_setting
from checker.world.sizing import resized

BOUNDS: Mapping[str, Bounds] = {
    "recover": Bounds(
        Shared(
            batches=((1,), (1,)),
            segments=2,
            roll_at=0,
            refreshes=(0, 1),
            sweepers=("f1",),
            faults=1,
            kinds=frozenset({Fault.MUTENESS}),
        ),
        restarts={"f2": 1},
    ),
    "restart": Bounds(
        Shared(
            segments=2,
            refreshes=(0, 1),
            faults=1,
            kinds=frozenset({Fault.MUTENESS}),
        ),
        restarts={"f2": 1},
        idle_in_raft=frozenset({"hold"}),
    ),
    "expire": Bounds(
        Shared(
            batches=((1,), (1,)),
            segments=2,
            roll_at=0,
            refreshes=(0, 1),
            sweepers=("f1",),
        ),
        restarts={"f2": 1},
        retainer="f1",
        expiries=1,
        woken=frozenset({"hold"}),
    ),
    "expiring": Bounds(
        Shared(
            batches=((1, 1), (1,)),
            segments=3,
            roll_at=0,
            refreshes=(0, 1),
            sweepers=("f1",),
        ),
        restarts={"f2": 1},
        retainer="f1",
        expiries=2,
        woken=frozenset({"hold"}),
    ),
}

MODES: Mapping[str, Rules] = {
    "": REFERENCE,
    "raft": RAFT,
    "remembered": REMEMBERED,
    "latched": LATCHED,
}
"""What may stand behind the name of a world: how commands are applied, what is assumed."""


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for, whatever its mode; none where it stands for no world.

    After a colon stand other numbers: `restarts`, `expiries`, and those that a world of frontends
    which share a range has, as in `recover:batches=2+1,faults=2`.
    """
    base, *_ = name.partition(":")
    base, _, mode = base.partition("-")
    bounds = BOUNDS.get(base) if mode in MODES else None
    return resized(bounds, name, _with_setting)


def _with_setting(bounds: Bounds, name: str, numbers: tuple[int, ...]) -> Bounds | None:
    match name, numbers:
        case "restarts", (times,):
            restarts = dict.fromkeys(bounds.restarts, times) if times else {}
            return replace(bounds, restarts=restarts)
        case "expiries", (expiries,):
            return replace(bounds, expiries=expiries)
        case _:
            shared = with_setting(bounds.shared, name, numbers)
            return None if shared is None else replace(bounds, shared=shared)


def mode_of(name: str) -> str:
    """The word behind the name of a world, if there is one."""
    return name.partition(":")[0].partition("-")[2]


def built(name: str, rules: Rules | None = None) -> Model:
    """A world by its name, run by other rules where they are given."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    mode = mode_of(name)
    return world(name, bounds, MODES[mode] if rules is None else rules, is_raft=mode == "raft")


def world_scope(
    name: str, sentence: str, size: Size | None = None, level: Level | None = None, **needs: str
) -> Scope:
    """A world of restarts and of expiry: `recover`, or `recover:faults=2` with another bound."""
    return Scope(name, sentence, partial(built, name), size, level, glance, needs)


WINDOWS = "a_fence_is_sent_at_once_and_again_only_past_the_window"
TWO = "the_segments_of_a_range_tile_its_offsets: a second one"
ORPHAN = "a_batch_outlives_its_frontend; a_recovery_learns_where_the_range_ends: another's"

SCOPES: tuple[Scope, ...] = (
    world_scope(
        "recover",
        "a frontend restarts, and a primary may not answer its recovery (RFR-22, RFR-28, RFR-29)",
        Size(39_204, 135_413, 24),
        Level.QUICK,
        batches=ORPHAN,
        segments=TWO,
        refreshes="D116, D119: who refreshes can restart",
        fences=WINDOWS,
        memory="D116, D119, D120: one restart",
        faults="D120: one mute primary",
    ),
    world_scope(
        "recover:batches=2+1",
        "the same with one batch more (RFR-22, RFR-28, RFR-29)",
        Size(1_001_810, 4_164_567, 30),
        Level.DEEP,
        batches="F28: what stands before a restart and behind it",
        segments=TWO,
        refreshes="D116, D119: who refreshes can restart",
        fences=WINDOWS,
        memory="D116, D119, D120: one restart",
        faults="D120: one mute primary",
    ),
    world_scope(
        "recover:batches=2+2",
        "the same, and both frontends go on behind the restart (RFR-22, RFR-28, RFR-29)",
        Size(13_922_720, 64_143_921, 36),
        Level.DEEP,
        batches="two_batches_of_each_fill_two_segments",
        segments="two_batches_of_each_fill_two_segments",
        refreshes="D116, D119: who refreshes can restart",
        fences=WINDOWS,
        memory="D116, D119, D120: one restart",
        faults="D120: one mute primary",
    ),
    world_scope(
        "restart-raft",
        "a frontend restarts where callers apply commands to their own view (RNG-43, RFR-29)",
        Size(122_877, 430_278, 29),
        Level.DEEP,
        batches=ORPHAN,
        segments=TWO,
        refreshes="D116, D119: who refreshes can restart",
        fences="an_answer_comes_to_a_cleared_roll: one for each frontend",
        memory="a_restart_keeps_nothing: one restart",
        faults="a_range_is_unrecovered: one mute primary",
    ),
    world_scope(
        "restart",
        "a frontend restarts while segments roll by size (RFR-28, ROL-36)",
        Size(172_056, 607_514, 29),
        Level.DEEP,
        batches=ORPHAN,
        segments=TWO,
        refreshes="D116, D119: who refreshes can restart",
        fences="an_answer_comes_to_a_cleared_roll: one for each frontend",
        memory="a_restart_keeps_nothing: one restart",
        faults="a_range_is_unrecovered: one mute primary",
    ),
    world_scope(
        "restart:batches=2+1",
        "a frontend that owes a roll goes on while the other restarts (RFR-28, ROL-36)",
        Size(4_804_101, 20_509_352, 35),
        Level.DEEP,
        batches="D19, D21: two behind each other",
        segments="D21: two",
        refreshes="D116, D119: who refreshes can restart",
        fences="an_answer_comes_to_a_cleared_roll: one for each frontend",
        memory="a_restart_keeps_nothing: one restart",
        faults="a_range_is_unrecovered: one mute primary",
    ),
    world_scope(
        "expire-remembered",
        "segments expire, and something remembers ends, ids and latches (RNG-17, RNG-20, HEA-20)",
        Size(53_237, 196_788, 24),
        Level.QUICK,
        batches="D117, D118: one of each frontend",
        segments="D117: two, one behind the other",
        refreshes="D117, D118: one of the frontend that removes nothing",
        fences=WINDOWS,
        expiry="D117, D118: one segment",
        memory="a_restart_keeps_nothing: one restart",
    ),
    world_scope(
        "expire-remembered:batches=2+1",
        "the same with one batch more (RNG-17, RNG-20, HEA-20)",
        Size(1_524_250, 6_723_195, 30),
        Level.DEEP,
        batches="no_two_acknowledged_batches_share_an_offset: one expires, and two stand behind it",
        segments="D117: two, one behind the other",
        refreshes="D117, D118: one of the frontend that removes nothing",
        fences=WINDOWS,
        expiry="D117, D118: one segment",
        memory="a_restart_keeps_nothing: one restart",
    ),
    world_scope(
        "expiring-remembered",
        "two segments expire, one behind the other, and a third stands (RNG-17, RNG-20, HEA-20)",
        Size(7_830_169, 35_888_714, 36),
        Level.EXHAUSTIVE,
        batches="D117, D118: one of each frontend, and one that stands behind what expired",
        segments="a_third_segment_takes_a_batch: three",
        refreshes="D117, D118: one of the frontend that removes nothing",
        fences=WINDOWS,
        expiry="an_acknowledged_batch_expires: two",
        memory="a_restart_keeps_nothing: one restart",
    ),
)
