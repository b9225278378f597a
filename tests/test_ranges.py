"""What a frontend does with topics, ranges, commits and policy names."""

from dataclasses import replace

import pytest
from immutables import Map

from reference import frontend as frontends
from reference import vnodes
from reference.commanding import in_memory
from reference.frontend import Frontend
from reference.ranges import (
    active_range_ids,
    bind_topic_policy,
    commit_offset,
    committed_offsets,
    create_topic,
    delete_segment,
    merge_ranges,
    metadata,
    split_range,
    topic_policy_name,
    topics_bound_to,
)
from spec.commands import (
    BindTopicPolicy,
    Command,
    CommitOffset,
    CommittedPosition,
    CreateTopic,
    DeleteSegment,
    MergeRanges,
    SplitRange,
)
from spec.replies import (
    ActiveSegmentExists,
    AlreadyExists,
    CommandReply,
    Created,
    Failed,
    InvalidTopicName,
    NoSuchTopic,
    NotBuddies,
    Ok,
    Refusal,
    SegmentActive,
    Unexpected,
)
from spec.vocabulary import Cursor, Group, Offset, PolicyName, RangeId, Sequence, TopicName, VnodeId
from tests.oracles.values import (
    B1,
    CREATE,
    LEFT,
    OTHER,
    RIGHT,
    ROOT,
    S0,
    SPLIT,
    TOPIC,
    ControlPlane,
    answering,
    caching,
    counting,
    frontend,
    head_of,
    opened,
    sealed,
    segment_of,
    view_after,
)

GROUP = Group("g")
GOLD = PolicyName("gold")
EMPTY = frontends.open(brokers=(B1,))
CURSOR = Cursor(0, Offset(5))
POSITIONS = Map[RangeId, CommittedPosition]({ROOT: CURSOR})


def send(front: Frontend, command: Command, view: vnodes.View, reply: CommandReply) -> Frontend:
    """The frontend after the call that sends this command was answered."""
    fun = answering(reply, view)
    match command:
        case CreateTopic(topic, bits):
            answered = create_topic(front, topic, bits, fun)
        case CommitOffset(group, topic, positions):
            answered = commit_offset(front, group, topic, positions, fun)
        case BindTopicPolicy(topic, policy):
            answered = bind_topic_policy(front, topic, policy, fun)
        case DeleteSegment(segment_id):
            answered = delete_segment(front, segment_id, fun)
        case SplitRange(range_id):
            answered = split_range(front, range_id, fun)
        case MergeRanges(first, second):
            answered = merge_ranges(front, first, second, fun)
        case _:
            raise AssertionError(command)
    assert answered[1] == reply
    return answered[0]


KEEPS = (
    CREATE,
    CommitOffset(GROUP, TOPIC, POSITIONS),
    BindTopicPolicy(TOPIC, GOLD),
    DeleteSegment(S0),
)
STAYS = (SPLIT, MergeRanges(LEFT, RIGHT))


@pytest.mark.parametrize("command", KEEPS, ids=lambda command: command.tag)
@pytest.mark.parametrize("reply", [Ok(), NoSuchTopic()], ids=["ok", "refused"])
def test_the_view_that_comes_with_a_reply_is_kept_even_with_a_refusal(
    command: Command, reply: CommandReply
) -> None:
    """[RNG-39, RFR-6, S21] A refusal may come with the news that explains it."""
    news = view_after(CREATE, CreateTopic(OTHER, 2))
    front = replace(EMPTY, journal=())

    answered = send(front, command, news, reply)

    assert answered == replace(front, view=news, journal=(command,))


@pytest.mark.parametrize("command", STAYS, ids=lambda command: command.tag)
@pytest.mark.parametrize("reply", [ActiveSegmentExists(), NotBuddies(), Failed("timeout")])
def test_a_refused_reshape_returns_the_frontend_as_it_was(command: Command, reply: Refusal) -> None:
    """[RNG-15, P9, S21] It can be tried again, and changed nothing."""
    front = replace(frontend(opened(S0)), journal=())
    news = view_after(CREATE, CreateTopic(OTHER, 2))

    answered = send(front, command, news, reply)

    assert answered == front


def test_a_strange_answer_to_a_reshape_returns_the_frontend_as_it_was() -> None:
    """[RNG-15] Only success brings a view that is kept."""
    front = replace(frontend(), journal=())
    news = view_after(CREATE, CreateTopic(OTHER, 2))

    answered = send(front, SPLIT, news, Unexpected("noise"))

    assert answered == front


def test_a_split_keeps_the_view_and_the_command_it_sent() -> None:
    """[RNG-14, RNG-15, RNG-50, RFR-6] One command goes out, and no fence and no seal."""
    control = ControlPlane()
    front = replace(frontend(), journal=())

    split, reply = split_range(front, ROOT, control)

    assert reply == Created((LEFT, RIGHT))
    assert control.sent == [SPLIT]
    assert split == replace(front, view=control.view, journal=(SPLIT,))


def test_a_split_that_took_leaves_everything_but_the_view_and_the_journal_as_it_was() -> None:
    """[RNG-50] What is remembered of the parent is left to the next refresh."""
    control = ControlPlane()
    front = replace(frontend(), heads=caching(head_of(S0)), offsets=counting(3), journal=())

    split, _ = split_range(front, ROOT, control)

    assert split == replace(front, view=control.view, journal=(SPLIT,))


def test_a_split_of_a_range_that_is_still_written_seals_nothing_by_itself() -> None:
    """[RNG-14, S4, S13, D49] The length would be this frontend's guess."""
    control = ControlPlane(view_after(CREATE, opened(S0)))
    front = replace(frontend(opened(S0)), heads=Map({ROOT: head_of(S0)}))

    split, reply = split_range(front, ROOT, control)

    assert (split, reply) == (front, ActiveSegmentExists())
    assert control.sent == [SPLIT]


def test_a_merge_sends_one_command_and_keeps_its_view() -> None:
    """[RNG-14, S13] Both parents' heads were sealed by the caller."""
    control = ControlPlane(view_after(CREATE, SPLIT))
    front = frontend(SPLIT)

    merged, reply = merge_ranges(front, LEFT, RIGHT, control)

    assert reply == Created((RangeId(TOPIC, Sequence(3)),))
    assert control.sent == [MergeRanges(LEFT, RIGHT)]
    assert merged == replace(front, view=control.view)


@pytest.mark.parametrize("written", [LEFT, RIGHT])
def test_a_merge_is_refused_while_either_parent_is_still_written(written: RangeId) -> None:
    """[RNG-11, RNG-15, S13, P9, D51] The caller fences both heads."""
    front = frontend(SPLIT, opened(segment_of(0, written)))

    assert merge_ranges(front, LEFT, RIGHT, in_memory) == (front, ActiveSegmentExists())


def test_a_topic_is_created_with_its_root_range() -> None:
    """[RNG-5, RNG-39, RNG-41] In memory the frontend's own view is the control plane."""
    created, reply = create_topic(EMPTY, TOPIC, 4, in_memory)

    assert reply == Created((ROOT,))
    assert active_range_ids(created, TOPIC) == (ROOT,)


def test_a_topic_that_exists_or_has_no_good_name_is_refused() -> None:
    """[RNG-5, RNG-6, RNG-39] The refusal is answered unchanged."""
    front = frontend()

    again = create_topic(front, TOPIC, 4, in_memory)
    nameless = create_topic(front, TopicName(".."), 4, in_memory)

    assert again == (front, AlreadyExists())
    assert nameless == (front, InvalidTopicName())


def test_the_active_ranges_are_those_that_tile_the_keyspace_now() -> None:
    """[RNG-38, S36] A retired range is not among them, nor a range of an unknown topic."""
    front = frontend(SPLIT)

    assert active_range_ids(front, TOPIC) == (LEFT, RIGHT)
    assert active_range_ids(front, OTHER) == ()


def test_only_a_sealed_segment_can_be_removed() -> None:
    """[RNG-20, S30] Retention never takes the write head."""
    front = frontend(opened(S0))

    refused = delete_segment(front, S0, in_memory)
    gone, reply = delete_segment(frontend(opened(S0), sealed(S0, 2)), S0, in_memory)

    assert refused == (front, SegmentActive())
    assert reply == Ok()
    assert S0 not in metadata(gone).segments


def test_a_committed_position_is_read_back() -> None:
    """[RNG-24, RNG-26, S31] By group and topic; a group that never committed has none."""
    front, reply = commit_offset(frontend(), GROUP, TOPIC, POSITIONS, in_memory)

    assert reply == Ok()
    assert committed_offsets(front, GROUP, TOPIC) == POSITIONS
    assert committed_offsets(front, Group("h"), TOPIC) == Map()
    assert committed_offsets(front, GROUP, OTHER) == Map()


def test_a_commit_reaches_the_shared_control_plane() -> None:
    """[RNG-24, RNG-42, S31] Another frontend that reads the control plane sees the position."""
    control = ControlPlane()

    commit_offset(frontend(), GROUP, TOPIC, POSITIONS, control)
    other = frontends.open(brokers=(B1,), view=control.view)

    assert committed_offsets(other, GROUP, TOPIC) == POSITIONS


def test_a_topic_is_bound_to_a_policy_by_name_and_detached_with_none() -> None:
    """[RNG-27, RNG-28] Whether a definition backs the name is not asked."""
    front = frontend()

    bound, reply = bind_topic_policy(front, TOPIC, GOLD, in_memory)
    detached, _ = bind_topic_policy(bound, TOPIC, None, in_memory)

    assert reply == Ok()
    assert topic_policy_name(bound, TOPIC) == GOLD
    assert topic_policy_name(detached, TOPIC) is None
    assert topic_policy_name(front, OTHER) == NoSuchTopic()


def test_the_topics_of_a_policy_are_listed_over_all_vnodes_in_order() -> None:
    """[RNG-29] Sorted, and only those bound to this very name."""
    names = [TopicName(name) for name in ("d", "a", "c", "b", "e")]
    ring = vnodes.sharded([(VnodeId("v0"), 1 << 31), (VnodeId("v1"), (1 << 32) - 1)])
    commands: list[Command] = [CreateTopic(name, 1) for name in names]
    commands += [BindTopicPolicy(name, GOLD) for name in names[:4]]
    commands += [BindTopicPolicy(names[4], PolicyName("tin"))]
    front = frontends.open(brokers=(B1,), view=view_after(*commands, view=ring))

    bound = topics_bound_to(front, GOLD)

    assert {len(one.topics) for one in front.view.vnodes.values()} != {0, 5}
    assert bound == ("a", "b", "c", "d")


def test_the_flat_view_is_the_union_of_all_vnodes() -> None:
    """[RNG-37] Whole-cluster work, as healing and retention, sees every topic."""
    names = [TopicName(name) for name in ("a", "b", "c", "d")]
    ring = vnodes.sharded([(VnodeId("v0"), 1 << 31), (VnodeId("v1"), (1 << 32) - 1)])
    view = view_after(*(CreateTopic(name, 1) for name in names), view=ring)
    front = frontends.open(brokers=(B1,), view=view)

    flat = metadata(front)

    assert all(one.topics for one in view.vnodes.values())
    assert sorted(flat.topics) == names
    assert sorted(flat.ranges) == [RangeId(name, Sequence(0)) for name in names]


def test_a_frontend_learns_nothing_from_a_command_without_an_answer() -> None:
    """[RNG-40, S21] Applied or not, its view stays and its journal too."""
    front = replace(frontend(), journal=())

    silent, reply = create_topic(front, OTHER, 4, answering(Failed("timeout")))

    assert (silent, reply) == (front, Failed("timeout"))
