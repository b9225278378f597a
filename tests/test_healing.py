"""What a frontend takes over of the coordinators' commands."""

from dataclasses import replace

import pytest
from immutables import Map

from reference.commanding import in_memory
from reference.frontend import Frontend
from reference.healing import apply_heal, apply_heal_reply
from reference.producing import produce_plan
from reference.ranges import metadata
from reference.vnodes import View
from spec.commands import Command, CreateTopic, DeleteSegment, SetSegmentReplicas
from spec.replies import (
    AlreadySealed,
    CommandReply,
    Created,
    Failed,
    NoSuchSegment,
    Ok,
    Planned,
    Unexpected,
)
from spec.vocabulary import Broker, Count, SegmentId
from tests.oracles.values import (
    B1,
    B2,
    B3,
    CREATE,
    OTHER,
    ROOT,
    S0,
    S1,
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
    opened,
    owing,
    roll_of,
    sealed,
    segment_of,
    view_after,
)


def moved(segment_id: SegmentId, *replica_set: Broker) -> SetSegmentReplicas:
    """The command that gives a segment these replicas."""
    return SetSegmentReplicas(segment_id, replica_set)


def busy() -> Frontend:
    """A frontend that writes the first segment and owes its roll."""
    return replace(
        frontend(opened(S0)),
        offsets=counting(9),
        heads=caching(head_of(S0, tally=3)),
        rolling=owing(roll_of(S0, 0, 5)),
        fencing=awaiting(fencing_of(S0, 5)),
        journal=(),
    )


def test_the_next_produce_goes_to_the_healed_replicas() -> None:
    """[HEA-2, HEA-3, S23, D47] The cached head follows; an owed roll keeps its primary."""
    front = busy()
    command = moved(S0, B2, B1)

    healed = apply_heal(front, [command], in_memory)

    _, reply = produce_plan(healed, TOPIC, batch(1), nobody)
    assert isinstance(reply, Planned)
    assert [(each.primary, each.replica_set) for each in reply.dispatches] == [(B2, (B2, B1))]
    head = replace(head_of(S0, tally=3), replica_set=(B2, B1))
    assert healed == replace(front, view=healed.view, heads=caching(head), journal=(command,))
    assert metadata(healed).segments[S0].replica_set == (B2, B1)


def test_healing_another_segment_leaves_the_head_where_it_is() -> None:
    """[HEA-2, S10, S23] Of the same range, or of one without a head."""
    front = replace(busy(), view=view_after(CREATE, opened(S0), sealed(S0, 2), opened(S1, 2)))

    assert apply_heal(front, [moved(S1, B2)], in_memory).heads == front.heads
    headless = replace(front, heads=Map())
    assert apply_heal(headless, [moved(S0, B2)], in_memory).heads == Map()


@pytest.mark.parametrize("length", [2, 20])
def test_a_healed_seal_seats_the_frontend_at_the_listed_edge(length: int) -> None:
    """[HEA-4, S9, S10] Down as well as up, and the owed roll goes with it."""
    front = replace(busy(), view=view_after(CREATE, opened(S0, 3)))

    healed = apply_heal(front, [sealed(S0, length)], in_memory)

    assert healed == replace(
        front,
        view=healed.view,
        offsets=counting(3 + length),
        heads=Map(),
        rolling=Map(),
        journal=(sealed(S0, length),),
    )


def test_a_healed_seal_that_lost_takes_the_edge_on_record() -> None:
    """[HEA-4, S6, S9] The command said 7, the view that came with the refusal says 2."""
    control = ControlPlane(view_after(CREATE, opened(S0), sealed(S0, 2)))

    healed, reply = apply_heal_reply(busy(), [sealed(S0, 7)], control)

    assert reply == AlreadySealed(Count(2))
    assert (healed.offsets, healed.heads) == (counting(2), Map())


def test_a_healed_seal_of_an_older_segment_moves_nothing_of_the_frontend() -> None:
    """[HEA-4, S10] The head that is open now stays open."""
    view = view_after(CREATE, opened(S0))
    front = replace(busy(), view=view, heads=caching(head_of(S1, 2)), rolling=Map())

    healed = apply_heal(front, [sealed(S0, 2)], in_memory)

    assert (healed.heads, healed.offsets) == (front.heads, front.offsets)


@pytest.mark.parametrize("view", [view_after(CREATE), view_after(CREATE, opened(S0))])
def test_a_healed_seal_without_a_listed_edge_only_evicts_the_head(view: View) -> None:
    """[HEA-5, S9] The counter and the owed roll stay; there is no edge to sit down at."""
    front = busy()

    healed = apply_heal(front, [sealed(S0, 2)], answering(NoSuchSegment(), view))

    assert replace(healed, view=front.view, journal=()) == replace(front, heads=Map())


def test_a_healed_seal_without_a_listed_edge_evicts_no_other_head() -> None:
    """[HEA-5, S10] Only the head that the command names."""
    front = replace(busy(), heads=caching(head_of(S1, 2)))

    assert apply_heal(front, [sealed(S0, 2)], answering(NoSuchSegment())) == front
    away = sealed(segment_of(0, ROOT._replace(topic=OTHER)), 2)
    assert apply_heal(front, [away], answering(NoSuchSegment())) == front


@pytest.mark.parametrize(
    ("replies", "answer"),
    [
        ([Ok(), Ok(), Ok()], Ok()),
        ([Ok(), NoSuchSegment(), Failed("timeout")], NoSuchSegment()),
        ([Failed("timeout"), Ok(), Ok()], Failed("timeout")),
        ([Ok(), Unexpected("noise"), NoSuchSegment()], Unexpected("noise")),
        ([Ok(), Created((ROOT,)), Ok()], Ok()),
        ([], Ok()),
    ],
)
def test_a_heal_answers_ok_only_if_every_command_took(
    replies: list[CommandReply], answer: CommandReply
) -> None:
    """[HEA-6, HEA-7, S24, D08] Else the first failure; whoever deletes a copy has to see it."""
    left = iter(replies)
    commands = [moved(S0, B2) for _ in replies]

    _, reply = apply_heal_reply(busy(), commands, lambda view, _: (view, next(left)))

    assert reply == answer
    assert list(left) == []


def test_every_command_is_sent_in_order_whatever_the_ones_before_it_were_answered() -> None:
    """[HEA-1, HEA-6, S24] And both forms leave the frontend alike."""
    control, again = ControlPlane(busy().view), ControlPlane(busy().view)
    commands: list[Command] = [moved(S1, B3), moved(S0, B2), sealed(S0, 2)]

    healed = apply_heal(busy(), commands, control)
    answered, reply = apply_heal_reply(busy(), commands, again)

    assert control.sent == commands
    assert reply == NoSuchSegment()
    assert healed == answered
    assert healed.journal == (moved(S0, B2), sealed(S0, 2))
    assert (healed.heads, healed.offsets) == (Map(), counting(2))


def test_any_other_command_of_a_heal_moves_nothing_of_the_frontend() -> None:
    """[HEA-1, HEA-5] Only new replicas and seals speak of a head."""
    front = replace(frontend(opened(S0), sealed(S0, 2)), heads=caching(head_of(S0)))

    healed, reply = apply_heal_reply(front, [DeleteSegment(S0)], in_memory)

    assert reply == Ok()
    assert healed == replace(front, view=view_after(CREATE))


def test_the_view_that_comes_with_a_refused_heal_is_kept() -> None:
    """[HEA-1, S21] It is the control plane's own word."""
    news = view_after(CREATE, CreateTopic(OTHER, 1))
    front = busy()

    healed = apply_heal(front, [moved(S1, B1)], answering(NoSuchSegment(), news))

    assert healed == replace(front, view=news, journal=(moved(S1, B1),))
