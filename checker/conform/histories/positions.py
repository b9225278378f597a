"""Positions that groups commit, and what they are answered later."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from checker.conform.histories.events import Commit, Committed, Ended
from checker.conform.histories.ledger import NEVER
from checker.conform.histories.streams import Anomaly

Group = tuple[str, str, str]
"""A group, and a topic and stream that it reads."""


@dataclass(slots=True)
class Attempts:
    """All commits of one position by one group."""

    possible: int = 0
    """Those that were not refused for certain."""
    acknowledged: int = 0
    last_acknowledged: float = NEVER

    @property
    def ended(self) -> float:
        """The line by which all of them had happened."""
        return self.last_acknowledged if self.acknowledged == self.possible else NEVER


@dataclass(slots=True)
class Positions:
    """What was committed, and through which frontend."""

    attempts: dict[tuple[Group, str], Attempts] = field(default_factory=dict)
    own: dict[tuple[str, Group], int] = field(default_factory=dict)
    """The line on which a frontend's last acknowledged commit of a group began."""

    def begin(self, asked: Commit) -> None:
        """A commit begins."""
        found = self.attempts.setdefault((group_of(asked), asked.cursor), Attempts())
        found.possible += 1

    def end(self, line: int, began: int, asked: Commit, outcome: str) -> None:
        """A commit ends."""
        group = group_of(asked)
        found = self.attempts[group, asked.cursor]
        if outcome == "fail":
            found.possible -= 1
        elif outcome == "ok":
            found.acknowledged += 1
            found.last_acknowledged = line
            if asked.frontend is not None:
                place = asked.frontend, group
                self.own[place] = max(began, self.own.get(place, 0))

    def own_before(self, asked: Committed) -> int:
        """When the last commit of the frontend began that is asked now; 0 where there is none."""
        return 0 if asked.frontend is None else self.own.get((asked.frontend, group_of(asked)), 0)

    def answered(self, line: int, own: int, asked: Committed, got: Ended) -> Iterator[Anomaly]:
        """A position was answered."""
        if got.cursor is None:
            return
        found = self.attempts.get((group_of(asked), got.cursor))
        of = f"group {asked.group!r} is at {got.cursor} in stream {asked.stream} of {asked.topic}"
        if found is None or found.possible < 1:
            yield Anomaly("position", line, f"{of}, and nobody committed that")
        elif found.ended < own:
            text = f"{of}, which {asked.frontend} had moved on by a later commit, from line {own}"
            yield Anomaly("position", line, text)


def group_of(asked: Commit | Committed) -> Group:
    """Whose position it is."""
    return asked.group, asked.topic, asked.stream
