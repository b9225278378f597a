"""A stream as its readers saw it: one row of records, and cursors that are places in it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from checker.conform.histories.ledger import NEVER, Ledger, Record

Kind = Literal["lost", "duplicated", "reordered", "phantom", "position"]
Key = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something that no queue for each key explains."""

    kind: Kind
    line: int
    """Where it shows."""
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cursor stands in a row."""

    row: "Row"
    at: int
    left: float = 0
    """So many records may have been passed there that are not in the row, or not yet passed."""


@dataclass(slots=True)
class Row:
    """A stretch of a stream that was read without a gap."""

    topic: str
    stream: str
    is_whole: bool
    """Whether it begins where the stream does."""
    ledger: Ledger
    records: list[Record] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    """The last place of each record, by its identity."""
    repeats: dict[int, int] = field(default_factory=dict)
    """In how many places a record stands that stands in several."""
    holes: dict[int, float] = field(default_factory=dict)
    """Before these places records were told as passed."""
    excused: float = 0
    """So many records may be missing, as they were told as passed."""
    caught_up: int = 0
    """The last line on which somebody asked for more at the end, and there was none."""
    latest: dict[Key, int] = field(default_factory=dict)
    """For each key the latest beginning of a record in the row."""
    seen: dict[Key, int] = field(default_factory=dict)
    """For each key how many of the acknowledged records were looked for."""
    indexes: dict[tuple[int, Key], int] = field(default_factory=dict)
    missing: list[tuple[Record, Record, int]] = field(default_factory=list)
    """Records that should stand before another one, with the line that shows it."""

    @property
    def is_patchy(self) -> bool:
        """Whether some of its records were told as passed."""
        return bool(self.holes)

    def append(self, line: int, record: Record) -> Iterator[Anomaly]:
        """A record is seen for the first time at the end of the row."""
        key = record.name[:2]
        count = self._placed(record)
        if count > record.attempts:
            yield Anomaly("duplicated", line, f"{said(record)} is delivered {times(count)}")
        else:
            record.most = max(record.most, count)
        record.delivered = min(record.delivered, line)
        latest = self.latest.get(key, 0)
        if record.ended < latest or self._is_out_of_batch(record, key):
            text = f"{said(record)} is delivered behind one that was sent later"
            yield Anomaly("reordered", line, text)
        if record.begun > latest:
            self.latest[key] = record.begun
        if self.is_whole:
            self._look_for_missing(line, record, key)

    def count(self, record: Record) -> int:
        """In how many places a record stands."""
        number = id(record)
        return self.repeats.get(number, 1) if number in self.places else 0

    def _placed(self, record: Record) -> int:
        """Put a record at the end; in how many places it stands then."""
        number, count = id(record), self.count(record) + 1
        if count > 1:
            self.repeats[number] = count
        self.places[number] = len(self.records)
        self.records.append(record)
        return count

    def _is_out_of_batch(self, record: Record, key: Key) -> bool:
        """Whether a later record of the same batch and key came before."""
        if record.batch < 0:
            return False
        place = record.batch, key
        before = self.indexes.get(place, -1)
        self.indexes[place] = max(before, record.index)
        return record.index < before

    def _look_for_missing(self, line: int, record: Record, key: Key) -> None:
        """What was acknowledged before this record was sent stands before it."""
        for each in self.ledger.batches.get(record.batch, ()):
            if each.name[:2] == key and each.batch >= 0 and each.index < record.index:
                self._look_for(line, each, record)
        due = self.ledger.acknowledged.get(key)
        if due is None:
            return
        at = self.seen.get(key, 0)
        while at < len(due) and due[at].first_acknowledged < record.begun:
            self._look_for(line, due[at], record)
            at += 1
        self.seen[key] = at

    def _look_for(self, line: int, each: Record, record: Record) -> None:
        """One of them."""
        if id(each) in self.places:
            return
        if self.excused >= 1:
            self.excused -= 1
        else:
            self.missing.append((each, record, line))

    def lost(self) -> Iterator[Anomaly]:
        """What never came of the records that were missing; what came late was told as such."""
        for each, record, line in self.missing:
            if each.acknowledged and id(each) not in self.places:
                text = f"{said(each)} does not come before {said(record)}, which was sent behind it"
                yield Anomaly("lost", line, f"{text}, in stream {self.stream}")


def said(record: Record) -> str:
    """A record for people."""
    topic, key, value = record.name
    of = "without a key" if key is None else f"of key {key!r}"
    when = "" if record.first_acknowledged == NEVER else ", acknowledged"
    return f"{value!r} {of} in {topic} (sent by {record.client} on line {record.begun}{when})"


def times(count: int) -> str:
    """`twice`."""
    return "twice" if count == 2 else f"{count} times"  # noqa: PLR2004 # a word of its own
