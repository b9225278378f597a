"""Placement against rows recorded from a broker, and by its clauses."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from reference.placing import domains_covered, place, ranking
from spec.replies import InsufficientDomains, InvalidReplicationFactor, NoBrokers, Refusal
from spec.vocabulary import Attributes, Broker, RangeId, SegmentId, Sequence, TopicName

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
    assert place(SEGMENT, (), 1) == NoBrokers()
