"""Runs a case of either kind."""

from checker.cases.calls import run_calls
from checker.cases.kinds import CallCase, Case, WorldCase
from checker.cases.result import CaseResult
from checker.cases.worlds import run_world


def run_case(case: Case) -> CaseResult:
    """Take the steps of a case, and answer what came of it.

    Raises MalformedError for what cannot be run: an unknown name, a step that cannot be taken.
    """
    match case:
        case WorldCase():
            return run_world(case)
        case CallCase():
            return run_calls(case)
