"""Heads with several replicas or none, and what a frontend is opened with."""

from dataclasses import replace

import pytest
from immutables import Map

from reference import frontend as frontends
from reference.frontend import Options, without
from reference.placing import place
from reference.producing import encoded_size, produce, produce_plan
from reference.rolling import active_roll, due_rolls
from spec.replies import NoReplicas
from spec.vocabulary import ByteSize, Record
from tests.oracles.values import (
    B1,
    B2,
    ROOT,
    S0,
    TOPIC,
    ControlPlane,
    Primary,
    batch,
    caching,
    counting,
    frontend,
    head_of,
    nobody,
    opened,
)

TWO = replace(head_of(S0), replica_set=(B2, B1))
"""A head whose primary is not the first broker by name."""


def test_a_full_head_owes_its_roll_to_its_primary() -> None:
    """[ROL-11, ROL-13] The first of its replicas is asked where it ends, and no other."""
    front = replace(frontend(max_bytes=1), heads=caching(TWO), offsets=counting(0))

    planned, _ = produce_plan(front, TOPIC, batch(1), nobody)

    assert [roll.primary for roll in due_rolls(planned)] == [B2]


def test_the_roll_of_a_cached_head_goes_to_its_primary() -> None:
    """[ROL-24] Also where the view has nothing to say."""
    roll = active_roll(replace(frontend(), heads=caching(TWO)), ROOT)

    assert roll is not None
    assert roll.primary == B2


def test_a_cached_head_without_replicas_takes_no_batch() -> None:
    """[PRD-30] There is nobody to send it to, and nothing is registered in its place."""
    bare = replace(frontend(), heads=caching(replace(head_of(S0), replica_set=())))

    assert produce_plan(bare, TOPIC, batch(1), nobody) == (bare, NoReplicas())
    assert produce(bare, TOPIC, batch(1), Primary([]), nobody) == (bare, NoReplicas())


def test_a_batch_goes_to_the_listed_head_at_its_primary() -> None:
    """[PRD-9] The replicas are those that the view lists, in their order."""
    control = ControlPlane()
    front = frontend(opened(S0, 0, (B2, B1)))

    planned, _ = produce_plan(front, TOPIC, batch(1), control)

    assert planned.heads[ROOT].replica_set == (B2, B1)
    assert control.sent == []


def test_a_frontend_opens_with_every_option_that_it_is_given() -> None:
    """[PLC-3, PLC-4] None is lost on the way, and none is taken for another."""
    attributes = Map({B1: Map({"rack": "r1"})})

    front = frontends.open(
        brokers=[B1, B2],
        replication_factor=2,
        segment_max_bytes=ByteSize(1),
        spread_by="rack",
        broker_attributes=attributes,
        min_domains=2,
        placement_policy="soft",
    )

    assert front.options == Options(
        (B1, B2), 2, ByteSize(1), "rack", attributes, min_domains=2, placement_policy="soft"
    )


def test_options_that_nobody_names_are_those_that_a_frontend_opens_with() -> None:
    """[PLC-3] One copy, and a policy that refuses to place thinly."""
    assert frontends.open(brokers=[B1]).options == Options((B1,))
    assert Options((B1,)).replication_factor == 1
    assert Options((B1,)).placement_policy == "hard"


def test_a_placement_without_a_policy_is_thin_rather_than_refused() -> None:
    """[PLC-11] Who names no policy wants no refusal."""
    assert place(S0, [B1], 1, "rack", Map(), 2) == (B1,)


def test_a_map_less_a_key_that_it_has_not_is_the_map() -> None:
    """A head that is not cached can be let go of."""
    some = Map({"a": 1})

    assert without(some, "b") == some
    assert without(some, "a") == Map()


@pytest.mark.parametrize(
    ("record", "size"),
    [
        (Record(None, b""), 39),
        (Record(b"key", b"value"), 47),
        (Record(b"k", b"v", headers=((b"a", b"bc"), (b"", b""))), 39 + 2 + 11 + 8),
    ],
)
def test_a_record_takes_so_many_bytes(record: Record, size: int) -> None:
    """[PRD-1] Its key and value, what surrounds them, and each header with its own surround."""
    assert encoded_size(record) == size
