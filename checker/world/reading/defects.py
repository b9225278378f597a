"""The named defects of reading, each with the law that catches it."""

from checker.search.model import Model
from checker.world.kinds import Defect
from checker.world.reading import mutations
from checker.world.reading.rules import Rules
from checker.world.reading.scopes import defective
from checker.world.reshaping.defects import alone


def changed(
    name: str,
    title: str,
    change: str,
    rules: Rules,
    *,
    scope: str = "read",
    caught_by: str,
    steps: int,
    is_alone: bool = False,
) -> Defect:
    """A defect that is one rule exchanged for another; perhaps judged by one law alone."""

    def build() -> Model:
        model = defective(scope, rules)
        return alone(model, caught_by) if is_alone else model

    return Defect(name, title, change, caught_by, scope, steps, build)


DEFECTS: tuple[Defect, ...] = (
    changed(
        "D05",
        "NO-SEED-AT-BOOT",
        "a frontend that has read the control plane learns no end of any range",
        Rules(is_recovering=mutations.no_seed),
        caught_by="a_page_with_room_has_read_to_the_known_end",
        steps=4,
    ),
    changed(
        "D30",
        "UNKNOWN-END-SERVED",
        "a range whose end was never learned answers a page",
        Rules(read_consume=mutations.unknown_end_served),
        scope="read-holes",
        caught_by="a_range_whose_end_is_unknown_serves_no_page",
        steps=3,
    ),
    changed(
        "D52",
        "HOLE-WEDGES",
        "a page finds nothing above a hole",
        Rules(read_consume=mutations.hole_wedges),
        scope="read-holes",
        caught_by="a_page_with_room_has_read_to_the_known_end",
        steps=8,
    ),
    changed(
        "D53",
        "COUNT-FROM-REQUEST",
        "the cursor is where the page was asked plus how many records came",
        Rules(read_consume=mutations.count_from_request),
        caught_by="a_page_delivers_what_is_stored_between_its_cursors",
        steps=6,
    ),
    changed(
        "D54",
        "ZERO-LENGTH-WEDGES",
        "among segments with one start a read asks the first alone",
        Rules(read=mutations.zero_length_wedges),
        scope="read-holes",
        caught_by="a_read_answers_the_next_listed_record",
        steps=4,
    ),
    changed(
        "D55",
        "NO-CLAMP",
        "a sealed segment is asked for more than its length",
        Rules(read_consume=mutations.no_clamp),
        scope="read-overrun",
        caught_by="a_page_delivers_what_is_stored_between_its_cursors",
        steps=1,
    ),
    changed(
        "D57",
        "ERROR-IS-EOF",
        "a failed read counts as the end of its source",
        Rules(read_consume=mutations.error_is_eof),
        caught_by="a_failed_read_fails_the_page",
        steps=3,
        is_alone=True,
    ),
    changed(
        "D58",
        "SELF-SOURCE-ENDS",
        "a page that is caught up answers a cursor past the last source",
        Rules(read_consume=mutations.self_source_ends),
        caught_by="a_consumer_never_leaves_the_range_itself",
        steps=1,
    ),
    changed(
        "D59",
        "EMPTY-PAGE-LOOPS",
        "a history page without records keeps its cursor",
        Rules(stream_history=mutations.empty_page_loops),
        caught_by="paging_a_history_ends",
        steps=3,
    ),
    changed(
        "D65",
        "OFFSET-GIVEN-TWICE",
        "a store gives a record the offset of the one before it",
        Rules(append=mutations.offset_given_twice),
        caught_by="no_offset_is_given_twice",
        steps=2,
    ),
    changed(
        "D66",
        "SKIP-LISTED-AHEAD",
        "a page lists the hole that lies behind its cursor, and so does the next one",
        Rules(read_consume=mutations.skips_ahead),
        scope="read-holes",
        caught_by="a_skip_is_behind_the_cursor",
        steps=8,
        is_alone=True,
    ),
    changed(
        "D67",
        "LAST-REPLICA-ASKED",
        "a read asks the last replica of a segment",
        Rules(read_consume=mutations.last_replica),
        caught_by="a_page_asks_primaries_alone",
        steps=3,
    ),
    changed(
        "D68",
        "HISTORY-UNFILTERED",
        "a history delivers an ancestor's records of all keys",
        Rules(stream_history=mutations.history_unfiltered),
        caught_by="a_history_holds_what_is_listed",
        steps=3,
    ),
    changed(
        "D69",
        "COMMIT-LOST",
        "the control plane answers a commit and keeps nothing of it",
        Rules(command=mutations.commit_lost),
        scope="read-group-raft",
        caught_by="a_group_resumes_where_it_committed",
        steps=4,
    ),
    changed(
        "D73",
        "SKIPS-UNSAID",
        "a page steps over what has expired and does not say so",
        Rules(read_consume=mutations.skips_unsaid),
        caught_by="a_page_lists_what_it_passed_and_is_no_longer_stored",
        steps=6,
    ),
    changed(
        "D74",
        "PAGE-OVERFULL",
        "each segment is asked for a whole page, whatever the page holds already",
        Rules(read_consume=mutations.overfull),
        caught_by="a_page_keeps_within_its_budget",
        steps=6,
    ),
    changed(
        "D75",
        "SEALED-BELOW-THE-READER",
        "a seal leaves out the last record, which a consumer has read",
        Rules(record_seal=mutations.seal_one_short),
        caught_by="a_consumer_stands_within_the_log",
        steps=5,
        is_alone=True,
    ),
    changed(
        "D79",
        "SKIP-TOO-LONG",
        "a skip counts the record that was read as lost",
        Rules(read_consume=mutations.skips_too_long),
        caught_by="a_skip_covers_nothing_that_is_stored",
        steps=6,
    ),
)
