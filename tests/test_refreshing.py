"""Refreshing and recovering: what a newer view changes, and what it must not."""

from dataclasses import replace

import pytest
from immutables import Map

from reference import frontend as frontends
from reference import vnodes
from reference.commanding import in_memory
from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.producing import adopt_offsets, produce_plan
from reference.ranges import (
    active_range_ids,
    commit_offset,
    committed_offsets,
    create_topic,
    metadata,
)
from reference.refreshing import (
    drop_stale_active_segments,
    is_unrecovered,
    journal,
    put_cache,
    replay_journal,
    seed_range_state,
    seed_unrecovered_range,
    take_journal,
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
    Command,
    CommitOffset,
    CommittedPosition,
    CreateTopic,
    DeleteSegment,
    OtherCommand,
    SealTopic,
)
from spec.replies import AlreadyExists, Failed, NoSuchTopic, Ok
from spec.vocabulary import (
    START,
    ByteSize,
    Cursor,
    Group,
    Millis,
    Offset,
    RangeId,
    Sequence,
    TopicName,
    VnodeId,
)
from tests.oracles.values import (
    B1,
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
    TOPIC,
    ControlPlane,
    answering,
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

GROUP = Group("g")
V0, V1 = VnodeId("v0"), VnodeId("v1")
RING = vnodes.sharded([(V0, 1 << 31), (V1, (1 << 32) - 1)])


def busy() -> Frontend:
    """A frontend that holds something of everything."""
    return replace(
        frontend(opened(S0)),
        offsets=counting(9),
        heads=caching(head_of(S0)),
        sequences=numbering(1),
        rolling=owing(roll_of(S0, 0, 5)),
        fencing=awaiting(fencing_of(S0, 5)),
        unrecovered=frozenset({LEFT}),
        journal=(CREATE,),
    )


def commit(offset: int | None, range_id: RangeId = ROOT, source: int = 0) -> CommitOffset:
    """A commit of one position; of the start where no offset is given."""
    position: CommittedPosition = START if offset is None else Cursor(source, Offset(offset))
    return CommitOffset(GROUP, TOPIC, Map({range_id: position}))


# Installing a view.


def test_a_read_view_replaces_the_one_held_and_nothing_else() -> None:
    """[RFR-1, S21] Heads, counters, rolls and journal are this frontend's own."""
    front = busy()
    news = view_after(CREATE, opened(S0), sealed(S0, 2))

    assert put_cache(front, news) == replace(front, view=news)


def test_a_vnode_that_could_not_be_read_keeps_the_view_that_was_held() -> None:
    """[RFR-2, S18, S21, D33] A blank one would delete live topics from the cache."""
    names = [TopicName(name) for name in ("a", "b", "c", "d", "e", "f")]
    held = view_after(*(CreateTopic(name, 1) for name in names), view=RING)
    front = frontends.open(brokers=(B1,), view=held)
    lost, read = (name for name in sorted(held.vnodes, key=str))
    sealed_all = view_after(*(SealTopic(name) for name in names), view=held)
    blank = replace(sealed_all, vnodes=sealed_all.vnodes.set(lost, Metadata()))

    kept = put_cache(front, blank, [lost])

    assert kept.view.vnodes[lost] == held.vnodes[lost]
    assert kept.view.vnodes[read] == sealed_all.vnodes[read]
    assert held.vnodes[lost].topics
    assert held.vnodes[read].topics


def test_a_vnode_that_the_new_ring_lacks_is_not_kept() -> None:
    """[RFR-2] The ring that was read says which vnodes there are."""
    front = frontends.open(brokers=(B1,), view=RING)
    alone = vnodes.sharded([(V0, 0)])

    assert put_cache(front, alone, [V1]).view == alone


# The journal.


def test_no_journal_is_kept_until_it_is_asked_for() -> None:
    """[RFR-5, PLC-4, S35] With the view as the only copy, nothing would ever read it."""
    front, _ = create_topic(frontend(), OTHER, 1, in_memory)

    assert front.journal is None
    assert take_journal(front) == ((), front)


def test_a_journal_that_is_kept_already_stays() -> None:
    """[RFR-5, S35] Asking twice loses nothing."""
    front = journal(frontend())
    front, _ = create_topic(front, OTHER, 1, in_memory)

    assert journal(front) == front


def test_the_journal_is_taken_once_and_oldest_first() -> None:
    """[RFR-6, RFR-7, S35] It stays on, and is empty again."""
    front = journal(frontend())
    front, _ = create_topic(front, OTHER, 1, in_memory)
    front, _ = commit_offset(front, GROUP, TOPIC, commit(5).positions, in_memory)

    commands, taken = take_journal(front)

    assert commands == (CreateTopic(OTHER, 1), commit(5))
    assert taken == replace(front, journal=())
    assert take_journal(taken) == ((), taken)


def test_a_command_that_changed_nothing_or_got_no_answer_is_not_journaled() -> None:
    """[RFR-6, S35, D38] Replayed, it would make something up."""
    front = journal(frontend())

    refused, reply = create_topic(front, TOPIC, 1, in_memory)
    silent, silence = create_topic(front, OTHER, 1, answering(Failed("timeout")))

    assert (reply, silence) == (AlreadyExists(), Failed("timeout"))
    assert refused.journal == silent.journal == ()


# Replaying it.


def test_a_replay_brings_back_what_an_older_read_lacks() -> None:
    """[RFR-3, RFR-8, S21, D34] Then a produce to the new topic is not refused."""
    control = ControlPlane()
    old = control.view
    front, _ = create_topic(journal(frontend()), OTHER, 1, control)

    commands, front = take_journal(front)
    installed = put_cache(front, old)
    replayed = replay_journal(installed, commands)

    assert produce_plan(installed, OTHER, batch(1), nobody)[1] == NoSuchTopic()
    assert active_range_ids(replayed, OTHER) == (RangeId(OTHER, Sequence(0)),)
    assert metadata(replayed) == control.metadata


def test_a_replay_touches_the_view_alone() -> None:
    """[RFR-8, S21, D36] Nothing is journaled again, no head or counter moves."""
    front = busy()

    replayed = replay_journal(front, [sealed(S0, 2), CreateTopic(OTHER, 1)])

    assert replayed == replace(front, view=replayed.view)
    assert metadata(replayed).segments[S0].length == 2


def test_a_replay_goes_on_past_what_the_read_carries_already() -> None:
    """[RFR-9, S21, D35] The refusals are dropped, and what follows is applied."""
    front = frontend(opened(S0), sealed(S0, 2))
    commands: list[Command] = [CREATE, opened(S0), sealed(S0, 3), OtherCommand("x")]

    replayed = replay_journal(front, [*commands, CreateTopic(OTHER, 1)])

    expected = view_after(CREATE, opened(S0), sealed(S0, 2), CreateTopic(OTHER, 1))
    assert replayed.view == expected


def test_a_replay_passes_over_what_no_vnode_owns() -> None:
    """[RFR-9, RNG-31] An empty ring owns nothing, and is left as it is."""
    front = frontends.open(brokers=(B1,), view=vnodes.sharded([]))

    assert replay_journal(front, [CREATE, commit(5)]) == front


@pytest.mark.parametrize(
    ("held", "replayed", "result"),
    [
        (commit(9), commit(5), commit(9)),
        (commit(5), commit(9), commit(9)),
        (commit(0), commit(None), commit(0)),
        (commit(None), commit(0), commit(0)),
        (commit(3, source=1), commit(8), commit(3, source=1)),
        (commit(8), commit(3, source=1), commit(3, source=1)),
    ],
)
def test_a_replayed_commit_keeps_the_higher_position(
    held: CommitOffset, replayed: CommitOffset, result: CommitOffset
) -> None:
    """[RFR-10, RFR-11, RFR-33, S31, D37] `start`, then by source, then offset."""
    front = frontend(held)

    after = replay_journal(front, [replayed])

    assert committed_offsets(after, GROUP, TOPIC) == result.positions


def test_a_replayed_commit_is_judged_range_by_range() -> None:
    """[RFR-10, RFR-33, S31] One range may be ahead, the other behind, a third new."""
    positions = Map[RangeId, CommittedPosition](
        {LEFT: Cursor(0, Offset(9)), RIGHT: Cursor(0, Offset(9))}
    )
    front = frontend(SPLIT, commit(5, LEFT), commit(12, RIGHT))

    after = replay_journal(front, [CommitOffset(GROUP, TOPIC, positions)])

    assert committed_offsets(after, GROUP, TOPIC) == positions.set(RIGHT, Cursor(0, Offset(12)))


def test_a_replayed_commit_of_a_group_that_the_read_lacks_is_applied() -> None:
    """[RFR-10, S31] There is nothing to compare it with."""
    after = replay_journal(frontend(), [commit(5)])

    assert committed_offsets(after, GROUP, TOPIC) == commit(5).positions


def test_a_refused_registration_in_the_journal_comes_true_on_a_read_without_its_cause() -> None:
    """[RFR-6, RFR-9, S5] A hole: the view lists a head that the control plane never knew.

    The refusal brought a view with the head of somebody else, which was adopted, so the command
    was journaled. Where the read no longer lists that head as active, the replay takes.
    """
    control = ControlPlane(view_after(CREATE, opened(S0)))
    front = replace(journal(frontend()), sequences=numbering(1))
    front, _ = produce_plan(front, TOPIC, batch(1), control)
    control(front.view, sealed(S0, 0))

    commands, front = take_journal(front)
    refreshed = replay_journal(put_cache(front, control.view), commands)

    assert commands == (opened(S1),)
    assert S1 in metadata(refreshed).segments
    assert S1 not in control.metadata.segments


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
    """[RFR-23, RFR-24, S20, D31] Only the sequence is raised."""
    front = replace(frontend(), offsets=counting(counter))

    probed = seed_unrecovered_range(front, ROOT, Sequence(3))

    assert probed == replace(front, sequences=numbering(3))


def test_a_range_that_waits_already_goes_on_waiting() -> None:
    """[RFR-22, RFR-24, S20] Its zero is no end, and its sequence never falls."""
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
