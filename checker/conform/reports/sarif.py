"""A run as SARIF 2.1.0: a rule for each clause, a result for each scenario that departs."""

import json
from importlib.metadata import version

from checker.conform.known import Weighed
from checker.conform.reports.summary import UNDETERMINED, Summary
from checker.conform.reports.terminal import told
from spec.clauses import clause_of

FORMAT = "https://json.schemastore.org/sarif-2.1.0.json"
FOLDER = "scenarios"
"""Where a result is said to be: the file that `--save scenarios` writes. GitHub wants a file."""
UNEXPECTED = "known/passes"


def text(summary: Summary) -> str:
    """The file."""
    wrong = [each for each in summary.weighed if not each.is_expected]
    rules = sorted({rule_of(each) for each in wrong})
    driver = {
        "name": "malachi-model",
        "version": version("malachi-model"),
        "rules": [rule(name) for name in rules],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation(summary)],
        "results": [result(each, rules) for each in wrong],
        "properties": {"implementation": summary.implementation, "claim": summary.claim},
    }
    return json.dumps({"$schema": FORMAT, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def invocation(summary: Summary) -> dict[str, object]:
    """How the run ended; one that was interrupted says after how much."""
    said = [{"level": "error", "message": {"text": summary.interruption}}]
    notified = {"toolExecutionNotifications": said} if summary.interruption else {}
    ended = {"executionSuccessful": summary.is_whole, "exitCode": int(summary.exit)}
    return {**ended, **notified}


def rule_of(weighed: Weighed) -> str:
    """The clause that a result is about; its outcome where it is about none."""
    finding = weighed.result.finding
    if finding is None and weighed.result.outcome == "pass":
        return UNEXPECTED
    return weighed.result.outcome if finding is None or not finding.clause else finding.clause


def rule(name: str) -> dict[str, object]:
    """A clause as a rule, or an outcome."""
    if "-" not in name:
        return {"id": name, "shortDescription": {"text": name}}
    clause = clause_of(name)
    described = {"shortDescription": {"text": clause.title}}
    return {"id": name, **described, "fullDescription": {"text": clause.sentence}}


def result(weighed: Weighed, rules: list[str]) -> dict[str, object]:
    """One result, at the scenario that shows it."""
    name = weighed.result.scenario.id
    place = {
        "physicalLocation": {
            "artifactLocation": {"uri": f"{FOLDER}/{name}.toml"},
            "region": {"startLine": 1},
        },
        "logicalLocations": [{"fullyQualifiedName": name, "kind": "scenario"}],
    }
    return {
        "ruleId": rule_of(weighed),
        "ruleIndex": rules.index(rule_of(weighed)),
        "level": "warning" if weighed.result.outcome in UNDETERMINED else "error",
        "message": {"text": "\n".join(told(weighed))},
        "locations": [place],
        "partialFingerprints": {"signature": f"{name} {signature(weighed)}"},
    }


def signature(weighed: Weighed) -> str:
    """What makes the result the same tomorrow."""
    finding = weighed.result.finding
    return weighed.result.outcome if finding is None else finding.signature
