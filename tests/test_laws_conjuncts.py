"""Each conjunct of a law is broken alone by a case made by hand, so that none goes unnoticed."""

import pytest

from tests.law_cases import CASES, Case


def title(case: Case) -> str:
    """A case by its law and by what breaks it."""
    return f"{case.law.__name__}-{case.broken or 'holds'}"


@pytest.mark.parametrize("case", CASES, ids=title)
def test_a_law_falls_by_each_of_its_conjuncts_alone(case: Case) -> None:
    """[ROL-8, PRD-31, RNG-8, RFR-2, ROL-18, RDG-20, RFR-12, PLC-10, RFR-23] And holds beside it."""
    assert case.law(*case.values) is not bool(case.broken)
