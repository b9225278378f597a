"""A run as a stream of events, one JSON object a line, with a footer.

A stream without its footer was cut off, and says nothing of how the run ended. Results are written
as they come, so that a run that was killed leaves what it found.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from checker.conform.exhaustive import LeftOut
from checker.conform.known import Weighed
from checker.conform.reports.summary import Summary

SCHEMA = "malachi-model/conform-events/1"
LINE_BYTES = 4 << 20
RESULT = ("id", "outcome", "signature")
"""What two runs are compared by."""


class EventsError(Exception):
    """The file is no whole stream of events; the text says why."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream that was read whole."""

    results: dict[str, dict[str, Any]]
    footer: dict[str, Any]


class Writer:
    """Writes a stream to a file: header, results in their order, footer.

    What fails is raised at the end: a run goes on without its stream.
    """

    def __init__(self, path: Path | None, implementation: str, level: str) -> None:
        self._path = path
        self._held: dict[int, Weighed] = {}
        """Results that came before those in front of them."""
        self._next = 0
        self._file: TextIO | None = None
        self._error: OSError | None = None
        header = {"event": "header", "schema": SCHEMA}
        with self._noting():
            if path is not None:
                self._file = path.open("w", encoding="utf-8")
        self._write({**header, "implementation": implementation, "level": level})

    def add(self, place: int, weighed: Weighed) -> None:
        """Write a result once all before it are written."""
        self._held[place] = weighed
        while (following := self._held.pop(self._next, None)) is not None:
            self._write(result(following))
            self._next += 1

    def end(self, summary: Summary) -> None:
        """Write what is left, and the footer. Raises OSError where the file is not whole."""
        for place in sorted(self._held):
            self._write(result(self._held[place]))
        for scope in summary.exhausted:
            for each in scope.left_out:
                self._write(left_out(scope.scope, each))
        self._write(footer(summary))
        self.close()
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Leave it as it is."""
        with self._noting():
            if self._file is not None:
                self._file.close()

    def _write(self, event: dict[str, object]) -> None:
        with self._noting():
            if self._file is not None and self._error is None:
                self._file.write(json.dumps(event) + "\n")
                self._file.flush()

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """The first error is kept."""
        try:
            yield
        except OSError as error:
            self._error = self._error or error


def footer(summary: Summary) -> dict[str, object]:
    """How the run ended."""
    return {
        "event": "footer",
        "whole": summary.is_whole,
        "results": len(summary.weighed),
        "unplayed": summary.unplayed,
        "counts": dict(summary.counts),
        "known": summary.known,
        "claim": summary.claim,
        "exhausted": [each.line() for each in summary.exhausted],
        "exit": int(summary.exit),
    }


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
        with path.open("rb") as file:
            events = [*map(event_of, iter(lambda: file.readline(LINE_BYTES + 1), b""))]
    except OSError as error:
        raise EventsError(f"{path} cannot be read: {error.strerror or error}") from None
    except RecursionError:
        raise EventsError(f"{path} cannot be read: it is nested too deep") from None
    except ValueError as error:
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


def event_of(line: bytes) -> Any:  # noqa: ANN401 # what it is shows later
    """What a line holds. Raises ValueError and RecursionError."""
    if len(line) > LINE_BYTES:
        raise ValueError(f"a line is longer than {LINE_BYTES >> 20} MiB")
    if not line.endswith(b"\n"):
        raise ValueError("it was cut off in the middle of a line")
    return json.loads(line.decode())


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
