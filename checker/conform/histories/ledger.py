"""What was produced: each record with its attempts, and when they began and ended.

A record is told by topic, key and value. A client that sends it again makes another attempt, and
each attempt may store it once: an indefinite one does, or does not, or does later.
"""

from collections import defaultdict
from dataclasses import dataclass, field

from checker.conform.histories.events import Produce

NEVER = float("inf")
"""The end of an attempt that has none, or that says nothing."""

Named = tuple[str, str | None, str]
"""A record by topic, key and value."""


@dataclass(slots=True)
class Record:
    """One record, and all attempts at it."""

    name: Named
    begun: int
    """The line on which the first attempt began."""
    attempts: int = 0
    """Those that may store it: they were not refused for certain."""
    acknowledged: int = 0
    """Attempts that were answered with success."""
    first_acknowledged: float = NEVER
    last_acknowledged: float = NEVER
    most: int = 0
    """In so many places of one stream it was delivered at most."""
    delivered: float = NEVER
    """The line on which it was delivered first."""
    client: str = ""
    batch: int = -1
    """The one attempt that has it, if others of the same key are in there too; else none."""
    index: int = 0
    """Its place in that attempt."""

    @property
    def ended(self) -> float:
        """The line by which it stood for certain in all its places."""
        return self.last_acknowledged if self.acknowledged == self.attempts else NEVER


@dataclass(slots=True)
class Ledger:
    """All records, by name and by key."""

    records: dict[Named, Record] = field(default_factory=dict)
    acknowledged: defaultdict[tuple[str, str | None], list[Record]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """For each topic and key the records that were acknowledged, in the order of that."""
    batches: dict[int, tuple[Record, ...]] = field(default_factory=dict)
    """The attempts that have several records of a key."""
    open: dict[int, tuple[Record, ...]] = field(default_factory=dict)
    """The records of the attempts that have not ended."""

    def begin(self, line: int, asked: Produce) -> None:
        """An attempt begins."""
        topic = asked.topic
        keys = [key for key, _ in asked.records]
        is_mixed = len(keys) > 1 and len(set(keys)) < len(keys)
        made = []
        for index, (key, value) in enumerate(asked.records):
            name = (topic, key, value)
            record = self.records.get(name)
            if record is None:
                record = self.records[name] = Record(name, line, client=asked.client)
                if is_mixed:
                    record.batch, record.index = asked.id, index
            else:
                record.batch = -1
            record.attempts += 1
            made.append(record)
        self.open[asked.id] = tuple(made)
        if is_mixed:
            self.batches[asked.id] = self.open[asked.id]

    def end(self, line: int, outcome: str, number: int) -> None:
        """An attempt ends. One that says nothing stays open for ever."""
        for record in self.open.pop(number):
            if outcome == "fail":
                record.attempts -= 1
            elif outcome == "ok":
                record.acknowledged += 1
                if record.acknowledged == 1:
                    record.first_acknowledged = line
                    self.acknowledged[record.name[:2]].append(record)
                record.last_acknowledged = line
