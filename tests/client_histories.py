"""Client histories for tests: written by hand, simulated, and judged by trying everything."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from random import Random
from typing import Any

from checker.conform.histories.events import FORMAT

Line = dict[str, Any]
Record = dict[str, str | None]


def rec(value: str, key: str | None = "k") -> Record:
    """A record."""
    return {"key": key, "value": value}


def produce(number: int, *values: str, key: str = "k", client: str = "p") -> Line:
    """A produce of values with one key."""
    records = [rec(value, key) for value in values]
    return {"invoke": number, "client": client, "op": "produce", "topic": "t", "records": records}


def consume(number: int, origin: Any = "start", stream: str = "0", **more: Any) -> Line:  # noqa: ANN401 # any cursor
    """A request for a page."""
    call = {"invoke": number, "client": "c", "op": "consume", "topic": "t"}
    return {**call, "stream": stream, "from": origin, **more}


def page(number: int, cursor: Any, *values: str, key: str = "k", **more: Any) -> Line:  # noqa: ANN401 # any cursor
    """A page of values with one key."""
    return {
        "ok": number,
        "records": [rec(value, key) for value in values],
        "cursor": cursor,
        **more,
    }


def whole(*lines: Line) -> list[Line]:
    """A history with header and footer."""
    return [{"format": FORMAT}, *lines, {"footer": {"events": len(lines)}}]


class Simulated:
    """A topic that is a queue for each key, with two streams that read it, and with mistakes."""

    def __init__(self, random: Random, *, mistakes: int, retries: bool = False) -> None:
        self.random, self.mistakes, self.retries = random, mistakes, retries
        self.lines: list[Line] = []
        self.log: list[Record] = []
        self.open: dict[int, list[Record]] = {}
        self.late: list[list[Record]] = []
        self.cursors: dict[str, list[int]] = {"0": [], "1": []}
        self.number = 0

    def history(self, length: int) -> list[Line]:
        """Some steps, and then what is open stays open; perhaps a reading to the end."""
        for _ in range(length):
            self.random.choice([self.begin, self.finish, self.land, self.read, self.read])()
        if self.random.random() < 0.5:
            at = max(self.cursors["0"], default=0)
            while at < len(self.log):
                at = self.read_from("0", at, is_final=True)
            self.read_from("0", at, is_final=True)
        return self.lines

    def begin(self) -> None:
        """A produce begins."""
        if len(self.lines) > 14:
            return
        self.number += 1
        names = [f"v{self.number}{letter}" for letter in "ab"[: self.random.choice([1, 1, 2])]]
        if self.retries and self.random.random() < 0.5:
            names = ["again"]
        records = [rec(name, self.random.choice("kl")) for name in names]
        if names == ["again"]:
            records = [rec("again")]
        self.open[self.number] = records
        call = {"invoke": self.number, "client": "p", "op": "produce", "topic": "t"}
        self.lines.append({**call, "records": records})

    def finish(self) -> None:
        """A produce ends, stored where that is said; a lost one may land later."""
        if not self.open:
            return
        number = self.random.choice(sorted(self.open))
        records = self.open.pop(number)
        outcome = self.random.choice(["ok", "ok", "fail", "lost"])
        if outcome == "ok":
            self.log += records
        elif outcome == "lost":
            self.late.append(records)
        self.lines.append({outcome: number})

    def land(self) -> None:
        """A produce that nobody was told of is stored."""
        if self.late:
            self.log += self.late.pop()

    def read(self) -> None:
        """Somebody reads a stream from the start, or goes on from a cursor."""
        stream = self.random.choice("001")
        self.read_from(stream, self.random.choice([0, *self.cursors[stream]]))

    def read_from(self, stream: str, at: int, *, is_final: bool = False) -> int:
        """A page; the place of its cursor."""
        self.number += 1
        size = self.random.choice([1, 2, 9])
        records = list(self.log[at : at + size])
        to = at + len(records)
        if self.mistakes and self.random.random() < 0.3:
            self.mistakes -= 1
            records = self.mistaken(records)
        final = {"final": True} if is_final else {}
        self.lines.append(consume(self.number, str(at) if at else "start", stream, **final))
        self.lines.append({"ok": self.number, "records": records, "cursor": str(to)})
        self.cursors[stream].append(to)
        return to

    def mistaken(self, records: list[Record]) -> list[Record]:
        """A page that is not what is stored."""
        records = list(records)
        kind = self.random.choice(["drop", "swap", "again", "other", "stranger"])
        known = [each for line in self.lines for each in line.get("records", ())]
        if kind == "drop" and records:
            records.pop(self.random.randrange(len(records)))
        elif kind == "swap":
            records.reverse()
        elif kind == "again" and records:
            records.append(records[0])
        elif kind == "other" and known:
            records.append(self.random.choice(known))
        elif kind == "stranger":
            records.append(rec("stranger"))
        return records


Attempt = dict[str, Any]
Cell = tuple[str | None, str, int]
"""Key and value of a record in a stream, and the line of the first page that has it."""


def is_explained(lines: Sequence[Line]) -> bool:
    """Whether queues explain a history without skips, by trying all of them."""
    attempts = attempts_of(lines)
    known = {(each["key"], each["value"]) for each in attempts}
    reading = Readings()
    if not all(reading.take(at, line) for at, line in enumerate(lines)):
        return False
    rows = {one: [found[at] for at in range(len(found))] for one, found in reading.cells.items()}
    if any(cell[:2] not in known for row in rows.values() for cell in row):
        return False
    final = [rows.get(stream, []) for stream in reading.until]
    until = min(reading.until.values(), default=0)
    return all(
        any(
            is_explanation(queue, key, list(rows.values()), final, until)
            for queue in queues(key, attempts)
        )
        for key in ("k", "l")
    )


def attempts_of(lines: Sequence[Line]) -> list[Attempt]:
    """Each record of each produce, with its beginning and end."""
    attempts: list[Attempt] = []
    for at, line in enumerate(lines):
        if line.get("op") == "produce":
            for index, each in enumerate(line["records"]):
                attempts.append({**each, "id": line["invoke"], "index": index, "begun": at})
        elif "op" not in line:
            (outcome, number), *_ = line.items()
            for each in attempts:
                if each["id"] == number:
                    each |= {"outcome": outcome, "ended": at}
    return attempts


class Readings:
    """What stands where in each stream: a cursor is one place, and a place has one record."""

    def __init__(self) -> None:
        self.cells: defaultdict[str, dict[int, Cell]] = defaultdict(dict)
        self.until: dict[str, int] = {}
        self._places: defaultdict[str, dict[str, int]] = defaultdict(lambda: {"start": 0})
        self._asked: dict[int, tuple[int, Line]] = {}

    def take(self, at: int, line: Line) -> bool:
        """Take an event; whether it fits those before."""
        if line.get("op") == "consume":
            self._asked[line["invoke"]] = at, line
        elif line.get("ok") in self._asked:
            return self._page(at, line, *self._asked[line["ok"]])
        return True

    def _page(self, at: int, line: Line, began: int, call: Line) -> bool:
        stream = call["stream"]
        place = self._places[stream][call["from"]]
        for each in line["records"]:
            cell = self.cells[stream].setdefault(place, (each["key"], each["value"], at))
            if cell[:2] != (each["key"], each["value"]):
                return False
            place += 1
        if call.get("final") and not line["records"] and place == len(self.cells[stream]):
            self.until[stream] = began
        return self._places[stream].setdefault(line["cursor"], place) == place


def queues(key: str, attempts: Sequence[Attempt]) -> Iterator[tuple[Attempt, ...]]:
    """Every order of every set of records of a key that may be stored, with all that has to be."""
    own = [each for each in attempts if each["key"] == key]
    must = [each for each in own if each.get("outcome") == "ok"]
    may = [each for each in own if each.get("outcome") in {None, "lost"}]
    for count in range(len(may) + 1):
        for some in combinations(may, count):
            yield from permutations([*must, *some])


def is_explanation(
    queue: Sequence[Attempt], key: str, rows: list[list[Cell]], final: list[list[Cell]], until: int
) -> bool:
    """Whether a queue keeps the order of time, and is what the streams show of a key."""
    shown = [[cell for cell in row if cell[0] == key] for row in rows]
    is_shown = all(is_beginning(cells, queue) for cells in shown)
    if not is_shown or not is_in_time(queue):
        return False
    if not until:
        return True
    longest = max(sum(cell[0] == key for cell in row) for row in final)
    standing = [
        at
        for at, each in enumerate(queue)
        if (each.get("outcome") == "ok" and each["ended"] < until)
        or any(at < len(cells) and cells[at][2] < until for cells in shown)
    ]
    return not standing or standing[-1] < longest


def is_in_time(queue: Sequence[Attempt]) -> bool:
    """Whether nothing stands behind what was sent after it was acknowledged."""
    for earlier, later in combinations(queue, 2):
        if later.get("outcome") == "ok" and later["ended"] < earlier["begun"]:
            return False
        if later["id"] == earlier["id"] and later["index"] < earlier["index"]:
            return False
    return True


def is_beginning(cells: Sequence[Cell], queue: Sequence[Attempt]) -> bool:
    """Whether a stream shows a queue from its front, and nothing before it was sent."""
    return len(cells) <= len(queue) and all(
        value == stored["value"] and line >= stored["begun"]
        for (_, value, line), stored in zip(cells, queue, strict=False)
    )
