"""Pages against the row of their stream."""

from collections.abc import Iterator

from checker.conform.histories.events import START, Consume, Ended
from checker.conform.histories.ledger import Ledger, Record
from checker.conform.histories.streams import Anomaly, Place, Row, said

Stream = tuple[str, str]
"""A topic, and the name of one of its streams."""


class Reading:
    """All streams, and the places that their cursors stand for."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.rows: list[Row] = []
        self._places: dict[Stream, dict[str, Place]] = {}
        self.unplaced = 0
        """Pages from cursors that nobody was answered."""

    def page(self, line: int, began: int, asked: Consume, got: Ended) -> Iterator[Anomaly]:
        """A page was answered."""
        places = self._places.setdefault((asked.topic, asked.stream), {})
        place = places.get(asked.origin)
        if place is None:
            place = self._begun(asked)
            places[asked.origin] = place
        walk = Walk(place, got.skipped, line)
        for key, value in got.records:
            record = self._ledger.records.get((asked.topic, key, value))
            if record is None or record.attempts < 1:
                yield self._phantom(line, (asked.topic, key, value), record)
            else:
                yield from walk.take(record)
        if asked.is_final and not got.records:
            walk.catch_up(began)
        if got.cursor is not None:
            yield from walk.end(places, got.cursor)

    def _begun(self, asked: Consume) -> Place:
        is_whole = asked.origin == START
        self.unplaced += not is_whole
        row = Row(asked.topic, asked.stream, is_whole, self._ledger)
        self.rows.append(row)
        return Place(row, 0)

    def _phantom(
        self, line: int, name: tuple[str, str | None, str], record: Record | None
    ) -> Anomaly:
        """A record that nobody can have stored."""
        if record is not None:
            text = f"{said(record)} is delivered, and every attempt was refused for certain"
            return Anomaly("phantom", line, text)
        topic, key, value = name
        of = "without a key" if key is None else f"of key {key!r}"
        return Anomaly(
            "phantom", line, f"{value!r} {of} is delivered in {topic}: nobody had sent it"
        )


class Walk:
    """One page, record by record, from the place of its cursor."""

    def __init__(self, place: Place, skipped: float, line: int) -> None:
        self.row, self.at = place.row, place.at
        self._left = place.left + skipped
        self._line = line

    def take(self, record: Record) -> Iterator[Anomaly]:
        """The next record of the page."""
        records = self.row.records
        if self.at == len(records):
            self._told()
            yield from self.row.append(self._line, record)
            self.at += 1
        elif records[self.at] is record:
            self.at += 1
        else:
            yield from self._other(record)

    def _told(self) -> None:
        """What was told as passed may be missing at the end of the row."""
        if self._left:
            self.row.excused += self._left
            self.row.holes[self.at] = self._left
            self._left = 0

    def _other(self, record: Record) -> Iterator[Anomaly]:
        """A record that is not the one which another reader was given here."""
        records = self.row.records
        place = self.row.places.get(id(record))
        if place is None:
            if self.row.holes.get(self.at, 0) < 1:
                text = f"{said(record)} comes in between others that a reader had in a row"
                yield Anomaly("reordered", self._line, text)
            return
        if self.row.count(record) > 1:
            later = range(self.at, len(records))
            place = next((at for at in later if records[at] is record), 0)
        if place < self.at:
            yield Anomaly("duplicated", self._line, f"{said(record)} is delivered again")
            return
        yield from self._passed(place)
        self.at = place + 1

    def _passed(self, place: int) -> Iterator[Anomaly]:
        """Records that another reader was given are not in this page."""
        passed = place - self.at
        if passed <= self._left:
            self._left -= passed
            return
        for each in self.row.records[self.at : place]:
            text = f"{said(each)} is passed, and another reader was given it"
            yield Anomaly("lost", self._line, text)

    def catch_up(self, began: int) -> None:
        """There was no more at the end, if this is the end."""
        if self.at == len(self.row.records):
            self._told()
            self.row.caught_up = began

    def end(self, places: dict[str, Place], cursor: str) -> Iterator[Anomaly]:
        """The cursor of the page."""
        known = places.get(cursor)
        if known is None or known.row is not self.row:
            places[cursor] = Place(self.row, self.at, self._left)
        elif known.at > self.at:
            yield from self._passed(known.at)
        elif known.at < self.at:
            text = f"its cursor lies {self.at - known.at} records before its end"
            yield Anomaly("duplicated", self._line, text)
