"""Producing: the size of a record, and the range that it goes to."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from reference.commanding import in_memory
from reference.frontend import Frontend
from reference.hashing import position_of
from reference.producing import encoded_size, produce, produce_plan
from reference.ranges import active_range_ids, metadata
from spec.commands import (
    MergeRanges,
    SealTopic,
    SplitRange,
)
from spec.replies import (
    NoSuchTopic,
    Planned,
    Produced,
    Unroutable,
)
from spec.vocabulary import (
    Position,
    RangeId,
    Record,
    Sequence,
)
from tests.oracles.values import (
    LEFT,
    OTHER,
    RIGHT,
    ROOT,
    SPLIT,
    TOPIC,
    batch,
    frontend,
    nobody,
    record,
)
from tests.oracles.writers import (
    HIGH,
    LOW,
    halves,
    planned,
    unsent,
)


def test_a_record_takes_39_bytes_its_parts_and_8_bytes_for_each_header() -> None:
    """[PRD-1] A missing key takes none."""
    full = Record(b"key", b"value", ((b"h", b"xyz"), (b"", b"")))

    assert encoded_size(full) == 39 + 3 + 5 + (8 + 4) + 8
    assert encoded_size(Record(None, b"")) == 39


@given(st.lists(st.binary(max_size=4) | st.none(), min_size=1, max_size=12), st.integers(0, 3))
def test_each_record_goes_to_the_one_active_range_that_owns_its_position(
    keys: list[bytes | None], splits: int
) -> None:
    """[PRD-2, PRD-3, PRD-7, S36] In ascending range id, order kept, nothing lost or doubled."""
    commands = [SplitRange(RangeId(TOPIC, Sequence(seq))) for seq in range(splits)]
    front = frontend(*commands)
    records = [record(str(place), key) for place, key in enumerate(keys)]

    _, reply = produce_plan(front, TOPIC, records, in_memory)

    sent = planned(reply).dispatches
    blocks = metadata(front).ranges
    assert [each.range_id for each in sent] == sorted({each.range_id for each in sent})
    assert sorted(int(one.value) for each in sent for one in each.records) == list(range(len(keys)))
    for each in sent:
        assert each.range_id in active_range_ids(front, TOPIC)
        block = blocks[each.range_id]
        values = [int(one.value) for one in each.records]
        assert values == sorted(values)
        for one in each.records:
            assert block.key_start <= position_of(one.key, 16) < block.key_end


def test_a_record_without_a_key_goes_where_the_missing_key_hashes() -> None:
    """[PRD-2, S36] It has a position like any other."""
    front = frontend(SPLIT)

    _, reply = produce_plan(front, TOPIC, [record()], in_memory)

    block = metadata(front).ranges[planned(reply).dispatches[0].range_id]
    assert block.key_start <= position_of(None, 16) < block.key_end


def test_the_one_range_of_a_whole_keyspace_takes_every_key_unhashed() -> None:
    """[PRD-3, S36] There is nothing to choose from."""

    def unhashed(key: bytes | None, _size: int) -> Position:
        raise AssertionError(key)

    front = frontend()
    front = replace(front, options=replace(front.options, position_fun=unhashed))

    _, reply = produce_plan(front, TOPIC, [record(key=HIGH)], in_memory)

    assert [each.range_id for each in planned(reply).dispatches] == [ROOT]


@pytest.mark.parametrize(("only", "owned", "other"), [(LEFT, LOW, HIGH), (RIGHT, HIGH, LOW)])
def test_the_one_range_of_half_a_keyspace_takes_its_half_alone(
    only: RangeId, owned: bytes, other: bytes
) -> None:
    """[PRD-3, PRD-4, S36] A view that lists no owner of a key routes it nowhere."""
    front = halves()
    known = metadata(front)
    ((vnode, _),) = front.view.vnodes.items()
    alone = replace(known, ranges=Map({only: known.ranges[only]}))
    front = replace(front, view=replace(front.view, vnodes=Map({vnode: alone})))

    _, reply = produce_plan(front, TOPIC, [record(key=owned)], in_memory)
    refused = produce_plan(front, TOPIC, [record(key=other)], nobody)

    assert [each.range_id for each in planned(reply).dispatches] == [only]
    assert refused == (front, Unroutable(other))


def test_a_retired_range_is_sent_nothing() -> None:
    """[PRD-3, S14, S36] After a merge the child owns what its parents owned."""
    front = halves(MergeRanges(LEFT, RIGHT))

    _, reply = produce_plan(front, TOPIC, [record(key=LOW), record(key=HIGH)], in_memory)

    child = RangeId(TOPIC, Sequence(3))
    assert [each.range_id for each in planned(reply).dispatches] == [child]


def test_one_record_that_no_range_owns_refuses_all_before_anything_opens() -> None:
    """[PRD-4, S11, S36] A sealed topic routes nothing; the first such key is named."""
    front = frontend(SealTopic(TOPIC))
    records = [record(key=b"k1"), record(key=b"k2")]

    assert produce_plan(front, TOPIC, records, nobody) == (front, Unroutable(b"k1"))
    assert produce(front, TOPIC, records, unsent, nobody) == (front, Unroutable(b"k1"))


def test_a_later_record_that_no_range_owns_opens_no_segment_for_the_earlier_ones() -> None:
    """[PRD-4, S11] Routing comes first, for the whole call."""
    options = replace(
        frontend().options, position_fun=lambda key, _: Position(99 if key == HIGH else 0)
    )
    front = replace(halves(), options=options)
    records = [record(key=LOW), record(key=HIGH)]

    assert produce_plan(front, TOPIC, records, nobody) == (front, Unroutable(HIGH))


@pytest.mark.parametrize("count", [0, 1])
def test_a_produce_to_an_unknown_topic_is_refused_even_for_no_records(count: int) -> None:
    """[PRD-5, S36] The topic is looked up first."""
    front = frontend()

    assert produce_plan(front, OTHER, batch(count), nobody) == (front, NoSuchTopic())
    assert produce(front, OTHER, batch(count), unsent, nobody) == (front, NoSuchTopic())


@pytest.mark.parametrize("front", [frontend(), frontend(SealTopic(TOPIC))], ids=["live", "sealed"])
def test_a_produce_of_no_records_succeeds_and_sends_nothing(front: Frontend) -> None:
    """[PRD-6] Also to a topic that is sealed."""
    assert produce_plan(front, TOPIC, (), nobody) == (front, Planned((), ()))
    assert produce(front, TOPIC, (), unsent, nobody) == (front, Produced(()))
