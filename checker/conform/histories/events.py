"""The events of a client history, read line by line and held to their format."""

import json
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO

FORMAT = "malachi-history/1"
START = "start"
UNKNOWN = "unknown"
OUTCOMES = ("ok", "fail", "lost")
WIDTH = 60
LONGEST = 16 << 20
"""So many characters may a line have."""


class HistoryError(Exception):
    """The file is no history; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Produce:
    """A client sends records, in this order."""

    id: int
    client: str
    topic: str
    records: tuple[tuple[str | None, str], ...]
    """Key and value of each."""


@dataclass(frozen=True, slots=True)
class Consume:
    """A client asks for a page of a stream."""

    id: int
    client: str
    topic: str
    stream: str
    origin: str
    """The cursor from which it reads, as text; `start` for the beginning."""
    is_final: bool
    """Whether it belongs to the reading to the end after the last produce."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A group commits a position in a stream."""

    id: int
    client: str
    group: str
    topic: str
    stream: str
    cursor: str
    frontend: str | None


@dataclass(frozen=True, slots=True)
class Committed:
    """A client asks for the position of a group in a stream."""

    id: int
    client: str
    group: str
    topic: str
    stream: str
    frontend: str | None


Invoked = Produce | Consume | Commit | Committed


@dataclass(frozen=True, slots=True)
class Ended:
    """A call ended: with an answer, with a refusal that is certain, or with neither."""

    outcome: str
    id: int
    records: tuple[tuple[str | None, str], ...] = ()
    cursor: str | None = None
    skipped: float = 0
    """So many records were told as passed; infinite where nobody knows."""


Event = Invoked | Ended


class Cutoff(HistoryError):  # noqa: N818 # it is one of the errors above
    """The file ends before its footer."""


def events(path: Path) -> Iterator[tuple[int, Event]]:
    """The events of a file with the numbers of their lines. Raises HistoryError."""
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            yield from read(numbered(file))
    except OSError as error:
        raise HistoryError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise HistoryError(f"{path} is not written in UTF-8") from None
    except Cutoff as error:
        raise Cutoff(f"{path} {error}") from None
    except HistoryError as error:
        raise HistoryError(f"{path}, {error}") from None


def numbered(file: TextIO) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, each held to a length: a file may have no end."""
    for number, line in enumerate(iter(partial(file.readline, LONGEST + 1), ""), 1):
        if len(line) > LONGEST:
            raise HistoryError(f"line {number}: it is longer than {LONGEST >> 20} Mi characters")
        yield number, line


def read(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Event]]:
    """The events of numbered lines, header and footer left out."""
    first = next(lines, None)
    if first is None:
        raise Cutoff("was cut off: it is empty")
    header = parsed(*first)
    if header.get("format") != FORMAT or header.keys() - {"format", "name", "about"}:
        raise HistoryError(f"line 1: it is no header of {FORMAT}")
    last, count = -1, 0
    for number, line in lines:
        found = parsed(number, line, is_last_cut=not line.endswith("\n"))
        if "footer" in found:
            end(number, found, count, lines)
            return
        count += 1
        try:
            event = event_of(found)
        except HistoryError as error:
            raise HistoryError(f"line {number}: {error}") from None
        if not isinstance(event, Ended):
            if event.id <= last:
                raise HistoryError(
                    f"line {number}: invoke {event.id} comes after {last}: they ascend"
                )
            last = event.id
        yield number, event
    raise Cutoff(f"was cut off: it has no footer after {count} events")


def parsed(number: int, line: str, *, is_last_cut: bool = False) -> dict[str, Any]:
    """One line as an object."""
    try:
        found = json.loads(line, object_pairs_hook=once)
    except json.JSONDecodeError:
        if is_last_cut:
            raise Cutoff(f"was cut off: line {number} ends in the middle") from None
        if line.startswith("\ufeff"):
            said = "it begins with a byte order mark, which is to be left out"
        else:
            said = "it is no JSON"
        raise HistoryError(f"line {number}: {said}") from None
    except HistoryError as error:
        raise HistoryError(f"line {number}: {error}") from None
    except RecursionError:
        raise HistoryError(f"line {number}: it is nested too deeply") from None
    except ValueError:
        raise HistoryError(f"line {number}: a number has too many digits") from None
    if not isinstance(found, dict):
        raise HistoryError(f"line {number}: it is no object")
    return found


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name stands twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise HistoryError(f"{shown(twice)} stands in it twice")
    return made


def end(number: int, found: dict[str, Any], count: int, lines: Iterator[tuple[int, str]]) -> None:
    """The footer: it counts the events, and nothing follows."""
    footer = found["footer"]
    if found.keys() != {"footer"} or not isinstance(footer, dict) or footer.keys() != {"events"}:
        raise HistoryError(f'line {number}: a footer is {{"footer": {{"events": COUNT}}}}')
    if footer["events"] != count:
        said = shown(footer["events"])
        raise Cutoff(f"was cut off: its footer counts {said} events, and there are {count}")
    if any(line.strip() for _, line in lines):
        raise HistoryError(f"line {number}: something stands behind the footer")


def event_of(found: dict[str, Any]) -> Event:
    """What a line says. Raises HistoryError."""
    if "invoke" in found:
        if "op" not in found:
            raise HistoryError(missing("op", found, FIELDS))
        op = found["op"]
        if not isinstance(op, str) or op not in INVOKED:
            raise HistoryError(f"op is {shown(op)}, and not one of {', '.join(INVOKED)}")
        needed, optional, make = INVOKED[op]
        exactly(found, needed, optional)
        return make(found)
    for outcome in OUTCOMES:
        if outcome in found:
            optional = ("records", "cursor", "skipped") if outcome == "ok" else ()
            exactly(found, (outcome,), optional)
            return ended(outcome, found)
    named = f": it has {', '.join(map(shown, found))}" if found else ""
    raise HistoryError(f"it has none of invoke, {', '.join(OUTCOMES)}, footer{named}")


def exactly(found: dict[str, Any], needed: tuple[str, ...], optional: tuple[str, ...]) -> None:
    """Refuse missing and unknown fields."""
    for name in needed:
        if name not in found:
            raise HistoryError(missing(name, found, (*needed, *optional)))
    if len(found) > len(needed):
        for name in found:
            if name not in needed and name not in optional:
                raise HistoryError(f"{shown(name)} is unknown")


def missing(name: str, found: dict[str, Any], known: Container[str]) -> str:
    """A field that is not there, and one that may have been meant for it."""
    strange = next((each for each in found if each not in known), None)
    return f"{name} is missing" + ("" if strange is None else f", and {shown(strange)} is unknown")


def produce(found: dict[str, Any]) -> Produce:
    """A produce."""
    sent = records(found["records"])
    return Produce(number_of(found, "invoke"), text(found, "client"), text(found, "topic"), sent)


def consume(found: dict[str, Any]) -> Consume:
    """A request for a page."""
    final = found.get("final", False)
    if not isinstance(final, bool):
        raise HistoryError(f"final is {shown(final)}, and neither true nor false")
    return Consume(
        number_of(found, "invoke"),
        text(found, "client"),
        text(found, "topic"),
        text(found, "stream"),
        cursor(found["from"], "from"),
        final,
    )


def commit(found: dict[str, Any]) -> Commit:
    """A commit."""
    at = cursor(found["cursor"], "cursor")
    return Commit(number_of(found, "invoke"), *position(found), at, frontend(found))


def committed(found: dict[str, Any]) -> Committed:
    """A request for a position."""
    return Committed(number_of(found, "invoke"), *position(found), frontend(found))


def position(found: dict[str, Any]) -> tuple[str, str, str, str]:
    """Who asks, the group, and the topic and stream that it reads."""
    client, group = text(found, "client"), text(found, "group")
    return client, group, text(found, "topic"), text(found, "stream")


def frontend(found: dict[str, Any]) -> str | None:
    """The frontend that was asked, where it is named."""
    return text(found, "frontend") if "frontend" in found else None


POSITION = ("invoke", "client", "op", "group", "topic", "stream")
INVOKED: Mapping[
    str, tuple[tuple[str, ...], tuple[str, ...], Callable[[dict[str, Any]], Invoked]]
] = {
    "produce": (("invoke", "client", "op", "topic", "records"), (), produce),
    "consume": (("invoke", "client", "op", "topic", "stream", "from"), ("final",), consume),
    "commit": ((*POSITION, "cursor"), ("frontend",), commit),
    "committed": (POSITION, ("frontend",), committed),
}
"""The fields that each call has, those that it may have, and what it is made into."""
FIELDS = frozenset(each for needed, more, _ in INVOKED.values() for each in (*needed, *more))
"""Those that any call may have."""


def ended(outcome: str, found: dict[str, Any]) -> Ended:
    """The end of a call."""
    number = number_of(found, outcome)
    if len(found) == 1:
        return Ended(outcome, number)
    got = records(found["records"]) if "records" in found else ()
    to = found.get("cursor")
    skipped = found.get("skipped", 0)
    if skipped == UNKNOWN:
        skipped = float("inf")
    elif type(skipped) is not int or skipped < 0:
        raise HistoryError(f"skipped is {shown(skipped)}, and neither a count nor {UNKNOWN!r}")
    return Ended(outcome, number, got, None if to is None else cursor(to, "cursor"), skipped)


def records(found: object) -> tuple[tuple[str | None, str], ...]:
    """Keys and values."""
    if not isinstance(found, list):
        raise HistoryError(f"records is {shown(found)}, and no list")
    made = []
    for each in found:
        if not isinstance(each, dict) or each.keys() != {"key", "value"}:
            raise HistoryError(f"a record is {shown(each)}, and has not just key and value")
        key, value = each["key"], each["value"]
        if not isinstance(value, str) or not (key is None or isinstance(key, str)):
            raise HistoryError(f"a record is {shown(each)}: a value is text, a key text or null")
        made.append((key, value))
    return tuple(made)


def number_of(found: dict[str, Any], name: str) -> int:
    """A whole number from 0."""
    value = found[name]
    if type(value) is not int or value < 0:
        raise HistoryError(f"{name} is {shown(value)}, and no whole number from 0")
    return value


def text(found: dict[str, Any], name: str) -> str:
    """A text."""
    value = found[name]
    if not isinstance(value, str):
        raise HistoryError(f"{name} is {shown(value)}, and no text")
    return value


def cursor(value: object, name: str) -> str:
    """A cursor as text: nobody looks into it."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else [value]
    if any(type(each) is not int for each in parts):
        said = "a cursor is text, a number or a list of numbers"
        raise HistoryError(f"{name} is {shown(value)}: {said}")
    return json.dumps(value)


def shown(value: object) -> str:
    """A value in a few characters."""
    said = json.dumps(value, ensure_ascii=False)
    return said if len(said) <= WIDTH else said[: WIDTH - 3] + "..."
