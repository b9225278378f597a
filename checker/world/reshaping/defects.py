"""The named defects of frontends that split and merge, each with the law that catches it."""

from dataclasses import replace

from checker.search.model import Model
from checker.world.kinds import Defect
from checker.world.reshaping import mutations
from checker.world.reshaping.rules import Rules
from checker.world.reshaping.scopes import defective


def changed(
    name: str, title: str, change: str, rules: Rules, *, scope: str, caught_by: str, steps: int
) -> Defect:
    """A defect that is one rule exchanged for another."""
    return Defect(name, title, change, caught_by, scope, steps, lambda: defective(scope, rules))


def told(
    name: str, title: str, change: str, rules: Rules, *, scope: str, caught_by: str, steps: int
) -> Defect:
    """The same, judged by one law alone: what the change does to clients, and not how it begins."""
    return Defect(
        name,
        title,
        change,
        caught_by,
        scope,
        steps,
        lambda: alone(defective(scope, rules), caught_by),
    )


def alone(model: Model, law: str) -> Model:
    """The same world, judged by one law and by nothing else."""
    return replace(
        model,
        goals=(),
        laws=tuple(each for each in model.laws if each.name == law),
        step_laws=tuple(each for each in model.step_laws if each.name == law),
    )


DEFECTS: tuple[Defect, ...] = (
    changed(
        "D01",
        "SPLIT-FENCES-CACHE",
        "a split looks for the head of its range in the cache of the frontend that runs it",
        Rules(active_roll=mutations.roll_of_the_cache),
        scope="split",
        caught_by="the_head_to_fence_is_the_listed_one",
        steps=4,
    ),
    told(
        "D49",
        "SPLIT-SEALS-ITSELF",
        "a split seals its range's head at the frontend's own counter, and nobody fences",
        Rules(reshape=mutations.reshape_seals, is_due=mutations.always_due),
        scope="split",
        caught_by="an_acknowledged_record_stands_in_the_queue_of_its_key",
        steps=7,
    ),
    told(
        "D50",
        "SPLIT-BEFORE-FENCE",
        "a range is retired first and its head fenced afterwards, and nothing asks for the head",
        Rules(command=mutations.under_a_head, is_due=mutations.always_due),
        scope="split",
        caught_by="a_retired_range_takes_no_record",
        steps=4,
    ),
    told(
        "D51",
        "MERGE-FENCES-ONE",
        "a merge fences the first parent alone, and nothing asks for the head of the other",
        Rules(command=mutations.under_a_head, is_due=mutations.due_after_the_first),
        scope="merge",
        caught_by="a_queue_grows_at_its_back_alone",
        steps=6,
    ),
    changed(
        "D61",
        "SHARED-ANCESTOR-TWICE",
        "a merge lists the ancestors of both parents one after the other, shared ones twice",
        Rules(command=mutations.ancestors_twice),
        scope="merge",
        caught_by="an_ancestor_is_listed_once_and_after_its_own",
        steps=3,
    ),
    changed(
        "D70",
        "KEY-HASHED-ELSEWHERE",
        "a frontend places keys by another function than everybody else",
        Rules(produce_plan=mutations.hashed_elsewhere),
        scope="merge",
        caught_by="a_record_lies_in_the_range_that_owns_its_key",
        steps=3,
    ),
    changed(
        "D71",
        "SPLIT-UNDER-A-HEAD",
        "the control plane retires a range that has a head",
        Rules(command=mutations.under_a_head),
        scope="split",
        caught_by="a_retired_range_has_no_head",
        steps=3,
    ),
    changed(
        "D72",
        "REFUSED-RESHAPE-KEPT",
        "a frontend keeps the view that came with a refused split",
        Rules(reshape=mutations.reshape_keeps),
        scope="split",
        caught_by="a_refused_reshape_changes_nothing",
        steps=3,
    ),
    changed(
        "D76",
        "CHILDREN-OVERLAP",
        "the first child of a split keeps the whole block",
        Rules(command=mutations.children_overlap),
        scope="split",
        caught_by="the_active_ranges_tile_the_keyspace",
        steps=2,
    ),
    changed(
        "D77",
        "ID-TAKEN-AGAIN",
        "the lower half of a split goes on under the id of its parent",
        Rules(command=mutations.id_taken_again),
        scope="split",
        caught_by="a_range_that_was_listed_keeps_its_block",
        steps=2,
    ),
    changed(
        "D78",
        "SEGMENTS-CARRIED",
        "a split gives the segments of the parent to the first child",
        Rules(command=mutations.segments_carried),
        scope="split",
        caught_by="a_reshape_moves_no_segment",
        steps=5,
    ),
)
