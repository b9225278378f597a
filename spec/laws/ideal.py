"""The laws of the ideal: what clients see of a topic is a queue for each key."""

from spec import ideal
from spec.ideal import Queue
from spec.premises import everywhere, where
from spec.truth import Acknowledged


@where("the queue held a record", lambda before, _: bool(before))
def a_queue_grows_at_its_back_alone(before: Queue, after: Queue) -> bool:
    """[RDG-14] No step takes a record out of a key's order or puts one in its past. (S14, S15)"""
    return ideal.grows(before, after)


@everywhere
def an_acknowledged_record_stands_in_the_queue_of_its_key(
    standing: Queue, batch: Acknowledged
) -> bool:
    """[ROL-35] Once, wherever its range went: whoever reads the key comes past it. (S5, S16)"""
    return all(ideal.holds(standing, record) for record in batch.records)
