"""The wrong brokers by the name of their defect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from checker.conform.calls.table import OPERATIONS
from checker.conform.operations import Operation, Profile, Run
from checker.conform.serving import ReferenceAdapter, reference_adapter
from checker.conform.wrong import producing, reading, refreshing, rolling
from checker.conform.wrong.twists import seeing

BOTH = ("record_fence", "record_seal")
PRODUCES = ("produce", "produce_plan")
COMMANDING = (
    "create_topic",
    "delete_segment",
    "commit_offset",
    "bind_topic_policy",
    "apply_heal",
    "apply_heal_reply",
    "produce",
    "produce_plan",
)
HEALS = ("apply_heal", "apply_heal_reply")


@dataclass(frozen=True, slots=True)
class WrongBroker:
    """The reference with one mistake."""

    name: str
    """That of the defect: `D09`."""
    title: str
    calls: Mapping[str, Run]
    """What it does in place of the right thing."""

    @property
    def profile(self) -> Profile:
        """The profile in which it shows."""
        return OPERATIONS[next(iter(self.calls))].profile

    def operations(self) -> Mapping[str, Operation]:
        """All calls, right and wrong."""
        wrong = {
            name: replace(OPERATIONS[name], run=run, grouped=None)
            for name, run in self.calls.items()
        }
        return {**OPERATIONS, **wrong}

    def adapter(self) -> ReferenceAdapter:
        """The broker, ready to be judged."""
        return reference_adapter(self.operations(), f"wrong broker {self.name} {self.title}")


def one(name: str, title: str, op: str, run: Run) -> WrongBroker:
    """A mistake in one call."""
    return WrongBroker(name, title, {op: run})


def several(
    name: str, title: str, ops: tuple[str, ...], wrong: Callable[[str], Run]
) -> WrongBroker:
    """The same mistake in several calls."""
    return WrongBroker(name, title, {op: wrong(op) for op in ops})


WRONG_BROKERS: tuple[WrongBroker, ...] = (
    one("D01", "SPLIT-FENCES-CACHE", "active_roll", rolling.roll_from_cache),
    one("D02", "ROLL-WITHOUT-FENCE", "fences_to_send", rolling.roll_without_fence),
    several("D03", "LENGTH-FROM-COUNTER", BOTH, rolling.length_from_counter),
    one("D04", "STALE-HEAD-KEPT", "drop_stale_active_segments", refreshing.stale_head_kept),
    one("D05", "NO-SEED-AT-BOOT", "seed_range_state", refreshing.no_seed),
    one("D06", "OFFSET-MISMATCH-FAILS", "produce", producing.offset_mismatch_fails),
    one(
        "D07",
        "ROLL-DROPPED-FOR-ANY-OTHER-HEAD",
        "drop_stale_active_segments",
        refreshing.roll_dropped_for_any_other_head,
    ),
    one("D08", "HEAL-REPLY-DISCARDED", "apply_heal_reply", refreshing.heal_reply_discarded),
    several("D09", "SEAL-KEEPS-MAX", BOTH, rolling.seal_keeps_max),
    one("D10", "REFUSAL-KEEPS-MAX", "forget_sealed", rolling.refusal_keeps_max),
    several("D11", "CONFLICT-IS-ERROR", BOTH, rolling.conflict_is_error),
    one("D12", "CONFLICT-OVERWRITES", "record_seal", rolling.conflict_overwrites),
    several("D13", "SEAL-HALF-DONE", BOTH, rolling.seal_half_done),
    one("D14", "ANSWER-NEEDS-OWED-ROLL", "record_fence", rolling.answer_needs_owed_roll),
    one("D15", "ANSWER-NEEDS-VIEW", "record_fence", rolling.answer_needs_view),
    one("D16", "LATE-ANSWER-SEALS", "record_fence", rolling.late_answer_seals),
    one("D18", "ADOPT-UNGUARDED", "adopt_offsets", producing.adopt_unguarded),
    one("D19", "ADOPT-SETS", "adopt_offsets", producing.adopt_sets),
    one("D21", "REFUSAL-UNGUARDED", "forget_sealed", rolling.refusal_unguarded),
    one("D23", "ROLL-KEPT-FOREVER", "drop_stale_active_segments", refreshing.roll_kept_forever),
    one(
        "D24",
        "ROLL-DROPPED-IF-UNSEEN",
        "drop_stale_active_segments",
        refreshing.roll_dropped_if_unseen,
    ),
    one("D25", "AGE-ROLL-FROM-CACHE", "request_rolls", rolling.age_roll_from_cache),
    one("D26", "AGE-ROLL-KEEPS-SEQ", "request_rolls", rolling.age_roll_keeps_sequence),
    one("D27", "ROLL-REPLACED", "request_rolls", rolling.roll_replaced),
    several("D28", "ROLL-IS-A-BARRIER", PRODUCES, rolling.roll_is_a_barrier),
    one("D29", "SEED-SETS", "seed_range_state", refreshing.seed_sets),
    WrongBroker(
        "D30",
        "UNKNOWN-END-SERVED",
        {"read_consume": refreshing.unknown_end_served},
    ),
    one(
        "D31",
        "PROBE-FAILURE-TAKES-RANGE",
        "seed_unrecovered_range",
        refreshing.probe_failure_takes_range,
    ),
    one("D32", "UNRECOVERED-BLOCKS-WRITES", "adopt_offsets", producing.answer_leaves_unrecovered),
    one("D33", "BLANK-VNODE-INSTALLED", "put_cache", refreshing.blank_vnode_installed),
    one("D34", "NO-REPLAY", "replay_journal", refreshing.no_replay),
    one("D35", "REPLAY-STOPS", "replay_journal", refreshing.replay_stops),
    one("D36", "REPLAY-WRITES", "replay_journal", refreshing.replay_writes),
    one("D37", "REPLAY-LAST-WINS", "replay_journal", refreshing.replay_last_wins),
    several("D38", "JOURNAL-KEEPS-FAILED", COMMANDING, producing.journal_keeps_failed),
    several("D40", "REFUSED-APPLIED-LOCALLY", COMMANDING, producing.refused_applied_locally),
    one("D41", "PLAN-LEAKS", "produce_plan", producing.plan_leaks),
    one("D42", "OFFSETS-GIVEN-BACK", "produce", producing.offsets_given_back),
    one("D43", "FENCE-PER-PRODUCE", "fences_to_send", rolling.fence_per_produce),
    one("D44", "FENCE-NEVER-RESENT", "fences_to_send", rolling.fence_never_resent),
    several(
        "D45",
        "WAIT-UNBOUNDED",
        ("awaiting_fence", "range_awaiting_fence"),
        rolling.wait_unbounded,
    ),
    one("D46", "FAILED-FENCE-STILL-AWAITED", "forget_fence", rolling.failed_fence_still_awaited),
    one(
        "D46b",
        "ROLL-FORGOTTEN-WITH-ITS-FENCE",
        "forget_fence",
        rolling.roll_forgotten_with_its_fence,
    ),
    several("D47", "HEAL-SKIPS-CACHE", HEALS, refreshing.heal_skips_cache),
    one("D49", "SPLIT-SEALS-ITSELF", "split_range", rolling.split_seals_itself),
    one("D52", "HOLE-WEDGES", "read", reading.hole_wedges),
    one("D53", "COUNT-FROM-REQUEST", "read_consume", reading.count_from_request),
    one("D54", "ZERO-LENGTH-WEDGES", "read", seeing("read", reading.first_of_each_start)),
    one("D55", "NO-CLAMP", "read", reading.no_clamp),
    one("D57", "ERROR-IS-EOF", "read_consume", reading.error_is_eof),
    one("D58", "SELF-SOURCE-ENDS", "read_consume", reading.self_source_ends),
    one("D59", "EMPTY-PAGE-LOOPS", "stream_history", reading.empty_page_loops),
    one(
        "D61",
        "SHARED-ANCESTOR-TWICE",
        "stream_history",
        seeing("stream_history", reading.shared_ancestor_twice),
    ),
)


def wrong_broker_named(name: str) -> WrongBroker | None:
    """The wrong broker of a defect."""
    return next((each for each in WRONG_BROKERS if each.name == name), None)
