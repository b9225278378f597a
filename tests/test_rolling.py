"""Rolls, fences and seals, one function at a time."""

from dataclasses import replace

import pytest
from immutables import Map

from reference.commanding import in_memory
from reference.frontend import Frontend
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
from spec.commands import CreateTopic
from spec.replies import (
    ActiveSegmentExists,
    CommandReply,
    Created,
    Exported,
    Failed,
    Migrating,
    NoSuchSegment,
    Ok,
    Refusal,
    Unexpected,
    UnexpectedSealReply,
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
    answering,
    awaiting,
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
    segment_of,
    view_after,
)

BYTES = ByteSize(77)


def writer(counter: int, *, owed: bool = True, start: int = 0) -> Frontend:
    """A frontend whose head is the first segment, with its roll owed and its fence sent."""
    return replace(
        frontend(opened(S0, start)),
        offsets=counting(counter),
        heads=caching(head_of(S0, start)),
        sequences=numbering(1),
        rolling=owing(roll_of(S0, start, 5)) if owed else Map(),
        fencing=awaiting(fencing_of(S0, 5)),
        journal=(),
    )


def listed(start: int = 0, state: State = State.ACTIVE, range_id: RangeId = ROOT) -> Segment:
    """A segment as the control plane lists it."""
    return Segment(range_id, (B1,), Offset(start), state)


# Recording a seal.


@pytest.mark.parametrize("counter", [1, 4, 9])
def test_a_seal_sets_the_counter_to_the_fences_end_down_as_well_as_up(counter: int) -> None:
    """[ROL-3, ROL-5, ROL-6, S4, S9, S12, D03, D09] What the fence said."""
    front = writer(counter)
    control = ControlPlane(front.view)

    recorded, reply = record_seal(front, roll_of(S0), Offset(4), BYTES, NOW, control)

    length = replace(sealed(S0, 4), byte_size=BYTES)
    assert reply == Ok()
    assert control.sent == [length]
    assert recorded == replace(
        front,
        view=control.view,
        offsets=counting(4),
        heads=Map(),
        rolling=Map(),
        fencing=Map(),
        journal=(length,),
    )


def test_a_seal_measures_from_the_start_that_the_view_lists() -> None:
    """[ROL-9, S4] The roll's own start may be older than what the view knows."""
    front = writer(9, start=3)
    control = ControlPlane(front.view)

    recorded, _ = record_seal(front, roll_of(S0, 1), Offset(7), BYTES, NOW, control)

    assert control.metadata.segments[S0].length == 4
    assert recorded.offsets == counting(7)


def test_a_seal_measures_from_the_rolls_start_where_the_view_lists_none() -> None:
    """[ROL-9, S4] The roll was built from the control plane's word or from the head itself."""
    control = ControlPlane(view_after(CREATE, opened(S0, 3)))

    recorded, reply = record_seal(frontend(), roll_of(S0, 3), Offset(7), BYTES, NOW, control)

    assert reply == Ok()
    assert control.metadata.segments[S0].length == 4
    assert recorded.offsets == counting(7)


@pytest.mark.parametrize("counter", [1, 9])
def test_a_conflicting_seal_takes_the_recorded_length_for_its_own(counter: int) -> None:
    """[ROL-8, S6, P1, D11] A roll that races a failover converges on the winner."""
    front = writer(counter, start=2)
    control = ControlPlane(view_after(CREATE, opened(S0, 2), sealed(S0, 1)))

    recorded, reply = record_seal(front, roll_of(S0, 2), Offset(6), BYTES, NOW, control)

    assert reply == Ok()
    assert recorded.offsets == counting(3)
    assert (recorded.heads, recorded.rolling, recorded.fencing) == (Map(), Map(), Map())
    assert recorded.view == control.view
    assert len(recorded.journal or ()) == 1


@pytest.mark.parametrize(
    ("answer", "answered"),
    [
        (Failed("timeout"), Failed("timeout")),
        (NoSuchSegment(), NoSuchSegment()),
        (Migrating(), Migrating()),
        (Unexpected("noise"), UnexpectedSealReply("noise")),
        (Created((ROOT,)), UnexpectedSealReply("Created")),
        (Exported(None), UnexpectedSealReply("Exported")),
    ],
    ids=lambda reply: type(reply).__name__,
)
def test_a_seal_that_does_not_take_leaves_everything_owed(
    answer: CommandReply, answered: Refusal
) -> None:
    """[ROL-5, ROL-10, S12, P1, D13] Nothing half done: the same fence and seal follow."""
    front = writer(9)
    news = view_after(CREATE, CreateTopic(OTHER, 1))

    recorded = record_seal(front, roll_of(S0), Offset(4), BYTES, NOW, answering(answer, news))

    assert recorded == (front, answered)


def test_a_seal_drops_no_head_roll_or_wait_that_names_another_segment() -> None:
    """[ROL-5, S10, S12] What it clears is of its own segment."""
    front = replace(
        writer(9),
        heads=caching(head_of(S1, 4)),
        rolling=owing(roll_of(S1, 4)),
        fencing=awaiting(fencing_of(S1)),
    )

    recorded, _ = record_seal(front, roll_of(S0), Offset(4), BYTES, NOW, in_memory)

    assert recorded.heads == front.heads
    assert recorded.rolling == front.rolling
    assert recorded.fencing == front.fencing


def test_after_a_seal_whose_answer_was_lost_the_retry_converges() -> None:
    """[ROL-5, ROL-8, S6, S12, P1] The log took it; the same again is ok."""
    front = writer(9)
    taken = view_after(CREATE, opened(S0), sealed(S0, 4))
    lost, reply = record_seal(front, roll_of(S0), Offset(4), BYTES, NOW, answering(Failed("lost")))

    retried, again = record_seal(lost, roll_of(S0), Offset(4), BYTES, NOW, ControlPlane(taken))

    assert (lost, reply, again) == (front, Failed("lost"), Ok())
    assert retried.offsets == counting(4)


# Recording the answer to a fence.


@pytest.mark.parametrize("owed", [True, False], ids=["owed", "not owed"])
def test_a_fences_answer_seals_while_the_view_says_active(owed: bool) -> None:
    """[ROL-25, S29, P2, D14] A refusal that cleared the roll does not lose the answer."""
    front = writer(9, owed=owed)
    control = ControlPlane(front.view)

    recorded, reply = record_fence(front, roll_of(S0), Offset(4), BYTES, NOW, control)

    assert (recorded, reply) == record_seal(
        front, roll_of(S0), Offset(4), BYTES, NOW, ControlPlane(front.view)
    )
    assert reply == Ok()
    assert recorded.offsets == counting(4)


def test_a_late_answer_for_a_sealed_segment_only_clears() -> None:
    """[ROL-26, S29, S9, D16] Its length is not this answer's to say, nor the counter."""
    front = replace(
        writer(9),
        view=view_after(CREATE, opened(S0), sealed(S0, 2), opened(S1, 2)),
    )

    recorded, reply = record_fence(front, roll_of(S0), Offset(1), BYTES, NOW, nobody)

    assert reply == Ok()
    assert recorded == replace(front, rolling=Map(), fencing=Map())


def test_a_late_answer_clears_no_roll_or_wait_of_another_segment() -> None:
    """[ROL-26, S29] The roll of the next segment stays owed."""
    front = replace(
        writer(9),
        view=view_after(CREATE, opened(S0), sealed(S0, 2), opened(S1, 2)),
        rolling=owing(roll_of(S1, 2, 7)),
        fencing=awaiting(fencing_of(S1, 7)),
    )

    recorded = record_fence(front, roll_of(S0), Offset(1), BYTES, NOW, nobody)

    assert recorded == (front, Ok())


def test_the_answer_for_a_segment_that_the_view_lacks_is_sent_all_the_same() -> None:
    """[ROL-27, S29, P2, D15] The control plane judges it, not a view that is behind."""
    control = ControlPlane(view_after(CREATE, opened(S0)))
    front = replace(frontend(), rolling=owing(roll_of(S0)))

    recorded, reply = record_fence(front, roll_of(S0), Offset(3), BYTES, NOW, control)

    assert reply == Ok()
    assert control.metadata.segments[S0].length == 3
    assert (recorded.rolling, recorded.offsets) == (Map(), counting(3))


def test_the_answer_for_a_segment_that_is_gone_clears_its_roll() -> None:
    """[ROL-28, S29, P1] On the frontend as it was before the call."""
    front = replace(writer(9), view=view_after(CREATE))
    news = view_after(CREATE, CreateTopic(OTHER, 1))

    recorded, reply = record_fence(
        front, roll_of(S0), Offset(3), BYTES, NOW, answering(NoSuchSegment(), news)
    )

    assert reply == Ok()
    assert recorded == replace(front, rolling=Map(), fencing=Map())


def test_an_answer_that_cannot_be_recorded_stays_owed() -> None:
    """[ROL-25, ROL-5, P1] Any other refusal is handed on, and nothing moves."""
    front = writer(9)

    recorded = record_fence(front, roll_of(S0), Offset(3), BYTES, NOW, answering(Failed("timeout")))

    assert recorded == (front, Failed("timeout"))


# Sitting down behind somebody else's seal.


@pytest.mark.parametrize("counter", [1, 9])
def test_a_refusal_sets_the_counter_and_drops_head_and_roll(counter: int) -> None:
    """[ROL-7, ROL-20, ROL-29, ROL-30, S9, S26, D10] Down as well as up; the fence stays awaited."""
    front = writer(counter)

    seated = forget_sealed(front, ROOT, S0, Offset(4))

    assert seated == replace(front, offsets=counting(4), heads=Map(), rolling=Map())
    assert is_awaiting_fence(seated, ROOT, S0, Millis(6), Millis(100))


def test_a_refusal_that_names_an_older_segment_changes_nothing() -> None:
    """[ROL-7, S10, D21] The segment that is open now stays open."""
    front = replace(writer(9), heads=caching(head_of(S1, 4)), rolling=owing(roll_of(S1, 4)))

    assert forget_sealed(front, ROOT, S0, Offset(4)) == front


def test_a_refusal_of_a_range_without_head_or_roll_changes_nothing() -> None:
    """[ROL-7, S10] There is nothing to sit down from."""
    front = replace(frontend(), offsets=counting(9))

    assert forget_sealed(front, ROOT, S0, Offset(4)) == front


def test_a_refusal_of_the_owed_roll_leaves_another_head_open() -> None:
    """[ROL-7, ROL-30, S10] It acts on the roll's word, and the head names another segment."""
    front = replace(writer(9), heads=caching(head_of(S1, 4)))

    seated = forget_sealed(front, ROOT, S0, Offset(4))

    assert seated == replace(front, offsets=counting(4), rolling=Map())


def test_a_refusal_of_the_head_leaves_the_roll_of_another_segment_owed() -> None:
    """[ROL-7, ROL-30, S10] Only what the refusal names goes."""
    front = replace(writer(9), rolling=owing(roll_of(S1, 4)))

    seated = forget_sealed(front, ROOT, S0, Offset(4))

    assert seated == replace(front, offsets=counting(4), heads=Map())


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
    front = writer(9)

    forgotten = forget_fence(front, roll_of(S0))

    assert forgotten == replace(front, fencing=Map())


def test_a_failed_fence_does_not_end_the_wait_for_another() -> None:
    """[ROL-22, S26] Nor does one of a range that awaits nothing."""
    front = writer(9)

    assert forget_fence(front, roll_of(S1)) == front
    assert forget_fence(front, roll_of(segment_of(0, LEFT))) == front


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
    """[ROL-24, S13] Only where the view has no segment to fence."""
    front = replace(frontend(), heads=caching(head_of(S0, 3)))
    bare = replace(front, view=view_after(CREATE, opened(S1, 3, ())))

    assert active_roll(front, ROOT) == Roll(ROOT, S0, B1, Offset(3))
    assert active_roll(bare, ROOT) == Roll(ROOT, S0, B1, Offset(3))


def test_there_is_no_roll_on_demand_without_a_head_that_has_a_replica() -> None:
    """[ROL-24, S13] Sealed segments are closed already."""
    front = frontend(opened(S0), sealed(S0, 2))
    bare = replace(front, heads=Map({ROOT: replace(head_of(S1, 2), replica_set=())}))

    assert active_roll(front, ROOT) is None
    assert active_roll(bare, ROOT) is None


def test_a_range_retires_only_after_its_head_is_fenced_and_sealed() -> None:
    """[ROL-40, S13, P9] The split waits for the roll on demand, whichever frontend runs it."""
    control = ControlPlane(view_after(CREATE, opened(S0)))
    operator = frontend(opened(S0))
    roll = active_roll(operator, ROOT)
    assert roll is not None
    early = control(operator.view, SPLIT)[1]

    operator, reply = record_seal(operator, roll, Offset(2), BYTES, NOW, control)

    assert (early, reply) == (ActiveSegmentExists(), Ok())
    assert control(operator.view, SPLIT)[1] == Created((LEFT, RIGHT))
    assert control.metadata.segments[S0].length == Count(2)
