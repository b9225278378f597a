"""A frontend as a whole: opened, driven at random, and beside other frontends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from immutables import Map

from reference import frontend as frontends
from reference import vnodes
from reference.rolling import due_rolls
from spec.commands import RegisterSegment
from spec.vocabulary import State
from tests.oracles.cluster import Cluster, segments_by_range
from tests.oracles.values import B1, frontend

# Opening one.


def test_a_frontend_opens_with_brokers_alone() -> None:
    """[PLC-3, PLC-4, RFR-28, S32] And holds nothing but its options and the view."""
    front = frontends.open(brokers=[B1])

    options = front.options
    assert options.brokers == (B1,)
    assert (options.replication_factor, options.segment_max_bytes) == (1, 64 * 1024 * 1024)
    assert (options.spread_by, options.min_domains) == (None, None)
    assert (options.placement_policy, options.broker_attributes) == ("hard", Map())
    assert front.view == vnodes.single()
    assert front.view.ring == ((0, "vnode_0"),)
    assert front == frontends.Frontend(options, front.view)
    held = (front.offsets, front.heads, front.sequences, front.rolling, front.fencing)
    assert held == (Map(),) * 5
    assert (front.unrecovered, front.journal) == (frozenset(), None)


def test_a_frontend_opens_on_the_view_it_is_given() -> None:
    """[PLC-4, RFR-28] A restart begins with what was read anew."""
    view = frontend().view

    assert frontends.open(brokers=(B1,), view=view).view == view


@pytest.mark.parametrize(
    ("wrong", "option"),
    [
        ({"brokers": ()}, "brokers"),
        ({"replication_factor": 0}, "replication_factor"),
        ({"segment_max_bytes": 0}, "segment_max_bytes"),
        ({"placement_policy": "firm"}, "placement_policy"),
    ],
)
def test_a_frontend_does_not_open_with_senseless_options(
    wrong: dict[str, object], option: str
) -> None:
    """[PLC-1, PLC-2, S32] The error names the option."""
    options: dict[str, object] = {"brokers": (B1,), **wrong}

    with pytest.raises(ValueError, match=option):
        frontends.open(**options)  # type: ignore[arg-type]


# Beside other frontends.

STEPS = (
    *(["plan"] * 5),
    *(["deliver"] * 10),
    *(["fence", "record", "refresh", "heal"] * 2),
    *("land", "lose", "roll", "split", "merge", "orphan", "recover", "restart"),
)
"""What may happen, each as often as it is to be drawn."""
runs = st.lists(
    st.tuples(st.sampled_from(STEPS), st.integers(0, 2), st.integers(0, 11)),
    min_size=20,
    max_size=60,
)


def cluster_of(count: int) -> Cluster:
    """So many frontends over one control plane, nothing written."""
    cluster = Cluster()
    for _ in range(count):
        cluster.join()
    return cluster


def check(cluster: Cluster) -> None:
    """What must hold after every step, read off the control plane and the logs."""
    for _, listed in segments_by_range(cluster.control.metadata):
        edge = 0
        for place, (segment_id, segment) in enumerate(listed):
            assert segment.start_offset == edge, "the segments tile"
            log = cluster.logs.get(segment_id)
            if segment.state is State.ACTIVE:
                assert place == len(listed) - 1, "one head, and it comes last"
            else:
                assert segment.length is not None
                edge = segment.start_offset + segment.length
                assert log is not None
                assert (log.fenced, log.end) == (True, edge), "the length is the fence's"
    ids = [one.segment_id for one in cluster.control.took if isinstance(one, RegisterSegment)]
    assert len(ids) == len(set(ids)), "an id is registered once"
    for (range_id, offset), value in cluster.acknowledged.items():
        assert cluster.stored_at(range_id, offset) == value, "acknowledged and below the edge"


@settings(max_examples=200)
@given(runs)
def test_whatever_happens_segments_tile_and_acknowledged_records_stay_below_the_edge(
    steps: list[tuple[str, int, int]],
) -> None:
    """[ROL-3, ROL-4, ROL-35, ROL-37, ROL-41, PRD-27, RNG-2, S1, S2, S4, S5, S7, S14, S27]."""
    cluster = cluster_of(3)

    for step, who, pick in steps:
        getattr(cluster, step)(who, pick)
        check(cluster)


@settings(max_examples=100)
@given(runs)
def test_whatever_happened_every_roll_settles_and_every_range_takes_writes_again(
    steps: list[tuple[str, int, int]],
) -> None:
    """[ROL-38, ROL-39, RFR-30, RFR-31, RNG-1, P1, P2, P3, P7, P9, P10] Without a restart."""
    cluster = cluster_of(3)
    for step, who, pick in steps:
        getattr(cluster, step)(who, pick)

    cluster.settle()
    owed = [roll for front in cluster.fronts for roll in due_rolls(front)]
    before = len(cluster.acknowledged)
    for who in range(3):
        cluster.plan(who, 2)
        while cluster.batches:
            cluster.deliver(who, 0)

    assert owed == []
    assert len(cluster.acknowledged) == before + 9
    check(cluster)
