"""The worlds of frontends that share a range, and the exact size of each."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.kinds import Level, Scope, Size
from checker.world.sharing.bounds import Bounds, Fault
from checker.world.sharing.glance import glance
from checker.world.sharing.holding import with_answers
from checker.world.sharing.progress import with_progress
from checker.world.sharing.renewing import with_renewal
from checker.world.sharing.roll import world
from checker.world.sharing.rules import RAFT, REFERENCE, Rules
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
    "crowd": Bounds(batches=((1,), (1,), (1,)), segments=3, refreshes=(0, 0, 0)),
    "crowd-race": Bounds(
        batches=((1,), (1,), (1,)),
        roll_at=0,
        refreshes=(0, 0, 0),
        sweepers=("f1", "f2", "f3"),
    ),
}
"""The worlds of frontends that share a range; each has a twin in the mode `raft`: `roll-raft`."""
FALLEN_IN_RAFT: Mapping[str, str] = {
    "a_command_brings_the_control_planes_own_view": "RNG-43: a law of the other mode",
    "a_recorded_seal_sets_the_counter_to_the_edge": "F8",
    "acknowledged_records_lie_below_the_edge": "F6, F7",
    "a_conflict_converges": "a goal: in its own view nobody loses a conflict",
}
"""What the mode `raft` does not keep, and why."""


def world_scope(
    name: str, sentence: str, size: Size | None = None, level: Level | None = None, **needs: str
) -> Scope:
    """A world of frontends that share a range: `roll`, or `roll:faults=2` with another bound."""
    build = partial(built, name)
    return Scope(name, sentence, build, size, level, glance, needs)


def built(name: str) -> Model:
    """A world by its name, judged by what is kept in its mode."""
    model = defective(name)
    if not is_raft(name):
        return model
    return replace(
        model,
        laws=tuple(law for law in model.laws if law.name not in FALLEN_IN_RAFT),
        step_laws=tuple(law for law in model.step_laws if law.name not in FALLEN_IN_RAFT),
        goals=tuple(goal for goal in model.goals if goal.name not in FALLEN_IN_RAFT),
    )


def is_raft(name: str) -> bool:
    """Whether a name stands for a world in the mode `raft`."""
    return name.partition(":")[0].endswith("-raft")


def settling() -> Model:
    """A world that is also judged on what it comes to in the end."""
    bounds = Bounds(batches=((1, 1), ()), faults=1)
    return with_progress(world("settling", bounds), bounds)


HOLDING = Bounds(batches=((1, 1), ()), segments=4, faults=1)
"""As many segments as two batches open that are planned twice: no one is held for want of room."""


def holding(_name: str = "holding", rules: Rules = REFERENCE) -> Model:
    """A world that is judged on whether held batches are answered."""
    return replace(with_answers(world("holding", HOLDING, rules), HOLDING), goals=())


IDLE = frozenset({"hold"})
"""With one segment no fence is late: what it brings comes before its window ends."""
RENEWING = Bounds(segments=1, refreshes=(0, 2), faults=1, kinds=frozenset({Fault.MUTENESS}))


def renewing(rules: Rules = REFERENCE) -> Model:
    """A world that is judged on whether a frontend that is behind catches up."""
    model = with_renewal(world("renewing", RENEWING, rules), RENEWING)
    return replace(model, goals=(), expected_dead=model.expected_dead | IDLE)


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for; none where it stands for no world.

    After a colon stand other numbers: `segments`, `faults`, `rollat`; `batches` and `refreshes`
    count for each frontend, as in `roll:batches=2+1,faults=0`, and `roll:batches=1+1+1` has three.
    """
    base, *_ = name.partition(":")
    bounds = BOUNDS.get(base.removesuffix("-raft"))
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


def defective(name: str, rules: Rules | None = None) -> Model:
    """A world by its name, run by the rules of its mode or by others."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    return world(name, bounds, rules or (RAFT if is_raft(name) else REFERENCE))


CONFLICT = "D11, D12: a conflict; D31: a mute primary; D42: a batch that fails"

SCOPES: tuple[Scope, ...] = (
    world_scope(
        "roll",
        "two frontends produce and roll by size, one refreshes, one thing fails (ROL-8, RFR-12)",
        Size(552_413, 1_908_270, 30),
        Level.QUICK,
        batches="D06, D16, D32: one of each frontend",
        segments="a_cached_head_is_two_behind: three",
        refreshes="D04, D16, D29, D34: one of a frontend that writes too",
        faults=CONFLICT,
        fences="D44: one that is lost and sent again",
    ),
    world_scope(
        "faults",
        "two frontends produce and roll by size, any two things fail (ROL-5, ROL-22)",
        Size(117_621, 444_935, 27),
        Level.QUICK,
        batches="two_lost_fences_are_owed_again: one batch of each frontend",
        segments="the_segments_of_a_range_tile_its_offsets: a second one",
        faults="two_lost_fences_are_owed_again: two",
        fences="a_lost_fence_is_owed_again: one for each frontend",
    ),
    world_scope(
        "batches",
        "one frontend has two batches beside another's one (PRD-23, ROL-7)",
        Size(52_012, 172_441, 30),
        Level.QUICK,
        batches="D19, D21: two behind each other",
        segments="D21: two",
        fences="an_answer_comes_to_a_cleared_roll: one for each frontend",
    ),
    world_scope(
        "age",
        "a frontend that caches no head rolls by age what another writes (ROL-15, RFR-16)",
        Size(140_335, 511_142, 26),
        Level.QUICK,
        batches="D07: two behind each other",
        segments="D07: two",
        refreshes="D07, D23, D24: one of each",
        faults="D07, D23: one failover",
        fences="a_fence_is_sent_at_once_and_again_only_past_the_window",
    ),
    world_scope(
        "race",
        "two frontends roll by age what both write, and race to open what follows (RNG-2, ROL-30)",
        Size(15_116, 59_380, 28),
        Level.QUICK,
        batches="D96: one of each",
        segments="D96: two",
        fences="a_fence_is_sent_at_once_and_again_only_past_the_window",
    ),
    world_scope(
        "recovery",
        "a frontend recovers twice, and one primary does not answer (RFR-21)",
        Size(32_177, 111_366, 25),
        Level.QUICK,
        batches="a_recovery_only_raises: another's batch, and an own one",
        segments="the_segments_of_a_range_tile_its_offsets: a second one",
        refreshes="a_known_end_survives_a_mute_primary: one that learns it, and one that does not",
        faults="a_known_end_survives_a_mute_primary, an_unknown_end_is_admitted",
        fences="a_fence_is_sent_at_once_and_again_only_past_the_window",
    ),
    world_scope(
        "crowd",
        "three frontends produce and roll by size what they share (RNG-2, ROL-7, ROL-25)",
        Size(465_335, 1_737_426, 36),
        Level.QUICK,
        batches="three_heads_are_cached: one of each of three frontends",
        segments="three_heads_are_cached: three",
        fences="an_answer_comes_to_a_cleared_roll: one for each frontend",
    ),
    world_scope(
        "batches-raft",
        "two batches beside one, where callers apply commands to their own view (RNG-43)",
        Size(34_075, 113_139, 30),
        Level.QUICK,
        batches="D19, D21: two behind each other",
        segments="D21: two",
        fences="an_answer_comes_to_a_cleared_roll: one for each frontend",
    ),
    world_scope(
        "roll:faults=2",
        "the same as roll, and two things fail (ROL-8, RFR-12)",
        Size(2_123_872, 8_162_234, 33),
        Level.DEEP,
        batches="D06, D16, D32: one of each frontend",
        segments="a_cached_head_is_two_behind: three",
        refreshes="D04, D16, D29, D34: one of a frontend that writes too",
        faults="two_lost_fences_are_owed_again: two",
        fences="D44: one that is lost and sent again",
    ),
    world_scope(
        "roll:refreshes=1+1",
        "the same as roll, and both frontends refresh (RFR-12, RFR-16)",
        Size(12_143_951, 48_763_654, 33),
        Level.DEEP,
        batches="D06, D16, D32: one of each frontend",
        segments="a_cached_head_is_two_behind: three",
        refreshes="two_frontends_read_at_once: one of each",
        faults=CONFLICT,
        fences="D44: one that is lost and sent again",
    ),
    world_scope(
        "crowd:refreshes=0+0+1",
        "three frontends share what rolls by size, and one of them refreshes (RFR-12, PRD-9)",
        Size(12_057_552, 51_944_879, 39),
        Level.DEEP,
        batches="three_heads_are_cached: one of each of three frontends",
        segments="three_heads_are_cached: three",
        refreshes="another_frontends_successor_is_adopted: one",
        fences="an_answer_comes_to_a_cleared_roll: one for each frontend",
    ),
    world_scope(
        "crowd-race",
        "three frontends roll by age what all of them write to (RNG-2, ROL-30)",
        Size(5_338_297, 30_554_589, 42),
        Level.DEEP,
        batches="two_rolls_are_owed_behind_stale_heads: one of each of three frontends",
        segments="two_rolls_are_owed_behind_stale_heads: two",
        fences="a_fence_is_sent_at_once_and_again_only_past_the_window",
    ),
    world_scope(
        "race:batches=2+1,segments=3",
        "a race of age rolls goes on behind the segment that it opened (RNG-2, ROL-30)",
        Size(2_295_924, 11_657_351, 41),
        Level.DEEP,
        batches="a_third_segment_takes_a_batch: two behind each other",
        segments="a_third_segment_takes_a_batch: three",
        fences="a_fence_is_sent_at_once_and_again_only_past_the_window",
    ),
    world_scope(
        "batches:batches=2+2,segments=3",
        "two frontends have two batches each (PRD-23, ROL-7, ROL-25)",
        Size(5_342_903, 21_729_448, 40),
        Level.DEEP,
        batches="two_batches_of_each_fill_two_segments: two of each",
        segments="a_cached_head_is_two_behind: three",
        fences="an_answer_comes_to_a_cleared_roll: one for each frontend",
    ),
    world_scope(
        "roll-raft:faults=2",
        "roll with two faults, where callers apply commands to their own view (RNG-43)",
        Size(927_332, 3_572_399, 33),
        Level.DEEP,
        batches="D06, D16, D32: one of each frontend",
        segments="a_cached_head_is_two_behind: three",
        refreshes="D04, D16, D29, D34: one of a frontend that writes too",
        faults="two_lost_fences_are_owed_again: two",
        fences="D44: one that is lost and sent again",
    ),
    world_scope(
        "roll:batches=2+1",
        "the same as roll, with one batch more (PRD-23, ROL-8); more than 15 million",
        level=Level.EXHAUSTIVE,
        batches="D19, D21: two behind each other",
        segments="a_cached_head_is_two_behind: three",
        refreshes="D04, D16, D29, D34: one of a frontend that writes too",
        faults=CONFLICT,
        fences="D44: one that is lost and sent again",
    ),
    Scope(
        "settling",
        "an owed roll is settled in the end, whatever fails once (ROL-38)",
        settling,
        Size(6_476, 16_399, 21),
        Level.QUICK,
        show=glance,
        needs={
            "batches": "an_owed_roll_of_f1_is_settled_at_last: two, and what they owe",
            "segments": "an_owed_roll_of_f1_is_settled_at_last: one behind the other",
            "fences": "an_owed_roll_of_f1_is_settled_at_last: one, and one sent again",
            "faults": "a_lost_fence_is_owed_again: one",
        },
    ),
    Scope(
        "holding",
        "a batch that is held behind its frontend's fence is answered in the end (ROL-42)",
        holding,
        Size(15_273, 38_097, 27),
        Level.QUICK,
        show=glance,
        needs={
            "batches": "no_batch_is_held_for_ever: two, each planned twice",
            "segments": "no_batch_is_held_for_ever: four, one for each plan",
            "fences": "no_batch_is_held_for_ever: one, and one that is lost",
            "faults": "D139: one lost answer",
        },
    ),
    Scope(
        "renewing",
        "a frontend leaves a stale head, and learns where its range ends (RFR-30, RFR-32)",
        renewing,
        Size(15_135, 50_785, 17),
        Level.QUICK,
        show=glance,
        needs={
            "batches": "f2_leaves_a_stale_head_at_last: one of each frontend",
            "segments": "f2_leaves_a_stale_head_at_last: one, which is sealed",
            "fences": "f2_leaves_a_stale_head_at_last: one",
            "refreshes": "f2_can_read_its_range_at_last: one behind a mute primary",
            "faults": "f2_can_read_its_range_at_last: one mute primary",
        },
    ),
)
