"""A client history as a whole: what no queue for each key explains, and what stays open."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from checker.conform.histories.events import (
    Commit,
    Committed,
    Consume,
    Cutoff,
    Ended,
    Event,
    HistoryError,
    Produce,
)
from checker.conform.histories.ledger import Ledger, Record
from checker.conform.histories.positions import Positions
from checker.conform.histories.reading import Reading
from checker.conform.histories.streams import Anomaly, Key, Kind, Row, said, times


@dataclass(slots=True)
class Verdict:
    """What came of a history."""

    events: int = 0
    produced: int = 0
    """Records that were sent, attempts counted once."""
    delivered: int = 0
    """Records in pages."""
    anomalies: list[Anomaly] = field(default_factory=list)
    unread: int = 0
    """Acknowledged records that nobody was given, and no reading to the end was made for."""
    unplaced: int = 0
    """Pages from cursors that nobody had been answered."""
    cut: str = ""
    """Why the end is missing, where it is."""


class UnopenedError(HistoryError):
    """An end has no beginning."""


class History:
    """A history that is judged event by event."""

    def __init__(self) -> None:
        self.verdict = Verdict()
        self._ledger = Ledger()
        self._reading = Reading(self._ledger)
        self._positions = Positions()
        self._open: dict[int, tuple[int, Consume | Commit | Committed, int]] = {}

    def take(self, line: int, event: Event) -> None:
        """Take the next event. Raises UnopenedError for an end without a beginning."""
        self.verdict.events += 1
        match event:
            case Ended():
                self.verdict.anomalies += self._ended(line, event)
            case Produce():
                self.verdict.produced += len(event.records)
                self._ledger.begin(line, event)
            case Consume():
                self._open[event.id] = line, event, 0
            case Commit():
                self._positions.begin(event)
                self._open[event.id] = line, event, 0
            case Committed():
                self._open[event.id] = line, event, self._positions.own_before(event)

    def _ended(self, line: int, got: Ended) -> Iterator[Anomaly]:
        if got.id in self._ledger.open:
            self._ledger.end(line, got.outcome, got.id)
            return
        if got.id not in self._open:
            raise UnopenedError(f"line {line}: {got.outcome} {got.id} ends what is not open")
        began, asked, own = self._open.pop(got.id)
        if isinstance(asked, Commit):
            self._positions.end(line, began, asked, got.outcome)
        elif got.outcome != "ok":
            return
        elif isinstance(asked, Consume):
            self.verdict.delivered += len(got.records)
            yield from self._reading.page(line, began, asked, got)
        else:
            yield from self._positions.answered(line, own, asked, got)

    def end(self) -> Verdict:
        """What came of it. What shows only at the end is judged now."""
        verdict, rows = self.verdict, self._reading.rows
        verdict.unplaced = self._reading.unplaced
        records = self._ledger.records.values()
        verdict.anomalies += overdone(records)
        for row in rows:
            verdict.anomalies += row.lost()
        whole = defaultdict(list)
        for row in rows:
            if row.is_whole:
                whole[row.topic].append(row)
        for each in whole.values():
            verdict.anomalies += differing(each)
        by_topic = defaultdict(list)
        for record in records:
            by_topic[record.name[0]].append(record)
        for topic, found in by_topic.items():
            anomalies, unread = read_to_the_end(whole[topic], found)
            verdict.anomalies += anomalies
            verdict.unread += unread
        verdict.anomalies.sort(key=lambda each: each.line)
        return verdict


def judge(events: Iterable[tuple[int, Event]]) -> Verdict:
    """Judge a history. One that is cut off is judged as far as it goes. Raises HistoryError."""
    history = History()
    cut = ""
    try:
        for line, event in events:
            history.take(line, event)
    except Cutoff as error:
        cut = str(error)
    verdict = history.end()
    verdict.cut = cut
    return verdict


def overdone(records: Iterable[Record]) -> Iterator[Anomaly]:
    """What was delivered before its attempt was refused for certain."""
    for record in records:
        if record.most > record.attempts:
            line = int(record.delivered)
            if record.attempts:
                text = f"{said(record)} is delivered {times(record.most)}"
                yield Anomaly("duplicated", line, f"{text}, and one attempt was refused")
            else:
                text = f"{said(record)} is delivered, and every attempt was refused for certain"
                yield Anomaly("phantom", line, text)


def differing(rows: list[Row]) -> Iterator[Anomaly]:
    """Streams of a topic that share a key have the same records of it, as far as they go."""
    if len(rows) < 2:  # noqa: PLR2004 # two that differ
        return
    by_key: defaultdict[Key, list[tuple[Row, list[Record]]]] = defaultdict(list)
    for row in rows:
        own: defaultdict[Key, list[Record]] = defaultdict(list)
        for record in row.records:
            own[record.name[:2]].append(record)
        for key, records in own.items():
            by_key[key].append((row, records))
    for shared in by_key.values():
        shared.sort(key=lambda each: (each[0].is_patchy, -len(each[1])))
        longest, reference = shared[0]
        for row, records in shared[1:]:
            is_patchy = row.is_patchy or longest.is_patchy
            yield from (swapped if is_patchy else parted)(longest, reference, row, records)


def parted(
    longest: Row, reference: list[Record], row: Row, records: list[Record]
) -> Iterator[Anomaly]:
    """Where one stream leaves the other, neither of them with a gap that was told."""
    for at, (first, second) in enumerate(zip(reference, records, strict=False)):
        if first is not second:
            is_there = any(each is first for each in records[at:])
            kind: Kind = "reordered" if is_there else "lost"
            text = f"{said(first)} comes before {said(second)} in stream {longest.stream}"
            yield Anomaly(kind, int(second.delivered), f"{text}, and not in {row.stream}")
            return


def swapped(
    longest: Row, reference: list[Record], row: Row, records: list[Record]
) -> Iterator[Anomaly]:
    """Two records that come in two orders, where there are gaps that were told."""
    places = {id(record): at for at, record in enumerate(reference)}
    last = -1
    for record in records:
        at = places.get(id(record), last)
        if at < last:
            text = f"{said(record)} comes later in stream {row.stream} than in {longest.stream}"
            yield Anomaly("reordered", int(record.delivered), text)
            return
        last = at


def read_to_the_end(rows: list[Row], records: list[Record]) -> tuple[list[Anomaly], int]:
    """What no final reading of a topic was given; and how much stays open."""
    final = [row for row in rows if row.caught_up]
    until = min((row.caught_up for row in final), default=0)
    excused = sum(row.excused for row in final)
    anomalies, unread = [], 0
    for record in records:
        due = must_stand(record, until)
        if due > max((row.count(record) for row in final), default=0):
            if excused >= 1:
                excused -= 1
            else:
                text = f"{said(record)} is not in what was read to the end"
                anomalies.append(Anomaly("lost", until, text))
        elif record.acknowledged and record.delivered == float("inf") and not due:
            unread += 1
    return anomalies, unread


def must_stand(record: Record, until: int) -> int:
    """In how many places a record has to stand on a line."""
    if record.last_acknowledged < until:
        return record.acknowledged
    return int(record.first_acknowledged < until or record.delivered < until)
