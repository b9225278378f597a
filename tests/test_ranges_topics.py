"""The control plane: sealed and deleted topics, positions, policies, and topics that move."""

from dataclasses import replace

from immutables import Map

from reference.controlplane import (
    Metadata,
    apply,
    ranges_of,
)
from spec.commands import (
    BeginMigration,
    BindTopicPolicy,
    CommitOffset,
    CommittedPosition,
    DeleteTopic,
    EndMigration,
    ExtractTopic,
    InsertTopic,
    SealTopic,
    SplitRange,
)
from spec.replies import (
    Exported,
    Ok,
)
from spec.vocabulary import (
    START,
    Cursor,
    Offset,
    PolicyName,
    RangeId,
    State,
)
from tests.oracles.commands import (
    HALVES,
    HEAD,
    G,
    T,
    U,
    after,
    at,
    create,
    r,
    register,
    s,
)


def test_a_sealed_topic_has_no_active_range_and_keeps_its_segments() -> None:
    """[RNG-22] Sealing can be repeated."""
    before = after(*HEAD, create(U))

    metadata, reply = apply(before, SealTopic(T))

    assert reply == Ok()
    assert metadata.topics[T].state is State.SEALED
    assert {one.state for _, one in ranges_of(metadata, T)} == {State.SEALED}
    assert metadata.segments == before.segments
    assert ranges_of(metadata, U) == ranges_of(before, U)
    assert apply(metadata, SealTopic(T)) == (metadata, Ok())


def test_a_deleted_topic_leaves_what_was_committed() -> None:
    """[RNG-23] Topics beside it are not touched."""
    commit = CommitOffset(G, T, at(r(0)))
    others = after(create(U), register(s(0, 0, U)))

    metadata = after(create(U), register(s(0, 0, U)), *HEAD, commit, DeleteTopic(T))

    assert metadata == replace(others, committed=Map({(G, T): commit.positions}))


def test_a_commit_overwrites_what_it_names_and_keeps_the_rest() -> None:
    """[RNG-24] Also backwards: only a replay takes the higher of two."""
    here, there = Cursor(0, Offset(5)), Cursor(0, Offset(6))
    first = CommitOffset(G, T, Map[RangeId, CommittedPosition]({r(1): here, r(2): there}))
    second = CommitOffset(G, T, at(r(1)))

    metadata = after(*HALVES, first, second)

    assert metadata.committed[G, T] == first.positions.set(r(1), START)


def test_a_commit_drops_positions_outside_the_active_ranges() -> None:
    """[RNG-24] New ones and stored ones, in retired ranges, unknown ones and other topics'."""
    held = CommitOffset(G, T, at(r(0)))
    stray = CommitOffset(G, T, at(r(9), r(0, U), r(1)))

    metadata = after(create(), create(U), held, SplitRange(r(0)), stray)

    assert metadata.committed[G, T] == at(r(1))


def test_a_commit_for_an_unknown_topic_drops_nothing() -> None:
    """[RNG-25] Nobody can say which of its ranges are active."""
    stray = CommitOffset(G, T, at(r(9)))

    assert after(stray).committed[G, T] == stray.positions


def test_a_policy_is_bound_by_name_and_detached_by_none() -> None:
    """[RNG-27] Nothing asks whether the name means anything."""
    name = PolicyName("fast")
    bound = after(create(), BindTopicPolicy(T, name))

    assert bound.topics[T].policy == name
    assert apply(bound, BindTopicPolicy(T, None))[0] == after(create())


def test_an_ended_migration_leaves_no_trace() -> None:
    """[RNG-35] The mark is part of what the vnode knows; clearing none is fine."""
    before = after(*HEAD)
    marked, _ = apply(before, BeginMigration(T))

    assert marked != before
    assert apply(marked, BeginMigration(T)) == (marked, Ok())
    assert apply(marked, EndMigration(T)) == (before, Ok())
    assert apply(before, EndMigration(T)) == (before, Ok())


def test_a_topic_is_taken_out_whole_and_put_in_as_it_was() -> None:
    """[RNG-36] The mark stays behind: it belonged to the move."""
    commit = CommitOffset(G, T, at(r(0)))
    whole = after(*HEAD, commit)
    beside = after(create(U), CommitOffset(G, U, at(r(0, U))))
    both = after(create(U), CommitOffset(G, U, at(r(0, U))), *HEAD, commit)
    marked, _ = apply(both, BeginMigration(T))

    left, reply = apply(marked, ExtractTopic(T))

    assert left == beside
    assert isinstance(reply, Exported)
    assert reply.topic is not None
    assert apply(left, InsertTopic(reply.topic)) == (both, Ok())
    assert apply(Metadata(), InsertTopic(reply.topic)) == (whole, Ok())


def test_nothing_is_taken_out_of_a_vnode_that_does_not_know_the_topic() -> None:
    """[RNG-36] The answer says so."""
    assert apply(after(create(U)), ExtractTopic(T)) == (after(create(U)), Exported(None))
