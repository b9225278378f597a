"""Failures that are known: each with its reason and the day until which it may stay.

The list is strict both ways: a known failure that does not show is as wrong as an unknown one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from checker.conform.running import Result
from checker.conform.tomls import TomlError, read_toml

FIELDS = ("id", "signature", "reason", "issue", "until")


class KnownError(Exception):
    """The list cannot be used; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Known:
    """One failure that is known."""

    id: str
    """That of the scenario."""
    signature: str
    reason: str
    issue: str
    until: date
    """The last day on which it is put up with."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A result, and whether it is as expected."""

    result: Result
    known: Known | None = None
    complaint: str = ""
    """Why it is not as expected; nothing where it is."""

    @property
    def is_expected(self) -> bool:
        """Whether nothing has to be done about it."""
        return not self.complaint


def read_known(path: Path) -> tuple[Known, ...]:
    """The list of a file. Raises KnownError."""
    try:
        content = read_toml(path)
    except TomlError as error:
        raise KnownError(str(error)) from None
    if content.keys() - {"known"} or not isinstance(content.get("known", []), list):
        raise KnownError(f"{path} may hold nothing but [[known]]")
    found = tuple(
        entry(f"{path}: known failure {number}", each)
        for number, each in enumerate(content.get("known", []), 1)
    )
    for name, count in Counter(each.id for each in found).items():
        if count > 1:
            raise KnownError(f"{path} names {name} twice")
    return found


def entry(where: str, found: object) -> Known:
    """One entry, whole."""
    if not isinstance(found, dict) or found.keys() != set(FIELDS):
        raise KnownError(f"{where} needs exactly {', '.join(FIELDS)}")
    until = found["until"]
    if type(until) is not date:
        raise KnownError(f"{where}: until is no date such as 2027-01-31")
    for name in FIELDS[:-1]:
        if not isinstance(found[name], str) or not found[name]:
            raise KnownError(f"{where}: {name} is no text")
    return Known(found["id"], found["signature"], found["reason"], found["issue"], until)


def unmatched(known: Iterable[Known], names: Iterable[str]) -> tuple[Known, ...]:
    """What the list holds of scenarios that nobody knows."""
    there = set(names)
    return tuple(each for each in known if each.id not in there)


def weigh(result: Result, known: Mapping[str, Known], today: date) -> Weighed:
    """Hold a result against the list."""
    entry = known.get(result.scenario.id)
    seen = "" if result.finding is None else result.finding.signature
    if entry is None:
        return Weighed(result, None, "" if result.outcome == "pass" else result.outcome)
    if result.outcome == "pass":
        return Weighed(result, entry, "passes, and is listed as a known failure")
    if today > entry.until:
        return Weighed(result, entry, f"was to be put up with until {entry.until} only")
    if seen != entry.signature:
        return Weighed(result, entry, f"fails otherwise than known: {seen or result.outcome}")
    return Weighed(result, entry)
