"""Rolling: owing a roll, sending its fence, awaiting the answer, a roll on demand."""

from dataclasses import replace

import pytest
from immutables import Map

from reference.commanding import in_memory
from reference.producing import produce_plan
from reference.rolling import (
    active_roll,
    due_rolls,
    fences_to_send,
    forget_fence,
    forget_sealed,
    is_awaiting_fence,
    range_awaiting_fence,
    record_fence,
    record_seal,
    request_rolls,
)
from spec.commands import RegisterSegment
from spec.replies import (
    ActiveSegmentExists,
    Created,
    Ok,
    Planned,
)
from spec.vocabulary import ByteSize, Count, Millis, Offset, RangeId, Roll, Segment, Sequence, State
from tests.oracles.values import (
    B1,
    B2,
    CREATE,
    LEFT,
    NOW,
    OTHER,
    RIGHT,
    ROOT,
    S0,
    S1,
    S2,
    SPLIT,
    ControlPlane,
    awaiting,
    batch,
    caching,
    fencing_of,
    frontend,
    head_of,
    numbering,
    opened,
    owing,
    roll_of,
    sealed,
    segment_of,
    view_after,
)
from tests.oracles.writers import roller

BYTES = ByteSize(77)


def listed(start: int = 0, state: State = State.ACTIVE, range_id: RangeId = ROOT) -> Segment:
    """A segment as the control plane lists it."""
    return Segment(range_id, (B1,), Offset(start), state)


# Owing rolls, and sending their fences.


def test_owed_rolls_are_listed_in_ascending_range_id_and_not_marked() -> None:
    """[ROL-14, S28] However many, and however they were owed."""
    ids = [RangeId(ROOT.topic, Sequence(seq)) for seq in range(20)]
    rolls = [roll_of(segment_of(0, one)) for one in ids]
    front = replace(frontend(), rolling=owing(*reversed(rolls)))

    due = due_rolls(front)

    assert due == tuple(rolls)


def test_an_age_roll_is_owed_for_a_segment_that_is_not_cached() -> None:
    """[ROL-15, ROL-16, S27, S28, D25, D26] Its successor needs another id."""
    front = frontend()
    segment = replace(listed(3), replica_set=(B2, B1))

    asked = request_rolls(front, [(S0, segment)])

    assert due_rolls(asked) == (Roll(ROOT, S0, B2, Offset(3)),)
    assert asked.sequences == numbering(1)
    assert (asked.heads, asked.offsets) == (Map(), Map())


@pytest.mark.parametrize(
    "segment",
    [listed(state=State.SEALED), replace(listed(), replica_set=())],
    ids=["sealed", "no replica"],
)
def test_an_age_roll_skips_what_is_sealed_or_has_no_replica(segment: Segment) -> None:
    """[ROL-15, ROL-16, S28] Sequence and roll stay as they are, and the others are owed."""
    front = frontend()

    asked = request_rolls(front, [(S2, segment), (segment_of(0, LEFT), listed(range_id=LEFT))])

    assert [roll.range_id for roll in due_rolls(asked)] == [LEFT]
    assert asked.sequences == numbering(1, LEFT)


def test_the_id_of_a_rolled_segment_is_never_registered_again() -> None:
    """[ROL-37, ROL-16, S27, D26] Neither once its roll is owed nor once it is sealed."""
    control = ControlPlane(view_after(CREATE, opened(S0)))
    owes = request_rolls(frontend(opened(S0)), [(S0, listed())])

    closed, _ = record_fence(owes, roll_of(S0), Offset(2), BYTES, NOW, control)
    _, reply = produce_plan(closed, ROOT.topic, batch(1), control)

    assert isinstance(reply, Planned)
    assert [each.segment_id for each in reply.dispatches] == [S1]
    assert [each.segment_id for each in control.took if isinstance(each, RegisterSegment)] == [S1]


def test_a_second_request_keeps_the_owed_roll_and_its_send_mark() -> None:
    """[ROL-13, ROL-16, S25, S28, D27] Only the sequence is raised once more."""
    front = request_rolls(frontend(), [(S0, listed())])
    front, _ = fences_to_send(front, Millis(0), Millis(100))

    again = request_rolls(front, [(S1, listed(4))])

    assert again == replace(front, sequences=numbering(2))
    assert fences_to_send(again, Millis(10), Millis(100))[1] == ()


def test_a_request_never_lowers_the_sequence() -> None:
    """[ROL-16, S27] A frontend that is ahead stays ahead."""
    front = replace(frontend(), sequences=numbering(7))

    asked = request_rolls(front, [(S0, listed())])

    assert asked.sequences == front.sequences


def test_a_fence_is_sent_at_once_then_not_before_the_retry_then_again() -> None:
    """[ROL-17, ROL-18, S25, P7, D43, D44] A lost fence does not leave the roll owed for ever."""
    front = replace(frontend(), rolling=owing(roll_of(S0)))

    front, first = fences_to_send(front, Millis(100), Millis(50))
    waiting, early = fences_to_send(front, Millis(149), Millis(50))
    _, again = fences_to_send(front, Millis(150), Millis(50))

    assert first == (roll_of(S0, 0, 100),)
    assert (waiting, early) == (front, ())
    assert again == (roll_of(S0, 0, 150),)


def test_a_sent_fence_is_marked_and_awaited_in_place_of_another() -> None:
    """[ROL-18, S25, S26] The roll keeps the time, the range the wait."""
    front = replace(frontend(), rolling=owing(roll_of(S1)), fencing=awaiting(fencing_of(S0)))

    sent, rolls = fences_to_send(front, Millis(100), Millis(50))

    assert sent.rolling == owing(*rolls)
    assert sent.fencing == awaiting(fencing_of(S1, 100))


def test_fences_go_out_in_ascending_range_id() -> None:
    """[ROL-17] Each of the ranges that owes one, and only when it is due."""
    ids = [RangeId(ROOT.topic, Sequence(seq)) for seq in range(20)]
    rolls = [roll_of(segment_of(0, one), sent_at=99 if one == ids[3] else None) for one in ids]
    front = replace(frontend(), rolling=owing(*reversed(rolls)))

    _, sent = fences_to_send(front, Millis(100), Millis(50))

    assert [roll.range_id for roll in sent] == [*ids[:3], *ids[4:]]


# Awaiting a fence.


@pytest.mark.parametrize(("now", "awaited"), [(100, True), (199, True), (200, False)])
def test_a_fence_is_awaited_less_than_a_window_long(now: int, awaited: bool) -> None:
    """[ROL-19, ROL-21, S26, P4, D45] An answer that was lost holds nobody up for ever."""
    front = replace(frontend(), fencing=awaiting(fencing_of(S0, 100)))

    assert is_awaiting_fence(front, ROOT, S0, Millis(now), Millis(100)) == awaited
    found = range_awaiting_fence(front, ROOT.topic, Millis(now), Millis(100))
    assert found == (ROOT if awaited else None)


def test_a_fence_is_awaited_for_its_own_segment_and_range_alone() -> None:
    """[ROL-19, S26] Another segment's refusal is not this roll's doing."""
    front = replace(frontend(), fencing=awaiting(fencing_of(S0)))

    assert not is_awaiting_fence(front, ROOT, S1, Millis(1), Millis(9))
    assert not is_awaiting_fence(front, LEFT, S0, Millis(1), Millis(9))


def test_the_lowest_awaiting_range_of_the_topic_is_named() -> None:
    """[ROL-21, ROL-42, S26] The answer is the same every time."""
    others = RangeId(OTHER, Sequence(0))
    fences = [fencing_of(segment_of(0, one)) for one in (RIGHT, LEFT, others)]
    front = replace(frontend(), fencing=awaiting(fencing_of(S0, -100), *fences))

    assert range_awaiting_fence(front, ROOT.topic, Millis(1), Millis(9)) == LEFT
    assert range_awaiting_fence(front, OTHER, Millis(1), Millis(9)) == others


def test_a_failed_fence_is_awaited_no_more_and_its_roll_stays_owed() -> None:
    """[ROL-22, S26, P1, D46] With the time of its last send, so that the retry is paced."""
    front = roller(9)

    forgotten = forget_fence(front, roll_of(S0))

    assert forgotten == replace(front, fencing=Map())


def test_a_failed_fence_does_not_end_the_wait_for_another() -> None:
    """[ROL-22, S26] Nor does one of a range that awaits nothing."""
    front = roller(9)

    assert forget_fence(front, roll_of(S1)) == front
    assert forget_fence(front, roll_of(segment_of(0, LEFT))) == front


def test_a_produce_refused_behind_an_own_fence_is_planned_again_once_it_is_answered() -> None:
    """[PRD-29, ROL-20, ROL-42, ROL-4, S26, P2, P4] In the segment that follows, at its edge."""
    front = roller(9)
    refused = forget_sealed(front, ROOT, S0, Offset(4))
    waits = range_awaiting_fence(refused, ROOT.topic, Millis(6), Millis(100))

    recorded, _ = record_fence(refused, roll_of(S0), Offset(4), BYTES, NOW, in_memory)
    _, reply = produce_plan(recorded, ROOT.topic, batch(1), in_memory)

    assert waits == ROOT
    assert range_awaiting_fence(recorded, ROOT.topic, Millis(6), Millis(100)) is None
    assert isinstance(reply, Planned)
    assert [(each.segment_id, each.first) for each in reply.dispatches] == [(S1, 4)]


# The roll of a range on demand.


def test_the_roll_on_demand_is_that_of_the_listed_head_whoever_opened_it() -> None:
    """[ROL-23, ROL-40, S13, D01] A split runs where the operator is, not where the producer is."""
    front = replace(
        frontend(opened(S0), sealed(S0, 2), opened(S1, 2, (B2, B1))),
        heads=caching(head_of(S0)),
    )

    assert active_roll(front, ROOT) == Roll(ROOT, S1, B2, Offset(2))
    assert active_roll(replace(front, heads=Map()), ROOT) == Roll(ROOT, S1, B2, Offset(2))


def test_the_roll_on_demand_falls_back_on_the_cached_head() -> None:
    """[ROL-24, S13] Only where the view has nothing to say, not where its head has no replica."""
    front = replace(frontend(), heads=caching(head_of(S0, 3)))
    bare = replace(front, view=view_after(CREATE, opened(S1, 3, ())))

    assert active_roll(front, ROOT) == Roll(ROOT, S0, B1, Offset(3))
    assert active_roll(bare, ROOT) is None


def test_there_is_no_roll_on_demand_without_a_head_that_has_a_replica() -> None:
    """[ROL-24, S13] Sealed segments are closed already."""
    front = frontend(opened(S0), sealed(S0, 2))
    bare = replace(front, heads=Map({ROOT: replace(head_of(S1, 2), replica_set=())}))

    assert active_roll(front, ROOT) is None
    assert active_roll(bare, ROOT) is None


def test_a_range_retires_only_after_its_head_is_fenced_and_sealed() -> None:
    """[ROL-40, S13, P9, D50] The split waits for the roll on demand, whichever frontend runs it."""
    control = ControlPlane(view_after(CREATE, opened(S0)))
    operator = frontend(opened(S0))
    roll = active_roll(operator, ROOT)
    assert roll is not None
    early = control(operator.view, SPLIT)[1]

    operator, reply = record_seal(operator, roll, Offset(2), BYTES, NOW, control)

    assert (early, reply) == (ActiveSegmentExists(), Ok())
    assert control(operator.view, SPLIT)[1] == Created((LEFT, RIGHT))
    assert control.metadata.segments[S0].length == Count(2)
