"""Producing: planning, replicating, adopting."""

from dataclasses import replace

import pytest
from immutables import Map

from reference.commanding import in_memory
from reference.producing import adopt_offsets, encoded_size, produce, produce_plan
from reference.ranges import metadata
from reference.rolling import due_rolls, fences_to_send
from spec.replies import (
    Appended,
    Failed,
    Planned,
    Produced,
    Sealed,
)
from spec.vocabulary import (
    ByteSize,
    Count,
    Dispatch,
    Millis,
    Offset,
    Placement,
)
from tests.oracles.values import (
    B1,
    B2,
    LEFT,
    RIGHT,
    ROOT,
    S0,
    S1,
    TOPIC,
    ControlPlane,
    Primary,
    batch,
    counting,
    frontend,
    nobody,
    numbering,
    opened,
    owing,
    record,
    roll_of,
    segment_of,
)
from tests.oracles.writers import (
    HIGH,
    LOW,
    failing_for,
    halves,
    planned,
    writer,
)

# Planning.


def test_a_dispatch_says_all_that_a_primary_needs() -> None:
    """[PRD-15] The base is the segment's start, the offsets are the plan's."""
    front = frontend(opened(S0, 3, (B2, B1)))

    _, reply = produce_plan(replace(front, offsets=counting(5)), TOPIC, batch(2), nobody)

    dispatch = Dispatch(ROOT, B2, S0, (B2, B1), Offset(3), batch(2), Offset(5), Offset(6), Count(2))
    assert reply == Planned((Placement(ROOT, Offset(5), Offset(6)),), (dispatch,))


def test_a_plan_reserves_offsets_before_anything_is_sent() -> None:
    """[PRD-16, S9] The next plan begins behind it, sent or not."""
    front = writer(4)

    once, first = produce_plan(front, TOPIC, batch(2), nobody)
    twice, second = produce_plan(once, TOPIC, batch(3), nobody)

    assert (once.offsets, twice.offsets) == (counting(6), counting(9))
    assert [each.first for each in planned(first).dispatches] == [4]
    assert [each.first for each in planned(second).dispatches] == [6]


def test_a_plan_whose_second_group_fails_returns_the_frontend_it_was_given() -> None:
    """[PRD-17, S11, D41] The first group's head and reservation are dropped with it."""
    front = replace(halves(), journal=())
    control = ControlPlane(front.view)
    records = [record(key=LOW), record(key=HIGH)]

    refused = produce_plan(front, TOPIC, records, failing_for(RIGHT, control))

    assert refused == (front, Failed("timeout"))
    assert control.sent == [opened(segment_of(0, LEFT))]


def test_a_failed_dispatch_gives_no_offsets_back() -> None:
    """[PRD-18, PRD-28, S9, D42] The batch may stand in the log all the same."""
    front, _ = produce_plan(writer(4), TOPIC, batch(2), nobody)

    # The dispatch failed: nothing is told to the frontend, and nothing changes.
    _, reply = produce_plan(front, TOPIC, batch(1), nobody)

    assert [each.first for each in planned(reply).dispatches] == [6]


def test_a_plan_tallies_what_it_sends_and_owes_a_roll_at_the_threshold() -> None:
    """[PRD-26, ROL-11, ROL-12, ROL-36, S28, D02, D28] Nothing is sealed and nothing refused."""
    size = encoded_size(batch(1)[0])
    front = replace(
        writer(), options=replace(writer().options, segment_max_bytes=ByteSize(2 * size))
    )

    below, _ = produce_plan(front, TOPIC, batch(1), nobody)
    reached, _ = produce_plan(below, TOPIC, batch(1), nobody)
    beyond, reply = produce_plan(reached, TOPIC, batch(1), nobody)

    assert (below.heads[ROOT].bytes, due_rolls(below)) == (size, ())
    assert (reached.heads[ROOT].bytes, due_rolls(reached)) == (2 * size, (roll_of(S0),))
    assert (beyond.heads[ROOT].bytes, due_rolls(beyond)) == (3 * size, (roll_of(S0),))
    assert [each.segment_id for each in planned(reply).dispatches] == [S0]


def test_a_crossed_threshold_keeps_the_roll_that_is_owed_already() -> None:
    """[ROL-11, ROL-13, S25, S28, D27] With its send mark, and that of another segment too."""
    size = encoded_size(batch(1)[0])
    front = replace(
        writer(tally=size),
        rolling=owing(roll_of(S1, 4, 9)),
        options=replace(writer().options, segment_max_bytes=size),
    )

    crossed, _ = produce_plan(front, TOPIC, batch(1), nobody)

    assert crossed.rolling == front.rolling
    assert fences_to_send(crossed, Millis(10), Millis(100))[1] == ()


def test_every_group_is_tallied_for_its_own_head() -> None:
    """[PRD-26, S28] A head owes for what was sent to it alone."""
    front = halves()
    records = [record("long", LOW), record("x", HIGH), record("y", HIGH)]

    front, _ = produce_plan(front, TOPIC, records, in_memory)

    assert front.heads[LEFT].bytes == encoded_size(records[0])
    assert front.heads[RIGHT].bytes == encoded_size(records[1]) + encoded_size(records[2])


# Replicating at once.


def test_a_produce_reports_the_offsets_that_the_primary_assigned() -> None:
    """[PRD-19, S8, S9, D06] Another frontend wrote between; the plan was a guess."""
    primary = Primary([Appended(Offset(12))])

    front, reply = produce(writer(4), TOPIC, batch(3), primary, nobody)

    assert reply == Produced((Placement(ROOT, Offset(10), Offset(12)),))
    assert front.offsets == counting(13)
    assert (primary.dispatches[0].first, primary.dispatches[0].last) == (4, 6)


def test_a_produce_tallies_what_was_acknowledged() -> None:
    """[PRD-26, ROL-11, ROL-12, S28] And owes the roll at the threshold."""
    size = encoded_size(batch(1)[0])
    front = replace(writer(), options=replace(writer().options, segment_max_bytes=size))

    front, _ = produce(front, TOPIC, batch(1), Primary([Appended(Offset(0))]), nobody)

    assert front.heads[ROOT].bytes == size
    assert due_rolls(front) == (roll_of(S0),)


def test_a_produce_keeps_the_groups_that_committed_and_stops_at_the_failing_one() -> None:
    """[PRD-20, PRD-21, PRD-28, S11] The failing group leaves only its registration behind."""
    control = ControlPlane(halves().view)
    front = replace(halves(), journal=())
    primary = Primary([Appended(Offset(0)), Failed("no_quorum")])
    records = [record(key=LOW), record(key=HIGH)]

    front, reply = produce(front, TOPIC, records, primary, control)

    assert reply == Failed("no_quorum")
    assert (set(front.heads), front.offsets) == ({LEFT}, counting(1, LEFT))
    assert front.sequences == numbering(1, LEFT)
    assert front.journal == (opened(segment_of(0, LEFT)),)
    assert segment_of(0, RIGHT) not in metadata(front).segments
    assert segment_of(0, RIGHT) in control.metadata.segments


def test_a_produce_stops_before_the_groups_behind_the_failing_one() -> None:
    """[PRD-20, S11] The order is that of the ranges."""
    control = ControlPlane(halves().view)
    primary = Primary([Failed("timeout")])

    front, reply = produce(halves(), TOPIC, [record(key=HIGH), record(key=LOW)], primary, control)

    assert (front, reply) == (halves(), Failed("timeout"))
    assert control.sent == [opened(segment_of(0, LEFT))]


def test_a_produce_whose_registration_fails_keeps_the_groups_before_it() -> None:
    """[PRD-20, S11] They are durable."""
    control = ControlPlane(halves().view)
    records = [record(key=LOW), record(key=HIGH)]

    front, reply = produce(
        halves(), TOPIC, records, Primary([Appended(Offset(0))]), failing_for(RIGHT, control)
    )

    assert reply == Failed("timeout")
    assert set(front.heads) == {LEFT}


def test_a_sealed_refusal_of_a_cached_head_seats_the_frontend_behind_it() -> None:
    """[PRD-22, S9, S10, P3] The retry opens where this segment closed."""
    front = replace(writer(4), rolling=owing(roll_of(S0)))

    seated, reply = produce(front, TOPIC, batch(1), Primary([Sealed(Offset(2))]), nobody)

    assert reply == Sealed(Offset(2))
    assert seated == replace(front, offsets=counting(2), heads=Map(), rolling=Map())


def test_a_sealed_refusal_of_a_segment_opened_in_this_call_undoes_the_opening_first() -> None:
    """[PRD-21, PRD-22, S10] Then nothing names the segment, so nothing is seated."""
    front = replace(frontend(opened(S0)), journal=())

    refused = produce(front, TOPIC, batch(1), Primary([Sealed(Offset(2))]), nobody)

    assert refused == (front, Sealed(Offset(2)))


def test_a_sealed_refusal_of_an_adopted_head_clears_the_roll_that_names_it() -> None:
    """[PRD-22, ROL-7, S10] The frontend from before the opening owes that roll."""
    front = replace(frontend(opened(S0)), rolling=owing(roll_of(S0)))

    refused = produce(front, TOPIC, batch(1), Primary([Sealed(Offset(2))]), nobody)

    assert refused == (
        replace(front, rolling=Map(), offsets=counting(2)),
        Sealed(Offset(2)),
    )


# Adopting.


@pytest.mark.parametrize(("last", "counter"), [(2, 6), (5, 6), (6, 7), (9, 10)])
def test_an_adopted_answer_only_raises_the_counter(last: int, counter: int) -> None:
    """[PRD-23, S8, S9, D06, D19] Batches in flight keep their reservations."""
    front = writer(6)

    assert adopt_offsets(front, ROOT, S0, Offset(last)) == replace(front, offsets=counting(counter))


def test_an_answer_for_a_segment_that_is_not_the_head_changes_nothing() -> None:
    """[PRD-24, S1, S10, D18] It would raise the counter past the sealed edge."""
    front = replace(writer(1), unrecovered=frozenset({ROOT}))
    headless = replace(front, heads=Map())

    assert adopt_offsets(front, ROOT, S1, Offset(41)) == front
    assert adopt_offsets(headless, ROOT, S0, Offset(41)) == headless
    assert adopt_offsets(front, LEFT, S0, Offset(41)) == front


@pytest.mark.parametrize("last", [3, 9])
def test_any_adopted_answer_ends_the_wait_for_a_recovery(last: int) -> None:
    """[PRD-25, RFR-26, S20, P6, D32] Also one that equals what was planned."""
    front = replace(writer(4), unrecovered=frozenset({ROOT, LEFT}))

    adopted = adopt_offsets(front, ROOT, S0, Offset(last))

    assert adopted.unrecovered == frozenset({LEFT})


def test_a_produce_to_an_unrecovered_range_is_sent_and_ends_the_wait() -> None:
    """[PRD-25, RFR-26, RFR-32, S20, P6, D32] What the primary reports is the end."""
    front = replace(writer(0), unrecovered=frozenset({ROOT}))

    front, reply = produce(front, TOPIC, batch(1), Primary([Appended(Offset(7))]), nobody)

    assert reply == Produced((Placement(ROOT, Offset(7), Offset(7)),))
    assert front.unrecovered == frozenset()
