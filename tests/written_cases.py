"""Counterexamples that are written down and run again."""

from checker.cases.counterexamples import case_of
from checker.cases.exporting import export_case
from checker.cases.kinds import World
from checker.cases.parsing import parse
from checker.cases.running import run_case
from checker.cases.stages import stage_of
from checker.cases.writing import written
from checker.mermaid import sequence_diagram
from checker.scene import scene_of
from checker.search.report import Trace
from checker.world.scopes import scope_named
from tests.diagrams import faults_of


def verdict_of(trace: Trace, world: World) -> str:
    """What comes of the case that a trace is written as.

    Its diagram is valid. Its calls, which every finding has, lead where the trace leads, unless a
    defect leads it elsewhere.
    """
    scope = scope_named(world.scope)
    assert scope is not None
    case = parse(written(case_of(trace, world, scope.show, "case")))
    diagram = sequence_diagram(scene_of(stage_of(world).model, trace, scope.roles), ["the end"])
    assert faults_of(diagram) == []
    exported = export_case(case)
    assert exported.departs_at is None or world.defect is not None
    assert exported.calls is not None or world.finding is None
    return run_case(case).verdict
