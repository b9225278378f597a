"""Refreshing: dropping what a newer view has moved past, and recovering after a restart."""

from dataclasses import replace

import pytest
from immutables import Map

from reference import vnodes
from reference.commanding import in_memory
from reference.producing import adopt_offsets, produce_plan
from reference.ranges import (
    metadata,
)
from reference.refreshing import (
    drop_stale_active_segments,
    is_unrecovered,
    seed_range_state,
    seed_unrecovered_range,
)
from reference.rolling import (
    due_rolls,
    forget_sealed,
    is_awaiting_fence,
    record_seal,
    request_rolls,
)
from reference.vnodes import View
from spec.commands import (
    DeleteSegment,
)
from spec.replies import Ok
from spec.vocabulary import (
    ByteSize,
    Group,
    Millis,
    Offset,
    Sequence,
    VnodeId,
)
from tests.oracles.values import (
    CREATE,
    LEFT,
    NOW,
    ROOT,
    S0,
    S1,
    S2,
    SPLIT,
    TOPIC,
    awaiting,
    batch,
    caching,
    counting,
    fencing_of,
    frontend,
    head_of,
    nobody,
    numbering,
    opened,
    owing,
    roll_of,
    sealed,
    view_after,
)
from tests.oracles.writers import busy

GROUP = Group("g")
V0, V1 = VnodeId("v0"), VnodeId("v1")
RING = vnodes.sharded([(V0, 1 << 31), (V1, (1 << 32) - 1)])

# Dropping what is stale.


@pytest.mark.parametrize("counter", [1, 9])
def test_a_head_that_the_view_calls_sealed_is_dropped_and_the_counter_set_to_its_edge(
    counter: int,
) -> None:
    """[RFR-12, RFR-19, RFR-30, S9, S22, P3, D04] Down as well as up; the fence stays awaited."""
    front = replace(
        busy(),
        offsets=counting(counter),
        view=view_after(CREATE, opened(S0, 3), sealed(S0, 2)),
        rolling=owing(roll_of(S0, 3)),
    )

    dropped = drop_stale_active_segments(front)

    assert dropped == replace(front, offsets=counting(5), heads=Map(), rolling=Map())
    assert is_awaiting_fence(dropped, ROOT, S0, Millis(6), Millis(9))


def test_the_head_of_a_retired_range_is_evicted_and_its_counter_left_alone() -> None:
    """[RFR-13, S22] Where the view lists the head no more."""
    front = replace(busy(), view=view_after(CREATE, SPLIT), rolling=Map())

    dropped = drop_stale_active_segments(front)

    assert dropped == replace(front, heads=Map())


def test_the_roll_of_a_sealed_head_goes_with_it_and_that_of_a_retired_range_stays() -> None:
    """[RFR-34, S22, P1] Sealed needs no fence any more; retired may still be open."""
    front = busy()
    closed = replace(front, view=view_after(CREATE, opened(S0), sealed(S0, 9)))
    retired = replace(front, view=view_after(CREATE, SPLIT))

    seated = drop_stale_active_segments(closed)
    evicted = drop_stale_active_segments(retired)

    assert (seated.rolling, seated.fencing) == (Map(), front.fencing)
    assert (evicted.heads, evicted.rolling) == (Map(), front.rolling)


@pytest.mark.parametrize(
    "view",
    [view_after(CREATE), view_after(CREATE, opened(S0)), vnodes.single()],
    ids=["unlisted", "active", "no topic"],
)
def test_a_head_that_the_view_does_not_call_sealed_stays(view: View) -> None:
    """[RFR-14, S22] The view may not have caught up with it."""
    front = replace(busy(), view=view)

    assert drop_stale_active_segments(front) == front


@pytest.mark.parametrize("cached", [True, False], ids=["cached", "uncached"])
def test_a_roll_whose_segment_is_sealed_is_dropped_with_its_wait(cached: bool) -> None:
    """[RFR-15, RFR-19, RFR-31, S22, S26, P1, P10, D23] Whether this frontend cached it or not."""
    front = replace(
        busy(),
        heads=caching(head_of(S1, 2)) if cached else Map(),
        view=view_after(CREATE, opened(S0), sealed(S0, 2), opened(S1, 2)),
    )

    dropped = drop_stale_active_segments(front)

    assert dropped == replace(front, rolling=Map(), fencing=Map())


def test_a_roll_behind_a_later_head_is_dropped_though_its_segment_is_gone() -> None:
    """[RFR-15, RFR-31, S22, P10, D23] Then the next roll of the range can be owed."""
    front = replace(
        busy(),
        heads=Map(),
        view=view_after(CREATE, opened(S0), sealed(S0, 2), DeleteSegment(S0), opened(S1, 2)),
    )

    dropped = drop_stale_active_segments(front)
    asked = request_rolls(dropped, [(S1, metadata(front).segments[S1])])

    assert dropped.rolling == Map()
    assert due_rolls(asked) == (roll_of(S1, 2),)


def test_a_dropped_roll_ends_no_wait_for_another_segment() -> None:
    """[RFR-19, S26] The wait is the other segment's."""
    front = replace(
        busy(),
        heads=Map(),
        fencing=awaiting(fencing_of(S1, 5)),
        view=view_after(CREATE, opened(S0), sealed(S0, 2)),
    )

    assert drop_stale_active_segments(front) == replace(front, rolling=Map())


@pytest.mark.parametrize(
    "view",
    [
        view_after(CREATE),
        view_after(CREATE, opened(S0)),
        view_after(CREATE, opened(S1)),
        view_after(CREATE, opened(S0), sealed(S0, 2)),
        view_after(CREATE, opened(S2, 0, ())),
    ],
    ids=["nothing", "an older head", "itself", "an older sealed", "a later one without replica"],
)
def test_the_roll_of_a_head_that_the_view_has_not_caught_up_with_is_kept(view: View) -> None:
    """[RFR-16, RFR-17, S22, P1, D07, D24] The leader's view may be behind."""
    front = replace(busy(), heads=Map(), rolling=owing(roll_of(S1, 0, 5)), view=view)

    assert drop_stale_active_segments(front) == front


def test_heads_are_looked_at_before_rolls() -> None:
    """[RFR-18, RFR-19, S22] A roll that goes with its head leaves the wait standing."""
    front = replace(busy(), view=view_after(CREATE, opened(S0), sealed(S0, 2), opened(S1, 2)))

    dropped = drop_stale_active_segments(front)

    assert (dropped.rolling, dropped.fencing) == (Map(), front.fencing)


# Recovering.


@pytest.mark.parametrize(
    ("offset", "seq", "counter", "floor"), [(1, 0, 4, 2), (9, 7, 9, 7), (4, 2, 4, 2)]
)
def test_a_seed_raises_counter_and_sequence_and_lowers_neither(
    offset: int, seq: int, counter: int, floor: int
) -> None:
    """[RFR-20, S9, S27, D29] Seeding again never rewinds what is live."""
    front = replace(frontend(), offsets=counting(4), sequences=numbering(2))

    seeded = seed_range_state(front, ROOT, Offset(offset), Sequence(seq))

    assert seeded == replace(front, offsets=counting(counter), sequences=numbering(floor))


def test_a_restarted_frontend_learns_the_end_and_the_next_sequence_by_a_seed() -> None:
    """[RFR-20, RFR-29, S18, S27, D05] An offset of 0 is an end, too."""
    seeded = seed_range_state(frontend(), ROOT, Offset(0), Sequence(0))

    assert (seeded.offsets, seeded.sequences) == (counting(0), numbering(0))


def test_a_seed_ends_the_wait_for_a_recovery() -> None:
    """[RFR-21, RFR-25, RFR-32, S20, P6] Of its own range."""
    front = seed_unrecovered_range(frontend(), ROOT, Sequence(1))
    front = seed_unrecovered_range(front, LEFT, Sequence(1))

    seeded = seed_range_state(front, ROOT, Offset(0), Sequence(1))

    assert not is_unrecovered(seeded, ROOT)
    assert is_unrecovered(seeded, LEFT)


def test_a_range_whose_end_was_never_learned_becomes_unrecovered() -> None:
    """[RFR-22, RFR-24, RFR-25, S20] With an inert zero, and the sequence the metadata tells."""
    front = seed_unrecovered_range(frontend(), ROOT, Sequence(3))

    assert is_unrecovered(front, ROOT)
    assert (front.offsets, front.sequences) == (counting(0), numbering(3))
    assert not is_unrecovered(front, LEFT)


@pytest.mark.parametrize("counter", [0, 4])
def test_a_known_end_survives_a_probe_that_failed(counter: int) -> None:
    """[RFR-23, RFR-24, RFR-35, S20, D31] Only the sequence is raised, also where it is 0."""
    front = replace(frontend(), offsets=counting(counter))

    probed = seed_unrecovered_range(front, ROOT, Sequence(3))

    assert probed == replace(front, sequences=numbering(3))


def test_a_range_that_waits_already_goes_on_waiting() -> None:
    """[RFR-22, RFR-24, RFR-35, S20] Its zero is no end, and its sequence never falls."""
    front = seed_unrecovered_range(frontend(), ROOT, Sequence(3))

    assert seed_unrecovered_range(front, ROOT, Sequence(1)) == front


def test_offsets_that_a_plan_reserved_do_not_end_the_wait() -> None:
    """[RFR-22, RFR-25, RFR-26, S20] Only what a primary answered does; the reservation stays."""
    front = seed_unrecovered_range(frontend(opened(S0)), ROOT, Sequence(1))

    front, _ = produce_plan(front, TOPIC, batch(2), nobody)
    probed = seed_unrecovered_range(front, ROOT, Sequence(1))

    assert is_unrecovered(probed, ROOT)
    assert probed.offsets == counting(2)
    assert not is_unrecovered(adopt_offsets(probed, ROOT, S0, Offset(1)), ROOT)


def test_a_seal_does_not_end_the_wait_for_a_recovery() -> None:
    """[RFR-27, S20] Recorded, or learned by a refusal."""
    front = replace(busy(), unrecovered=frozenset({ROOT}), view=view_after(CREATE, opened(S0)))

    recorded, reply = record_seal(front, roll_of(S0), Offset(2), ByteSize(0), NOW, in_memory)
    refused = forget_sealed(front, ROOT, S0, Offset(2))

    assert reply == Ok()
    assert is_unrecovered(recorded, ROOT)
    assert is_unrecovered(refused, ROOT)
