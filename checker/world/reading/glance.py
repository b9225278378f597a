"""The parts of the world in a few words each, for people who read a trace."""

from collections.abc import Hashable, Iterator
from dataclasses import fields

from immutables import Map

from checker.search.model import Parts
from checker.world.reading.consuming import where
from checker.world.reading.parts import Consumer, Left, Troubles
from checker.world.reshaping.glance import glance as glance_of_reshaping
from checker.world.reshaping.glance import listed
from checker.world.reshaping.parts import place
from reference.frontend import Frontend
from spec.vocabulary import Page, Record


def glance(parts: Parts) -> Parts:
    """Answer the same state, each part as the words that matter."""
    return {key: words for name, value in parts.items() for key, words in _words(name, value)}


def _words(name: str, value: Hashable) -> Iterator[tuple[str, Hashable]]:
    match value:
        case Frontend() if name == "f1":
            counters = [
                f"r{each.seq} at {offset}" for each, offset in sorted(value.offsets.items())
            ]
            yield "f1 counters", ", ".join(counters) or "none"
            yield "f1 lists", listed(value.view)
            yield "f1 waits for", _ranges(value)
        case Map() if name == "past":
            entries = [f"{place(each)}: {_records(held)}" for each, held in sorted(value.items())]
            yield "ever acknowledged", "; ".join(entries) or "nothing"
        case Left() | Troubles():
            yield "left" if isinstance(value, Left) else "may go wrong", _left(value)
        case Consumer(range_id, cursor):
            yield "c1 reads", f"r{range_id.seq} at {where(cursor)}"
            yield "c1 has under way", _asked(value)
        case _:
            yield from glance_of_reshaping({name: value}).items()


def _counters(front: Frontend) -> str:
    counters = [f"r{each.seq} at {offset}" for each, offset in sorted(front.offsets.items())]
    return ", ".join(counters) or "none"


def _ranges(front: Frontend) -> str:
    names = ", ".join(f"r{each.seq}" for each in sorted(front.unrecovered))
    return f"the ends of {names}" if names else "nothing"


def _records(records: tuple[Record, ...]) -> str:
    return " ".join(f"{each.value.decode()} at {each.offset}" for each in records)


def _left(left: Left | Troubles) -> str:
    held = {each.name: getattr(left, each.name) for each in fields(left)}
    return ", ".join(f"{name} {value}" for name, value in held.items() if value) or "nothing"


def _asked(consumer: Consumer) -> str:
    if consumer.asked is None:
        return "nothing"
    answer = consumer.asked.answer
    if not isinstance(answer, Page):
        return f"an error: {answer.name}"
    skips = f", {len(answer.skips)} skipped" if answer.skips else ""
    return f"{_records(answer.records) or 'an empty page'}{skips}, then {where(answer.cursor)}"
