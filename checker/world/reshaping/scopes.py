"""The worlds of frontends that split and merge, and the exact size of each."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.kinds import Level, Scope, Size
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.glance import glance
from checker.world.reshaping.progress import with_progress
from checker.world.reshaping.rules import RAFT, REFERENCE, Rules
from checker.world.reshaping.world import world
from checker.world.sizing import resized

SPLIT = Bounds(refreshes=(1, 1))
MERGE = Bounds(splits=(0,), reshapes=((), (1, 2)), refreshes=(0, 1))
TWINS = Bounds(
    batches=((0,), (2,)), reshapes=((1,), (2,)), bits=2, splits=(0,), segments=1, refreshes=(0, 1)
)
LOST = Bounds(tries=2, faults=1, is_healed=True)

BOUNDS: Mapping[str, Bounds] = {
    "split": SPLIT,
    "split-lost": LOST,
    "split-raft": SPLIT,
    "merge": MERGE,
    "merge-lost": replace(
        LOST, splits=(0,), reshapes=((), (1, 2)), batches=((0,), (1,)), segments=1
    ),
    "merge-raft": MERGE,
    "twins": TWINS,
    "twins-raft": replace(TWINS, refreshes=(0, 0)),
    "split-wide": replace(LOST, batches=((0, 1), (1, 0)), refreshes=(1, 1)),
    "split-deep": replace(LOST, refreshes=(1, 1)),
    "merge-deep": replace(LOST, splits=(0,), reshapes=((), (1, 2)), refreshes=(1, 1)),
}
"""The worlds of frontends that reshape a topic. Those that end in `raft` are run in that mode."""


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
    """A world of frontends that reshape: `split`, or `split:faults=2` with another bound."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    build = partial(world, name, bounds, rules_of(name))
    return Scope(name, sentence, build, size, level, glance, needs or {})


def again(rules: Rules = REFERENCE, *, is_healed: bool = True) -> Model:
    """A world that is also judged on what it comes to in the end."""
    bounds = Bounds(((0,), ()), tries=2, faults=1, refreshes=(0, 2), is_healed=is_healed)
    return with_progress(world("split-again", bounds, rules), bounds)


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for; none where it stands for no world.

    After a colon stand other numbers: `segments`, `faults`, `tries`; `batches` and `refreshes`
    count for each frontend, as in `split:refreshes=1+0,faults=2`.
    """
    base, *_ = name.partition(":")
    bounds = BOUNDS.get(base)
    return resized(bounds, name, _with_setting)


def _with_setting(bounds: Bounds, name: str, numbers: tuple[int, ...]) -> Bounds | None:
    match name, numbers:
        case "segments", (segments,) if segments:
            return replace(bounds, segments=segments)
        case "faults", (faults,):
            return replace(bounds, faults=faults)
        case "tries", (tries,) if tries:
            return replace(bounds, tries=tries)
        case "batches", (_, _):
            pairs = zip(bounds.batches, numbers, strict=True)
            batches = tuple(_keys(keys, count, 1 << bounds.bits) for keys, count in pairs)
            return replace(bounds, batches=batches)
        case "refreshes", (_, _):
            return replace(bounds, refreshes=numbers)
        case _:
            return None


def _keys(keys: tuple[int, ...], count: int, positions: int) -> tuple[int, ...]:
    """So many of these keys; behind the last come those that follow it, round and round."""
    last = keys[-1] if keys else 0
    further = ((last + step) % positions for step in range(1, count + 1))
    return (*keys, *further)[:count]


def defective(name: str, rules: Rules = REFERENCE) -> Model:
    """A world by its name, run by other rules."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    return world(name, bounds, rules)


FAMILY = "a_family_is_written_to: three, before the reshape and behind it"
ORPHANED = "a_fence_is_orphaned: one loss"
AGAIN = "a_reshape_is_done_at_the_last_try: two"
GOES_ON = "a_range_goes_on_behind_a_seal: two"

SPLITTING = {
    "batches": FAMILY,
    "segments": GOES_ON,
    "refreshes": "D01: the splitter's; every_child_is_written_to: the other's",
    "reshapes": "D49, D50: one try",
}
MERGING = {
    "batches": "D51: two heads; a_range_retires_with_records",
    "segments": GOES_ON,
    "refreshes": "a_head_of_a_retired_range_is_cached: the merger's",
    "reshapes": "D51: one try",
}

SCOPES: tuple[Scope, ...] = (
    world_scope(
        "split",
        "a frontend splits what another writes to with an old view (ROL-40, ROL-41, PRD-3)",
        Size(98_196, 314_888, 17),
        level=Level.QUICK,
        needs=SPLITTING | {"keyspace": "D70, D76: two keys"},
    ),
    world_scope(
        "split-lost",
        "a split is tried again after its fence, seal, command or answer was lost (RNG-15, HEA-15)",
        Size(93_309, 356_001, 19),
        level=Level.QUICK,
        needs={
            "batches": "a_range_goes_on_behind_a_seal: three",
            "segments": GOES_ON,
            "refreshes": "a_head_of_a_retired_range_is_cached: the splitter's",
            "reshapes": AGAIN,
            "faults": ORPHANED,
        },
    ),
    world_scope(
        "split-raft",
        "the split, in the mode raft (RNG-43)",
        Size(106_321, 335_166, 17),
        level=Level.QUICK,
        needs=SPLITTING,
    ),
    world_scope(
        "merge",
        "a frontend merges two ranges that another writes to with an old view (RNG-12, ROL-40)",
        Size(33_469, 98_852, 18),
        level=Level.QUICK,
        needs=MERGING | {"split before": "D61: two parents with one ancestor"},
    ),
    world_scope(
        "merge-lost",
        "a merge is tried again after the fence or the seal of one parent was lost (RNG-15)",
        Size(62_577, 201_766, 19),
        level=Level.QUICK,
        needs={
            "batches": "D51: two heads",
            "segments": "a_range_retires_with_records: one in each parent",
            "refreshes": "a_head_of_a_retired_range_is_cached: the merger's",
            "reshapes": AGAIN,
            "faults": ORPHANED,
        },
    ),
    world_scope(
        "merge-raft",
        "the merge, in the mode raft (RNG-43)",
        Size(14_668, 41_915, 18),
        level=Level.QUICK,
        needs=MERGING,
    ),
    Scope(
        "split-again",
        "a refused split can be tried again, and a fence that was lost is found (P2, P9)",
        again,
        Size(1_230, 3_398, 13),
        level=Level.QUICK,
        show=glance,
        needs={
            "batches": "a_closed_head_is_recorded_at_last: a head",
            "segments": "a_closed_head_is_recorded_at_last: one",
            "refreshes": "a_reshape_is_done_at_the_last_try: one after each refusal (P9)",
            "reshapes": AGAIN,
            "faults": ORPHANED,
        },
    ),
    world_scope(
        "split-deep",
        "a split is tried again after a loss, while both frontends refresh (RFR-8, RFR-13)",
        Size(943_435, 3_882_390, 22),
        level=Level.DEEP,
        needs={
            "batches": FAMILY,
            "segments": GOES_ON,
            "refreshes": "every_child_is_written_to: one of each",
            "reshapes": AGAIN,
            "faults": ORPHANED,
        },
    ),
    world_scope(
        "merge-deep",
        "a merge is tried again after a loss, while both frontends refresh (RFR-8, RFR-13)",
        Size(6_513_326, 27_427_099, 27),
        level=Level.DEEP,
        needs={
            "batches": FAMILY,
            "segments": GOES_ON,
            "refreshes": "every_child_is_written_to: one of each",
            "reshapes": AGAIN,
            "faults": ORPHANED,
        },
    ),
    world_scope(
        "split-wide",
        "the same, and each frontend writes to both children (RFR-8, RFR-13); more than 20 million",
        level=Level.EXHAUSTIVE,
        needs={
            "batches": FAMILY,
            "segments": GOES_ON,
            "refreshes": "every_child_is_written_to: one of each",
            "reshapes": AGAIN,
            "faults": ORPHANED,
        },
    ),
)
