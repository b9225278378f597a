"""Each conjunct of a law is broken alone by a case made by hand, so that none goes unnoticed."""

from collections.abc import Iterable

import pytest

from spec.premises import premises
from tests.law_cases import Case
from tests.law_cases_whole import CASES
from tests.striking import Law, laws, struck

BY_LAW = {name: [case for case in CASES if case.law.__name__ == name] for name in laws()}
NO_SEGMENT = "a segment that is not listed is sealed by no step: only mypy needs to be told"
EQUIVALENT: dict[tuple[str, str], str] = {
    ("a_failover_puts_the_holder_first", "or segment is None"): NO_SEGMENT,
    ("a_failover_seals_at_the_highest_end", "or segment is None"): NO_SEGMENT,
    ("a_failover_seals_only_what_a_majority_answered", "and segment is not None"): NO_SEGMENT,
    ("an_orphaned_fence_is_sealed_where_it_ends", "or segment is None"): NO_SEGMENT,
    (
        "a_new_replica_is_named_only_once_it_is_copied",
        "or segment is None",
    ): "a segment that is not listed has no edge: only mypy needs to be told",
    (
        "a_placement_is_refused_only_where_domains_are_missing",
        "or not isinstance(reply, Refusal)",
    ): "the refusal that is asked for next is one: only mypy needs to be told",
    (
        "a_plan_tallies_what_it_sends",
        "and before.head is not None",
    ): "it stands twice, and where it follows from `is_kept` only mypy needs to be told",
    (
        "a_view_is_a_listing_of_its_time",
        "and a_range_has_at_most_one_head(view)",
    ): "a head that is followed by a segment has no edge for that one to begin at",
    (
        "the_journal_takes_what_changed_the_view",
        "or after.journal is None",
    ): "no journal is neither the one that was held nor one that has grown",
}
"""What can be struck without any case that notices, and why there is none."""


def title(case: Case) -> str:
    """A case by its law and by what breaks it."""
    return f"{case.law.__name__}-{case.broken or 'holds'}"


def is_noticed(law: Law, cases: Iterable[Case]) -> bool:
    """Whether a case is judged otherwise than it says, or cannot be judged at all."""
    for case in cases:
        try:
            if case.holds(law) is bool(case.broken):
                return True
        except (AttributeError, IndexError, KeyError, NameError, TypeError, ValueError):
            return True
    return False


@pytest.mark.parametrize("case", CASES, ids=title)
def test_a_law_falls_by_each_of_its_conjuncts_alone(case: Case) -> None:
    """[ROL-8, PRD-31, RNG-8, RFR-2, ROL-18, RDG-20, RFR-12, PLC-10, RFR-23] And holds beside it."""
    assert case.holds(case.law) is not bool(case.broken)


def test_no_operand_of_a_law_can_be_struck_unnoticed() -> None:
    """Of each `and` and `or` and of each chain of comparisons, but for what changes nothing."""
    unnoticed = {
        (name, what)
        for name, law in laws().items()
        for what, less in struck(law)
        if not is_noticed(less, BY_LAW[name])
    }

    assert unnoticed == set(EQUIVALENT)


def test_a_law_falls_only_where_its_premise_is_met() -> None:
    """Of every case that breaks it, it says that it speaks."""
    known = premises()

    silent = [
        title(case)
        for case in CASES
        if case.broken and case.law.__name__ in known
        if not known[case.law.__name__](*case.values, **case.named)
    ]

    assert silent == []
