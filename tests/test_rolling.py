"""Rolling: recording a seal or a fence's answer, and sitting down behind a seal."""

from dataclasses import replace

import pytest
from immutables import Map

from reference.commanding import in_memory
from reference.rolling import (
    forget_sealed,
    is_awaiting_fence,
    record_fence,
    record_seal,
)
from spec.commands import CreateTopic
from spec.replies import (
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
from spec.vocabulary import ByteSize, Millis, Offset
from tests.oracles.values import (
    CREATE,
    NOW,
    OTHER,
    ROOT,
    S0,
    S1,
    ControlPlane,
    answering,
    awaiting,
    caching,
    counting,
    fencing_of,
    frontend,
    head_of,
    nobody,
    opened,
    owing,
    roll_of,
    sealed,
    view_after,
)
from tests.oracles.writers import roller

BYTES = ByteSize(77)

# Recording a seal.


@pytest.mark.parametrize("counter", [1, 4, 9])
def test_a_seal_sets_the_counter_to_the_fences_end_down_as_well_as_up(counter: int) -> None:
    """[ROL-3, ROL-5, ROL-6, S4, S9, S12, D03, D09] What the fence said."""
    front = roller(counter)
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
    front = roller(9, start=3)
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
    front = roller(counter, start=2)
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
    """[ROL-5, ROL-10, ROL-48, S12, P1, D13] Nothing half done: the same fence and seal follow."""
    front = roller(9)
    news = view_after(CREATE, CreateTopic(OTHER, 1))

    recorded = record_seal(front, roll_of(S0), Offset(4), BYTES, NOW, answering(answer, news))

    assert recorded == (front, answered)


def test_a_seal_drops_no_head_roll_or_wait_that_names_another_segment() -> None:
    """[ROL-5, S10, S12] What it clears is of its own segment."""
    front = replace(
        roller(9),
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
    front = roller(9)
    taken = view_after(CREATE, opened(S0), sealed(S0, 4))
    lost, reply = record_seal(front, roll_of(S0), Offset(4), BYTES, NOW, answering(Failed("lost")))

    retried, again = record_seal(lost, roll_of(S0), Offset(4), BYTES, NOW, ControlPlane(taken))

    assert (lost, reply, again) == (front, Failed("lost"), Ok())
    assert retried.offsets == counting(4)


# Recording the answer to a fence.


@pytest.mark.parametrize("owed", [True, False], ids=["owed", "not owed"])
def test_a_fences_answer_seals_while_the_view_says_active(owed: bool) -> None:
    """[ROL-25, S29, P2, D14] A refusal that cleared the roll does not lose the answer."""
    front = roller(9, owed=owed)
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
        roller(9),
        view=view_after(CREATE, opened(S0), sealed(S0, 2), opened(S1, 2)),
    )

    recorded, reply = record_fence(front, roll_of(S0), Offset(1), BYTES, NOW, nobody)

    assert reply == Ok()
    assert recorded == replace(front, rolling=Map(), fencing=Map())


def test_a_late_answer_clears_no_roll_or_wait_of_another_segment() -> None:
    """[ROL-26, S29] The roll of the next segment stays owed."""
    front = replace(
        roller(9),
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
    front = replace(roller(9), view=view_after(CREATE))
    news = view_after(CREATE, CreateTopic(OTHER, 1))

    recorded, reply = record_fence(
        front, roll_of(S0), Offset(3), BYTES, NOW, answering(NoSuchSegment(), news)
    )

    assert reply == Ok()
    assert recorded == replace(front, rolling=Map(), fencing=Map())


def test_an_answer_that_cannot_be_recorded_stays_owed() -> None:
    """[ROL-25, ROL-5, P1] Any other refusal is handed on, and nothing moves."""
    front = roller(9)

    recorded = record_fence(front, roll_of(S0), Offset(3), BYTES, NOW, answering(Failed("timeout")))

    assert recorded == (front, Failed("timeout"))


# Sitting down behind somebody else's seal.


@pytest.mark.parametrize("counter", [1, 9])
def test_a_refusal_sets_the_counter_and_drops_head_and_roll(counter: int) -> None:
    """[ROL-7, ROL-20, ROL-29, ROL-30, S9, S26, D10] Down as well as up; the fence stays awaited."""
    front = roller(counter)

    seated = forget_sealed(front, ROOT, S0, Offset(4))

    assert seated == replace(front, offsets=counting(4), heads=Map(), rolling=Map())
    assert is_awaiting_fence(seated, ROOT, S0, Millis(6), Millis(100))


def test_a_refusal_that_names_an_older_segment_changes_nothing() -> None:
    """[ROL-7, S10, D21] The segment that is open now stays open."""
    front = replace(roller(9), heads=caching(head_of(S1, 4)), rolling=owing(roll_of(S1, 4)))

    assert forget_sealed(front, ROOT, S0, Offset(4)) == front


def test_a_refusal_of_a_range_without_head_or_roll_changes_nothing() -> None:
    """[ROL-7, S10] There is nothing to sit down from."""
    front = replace(frontend(), offsets=counting(9))

    assert forget_sealed(front, ROOT, S0, Offset(4)) == front


def test_a_refusal_of_the_owed_roll_leaves_another_head_open() -> None:
    """[ROL-7, ROL-30, S10] It acts on the roll's word, and the head names another segment."""
    front = replace(roller(9), heads=caching(head_of(S1, 4)))

    seated = forget_sealed(front, ROOT, S0, Offset(4))

    assert seated == replace(front, offsets=counting(4), rolling=Map())


def test_a_refusal_of_the_head_leaves_the_roll_of_another_segment_owed() -> None:
    """[ROL-7, ROL-30, S10] Only what the refusal names goes."""
    front = replace(roller(9), rolling=owing(roll_of(S1, 4)))

    seated = forget_sealed(front, ROOT, S0, Offset(4))

    assert seated == replace(front, offsets=counting(4), heads=Map())
