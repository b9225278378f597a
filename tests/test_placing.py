"""Placement against rows recorded from a broker, and by its clauses."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.frontend import open as open_frontend
from reference.placing import (
    domain_violations,
    domains_covered,
    place,
    ranking,
    set_broker_attributes,
    set_brokers,
)
from reference.vnodes import command, merged, single
from spec.commands import CreateTopic, RegisterSegment, SealSegment
from spec.replies import (
    InsufficientDomains,
    InvalidArgument,
    InvalidReplicationFactor,
    NoBrokers,
    Refusal,
)
from spec.vocabulary import (
    Attributes,
    Broker,
    ByteSize,
    Count,
    Millis,
    Offset,
    RangeId,
    SegmentId,
    Sequence,
    TopicName,
)

VECTORS = Path(__file__).parent / "data" / "vectors" / "placement.jsonl"
SEGMENT = SegmentId(RangeId(TopicName("t"), Sequence(0)), Sequence(0))

broker_lists = st.lists(
    st.sampled_from([Broker(name) for name in ("a1", "a2", "b1", "b2", "c1", "c2", "d1")]),
    min_size=1,
    max_size=10,
)
racks = st.dictionaries(
    st.sampled_from([Broker(name) for name in ("a1", "a2", "b1", "b2", "c1")]),
    st.sampled_from(["a", "b", "c"]).map(lambda rack: Map({"rack": rack})),
).map(Map[Broker, Attributes])


def rows() -> list[dict[str, Any]]:
    """The recorded rows, without the header."""
    return [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()[1:]]


def segment_of(written: list[Any]) -> SegmentId:
    """The segment id that a row writes down."""
    (topic, range_seq), seq = written
    return SegmentId(RangeId(TopicName(topic), Sequence(range_seq)), Sequence(seq))


def answer_of(row: dict[str, Any]) -> object:
    """What `place` answers to a row, written as the row writes it."""
    args = row["args"]
    attributes = {Broker(one): Map(known) for one, known in args.get("attributes", {}).items()}
    placed = place(
        segment_of(args["segment"]),
        args["brokers"],
        args["replication_factor"],
        args.get("spread"),
        Map(attributes),
        args.get("min_domains"),
        args.get("policy", "soft"),
    )
    match placed:
        case InsufficientDomains(covered, required):
            return {"error": [placed.name, covered, required]}
        case Refusal():
            return {"error": placed.name}
        case tuple():
            return {"ok": list(placed)}


def attributes(**where: str) -> Map[Broker, Attributes]:
    """Brokers and the rack that each stands in."""
    return Map({Broker(broker): Map({"rack": rack}) for broker, rack in where.items()})


def names(*brokers: str) -> tuple[Broker, ...]:
    """Brokers by name."""
    return tuple(Broker(broker) for broker in brokers)


def test_every_recorded_placement_comes_out_the_same() -> None:
    """[PLC-5, PLC-6, PLC-8, PLC-10] Frontends agree on a replica set without asking each other."""
    recorded = rows()

    wrong = [(row, answer_of(row)) for row in recorded if answer_of(row) != row["reply"]]

    assert (len(recorded), wrong) == (400, [])


@given(broker_lists, st.integers(1, 9), racks, st.randoms())
def test_the_order_in_which_brokers_are_given_does_not_matter(
    brokers: list[Broker], factor: int, known: Map[Broker, Attributes], random: Random
) -> None:
    """[PLC-16] Membership lists come in any order and with repeats."""
    shuffled = [*brokers, *brokers]
    random.shuffle(shuffled)

    assert place(SEGMENT, brokers, factor, "rack", known) == place(
        SEGMENT, shuffled, factor, "rack", known
    )


@given(broker_lists, st.integers(1, 9), racks)
def test_a_replica_set_has_distinct_brokers_and_is_clamped(
    brokers: list[Broker], factor: int, known: Map[Broker, Attributes]
) -> None:
    """[PLC-6, S32] No more replicas than there are brokers."""
    placed = place(SEGMENT, brokers, factor, "rack", known)

    assert isinstance(placed, tuple)
    assert len(set(placed)) == len(placed) == min(factor, len(set(brokers)))


@given(broker_lists, st.integers(1, 9), racks)
def test_spreading_uses_domains_evenly(
    brokers: list[Broker], factor: int, known: Map[Broker, Attributes]
) -> None:
    """[PLC-8] A domain takes a further replica only when no domain with room has fewer."""
    placed = place(SEGMENT, brokers, factor, "rack", known)

    assert isinstance(placed, tuple)
    here = {one: known.get(one, Map[str, str]()).get("rack") for one in brokers}
    used, room = Counter(here[one] for one in placed), Counter(here.values())
    left = [domain for domain in room if used[domain] < room[domain]]
    assert all(used[full] - used[domain] <= 1 for full in used for domain in left)


@given(broker_lists)
def test_a_broker_that_leaves_moves_nobody_else(brokers: list[Broker]) -> None:
    """[PLC-5] Ranks are of each broker alone, so the rest keep their order."""
    whole = ranking(SEGMENT, brokers)

    rest = ranking(SEGMENT, [broker for broker in brokers if broker != whole[0]])

    assert rest == whole[1:]


def test_the_higher_broker_wins_a_tie() -> None:
    """[PLC-5] These two hash alike for this segment."""
    tied = names("b4835", "b8440")

    assert ranking(SEGMENT, tied) == ranking(SEGMENT, tied[::-1]) == tied[::-1]


def test_too_few_domains_are_refused_under_a_hard_policy() -> None:
    """[PLC-10] The refusal says how many there are and how many were asked for."""
    placed = place(SEGMENT, names("a", "b"), 2, "rack", attributes(a="x", b="x"), 2, "hard")

    assert placed == InsufficientDomains(1, 2)


def test_too_few_domains_are_kept_under_a_soft_policy() -> None:
    """[PLC-11] Thin is better than nowhere, if the operator says so."""
    placed = place(SEGMENT, names("a", "b"), 2, "rack", attributes(a="x", b="x"), 2, "soft")

    assert isinstance(placed, tuple)
    assert set(placed) == {"a", "b"}


def test_a_policy_nobody_knows_is_hard() -> None:
    """[PLC-13] A spelling mistake must not thin out replicas."""
    placed = place(SEGMENT, names("a"), 1, None, None, 2, "sofft")

    assert placed == InsufficientDomains(1, 2)


def test_brokers_without_the_attribute_are_one_domain() -> None:
    """[PLC-9] What is not known to be apart is taken to be together."""
    known = attributes(a="x")

    assert domains_covered(names("a", "b", "c"), "rack", known) == 2


def test_each_broker_is_a_domain_where_nothing_spreads() -> None:
    """[PLC-12] Then min_domains asks for so many replicas."""
    assert domains_covered(names("a", "b", "b"), None, Map()) == 2


def test_a_replica_set_needs_a_replica_and_a_broker() -> None:
    """[PLC-7] Neither can be made up."""
    assert place(SEGMENT, names("a"), 0) == InvalidReplicationFactor()
    assert place(SEGMENT, (), 0) == NoBrokers()


def opened(*brokers: str, spread_by: str | None, min_domains: int | None) -> Frontend:
    """A frontend with topics t and u, whose segments all stand on brokers a and b."""
    front = open_frontend(brokers=names(*brokers), spread_by=spread_by, min_domains=min_domains)
    view = front.view
    for topic, count in (("t", 2), ("u", 1), ("v", 0)):
        view, _ = command(view, CreateTopic(TopicName(topic), 2))
        for seq in range(count):
            id_ = SegmentId(RangeId(TopicName(topic), Sequence(0)), Sequence(seq))
            register = RegisterSegment(id_.range_id, id_, names("a", "b"), Offset(0))
            view, _ = command(view, register)
            view, _ = command(view, SealSegment(id_, Count(0), ByteSize(0), Millis(0)))
    return replace(front, view=view)


def test_a_frontend_opens_with_defaults_and_nothing_else() -> None:
    """[PLC-3, PLC-4] It has heard of no topic yet."""
    front = open_frontend(brokers=names("a"))

    options = front.options
    assert (options.brokers, options.replication_factor) == (("a",), 1)
    assert options.segment_max_bytes == 64 * 1024 * 1024
    assert (options.spread_by, options.min_domains, options.broker_attributes) == (
        None,
        None,
        Map(),
    )
    assert front == Frontend(options, single())
    assert (front.unrecovered, front.journal) == (frozenset(), None)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("brokers", ()),
        ("replication_factor", 0),
        ("segment_max_bytes", 0),
        ("placement_policy", "sofft"),
    ],
)
def test_a_senseless_option_is_named(option: str, value: object) -> None:
    """[PLC-1, PLC-2, S32] Opened like that, a frontend would fail at its first segment."""
    options: dict[str, Any] = {"brokers": names("a"), option: value}

    with pytest.raises(ValueError, match=option):
        open_frontend(**options)


def test_a_frontend_is_never_left_without_brokers() -> None:
    """[PLC-1] An empty set is refused and the answer says why."""
    front = open_frontend(brokers=names("a"))

    refused = set_brokers(front, ())

    assert isinstance(refused, InvalidArgument)
    assert (refused.argument, bool(refused.reason)) == ("brokers", True)


def test_new_brokers_and_attributes_replace_the_old_ones_and_move_nothing() -> None:
    """[PLC-15] All else of the frontend stays as it was."""
    front = opened("a", "b", spread_by="rack", min_domains=None)
    known = attributes(c="x")

    moved = set_brokers(front, names("c", "d"))

    assert moved == replace(front, options=replace(front.options, brokers=names("c", "d")))
    described = set_broker_attributes(front, known)
    assert described == replace(front, options=replace(front.options, broker_attributes=known))


def test_thin_replica_sets_are_counted_for_each_topic() -> None:
    """[PLC-18] Sealed segments count too, and a topic without any thin one is left out."""
    front = opened("a", "b", spread_by="rack", min_domains=2)
    apart = set_broker_attributes(front, attributes(a="x", b="y"))

    assert domain_violations(front) == Map({TopicName("t"): 2, TopicName("u"): 1})
    assert domain_violations(apart) == Map()


@pytest.mark.parametrize(("spread_by", "min_domains"), [(None, 9), ("rack", None), (None, None)])
def test_nothing_is_thin_where_nothing_was_asked_for(
    spread_by: str | None, min_domains: int | None
) -> None:
    """[PLC-19] Distinct brokers are not counted instead."""
    assert domain_violations(opened("a", spread_by=spread_by, min_domains=min_domains)) == Map()


def test_thin_replica_sets_can_be_counted_over_another_view() -> None:
    """[PLC-20] It saves merging the vnodes twice."""
    front = opened("a", spread_by="rack", min_domains=2)
    blank = open_frontend(brokers=names("a"), spread_by="rack", min_domains=2)

    assert domain_violations(blank, merged(front.view)) == domain_violations(front)
    assert domain_violations(front, Metadata()) == Map()
