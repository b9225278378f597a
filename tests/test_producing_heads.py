"""Producing: opening a head, and placing the segment that is opened."""

from dataclasses import replace

import pytest
from immutables import Map

from reference.commanding import in_memory
from reference.producing import encoded_size, produce, produce_plan
from reference.ranges import metadata
from spec.commands import (
    BindTopicPolicy,
    RegisterSegment,
)
from spec.replies import (
    CommandReply,
    Created,
    Exported,
    Failed,
    InsufficientDomains,
    Migrating,
    NoSuchRange,
    NoVnode,
    RangeSealed,
    Refusal,
    SegmentExists,
    Unexpected,
    UnexpectedRegisterReply,
)
from spec.vocabulary import (
    PolicyName,
    TopicPolicy,
)
from tests.oracles.values import (
    B1,
    B2,
    B3,
    CREATE,
    ROOT,
    S0,
    S1,
    TOPIC,
    ControlPlane,
    answering,
    batch,
    counting,
    frontend,
    nobody,
    numbering,
    opened,
    sealed,
    segment_of,
    view_after,
)
from tests.oracles.writers import (
    RACES,
    dispatches,
    planned,
    unsent,
    writer,
)


def test_a_cached_head_is_written_to_whatever_the_view_lists() -> None:
    """[PRD-8, S23] Only a refusal or a refresh moves a frontend off it."""
    front = replace(writer(4), view=view_after(CREATE, opened(S0), sealed(S0, 1), opened(S1, 1)))

    _, reply = produce_plan(front, TOPIC, batch(2), nobody)

    assert dispatches(reply) == [(planned(reply).dispatches[0], 4, 5)]
    assert planned(reply).dispatches[0].segment_id == S0


def test_a_listed_head_is_adopted_with_an_empty_tally() -> None:
    """[PRD-9, S9, S27] The counter is raised to its start and the sequence past its own."""
    front = frontend(opened(segment_of(3), 7, (B2, B1)))

    front, reply = produce_plan(front, TOPIC, batch(1), nobody)

    assert dispatches(reply) == [(planned(reply).dispatches[0], 7, 7)]
    head = front.heads[ROOT]
    assert (head.id, head.start_offset, head.replica_set) == (segment_of(3), 7, (B2, B1))
    assert head.bytes == encoded_size(batch(1)[0])
    assert (front.sequences, front.offsets) == (numbering(4), counting(8))


def test_adopting_a_head_lowers_neither_counter_nor_sequence() -> None:
    """[PRD-9, S9, S27] A frontend that knows of more keeps what it knows."""
    front = replace(frontend(opened(S0)), offsets=counting(5), sequences=numbering(9))

    front, reply = produce_plan(front, TOPIC, batch(1), nobody)

    assert dispatches(reply) == [(planned(reply).dispatches[0], 5, 5)]
    assert front.sequences == numbering(9)


def test_a_listed_head_without_a_replica_is_not_adopted() -> None:
    """[PRD-9, PRD-11] There is nobody to send to."""
    front = frontend(opened(S0, 0, ()))

    refused = produce_plan(front, TOPIC, batch(1), in_memory)

    assert refused == (front, SegmentExists())


def test_a_new_segment_is_registered_at_the_counter_under_the_next_sequence() -> None:
    """[PRD-10, PRD-33, S1, S21, S27, S32] On the replicas that placement chooses; it is cached."""
    control = ControlPlane()
    front = replace(frontend(), offsets=counting(5), sequences=numbering(2), journal=())

    front, reply = produce_plan(front, TOPIC, batch(1), control)

    register = opened(segment_of(2), 5)
    assert control.sent == [register]
    assert dispatches(reply) == [(planned(reply).dispatches[0], 5, 5)]
    assert (front.sequences, front.offsets) == (numbering(3), counting(6))
    assert (front.view, front.journal) == (control.view, (register,))
    head = front.heads[ROOT]
    assert (head.id, head.start_offset) == (segment_of(2), 5)
    assert head.bytes == encoded_size(batch(1)[0])


def test_the_first_segment_of_a_range_is_registered_at_0() -> None:
    """[PRD-10, PRD-16, PRD-32] Where the frontend has neither a counter nor a sequence."""
    control = ControlPlane()

    front, reply = produce_plan(frontend(), TOPIC, batch(1), control)

    assert control.sent == [opened(S0)]
    assert dispatches(reply) == [(planned(reply).dispatches[0], 0, 0)]
    assert (front.offsets, front.sequences) == (counting(1), numbering(1))


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.name)
def test_a_lost_race_adopts_the_head_that_came_with_the_answer(race: Refusal) -> None:
    """[PRD-11, S2] The view was stale; the refusal brought a newer one, which is kept."""
    news = view_after(CREATE, opened(S1, 4, (B2,)))
    front = replace(frontend(), offsets=counting(1), journal=())

    front, reply = produce_plan(front, TOPIC, batch(1), answering(race, news))

    sent = planned(reply).dispatches[0]
    assert (sent.segment_id, sent.primary, sent.first) == (S1, B2, 4)
    assert (front.view, front.sequences) == (news, numbering(2))


def test_in_the_mode_raft_a_lost_race_adopts_what_the_caller_made_up() -> None:
    """[PRD-11, RNG-43, S5, D40] A hole of that mode: the control plane never knew the segment.

    The log refused the registration, and the caller's own view, which is behind, took it.
    """
    control = ControlPlane(view_after(CREATE, opened(S0)), mode="raft")
    behind = replace(frontend(), sequences=numbering(1))

    front, reply = produce_plan(behind, TOPIC, batch(1), control)

    assert [each.segment_id for each in planned(reply).dispatches] == [S1]
    assert S1 in metadata(front).segments
    assert S1 not in control.metadata.segments


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.name)
def test_a_lost_race_without_a_head_to_adopt_keeps_nothing_of_the_view(race: Refusal) -> None:
    """[PRD-11, PRD-12, S21] The refusal is answered, and the frontend is what it was."""
    news = view_after(CREATE, opened(S1, 4, ()))
    front = replace(frontend(), offsets=counting(1), journal=())

    assert produce_plan(front, TOPIC, batch(1), answering(race, news)) == (front, race)


@pytest.mark.parametrize(
    "refusal",
    [NoSuchRange(), RangeSealed(), Migrating(), NoVnode(), Failed("timeout")],
    ids=lambda one: one.name,
)
def test_any_other_failed_registration_leaves_the_frontend_as_it_was(refusal: Refusal) -> None:
    """[PRD-13, S11, S21, D40] Even where a view with a head came along."""
    news = view_after(CREATE, opened(S1, 4))
    front = replace(frontend(), journal=())
    fun = answering(refusal, news)

    assert produce_plan(front, TOPIC, batch(1), fun) == (front, refusal)
    assert produce(front, TOPIC, batch(1), unsent, fun) == (front, refusal)


@pytest.mark.parametrize(
    ("answer", "text"),
    [(Unexpected("noise"), "noise"), (Created((ROOT,)), "Created"), (Exported(None), "Exported")],
    ids=lambda value: str(value)[:8],
)
def test_a_strange_answer_to_a_registration_is_said_to_be_one(
    answer: CommandReply, text: str
) -> None:
    """[PRD-14] Neither success nor an error: the frontend is what it was."""
    news = view_after(CREATE, opened(S1, 4))
    front = frontend()

    refused = produce_plan(front, TOPIC, batch(1), answering(answer, news))

    assert refused == (front, UnexpectedRegisterReply(text))


# Placing what is opened.


def test_a_new_segment_is_placed_by_the_options_of_the_frontend() -> None:
    """[PLC-15, PRD-10, S32] As many replicas as there are brokers, at most."""
    control = ControlPlane()
    front = frontend(brokers=(B1, B2, B3), copies=2)

    produce_plan(front, TOPIC, batch(1), control)

    register = control.sent[0]
    assert isinstance(register, RegisterSegment)
    assert len(set(register.replica_set)) == 2


def test_no_place_for_a_segment_means_no_command() -> None:
    """[PLC-17, S32] A hard policy refuses before anything is registered."""
    front = frontend(brokers=(B1, B2), copies=2, min_domains=3)
    refusal = InsufficientDomains(2, 3)

    assert produce_plan(front, TOPIC, batch(1), nobody) == (front, refusal)
    assert produce(front, TOPIC, batch(1), unsent, nobody) == (front, refusal)


def test_a_topic_that_is_bound_to_no_policy_asks_for_none() -> None:
    """[PLC-14] There is no name to look up."""

    def unasked_policies(name: PolicyName) -> TopicPolicy | None:
        raise AssertionError(name)

    _, reply = produce_plan(frontend(), TOPIC, batch(1), in_memory, unasked_policies)

    assert len(planned(reply).dispatches) == 1


@pytest.mark.parametrize(
    ("policy", "covered"),
    [(TopicPolicy("rack"), 1), (TopicPolicy("room"), 3), (TopicPolicy(None), 3), (None, 1)],
    ids=["rack", "room", "none", "undefined"],
)
def test_a_topics_policy_spreads_its_segments_in_place_of_the_frontends_own_rule(
    policy: TopicPolicy | None, covered: int
) -> None:
    """[PLC-14, S32] Also one that turns spreading off; an undefined name changes nothing."""
    front = frontend(
        BindTopicPolicy(TOPIC, PolicyName("gold")), brokers=(B1, B2, B3), copies=3, min_domains=9
    )
    where = Map({one: Map({"rack": "a", "room": one}) for one in (B1, B2, B3)})
    front = replace(
        front, options=replace(front.options, spread_by="rack", broker_attributes=where)
    )
    asked: list[PolicyName] = []

    def policies(name: PolicyName) -> TopicPolicy | None:
        asked.append(name)
        return policy

    _, reply = produce_plan(front, TOPIC, batch(1), nobody, policies)

    assert reply == InsufficientDomains(covered, 9)
    assert asked == ["gold"]
