"""A run as SARIF 2.1.0: a rule for each clause, a result for each scenario that departs."""

import json

from checker.conform.known import Weighed
from checker.conform.reports.summary import Summary
from checker.conform.reports.terminal import told
from spec.clauses import clause_of

FORMAT = "https://json.schemastore.org/sarif-2.1.0.json"


def text(summary: Summary) -> str:
    """The file."""
    wrong = [each for each in summary.weighed if not each.is_expected]
    clauses = sorted({rule_of(each) for each in wrong})
    driver = {"name": "malachi-model", "rules": [rule(clause) for clause in clauses]}
    run = {"tool": {"driver": driver}, "results": [result(each) for each in wrong]}
    return json.dumps({"$schema": FORMAT, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def rule_of(weighed: Weighed) -> str:
    """The clause that a result is about; its outcome where it is about none."""
    finding = weighed.result.finding
    return weighed.result.outcome if finding is None or not finding.clause else finding.clause


def rule(name: str) -> dict[str, object]:
    """A clause as a rule."""
    if "-" not in name:
        return {"id": name, "shortDescription": {"text": name}}
    clause = clause_of(name)
    described = {"shortDescription": {"text": clause.title}}
    return {"id": name, **described, "fullDescription": {"text": clause.sentence}}


def result(weighed: Weighed) -> dict[str, object]:
    """One result, at the scenario that shows it."""
    name = weighed.result.scenario.id
    place = {"fullyQualifiedName": name, "kind": "scenario"}
    return {
        "ruleId": rule_of(weighed),
        "level": "error",
        "message": {"text": "\n".join(told(weighed))},
        "locations": [{"logicalLocations": [place]}],
        "partialFingerprints": {"signature": f"{name} {signature(weighed)}"},
    }


def signature(weighed: Weighed) -> str:
    """What makes the result the same tomorrow."""
    finding = weighed.result.finding
    return weighed.result.outcome if finding is None else finding.signature
