"""The control plane: every command, its checks in their order, and what no sequence can break."""

from dataclasses import replace

import pytest
from immutables import Map

from reference.controlplane import (
    Metadata,
    active_segment,
    apply,
    ranges_of,
    sealed_edge,
    segments_of,
)
from reference.keyspace import are_buddies
from spec.commands import (
    BeginMigration,
    BindTopicPolicy,
    Command,
    CommitOffset,
    DeleteSegment,
    DeleteTopic,
    MergeRanges,
    OtherCommand,
    SealSegment,
    SealTopic,
    SetSegmentReplicas,
    SplitRange,
)
from spec.replies import (
    ActiveSegmentExists,
    AlreadyExists,
    AlreadySealed,
    CannotSplit,
    CommandReply,
    Created,
    DifferentTopic,
    InvalidKeyspaceBits,
    InvalidPolicy,
    InvalidTopicName,
    Migrating,
    NoSuchRange,
    NoSuchSegment,
    NoSuchTopic,
    NotBuddies,
    Ok,
    RangeSealed,
    SegmentActive,
    SegmentExists,
    SegmentOverlap,
    UnknownCommand,
)
from spec.vocabulary import (
    ByteSize,
    Count,
    Millis,
    Offset,
    PolicyName,
    Position,
    Range,
    Segment,
    State,
    TopicName,
)
from tests.oracles.commands import (
    CLOSED,
    HALVES,
    HEAD,
    MOVING,
    G,
    P,
    Q,
    T,
    U,
    after,
    create,
    r,
    register,
    s,
    seal,
    tell,
)

REFUSALS: list[tuple[tuple[Command, ...], Command, CommandReply]] = [
    ((), create(TopicName("")), InvalidTopicName()),
    ((), create(TopicName("."), 0), InvalidTopicName()),
    ((), create(TopicName("..")), InvalidTopicName()),
    ((), create(TopicName("a/b")), InvalidTopicName()),
    ((), create(TopicName("t\n")), InvalidTopicName()),
    ((), create(TopicName("\u00e9")), InvalidTopicName()),
    ((create(),), create(bits=0), AlreadyExists()),
    ((create(), SealTopic(T)), create(), AlreadyExists()),
    ((), create(bits=0), InvalidKeyspaceBits()),
    ((), create(bits=33), InvalidKeyspaceBits()),
    ((), SealTopic(T), NoSuchTopic()),
    ((), DeleteTopic(T), NoSuchTopic()),
    ((), BindTopicPolicy(T, PolicyName("")), NoSuchTopic()),
    ((create(),), BindTopicPolicy(T, PolicyName("")), InvalidPolicy()),
    ((create(),), SplitRange(r(1)), NoSuchRange()),
    (HALVES, SplitRange(r(0)), RangeSealed()),
    ((*HEAD, SealTopic(T)), SplitRange(r(0)), RangeSealed()),
    (
        (create(bits=1), SplitRange(r(0)), register(s(1, 0))),
        SplitRange(r(1)),
        ActiveSegmentExists(),
    ),
    ((create(bits=1), SplitRange(r(0))), SplitRange(r(1)), CannotSplit()),
    (HALVES, MergeRanges(r(9), r(0)), NoSuchRange()),
    (HALVES, MergeRanges(r(0), r(9)), RangeSealed()),
    (HALVES, MergeRanges(r(1), r(9)), NoSuchRange()),
    ((*HALVES, register(s(1, 0))), MergeRanges(r(1), r(0)), RangeSealed()),
    ((*HALVES, register(s(1, 0)), create(U)), MergeRanges(r(1), r(0, U)), ActiveSegmentExists()),
    ((*HALVES, register(s(2, 0))), MergeRanges(r(1), r(2)), ActiveSegmentExists()),
    ((create(), create(U)), MergeRanges(r(0), r(0, U)), DifferentTopic()),
    (HALVES, MergeRanges(r(1), r(1)), NotBuddies()),
    ((*HALVES, SplitRange(r(2))), MergeRanges(r(1), r(3)), NotBuddies()),
    ((*HALVES, SplitRange(r(1))), MergeRanges(r(3), r(2)), NotBuddies()),
    ((*HALVES, SplitRange(r(1)), SplitRange(r(2))), MergeRanges(r(4), r(5)), NotBuddies()),
    ((create(),), register(s(1, 0)), NoSuchRange()),
    ((*CLOSED, SplitRange(r(0))), register(s(0, 0)), RangeSealed()),
    (HEAD, register(s(0, 0)), SegmentExists()),
    (CLOSED, register(s(0, 0), 3), SegmentExists()),
    (HEAD, register(s(0, 1), 7), ActiveSegmentExists()),
    (CLOSED, register(s(0, 1), 2), SegmentOverlap()),
    (CLOSED, register(s(0, 1), 4), SegmentOverlap()),
    ((create(),), seal(s(0, 0)), NoSuchSegment()),
    (CLOSED, seal(s(0, 0), 2), AlreadySealed(Count(3))),
    ((create(),), DeleteSegment(s(0, 0)), NoSuchSegment()),
    (HEAD, DeleteSegment(s(0, 0)), SegmentActive()),
    ((create(),), SetSegmentReplicas(s(0, 0), (Q,)), NoSuchSegment()),
    ((), BeginMigration(T), NoSuchTopic()),
    ((), OtherCommand("sing"), UnknownCommand()),
    (MOVING, SealTopic(T), Migrating()),
    (MOVING, DeleteTopic(T), Migrating()),
    (MOVING, CommitOffset(G, T, Map()), Migrating()),
    (MOVING, BindTopicPolicy(T, PolicyName("")), Migrating()),
    (MOVING, SplitRange(r(0)), Migrating()),
    (MOVING, SplitRange(r(9)), NoSuchRange()),
    (MOVING, MergeRanges(r(0), r(9)), Migrating()),
    (MOVING, MergeRanges(r(0, U), r(0)), ActiveSegmentExists()),
    (MOVING, register(s(0, 0)), Migrating()),
    (MOVING, register(s(9, 0)), NoSuchRange()),
    (MOVING, seal(s(0, 0)), Migrating()),
    (MOVING, seal(s(0, 9)), NoSuchSegment()),
    (MOVING, DeleteSegment(s(0, 0)), Migrating()),
    (MOVING, SetSegmentReplicas(s(0, 0), (Q,)), Migrating()),
    (MOVING, create(), AlreadyExists()),
]


@pytest.mark.parametrize(("told", "command", "reply"), REFUSALS)
def test_the_first_check_that_fails_answers_and_nothing_changes(
    told: tuple[Command, ...], command: Command, reply: CommandReply
) -> None:
    """[RNG-3, RNG-4, RNG-9, RNG-11] Each row breaks one check, and some a later one too."""
    before = after(*told)

    unchanged, answer = apply(before, command)

    assert (unchanged, answer) == (before, reply)


@pytest.mark.parametrize("name", ["a", "A.b_c-9", "...", "0", "-"])
def test_a_topic_is_named_by_letters_digits_dots_underscores_and_hyphens(name: str) -> None:
    """[RNG-6] Any of them may come first."""
    assert tell(Metadata(), create(TopicName(name))) == Created((r(0, TopicName(name)),))


@pytest.mark.parametrize("bits", [1, 32])
def test_a_topic_has_one_root_range_over_its_whole_keyspace(bits: int) -> None:
    """[RNG-5, RNG-7] The smallest keyspace and the largest."""
    metadata = after(create(bits=bits))

    ((range_id, root),) = ranges_of(metadata, T)

    assert (range_id, root.key_start, root.key_end) == (r(0), 0, 1 << bits)


def test_a_split_makes_halves_that_remember_all_their_ancestors() -> None:
    """[RNG-10] Left first, and ancestors oldest first."""
    metadata, reply = apply(after(*HALVES), SplitRange(r(1)))

    assert reply == Created((r(3), r(4)))
    assert metadata.ranges[r(1)].state is State.SEALED
    left, right = metadata.ranges[r(3)], metadata.ranges[r(4)]
    assert (left.key_start, left.key_end, right.key_start, right.key_end) == (0, 1, 1, 2)
    assert left.parents == right.parents == (r(0), r(1))


def test_a_merge_lists_a_shared_ancestor_once() -> None:
    """[RNG-12, S15] In whichever order the buddies are named."""
    metadata, reply = apply(after(*HALVES), MergeRanges(r(2), r(1)))

    assert reply == Created((r(3),))
    child = metadata.ranges[r(3)]
    assert (child.key_start, child.key_end, child.state) == (0, 4, State.ACTIVE)
    assert child.parents == (r(0), r(2), r(1))


def test_a_merge_remembers_the_ancestors_of_both() -> None:
    """[RNG-12, S15] The first's, then the second's, then the two."""
    rejoined = (*HALVES, SplitRange(r(1)), MergeRanges(r(3), r(4)))

    first = after(*rejoined, MergeRanges(r(5), r(2)))
    second = after(*rejoined, MergeRanges(r(2), r(5)))

    assert first.ranges[r(6)].parents == (r(0), r(1), r(3), r(4), r(5), r(2))
    assert second.ranges[r(6)].parents == (r(0), r(1), r(3), r(4), r(2), r(5))


def test_ranges_over_keyspaces_of_different_size_are_no_buddies() -> None:
    """[RNG-13] Their positions do not mean the same keys."""
    low, high = Range(Position(0), Position(2), 4), Range(Position(2), Position(4), 4)

    assert are_buddies(low, high)
    assert not are_buddies(low, replace(high, keyspace_size=8))


def test_a_range_id_is_not_given_twice_while_its_topic_lives() -> None:
    """[RNG-8] A deleted topic that is created again counts from 0."""
    merged = after(*HALVES, MergeRanges(r(1), r(2)))

    assert tell(merged, SplitRange(r(3))) == Created((r(4), r(5)))
    assert tell(apply(merged, DeleteTopic(T))[0], create()) == Created((r(0),))


def test_a_registered_segment_is_what_was_registered() -> None:
    """[RNG-18] The clock that came with the command dates it."""
    metadata, reply = apply(after(create()), register(s(0, 5), 7), Millis(3))

    assert reply == Ok()
    expected = Segment(r(0), (P,), Offset(7), opened_at=Millis(3))
    assert active_segment(metadata, r(0)) == (s(0, 5), expected)


def test_a_range_that_lists_nothing_takes_any_start() -> None:
    """[RNG-17] Also when retention took all that it listed."""
    emptied = after(*CLOSED, DeleteSegment(s(0, 0)))

    assert tell(emptied, register(s(0, 0), 1)) == Ok()


def test_the_next_segment_begins_at_the_largest_edge() -> None:
    """[RNG-16, S1] Whatever the order of ids; a removed middle leaves the edge alone."""
    more = after(*CLOSED, register(s(0, 7), 3), seal(s(0, 7), 2), register(s(0, 2), 5))
    metadata, _ = apply(apply(more, seal(s(0, 2), 1))[0], DeleteSegment(s(0, 7)))

    assert sealed_edge(metadata, r(0)) == 6
    assert sealed_edge(apply(metadata, SplitRange(r(0)))[0], r(1)) is None
    assert tell(metadata, register(s(0, 8), 6)) == Ok()


def test_a_seal_records_what_closing_answered() -> None:
    """[RNG-19] Length, bytes and time, once."""
    metadata = after(*CLOSED)

    one = metadata.segments[s(0, 0)]

    assert (one.state, one.length, one.byte_size, one.sealed_at) == (State.SEALED, 3, 43, 9)


@pytest.mark.parametrize("length", [-5, 0, 1 << 70])
def test_a_length_is_recorded_without_being_judged(length: int) -> None:
    """[RNG-46] Only the store can say whether it is true."""
    metadata = after(*HEAD, seal(s(0, 0), length))

    assert metadata.segments[s(0, 0)].length == length


def test_a_split_and_a_merge_leave_every_segment_where_it_is() -> None:
    """[RNG-47] The parents keep theirs, and the children begin with none."""
    before = after(*CLOSED)

    split, _ = apply(before, SplitRange(r(0)))
    merged, _ = apply(split, MergeRanges(r(1), r(2)))

    assert split.segments == merged.segments == before.segments


def test_the_same_seal_again_moves_nothing() -> None:
    """[RNG-19, S6] Not even the time and the bytes."""
    metadata = after(*CLOSED)
    again = SealSegment(s(0, 0), Count(3), ByteSize(99), Millis(99))

    assert apply(metadata, again) == (metadata, Ok())


def test_a_sealed_segment_can_be_removed() -> None:
    """[RNG-20, S30] And is then unknown."""
    metadata = after(*CLOSED, DeleteSegment(s(0, 0)))

    assert segments_of(metadata, r(0)) == ()


@pytest.mark.parametrize("told", [HEAD, CLOSED])
def test_replicas_can_be_replaced_in_any_state(told: tuple[Command, ...]) -> None:
    """[RNG-21] Nothing else of the segment changes."""
    before = after(*told)

    metadata, reply = apply(before, SetSegmentReplicas(s(0, 0), (Q, P)))

    assert reply == Ok()
    was = before.segments[s(0, 0)]
    assert metadata.segments[s(0, 0)] == replace(was, replica_set=(Q, P))
