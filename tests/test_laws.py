"""No law holds idly: each is broken by a named defect, or by a change that has no number."""

import re

import pytest

from checker.cases.kinds import World
from checker.explaining import of_finding
from checker.search.model import Model
from checker.search.plain import search
from checker.world.alone.changes import NAMELESS
from checker.world.alone.nameless import Nameless
from checker.world.alone.trying import judged_by
from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS, finding_named
from checker.world.kinds import Finding, Level
from checker.world.scopes import SCOPES
from checker.world.sharing.judging import tempting_laws
from checker.world.sharing.moving import tempting_step_laws
from checker.world.sharing.scopes import bounds_named
from spec import laws
from spec.clauses import clause_of
from spec.laws import placing as placing_laws
from spec.laws import producing as producing_laws
from spec.laws import ranges as range_laws
from spec.laws import recovering as recovering_laws
from spec.laws import refreshing as refreshing_laws
from spec.laws import rolling as rolling_laws
from tests.pictured import stale_pictures
from tests.written_cases import verdict_of

DEFAULT = [scope for scope in SCOPES if scope.is_searched_at(Level.QUICK)]


def names_of(model: Model) -> set[str]:
    """The laws that judge a world."""
    return {law.name for law in model.laws} | {law.name for law in model.step_laws}


@pytest.mark.parametrize("change", NAMELESS, ids=lambda change: change.name)
def test_a_law_notices_a_change_that_has_no_number(change: Nameless[object]) -> None:
    model = judged_by(change.put_into(change.scope), change.law)

    report = search(model, max_states=200_000)

    assert report.trace is not None
    assert report.trace.law.name == change.law


def test_every_mutant_is_caught_in_a_default_scope() -> None:
    default = {scope.name for scope in DEFAULT}

    elsewhere = {defect.name for defect in DEFECTS if defect.scope not in default}

    assert {change.scope for change in NAMELESS} <= default
    assert elsewhere == {"D18"}, "only a batch that meets an id that was used before shows it"


def test_every_law_of_the_default_scopes_has_a_defect_or_a_mutant() -> None:
    judging = set().union(*(names_of(scope.build()) for scope in DEFAULT))

    broken = {defect.caught_by for defect in DEFECTS} | {change.law for change in NAMELESS}

    assert judging - broken == set()


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_a_finding_shows_at_its_known_length(finding: Finding) -> None:
    report = search(finding.build())

    assert report.trace is not None
    assert (report.trace.law.name, len(report.trace.moves)) == (finding.law, finding.steps)
    assert verdict_of(report.trace, World(finding.scope, finding=finding.name)) == "as expected"
    assert stale_pictures(of_finding(finding), report.trace) == [], "run malachi-model draw"


def test_every_tempting_law_is_a_finding() -> None:
    bounds = bounds_named("roll")
    assert bounds is not None

    tempting = {law.name for law in (*tempting_laws(bounds),)}
    tempting |= {law.name for law in tempting_step_laws()}

    assert tempting <= {finding.law for finding in FINDINGS}


def test_a_finding_is_found_by_its_name_and_by_its_title() -> None:
    found = [finding_named(name) for name in ("f2", "REFUSAL-ABOVE-THE-EDGE", "F99")]

    assert [each and each.name for each in found] == ["F2", "F2", None]


@pytest.mark.parametrize(
    "chapter",
    [range_laws, placing_laws, producing_laws, rolling_laws, recovering_laws, refreshing_laws],
)
def test_each_law_cites_a_clause_that_is_written_and_the_property_it_keeps(
    chapter: object,
) -> None:
    cited = re.findall(r'"""\[([A-Z]+-\d+)\] [^"]*?\(([SP]\d+[^)]*)\)', _source(chapter))

    assert cited
    assert all(clause_of(clause).sentence for clause, _ in cited)


def _source(chapter: object) -> str:
    with open(str(getattr(chapter, "__file__", laws.__file__)), encoding="utf-8") as page:  # noqa: PTH123 - a module's own file
        return page.read()
