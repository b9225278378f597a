"""A state of a world of copies, in words."""

from collections.abc import Hashable, Iterator

from checker.search.model import Parts
from checker.world.copies.parts import Consumer, Expiring, FailingOver, Healing, Probed, Scrubbing
from checker.world.sharing import glance as sharing
from checker.world.sharing.sight import listing_of
from reference.store import Log
from reference.vnodes import View


def glance(parts: Parts) -> Parts:
    """Answer a state for people: each part as the words that matter."""
    return {key: words for name, value in parts.items() for key, words in _words(name, value)}


def _words(name: str, value: Hashable) -> Iterator[tuple[str, Hashable]]:
    match value:
        case View():
            yield from sharing.glance({name: value}).items()
            yield f"{name} plane leads to", _leaders(value)
        case Log():
            yield _copy(name), sharing.log_in_words(value)
        case FailingOver() | Probed() | Expiring() | Healing() | Scrubbing():
            yield name, _pass(value)
        case Consumer():
            given = " ".join(each.record.value.decode() for each in value.delivered)
            yield name, given or "was given nothing"
        case frozenset():
            yield name, " ".join(sorted(value)) or "nothing"
        case None if name.startswith("coordinator"):
            yield name, "idle"
        case None if ".s" in name:
            yield _copy(name), "nothing"
        case bool():
            yield name, "up" if value else "down"
        case _:
            yield from sharing.glance({name: value}).items()


def _copy(name: str) -> str:
    broker, _, segment = name.partition(".")
    return f"{segment} at {broker}"


def _leaders(view: View) -> str:
    sets = [f"s{each.seq}: {' '.join(one.replica_set)}" for each, one in listing_of(view)]
    return ", ".join(sets) or "no broker"


def _pass(held: FailingOver | Probed | Expiring | Healing | Scrubbing) -> str:
    place = f"s{held.segment_id.seq}"
    match held:
        case Probed():
            return f"heard that {place} is fenced at {held.end}"
        case Expiring():
            what = "its listing and the copies" if held.is_listed else "the copies"
            return f"removes of {place} {what} at {' '.join(held.brokers)}"
        case Healing():
            is_copied = "copied" if held.holders else "not copied yet"
            return f"replaces {held.dead} of {place} by {held.spare}: {is_copied}"
        case Scrubbing():
            return f"clears the copy of {place} at {held.broker} away"
        case FailingOver():
            return _failing_over(held, place)


def _failing_over(held: FailingOver, place: str) -> str:
    heard = ", ".join(f"{each.broker} ends at {each.end_offset}" for each in held.answers)
    asked = f"fails {place} over, asks {' '.join(held.asked)}"
    failed = f", reported: {' '.join(held.failed)}" if held.failed else ""
    return f"{asked}{failed}; heard: {heard or 'nothing'}"
