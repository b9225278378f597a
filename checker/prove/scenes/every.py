"""All scenes."""

from collections.abc import Mapping

from checker.prove.scenes import healing, producing, ranges, reading, refreshing, rolling, store
from checker.prove.scenes.scene import Scene

SCENES: tuple[Scene, ...] = (
    *ranges.SCENES,
    *producing.SCENES,
    *rolling.SCENES,
    *refreshing.SCENES,
    *healing.SCENES,
    *reading.SCENES,
    *store.SCENES,
)

WITHOUT_NUMBERS = frozenset(
    {
        "bind_topic_policy",
        "healing_candidates",
        "is_unrecovered",
        "journal",
        "set_broker_attributes",
        "set_brokers",
        "topic_policy_name",
        "topics_bound_to",
    }
)
"""Functions that move no number."""
REFUSED: Mapping[str, str] = {
    "create_topic": "the size of a keyspace is a power of two, made by shifting bits",
    "merge_ranges": "whether two blocks are buddies is asked of the bits of where they start",
}
"""Functions that cannot be run on unknown integers, and why."""
