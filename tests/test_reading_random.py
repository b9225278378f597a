"""Reading everything, exactly once and in order, after anything that happened."""

from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from reference.frontend import Frontend
from reference.ranges import active_range_ids
from reference.reading import read_history
from spec.replies import (
    Records,
)
from spec.vocabulary import (
    START,
    ConsumeCursor,
    RangeId,
    Record,
)
from tests.oracles.cluster import Cluster
from tests.oracles.readers import consume, history
from tests.oracles.values import (
    TOPIC,
)

WRITES = (
    *(["plan"] * 5),
    *(["deliver"] * 8),
    *("fence", "record", "refresh", "heal", "split", "merge", "roll", "restart", "land"),
)
written = st.lists(
    st.tuples(st.sampled_from(WRITES), st.integers(0, 1), st.integers(0, 11)),
    min_size=10,
    max_size=50,
)


def settled(steps: Iterable[tuple[str, int, int]]) -> tuple[Cluster, Frontend]:
    """A cluster after these steps, and a frontend that has recovered since."""
    cluster = Cluster()
    for _ in range(2):
        cluster.join()
    for step, who, pick in steps:
        getattr(cluster, step)(who, pick)
    cluster.restart(0, 0)
    return cluster, cluster.fronts[0]


def by_key(records: Iterable[Record]) -> dict[bytes, list[str]]:
    """What was read of each key, in the order of reading."""
    queues: dict[bytes, list[str]] = {}
    for one in records:
        queues.setdefault(one.key or b"", []).append(one.value.decode())
    return queues


def consumed(
    cluster: Cluster, front: Frontend, range_id: RangeId, budgets: list[int]
) -> tuple[Record, ...]:
    """The whole stream of a range, by pages of these sizes over and over."""
    records: tuple[Record, ...] = ()
    cursor: ConsumeCursor = START
    for place in range(1000):
        budget = budgets[place % len(budgets)]
        page = consume(front, cursor, budget, cluster.read, range_id)
        assert len(page.records) <= budget
        assert page.skips == ()
        if page.cursor == cursor:
            assert page.records == ()
            return records
        records, cursor = records + page.records, page.cursor
    raise AssertionError("the consumer never catches up")


@settings(max_examples=80)
@given(written, st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_every_stored_record_is_consumed_exactly_once_and_in_the_order_of_its_key(
    steps: list[tuple[str, int, int]], budgets: list[int]
) -> None:
    """[RDG-12, RDG-13, RDG-14, RDG-32, RDG-34, S15, S16, S36, P5] Over splits and merges."""
    cluster, front = settled(steps)

    streams = [
        consumed(cluster, front, range_id, budgets) for range_id in active_range_ids(front, TOPIC)
    ]

    assert by_key(one for stream in streams for one in stream) == cluster.queues
    assert front == cluster.fronts[0]
    assert set(cluster.acknowledged.values()) <= {
        one.value.decode() for stream in streams for one in stream
    }


@settings(max_examples=40)
@given(written, st.integers(1, 5))
def test_a_history_ends_and_holds_what_a_consumer_gets(
    steps: list[tuple[str, int, int]], budget: int
) -> None:
    """[RDG-14, RDG-26, RDG-28, RDG-29, S16, S34, P8] By pages of any size, and in one list."""
    cluster, front = settled(steps)

    for range_id in active_range_ids(front, TOPIC):
        stream = consumed(cluster, front, range_id, [7])
        pages = history(front, range_id, budget, cluster.read)

        assert all(len(page.records) <= budget for page in pages)
        assert sum((page.records for page in pages), ()) == stream
        assert read_history(front, range_id, cluster.read) == Records(stream)
