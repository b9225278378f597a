"""Which defect, finding, law, goal or rule needs each bound of a world of copies so large."""

from collections.abc import Mapping

WINDOWS = "a_fence_is_sent_at_once_and_again_only_past_the_window: one under way"
OUTLIVED = "every_batch_outlives_every_fault"
LED = "D99: one that is sealed and led"
TILED = "the_segments_of_a_range_tile_its_offsets: one behind the other"
PAIRS = "no_two_acknowledged_records_share_an_offset: two"

FAILOVER = {
    "batches": f"F30; {PAIRS}",
    "segments": LED,
    "fences": WINDOWS,
    "faults": "D90, D91, D99: one",
}
DOUBTS = {
    "batches": "D93: one that some copy lacks",
    "segments": LED,
    "fences": WINDOWS,
    "faults": f"{OUTLIVED}: three",
}
UNHEARD = {
    "batches": "an_acknowledged_record_is_at_the_head_of_its_set: one",
    "segments": TILED,
    "fences": WINDOWS,
    "faults": "the rule `decide unheard`: a stop, and a command that is lost",
}
SWEEP = {
    "batches": "an_acknowledged_record_is_at_the_head_of_its_set: one",
    "segments": LED,
    "fences": "an_unanswered_roll_of_f2_is_settled_at_last: one",
    "faults": f"{OUTLIVED}: two",
}
HEALING = {
    "batches": "a_new_replica_is_named_only_once_it_is_copied: one to copy",
    "segments": "D97: one that is sealed",
    "brokers": "D97",
    "fences": WINDOWS,
    "faults": "D08; the rule `name unheard`: a stop, and a command that is lost",
}
RETENTION = {
    "batches": PAIRS,
    "segments": f"D94: one that is sealed; {TILED}",
    "fences": WINDOWS,
}

NEEDS: Mapping[str, Mapping[str, str]] = {
    "failover": FAILOVER,
    "failover-raft": FAILOVER,
    "doubts": DOUBTS,
    "doubts-raft": DOUBTS,
    "unheard": UNHEARD,
    "unheard-raft": UNHEARD,
    "sweep": SWEEP,
    "sweep-raft": SWEEP,
    "quiet": {
        "batches": "a_range_takes_writes_again: one",
        "segments": "a_range_takes_writes_again: one",
        "fences": "a_range_takes_writes_again: none is needed",
        "faults": f"{OUTLIVED}: two",
    },
    "healing": HEALING,
    "healing-raft": HEALING,
    "retention": RETENTION,
    "retention-raft": RETENTION,
    "moves": {
        "batches": f"D47; {PAIRS}",
        "segments": "D47: one",
        "fences": WINDOWS,
        "faults": "D47: one move",
    },
    "served": {
        "batches": "D95: one",
        "segments": "D95: one",
        "fences": "D95: none is needed",
        "reads": "D95: one",
        "faults": f"{OUTLIVED}: two",
    },
    "failover:faults=2": FAILOVER | {"faults": f"{OUTLIVED}: two"},
    "failover:faults=3": FAILOVER | {"faults": f"{OUTLIVED}: three"},
    "failover:segments=2": FAILOVER | {"segments": TILED},
    "failover:segments=2,faults=2": FAILOVER | {"segments": TILED, "faults": f"{OUTLIVED}: two"},
    "failover:segments=2,faults=3": FAILOVER | {"segments": TILED, "faults": f"{OUTLIVED}: three"},
    "failover-raft:faults=2": FAILOVER | {"faults": f"{OUTLIVED}: two"},
    "doubts:batches=1+1": DOUBTS | {"batches": PAIRS},
    "doubts-deep": DOUBTS | {"faults": f"{OUTLIVED}: four"},
    "unheard-deep": UNHEARD | {"faults": f"{OUTLIVED}: three"},
    "healing-deep": HEALING | {"faults": f"{OUTLIVED}: three"},
    "retention-deep": RETENTION
    | {"segments": "D94: what expires, and two behind it", "faults": f"{OUTLIVED}: one"},
}
"""By scope and bound."""
