"""A run as a stream of events, one JSON object a line, with a footer.

A stream without its footer was cut off, and says nothing of how the run ended.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checker.conform.exhaustive import LeftOut
from checker.conform.known import Weighed
from checker.conform.reports.summary import Summary

SCHEMA = "malachi-model/conform-events/1"
RESULT = ("id", "outcome", "signature")
"""What two runs are compared by."""


class EventsError(Exception):
    """The file is no whole stream of events; the text says why."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream that was read whole."""

    results: dict[str, dict[str, Any]]
    footer: dict[str, Any]


def lines(summary: Summary) -> Iterator[str]:
    """Header, results, footer."""
    yield json.dumps(
        {
            "event": "header",
            "schema": SCHEMA,
            "implementation": summary.implementation,
            "level": summary.level,
        }
    )
    for weighed in summary.weighed:
        yield json.dumps(result(weighed))
    for scope in summary.exhausted:
        yield from (json.dumps(left_out(scope.scope, each)) for each in scope.left_out)
    yield json.dumps(
        {
            "event": "footer",
            "whole": summary.is_whole,
            "results": len(summary.weighed),
            "counts": dict(summary.counts),
            "known": summary.known,
            "claim": summary.claim,
            "exhausted": [each.line() for each in summary.exhausted],
            "exit": int(summary.exit),
        }
    )


def result(weighed: Weighed) -> dict[str, object]:
    """One result."""
    found = weighed.result
    finding = found.finding
    return {
        "event": "result",
        "id": found.scenario.id,
        "outcome": found.outcome,
        "level": found.level,
        "calls": found.calls,
        "profiles": list(found.scenario.spoken_for),
        "expected": weighed.is_expected,
        "known": weighed.known is not None,
        "note": found.note,
        "signature": "" if finding is None else finding.signature,
        "clause": "" if finding is None else finding.clause,
        "text": "" if finding is None else finding.text,
        "steps": len(found.steps),
    }


def left_out(scope: str, one: LeftOut) -> dict[str, object]:
    """One transition that is no case for the adapter."""
    return {
        "event": "left out",
        "scope": scope,
        "op": one.transition.op,
        "transition": one.transition.name,
        "reason": one.reason,
    }


def read(path: Path) -> Stream:
    """A stream from a file. Raises EventsError where it is none, or was cut off."""
    try:
        events = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise EventsError(f"{path} cannot be read: {error}") from None
    if not events or not all(isinstance(each, dict) for each in events):
        raise EventsError(f"{path} holds no events")
    if events[0].get("schema") != SCHEMA:
        raise EventsError(f"{path} is no stream of {SCHEMA}")
    footer = events[-1]
    found = [each for each in events if each.get("event") == "result"]
    if not all(isinstance(each.get(name), str) for each in found for name in RESULT):
        raise EventsError(f"{path} has a result without {', '.join(RESULT)}")
    if footer.get("event") != "footer" or footer.get("results") != len(found):
        raise EventsError(f"{path} was cut off: it has no footer for its {len(found)} results")
    results = {each["id"]: each for each in found}
    if len(results) < len(found) or not isinstance(footer.get("claim"), str):
        raise EventsError(f"{path} names a scenario twice, or claims nothing")
    return Stream(results, footer)


def differing(before: Stream, after: Stream) -> Iterator[str]:
    """What changed from one run to another, a line each."""
    for name in [*before.results, *(each for each in after.results if each not in before.results)]:
        old, new = before.results.get(name), after.results.get(name)
        was, now = said(old), said(new)
        if was != now:
            yield f"{name}: {was} -> {now}"


def said(event: dict[str, Any] | None) -> str:
    """A result in a few words."""
    return "(absent)" if event is None else str(event["signature"] or event["outcome"])
