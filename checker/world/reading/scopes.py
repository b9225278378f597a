"""The worlds of consumers that read across splits and merges, and the exact size of each."""

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any

from checker.search.model import Model
from checker.world.kinds import Level, Scope, Size
from checker.world.reading.bounds import Bounds
from checker.world.reading.glance import glance
from checker.world.reading.goals import with_progress
from checker.world.reading.parts import Left, Troubles
from checker.world.reading.rules import RAFT, REFERENCE, Rules
from checker.world.reading.world import world
from checker.world.sizing import resized

SHAPES = ((0,), (1, 2), (3,))
"""The root is split, its children are merged, and what they became is split once more."""
COUNTED = {each.name for each in fields(Left)} - {"keys", "shapes", "own"}
SUFFERED = {each.name for each in fields(Troubles)}

SPLIT_ONCE = Left(keys=(0, 1), shapes=((0,),))
BOUNDS: Mapping[str, Bounds] = {
    "read": Bounds(
        Left(keys=(0, 1, 0), rolls=1, shapes=((0,),), expiries=1), troubles=Troubles(failures=1)
    ),
    "read-holes": Bounds(
        Left(keys=(0, 1, 0), spares=1, rolls=2, expiries=1),
        troubles=Troubles(restarts=1, mutes=1),
        budgets=(1,),
        is_retention_orderly=False,
    ),
    "read-overrun": Bounds(
        Left(keys=(0,)),
        before=Left(keys=(0,), shortages=1, failovers=1),
    ),
    "read-merge": Bounds(
        Left(keys=(0, 1, 0), shapes=((0,), (1, 2)), expiries=1), troubles=Troubles(restarts=1)
    ),
    "read-group-raft": Bounds(SPLIT_ONCE, troubles=Troubles(commits=1, crashes=1)),
    "read-deep": Bounds(
        Left(keys=(0, 1, 0), rolls=2, shapes=((0,), (1, 2)), expiries=2),
        troubles=Troubles(failures=1),
    ),
    "read-empty": Bounds(Left(keys=(0,), spares=1, rolls=1, shapes=((0,),), expiries=1)),
    "read-own-raft": Bounds(Left(keys=(0, 0), rolls=2, own=((0,),))),
    "read-own": Bounds(Left(keys=(0, 0), rolls=2, own=((0,),))),
    "read-apart": Bounds(SPLIT_ONCE, is_recovered_at_once=False),
    "read-commit": Bounds(SPLIT_ONCE, troubles=Troubles(commits=1)),
    "read-eof": Bounds(Left(keys=(0, 0), rolls=1, shapes=((0,),), expiries=1), is_absence_eof=True),
    "read-reborn": Bounds(Left(keys=(0, 0), rolls=2, expiries=1, deaths=1)),
    "read-newest": Bounds(
        Left(keys=(0, 0, 0), rolls=2, expiries=1, deaths=1), is_retention_orderly=False
    ),
    "read-short": Bounds(Left(keys=(0,), shortages=1, failovers=1)),
    "read-remade": Bounds(Left(keys=(0, 0), remakes=1), troubles=Troubles(commits=1, crashes=1)),
    "read-expired": Bounds(Left(keys=(0,), shapes=((0,),), expiries=1)),
}
"""The worlds of a consumer. Those that end in `raft` are run in that mode."""


def rules_of(name: str) -> Rules:
    """The mode in which a world is run, by its name."""
    return RAFT if name.partition(":")[0].endswith("-raft") else REFERENCE


def world_scope(
    name: str,
    sentence: str,
    size: Size | None = None,
    level: Level | None = None,
    needs: Mapping[str, str] | None = None,
) -> Scope:
    """A world of a consumer: `read`, or `read:expiries=2` with another bound."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    build = partial(world, name, bounds, rules_of(name))
    return Scope(name, sentence, build, size, level, glance, needs or {})


def settling() -> Model:
    """A world that is also judged on what it comes to in the end."""
    bounds = Bounds(Left(keys=(0, 1), rolls=1, shapes=((0,),), expiries=1), budgets=(1,))
    return with_progress(world("read-settling", bounds))


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for; none where it stands for no world.

    After a colon stand other numbers: `keys` for how many records, `shapes` and `own` for how many
    reshapes, and what `Left` and `Troubles` count, as in `read:expiries=2,failures=0`.
    """
    base, *_ = name.partition(":")
    bounds = BOUNDS.get(base)
    return resized(bounds, name, _with_setting)


def _with_setting(bounds: Bounds, name: str, numbers: tuple[int, ...]) -> Bounds | None:
    if len(numbers) > 1:
        return None
    (number,) = numbers
    listed = {
        "keys": tuple(place % 2 for place in range(number)),
        "shapes": SHAPES[:number],
        "own": SHAPES[:number],
    }
    future, troubles = bounds.future, bounds.troubles
    if name in listed or name in COUNTED:
        setting: dict[str, Any] = {name: listed.get(name, number)}
        return replace(bounds, future=replace(future, **setting))
    if name in SUFFERED:
        return replace(bounds, troubles=replace(troubles, **{name: number}))
    return None


def defective(name: str, rules: Rules = REFERENCE) -> Model:
    """A world by its name, run by other rules."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    return world(name, bounds, rules)


ACROSS = "a_page_reads_across_two_ranges: two in the parent or behind each other, and one more"

SCOPES: tuple[Scope, ...] = (
    world_scope(
        "read-overrun",
        "a store holds more than its sealed length (RDG-6)",
        Size(24, 43, 5),
        level=Level.QUICK,
        needs={"begins": "D55", "records": "a_page_holds_two_records: one beside what is there"},
    ),
    world_scope(
        "read",
        "a consumer reads across a split and past what expired; a read fails (RDG-14, RDG-20)",
        Size(61_344, 175_784, 16),
        level=Level.QUICK,
        needs={
            "records": f"D74; {ACROSS}",
            "rolls": "D74, D79: two segments of one range",
            "reshapes": "D59, D68: one split",
            "expiries": "D73, D79: a hole",
            "failed reads": "a_page_fails: one (a_failed_read_fails_the_page)",
        },
    ),
    world_scope(
        "read-holes",
        "holes, empty segments, and a frontend that restarts while primaries are mute (RDG-5)",
        Size(27_497, 83_638, 18),
        level=Level.QUICK,
        needs={
            "records": "D66: three",
            "unsent batches": "D54: a segment of length 0",
            "rolls": "D52, D66: two, so that the hole is not the oldest",
            "expiries": "D52, D66: a hole",
            "restarts of the reader": "D30: one",
            "mute recoveries": "D30: one",
        },
    ),
    world_scope(
        "read-merge",
        "a consumer reads through a split and a merge, and its frontend restarts (RDG-12)",
        Size(69_848, 220_803, 14),
        level=Level.DEEP,
        needs={
            "records": ACROSS,
            "reshapes": "a_merged_range_is_read: a split and a merge",
            "expiries": "a_range_has_expired_whole: one",
            "restarts of the reader": "the rule `reboot`: one",
        },
    ),
    world_scope(
        "read-group-raft",
        "a group commits, restarts and resumes, in the mode raft (RNG-24, RNG-26)",
        Size(3_393, 8_217, 14),
        level=Level.QUICK,
        needs={
            "records": "a_page_holds_two_records: two",
            "reshapes": "a_consumer_never_leaves_the_range_itself: one split",
            "commits": "D69: one",
            "restarts of the consumer": "D69: one",
        },
    ),
    Scope(
        "read-settling",
        "a consumer reaches the end of its range, past holes and expired ancestors (RDG-32)",
        settling,
        Size(5_085, 12_692, 13),
        level=Level.QUICK,
        show=glance,
        needs={
            "records": "a_consumer_reaches_the_end_at_last: one in the parent, one in a child",
            "rolls": "a_consumer_reaches_the_end_at_last: a hole inside the parent",
            "reshapes": "a_consumer_reaches_the_end_at_last: a parent",
            "expiries": "a_range_has_expired_whole: one",
        },
    ),
    world_scope(
        "read-deep",
        "the same with a merge, two rolls and two expiries (RDG-14, RDG-20, RDG-22)",
        Size(2_092_188, 6_673_109, 20),
        level=Level.EXHAUSTIVE,
        needs={
            "records": f"D74; {ACROSS}",
            "rolls": "D52, D66: two, so that the hole is not the oldest",
            "reshapes": "a_merged_range_is_read: a split and a merge",
            "expiries": "a_page_lists_two_skips: two holes",
            "failed reads": "a_page_fails: one (a_failed_read_fails_the_page)",
        },
    ),
)
