"""The coordinators' decisions: failover, orphaned fences, overruns, retention, age rolls."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from reference.controlplane import Metadata, apply
from reference.coordinating import (
    FenceAnswer,
    Overrun,
    RetentionPolicy,
    age_rolls,
    failover_candidates,
    failover_plan,
    healing_candidates,
    orphaned_fence_candidates,
    orphaned_fence_plan,
    retention_expired,
    sealed_overrun,
)
from spec.commands import SealSegment, SetSegmentReplicas
from spec.replies import Ok
from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Millis,
    Offset,
    RangeId,
    Segment,
    SegmentId,
    State,
    TopicName,
)
from tests.oracles.values import B1, B2, B3, LEFT, NOW, OTHER, ROOT, S0, S1, S2, TOPIC, segment_of

ALL = (B1, B2, B3)
L0 = segment_of(0, LEFT)


def active(
    segment_id: SegmentId = S0,
    *,
    start: int = 0,
    replicas: tuple[Broker, ...] = ALL,
    opened_at: int | None = None,
) -> tuple[SegmentId, Segment]:
    """An active segment as it is listed."""
    opened = None if opened_at is None else Millis(opened_at)
    return segment_id, Segment(segment_id.range_id, replicas, Offset(start), opened_at=opened)


def closed(
    segment_id: SegmentId = S0,
    *,
    start: int = 0,
    length: int = 1,
    size: int = 0,
    sealed_at: int | None = 0,
    replicas: tuple[Broker, ...] = ALL,
) -> tuple[SegmentId, Segment]:
    """A sealed segment as it is listed."""
    return segment_id, Segment(
        segment_id.range_id,
        replicas,
        Offset(start),
        State.SEALED,
        Count(length),
        ByteSize(size),
        None,
        None if sealed_at is None else Millis(sealed_at),
    )


def listing(*segments: tuple[SegmentId, Segment]) -> Metadata:
    """A control plane that lists these segments."""
    return Metadata(segments=Map(segments))


def answer(broker: Broker, end: int, size: int = 0) -> FenceAnswer:
    """What a fenced replica said."""
    return FenceAnswer(broker, Offset(end), ByteSize(size))


def seal(segment_id: SegmentId, length: int, size: int = 0) -> SealSegment:
    """The seal that a plan holds."""
    return SealSegment(segment_id, Count(length), ByteSize(size), NOW)


# Failover.


def test_a_failover_asks_the_live_replicas_of_a_segment_whose_primary_is_dead() -> None:
    """[HEA-8, S38] In set order."""
    metadata = listing(active(S0, replicas=(B1, B3, B2)))

    assert failover_candidates(metadata, {B2, B3}) == ((S0, (B3, B2)),)


def test_a_failover_asks_those_replicas_whose_copy_did_not_fail() -> None:
    """[HEA-8, S38] Also where the primary is alive and a follower's copy failed."""
    metadata = listing(active())

    assert failover_candidates(metadata, ALL, {(S0, B2)}) == ((S0, (B1, B3)),)
    assert failover_candidates(metadata, ALL, {(S1, B2)}) == ()


def test_a_failover_leaves_alone_what_is_well_sealed_or_beyond_help() -> None:
    """[HEA-8, S38] A live primary, a dead follower, a sealed segment, none left, none at all."""
    well = active(S0)
    none_left = active(S1, replicas=(B3,))
    none = active(S2, replicas=())

    assert failover_candidates(listing(well, none_left, none), {B1, B2}) == ()
    assert failover_candidates(listing(closed(S0)), {B2, B3}) == ()


def test_failovers_are_listed_by_ascending_id() -> None:
    """[HEA-8, HEA-13] Whatever order the control plane keeps them in."""
    ids = [segment_of(seq, one) for one in (ROOT, LEFT) for seq in range(8)]
    metadata = listing(*(active(one) for one in reversed(ids)))

    assert [one for one, _ in failover_candidates(metadata, {B2})] == ids


def test_a_failover_seals_at_the_highest_end_and_puts_its_holder_first() -> None:
    """[HEA-10, HEA-11, S5, S38] With the holder's bytes, the rest in their order."""
    metadata = listing(active(S0, start=4))
    answers = {S0: [answer(B2, 6, 20), answer(B3, 7, 30)]}

    plan = failover_plan(metadata, {B2, B3}, answers, NOW)

    assert plan == (seal(S0, 3, 30), SetSegmentReplicas(S0, (B3, B1, B2)))


def test_of_several_copies_with_the_highest_end_the_lowest_name_counts() -> None:
    """[HEA-10, S38] Whichever answered first."""
    metadata = listing(active(S0, replicas=(B1, B3, B2)))
    answers = {S0: [answer(B3, 7, 30), answer(B2, 7, 20)]}

    plan = failover_plan(metadata, {B2, B3}, answers, NOW)

    assert plan == (seal(S0, 7, 20), SetSegmentReplicas(S0, (B2, B1, B3)))


@pytest.mark.parametrize(
    ("replicas", "heard", "planned"),
    [
        (ALL, [B2], False),
        (ALL, [B2, B3], True),
        ((B1, B2), [B2], False),
        ((B2,), [B2], False),
        ((B1, B2, B3, Broker("b4")), [B2, B3], False),
    ],
    ids=["1 of 3", "2 of 3", "1 of 2", "well", "2 of 4"],
)
def test_a_failover_needs_the_answers_of_more_than_half_of_the_replicas(
    replicas: tuple[Broker, ...], heard: list[Broker], planned: bool
) -> None:
    """[HEA-9, HEA-25, S38] Below that an acknowledged record might be lost."""
    metadata = listing(active(S0, replicas=replicas))

    plan = failover_plan(metadata, {B2, B3}, {S0: [answer(each, 3) for each in heard]}, NOW)

    assert bool(plan) == planned


def test_the_answer_of_a_failed_copy_counts_for_nothing() -> None:
    """[HEA-12, S38] Neither for the end nor for the majority, nor does a stranger's."""
    metadata = listing(active())
    answers = {S0: [answer(B1, 9), answer(B2, 3), answer(B3, 2), answer(Broker("b9"), 99)]}
    fewer = {S0: [answer(B1, 9), answer(B2, 3)]}

    plan = failover_plan(metadata, ALL, answers, NOW, {(S0, B1)})

    assert plan[0] == seal(S0, 3)
    assert failover_plan(metadata, ALL, fewer, NOW, {(S0, B1)}) == ()


def test_a_failover_plans_by_ascending_id_and_seals_before_it_moves() -> None:
    """[HEA-13, HEA-25] A segment that too few answered for is passed over."""
    metadata = listing(active(S1), active(S0), active(L0))
    heard = [answer(B2, 1), answer(B3, 1)]

    plan = failover_plan(metadata, {B2, B3}, {L0: heard, S0: heard, S1: heard[:1]}, NOW)

    holder_first = (B2, B1, B3)
    assert plan == (
        seal(S0, 1),
        SetSegmentReplicas(S0, holder_first),
        seal(L0, 1),
        SetSegmentReplicas(L0, holder_first),
    )


@given(
    st.lists(st.integers(0, 5), min_size=3, max_size=3),
    st.sets(st.sampled_from([B2, B3]), min_size=0),
)
def test_a_failover_hides_nothing_that_a_majority_holds(ends: list[int], live: set[Broker]) -> None:
    """[HEA-9, HEA-10, S5, S38] What two of three copies hold stays below the edge."""
    by_broker = dict(zip(ALL, ends, strict=True))
    metadata = listing(active())

    plan = failover_plan(metadata, live, {S0: [answer(b, by_broker[b]) for b in live]}, NOW)

    acknowledged = sorted(ends)[1]
    for command in plan:
        metadata, reply = apply(metadata, command)
        assert reply == Ok()
    length = metadata.segments[S0].length
    assert (length is None) == (len(live) <= 1)
    assert length is None or length >= acknowledged


# Orphaned fences and overruns.


def test_the_live_primaries_are_asked_about_their_active_segments() -> None:
    """[HEA-14, HEA-16, P2] In order, each with its start; nothing else is asked."""
    metadata = listing(
        active(S1, start=4, replicas=(B2, B1)),
        active(L0, start=2, replicas=(B1, B2)),
        active(S0, start=1, replicas=(B2,)),
        active(S2, replicas=()),
        active(segment_of(7), replicas=(B3, B1)),
        closed(segment_of(8)),
    )

    asked = orphaned_fence_candidates(metadata, {B1, B2})

    assert asked == ((B1, ((L0, Offset(2)),)), (B2, ((S0, Offset(1)), (S1, Offset(4)))))


def test_an_orphaned_fence_is_sealed_at_what_its_primary_answers() -> None:
    """[HEA-15, HEA-16, S4, P2] A segment that is sealed or gone meanwhile is passed over."""
    metadata = listing(active(S0, start=4), closed(S1))
    answers = [(each, Offset(6), ByteSize(20)) for each in (S1, S0, S2)]

    assert orphaned_fence_plan(metadata, answers, NOW) == (seal(S0, 2, 20),)


@pytest.mark.parametrize(
    ("listed", "live"),
    [
        (closed(replicas=(B1, B2)), (B1, B2, B3)),
        (closed(replicas=(B1, B2)), (B1,)),
        (closed(replicas=()), (B1,)),
        (active(replicas=(B1, B2)), (B1, B3)),
    ],
    ids=["nobody is dead", "nobody is spare", "no replica", "active"],
)
def test_a_segment_that_cannot_or_need_not_be_healed_is_left_alone(
    listed: tuple[SegmentId, Segment], live: tuple[Broker, ...]
) -> None:
    """[HEA-27, S5] Not short of a copy, nobody to copy to, or not closed yet."""
    assert healing_candidates(listing(listed), live) == ()


def test_a_failed_copy_of_a_sealed_segment_on_a_live_broker_moves_nobody() -> None:
    """[HEA-8, HEA-27] The reference waits for the death of the broker; the source does not say."""
    metadata = listing(closed(S0, replicas=(B1, B2)), active(S1, start=1, replicas=(B1, B2)))
    failed = [(S0, B1), (S1, B1)]

    assert [each for each, _ in failover_candidates(metadata, ALL, failed)] == [S1]
    assert healing_candidates(metadata, ALL) == ()
    assert healing_candidates(metadata, (B2, B3)) == ((S0, B1, B3),)


def test_the_first_dead_replica_gives_its_place_to_the_lowest_live_broker_outside_the_set() -> None:
    """[HEA-27, HEA-28, S5] One at a time, by ascending segment."""
    b0 = Broker("b0")
    metadata = listing(closed(S1, replicas=(B1, B3)), closed(S0, replicas=(B3, B2, b0)))

    assert healing_candidates(metadata, (B3, B2, B1)) == ((S0, b0, B1),)
    assert healing_candidates(metadata, (B2, B1)) == ((S0, B3, B1), (S1, B3, B2))
    assert healing_candidates(metadata, (B2, b0)) == ((S1, B1, b0),)


def test_a_copy_above_the_sealed_edge_is_to_be_cut_there() -> None:
    """[HEA-18, S5, S16] One at the edge is fine; an active segment has no edge."""
    metadata = listing(closed(S0, start=4, length=3), active(S1, start=7))
    ends = [(S0, B1, Offset(8)), (S0, B2, Offset(7)), (S1, B1, Offset(99)), (S2, B1, Offset(99))]

    assert sealed_overrun(metadata, ends) == (Overrun(S0, B1, Offset(7)),)


# Retention and age rolls.


def expired(metadata: Metadata, age: int | None, size: int | None) -> Iterable[SegmentId]:
    """What retention answers at time 100."""
    policy = RetentionPolicy(
        None if age is None else Millis(age), None if size is None else ByteSize(size)
    )
    return retention_expired(metadata, policy, Millis(100))


def test_a_sealed_segment_expires_once_more_than_the_limit_has_passed() -> None:
    """[HEA-19, HEA-21, S30] At the limit it stays, and so does one sealed nobody knows when."""
    metadata = listing(
        closed(S0, sealed_at=49),
        closed(S1, start=1, sealed_at=50),
        closed(S2, start=2, sealed_at=None),
        active(segment_of(3), opened_at=0),
    )

    assert expired(metadata, 50, None) == (S0,)
    assert expired(metadata, None, None) == ()


def test_sealed_segments_expire_from_the_lowest_start_while_the_rest_is_too_large() -> None:
    """[HEA-20, HEA-21, HEA-22, S30] Newest first in the answer; the sum at the limit fits."""
    metadata = listing(
        closed(S0, start=5, size=10),
        closed(S1, start=0, size=10),
        closed(S2, start=9, size=10),
        active(segment_of(3), start=10),
    )

    assert expired(metadata, None, 30) == ()
    assert expired(metadata, None, 29) == (S1,)
    assert expired(metadata, None, 19) == (S0, S1)
    assert expired(metadata, None, 0) == (S2, S0, S1)


def test_what_is_too_old_comes_first_and_nothing_comes_twice() -> None:
    """[HEA-19, HEA-20, HEA-22, S30] By range, in ascending order."""
    metadata = listing(
        closed(S0, start=0, size=10, sealed_at=0),
        closed(S1, start=1, size=10, sealed_at=0),
        closed(S2, start=2, size=10, sealed_at=99),
        closed(L0, start=0, size=10, sealed_at=0),
    )

    assert expired(metadata, 50, 0) == (S0, S1, S2, L0)


def test_the_bytes_of_another_range_do_not_count() -> None:
    """[HEA-20, S30] The limit is each range's own."""
    metadata = listing(closed(S0, size=10), closed(L0, size=10))

    assert expired(metadata, None, 10) == ()


def test_an_active_segment_is_rolled_by_age_at_its_topics_limit() -> None:
    """[HEA-24, ROL-15, S28] Or when nobody knows since when it is open."""
    young, due, unknown = (
        active(S0, opened_at=51),
        active(S1, opened_at=50),
        active(S2, opened_at=None),
    )
    other = active(segment_of(0, RangeId(OTHER, ROOT.seq)), opened_at=0)
    metadata = listing(unknown, young, due, other, closed(L0))
    limits: dict[TopicName, Millis] = {TOPIC: Millis(50)}

    assert age_rolls(metadata, limits, Millis(100)) == (due, unknown)


def test_a_replica_that_answers_twice_is_one_of_the_majority() -> None:
    """[HEA-9, S38] Two answers of one copy out of three are no majority."""
    metadata = Metadata(segments=Map([active(replicas=(B3, B1, B2))]))
    twice = [FenceAnswer(B2, Offset(4), ByteSize(172))] * 2

    assert failover_plan(metadata, [B1, B2], {S0: twice}, Millis(500)) == ()
