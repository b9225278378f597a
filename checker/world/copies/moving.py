"""The laws of `spec.laws` that hold of every step of a world of copies."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from checker.search.model import Parts, Step, StepLaw
from checker.world.binding import of_steps
from checker.world.copies.sight import asking_in, copies_in, shown
from checker.world.sharing import moving as sharing
from checker.world.sharing.parts import Fence, segment_of
from checker.world.sharing.sight import closing_in, listing_of, seen_by
from spec.laws import healing, ranges, rolling
from spec.premises import Judgement
from spec.truth import Asking, Listing
from spec.vocabulary import Broker, SegmentId

if TYPE_CHECKING:
    from checker.world.copies.parts import FailingOver, Probed
    from reference.frontend import Frontend
    from reference.store import Log
    from reference.vnodes import View

ON_PAIRS_OF_COPIES = {"append", "append short", "close", "fail over"}
"""Rules of the world of one range whose copies are a primary and the others as one."""
FOUND = {"find dead", "suspect", "report"}
DECIDED = {"decide", "decide unheard"}
ADOPTED = {"adopt", "adopt unheard"}
NAMED = {"name", "name unheard"}
REMOVED = {"remove copy", "scrub"}
HEALED = DECIDED | ADOPTED


def step_laws() -> Iterator[StepLaw]:
    """What holds of every step."""
    for law in sharing.step_laws():
        names = law.rule_names - ON_PAIRS_OF_COPIES
        if law.name == "a_recorded_length_is_final":
            names |= HEALED | NAMED | {"delist", "replace"}
        if names:
            yield replace(law, rule_names=names)
    yield from _storing()
    yield from _failing_over()
    yield from _orphaned()
    yield from _naming()
    yield from _opening()


def _storing() -> Iterator[StepLaw]:
    stores = {"append", "append short", "close", "ask", "ask unheard", "come back", "probe"}
    yield of_steps(rolling.a_fenced_copy_never_changes, stores, _on_copies)
    yield of_steps(
        rolling.a_fence_answers_where_the_log_ends,
        {"close"},
        lambda law, step, _, after: law(
            closing_in(cast("Fence", after[step.reads[0]])),
            shown(cast("Log", after[step.reads[1]])),
        ),
    )
    yield of_steps(
        rolling.a_fence_of_a_closed_log_answers_as_the_first,
        {"close"},
        lambda law, step, before, after: law(
            copies_in(before)[step.reads[1]], closing_in(cast("Fence", after[step.reads[0]]))
        ),
    )
    yield of_steps(
        healing.a_cut_copy_ends_at_the_edge,
        {"cut"},
        lambda law, step, _, after: law(
            seen_by(cast("Frontend", after[step.reads[2]])).listing,
            _segment(step),
            shown(cast("Log", after[step.reads[1]])),
        ),
    )


def _failing_over() -> Iterator[StepLaw]:
    yield of_steps(
        healing.a_failover_fences_no_minority,
        FOUND,
        lambda law, _, __, after: law(_listed(after), _asking(after)),
    )
    for law in (
        healing.a_failover_seals_only_what_a_majority_answered,
        healing.a_failover_seals_at_the_highest_end,
    ):
        yield of_steps(law, DECIDED, _on_asking)
    yield of_steps(healing.a_failover_puts_the_holder_first, {"decide"}, _on_asking)


def _orphaned() -> Iterator[StepLaw]:
    yield of_steps(
        healing.a_probe_fences_nothing,
        {"probe"},
        lambda law, _, before, after: law(copies_in(before), copies_in(after)),
    )
    yield of_steps(
        healing.an_orphaned_fence_is_sealed_where_it_ends,
        ADOPTED,
        lambda law, _, before, after: law(
            _listed(before),
            cast("Probed", before["coordinator"]).segment_id,
            cast("Probed", before["coordinator"]).end,
            _listed(after),
        ),
    )


def _naming() -> Iterator[StepLaw]:
    yield of_steps(
        healing.the_next_batch_goes_to_the_replicas_on_record,
        {"replace"},
        lambda law, step, _, after: law(
            _named_in(step), seen_by(cast("Frontend", after[step.reads[1]]))
        ),
    )
    yield of_steps(
        healing.no_copy_goes_that_the_control_plane_names,
        REMOVED,
        lambda law, step, before, _: law(
            _listed(before), _segment(step), Broker(step.reads[1].partition(".s")[0])
        ),
    )
    yield of_steps(
        healing.only_sealed_segments_are_removed,
        {"delist"},
        lambda law, _, before, after: law(_listed(before), _listed(after)),
    )


def _opening() -> Iterator[StepLaw]:
    yield of_steps(
        ranges.a_new_segment_begins_where_the_sealed_ones_end,
        {"open"},
        lambda law, _, before, after: law(_listed(before), _listed(after)),
    )


def _named_in(step: Step) -> SegmentId:
    """The segment that the name of a step begins with."""
    return segment_of(int(step.name.partition(" ")[0].removeprefix("s")))


def _listed(parts: Parts) -> Listing:
    return listing_of(cast("View", parts["control"]))


def _asking(parts: Parts) -> Asking:
    return asking_in(cast("FailingOver", parts["coordinator"]))


def _on_asking(law: Judgement, _: Step, before: Parts, after: Parts) -> bool:
    return law(_listed(before), _asking(before), _listed(after))


def _on_copies(law: Judgement, _: Step, before: Parts, after: Parts) -> bool:
    now = copies_in(after)
    return all(
        copy is None or ((held := now[name]) is not None and law(copy, held))
        for name, copy in copies_in(before).items()
    )


def _segment(step: Step) -> SegmentId:
    """The segment whose copy is the second part that a step reads."""
    return segment_of(int(step.reads[1].partition(".s")[2]))
