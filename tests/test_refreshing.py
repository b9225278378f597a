"""Refreshing: installing a view, keeping a journal, replaying it."""

from dataclasses import replace

import pytest
from immutables import Map

from reference import frontend as frontends
from reference import vnodes
from reference.commanding import in_memory
from reference.controlplane import Metadata
from reference.producing import produce_plan
from reference.ranges import (
    active_range_ids,
    commit_offset,
    committed_offsets,
    create_topic,
    metadata,
)
from reference.refreshing import (
    journal,
    put_cache,
    replay_journal,
    take_journal,
)
from spec.commands import (
    Command,
    CommitOffset,
    CommittedPosition,
    CreateTopic,
    OtherCommand,
    SealTopic,
)
from spec.replies import AlreadyExists, Failed, NoSuchTopic
from spec.vocabulary import (
    START,
    Cursor,
    Group,
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
    OTHER,
    RIGHT,
    ROOT,
    S0,
    S1,
    SPLIT,
    TOPIC,
    ControlPlane,
    answering,
    batch,
    frontend,
    nobody,
    numbering,
    opened,
    sealed,
    view_after,
)
from tests.oracles.writers import busy

GROUP = Group("g")
V0, V1 = VnodeId("v0"), VnodeId("v1")
RING = vnodes.sharded([(V0, 1 << 31), (V1, (1 << 32) - 1)])


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
