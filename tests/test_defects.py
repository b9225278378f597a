"""Every named defect is caught, by the law that is to catch it, at its known length."""

import pytest

from checker.cases.kinds import World
from checker.explaining import of_defect
from checker.search.plain import search
from checker.world.defects import DEFECTS, defect_named
from checker.world.kinds import Defect
from spec.clauses import clause_of
from tests.pictured import stale_pictures
from tests.written_cases import verdict_of


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_named_defect_is_caught_by_its_law_at_its_known_length(defect: Defect) -> None:
    trace = search(defect.build()).trace

    assert trace is not None
    assert (trace.law.name, len(trace.moves)) == (defect.caught_by, defect.steps)
    assert clause_of(trace.law.clause).sentence
    assert verdict_of(trace, World(defect.scope, defect=defect.name)) == "as expected"
    assert stale_pictures(of_defect(defect), trace) == [], "run malachi-model draw"


def test_a_defect_is_found_by_its_name_and_by_its_title() -> None:
    found = [defect_named(name) for name in ("d09", "SEAL-KEEPS-MAX")]

    assert [each and each.name for each in found] == ["D09", "D09"]


def test_a_name_of_no_defect_finds_none() -> None:
    assert defect_named("D00") is None
