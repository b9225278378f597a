"""The parts of the world in a few words each, for people who read a trace."""

from collections.abc import Hashable, Iterator

from checker.search.model import Parts
from checker.world.sharing.parts import Answered, Copies, Failed, Fence, Held, Reading, Sent
from checker.world.sharing.rules import NOW
from checker.world.sharing.sight import listing_of, seen_by
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View
from spec.commands import Command, RegisterSegment, SealSegment
from spec.replies import Appended, Sealed
from spec.truth import Acknowledged
from spec.vocabulary import Millis, Record, SegmentId


def glance(parts: Parts) -> Parts:
    """Answer the same state, each part as the words that matter."""
    return {key: words for name, value in parts.items() for key, words in _words(name, value)}


def _words(name: str, value: Hashable) -> Iterator[tuple[str, Hashable]]:
    match value:
        case Frontend():
            yield from _frontend(name, value)
        case View():
            yield f"{name} plane lists", _listing(value)
        case Copies(primary, majority):
            yield f"{name} at its primary", log_in_words(primary)
            yield f"{name} at the others", log_in_words(majority)
        case Reading(left, view, is_recovering):
            idle = "recovery is due" if is_recovering else f"{left} left"
            yield name, idle if view is None else f"under way: {_listing(view)}"
        case Fence(_, closed):
            yield f"fence {name}", "asked" if closed is None else f"answered: ends at {closed.end}"
        case _ if "/" in name:
            yield f"fence {name}", "none"
        case _ if name.startswith("s") and value is None:
            yield f"{name} at its primary", "nothing"
            yield f"{name} at the others", "nothing"
        case _ if isinstance(value, int):
            yield f"{name} left", value
        case _:
            yield f"batch {name}", _batch(value)


def _frontend(name: str, front: Frontend) -> Iterator[tuple[str, Hashable]]:
    seen = seen_by(front)
    roll, awaited = seen.owed, seen.awaited
    yield f"{name} counter", seen.counter
    yield f"{name} head", "none" if seen.head is None else place(seen.head.id)
    yield f"{name} next segment", f"s{seen.sequence or 0}"
    yield f"{name} owes", "none" if roll is None else _mark(roll.segment_id, roll.fence_sent_at)
    yield (
        f"{name} awaits",
        "none" if awaited is None else _mark(awaited.segment_id, awaited.sent_at),
    )
    yield f"{name} lists", _listing(front.view)
    if front.journal is not None:
        yield f"{name} journal", "; ".join(map(_command, front.journal)) or "empty"
    yield f"{name} end", "known" if seen.is_recovered else "unrecovered"


def place(segment_id: SegmentId) -> str:
    """The short name of a segment of the range."""
    return f"s{segment_id.seq}"


def _mark(segment_id: SegmentId, sent_at: Millis | None) -> str:
    if sent_at is None:
        return place(segment_id)
    return f"{place(segment_id)}, {'just sent' if sent_at == NOW else 'sent long ago'}"


def _listing(view: View) -> str:
    entries = [
        f"{place(each)} {segment.state.value} from {segment.start_offset}"
        + ("" if segment.length is None else f" to {segment.start_offset + segment.length}")
        for each, segment in listing_of(view)
    ]
    return ", ".join(entries) or "no segment"


def log_in_words(log: Log) -> str:
    """What a log holds, from where, and whether it was closed."""
    held = _records(log.records) or "no record"
    return f"{held} from {log.start}{', fenced' if log.fenced else ''}"


def _records(records: tuple[Record, ...]) -> str:
    return " ".join(record.value.decode() for record in records)


def _batch(slot: Hashable) -> str:  # noqa: PLR0911 - one case for each stage of its life
    match slot:
        case Sent(dispatch, is_again):
            again = "again " if is_again else ""
            return f"sent {again}to {place(dispatch.segment_id)} at {dispatch.first}"
        case Answered(_, Appended(last)):
            return f"answered: ends at {last}"
        case Answered(_, Sealed(end)):
            return f"answered: sealed at {end}"
        case Answered():
            return "answered: failed"
        case Held():
            return "held behind the fence"
        case Acknowledged(segment_id, first, last):
            return f"acknowledged in {place(segment_id)} at {first} to {last}"
        case Failed():
            return "failed"
        case _:
            return "not sent"


def _command(command: Command) -> str:
    match command:
        case RegisterSegment(_, segment_id, _, start):
            return f"register {place(segment_id)} at {start}"
        case SealSegment(segment_id, length):
            return f"seal {place(segment_id)} with length {length}"
        case _:
            return command.tag
