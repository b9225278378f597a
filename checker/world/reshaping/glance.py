"""The parts of the world in a few words each, for people who read a trace."""

from collections.abc import Hashable, Iterator

from immutables import Map

from checker.search.model import Parts
from checker.world.reshaping.parts import Logs, Reshaping, place
from checker.world.reshaping.sight import blocks_of, listing_in
from checker.world.sharing.parts import Answered, Failed, Reading, Sent
from reference.frontend import Frontend
from reference.vnodes import View
from spec.replies import Appended, Sealed
from spec.truth import Acknowledged, edge_of
from spec.vocabulary import RangeId, State


def glance(parts: Parts) -> Parts:
    """Answer the same state, each part as the words that matter."""
    return {key: words for name, value in parts.items() for key, words in _words(name, value)}


def _words(name: str, value: Hashable) -> Iterator[tuple[str, Hashable]]:
    match value:
        case Frontend():
            yield from _frontend(name, value)
        case View():
            yield f"{name} plane lists", listed(value)
        case Map():
            yield name, _logs(value)
        case Reading(left, view):
            yield name, f"{left} left" if view is None else f"under way: {listed(view)}"
        case Reshaping():
            yield name, _work(value)
        case _ if isinstance(value, int):
            yield f"{name} left", value
        case _:
            yield f"batch {name}", _batch(value)


def _frontend(name: str, front: Frontend) -> Iterator[tuple[str, Hashable]]:
    counters = [f"r{each.seq} at {offset}" for each, offset in sorted(front.offsets.items())]
    heads = [place(head.id) for _, head in sorted(front.heads.items())]
    yield f"{name} counters", ", ".join(counters) or "none"
    yield f"{name} heads", ", ".join(heads) or "none"
    yield f"{name} lists", listed(front.view)
    if front.journal is not None:
        yield f"{name} journal", "; ".join(each.tag for each in front.journal) or "empty"


def listed(view: View) -> str:
    """The ranges and segments of a view."""
    return "; ".join(
        f"r{each.seq} {block.state.value} [{block.key_start}, {block.key_end})"
        f"{_segments(view, each)}"
        for each, block in blocks_of(view)
    )


def _segments(view: View, range_id: RangeId) -> str:
    words = [
        f"s{each.seq} from {segment.start_offset}"
        + (", open" if segment.state is State.ACTIVE else f" to {edge_of(segment)}")
        for each, segment in listing_in(view, range_id)
    ]
    return f" with {' and '.join(words)}" if words else ""


def _logs(logs: Logs) -> str:
    entries = [
        f"{place(each)}: {' '.join(record.value.decode() for record in log.records) or 'nothing'}"
        f"{', fenced' if log.fenced else ''}"
        for each, log in sorted(logs.items())
    ]
    return "; ".join(entries) or "none"


def _work(work: Reshaping) -> str:
    if work.is_done:
        return "done"
    if not work.is_under_way:
        return f"{work.left} tries left"
    if work.fence is None:
        return "heads closed: " + (", ".join(f"r{each.seq}" for each in work.ready) or "none")
    segment_id, closed = work.fence.roll.segment_id, work.fence.closed
    if closed is None:
        return f"fence of {place(segment_id)} under way"
    return f"fence of {place(segment_id)} answered: ends at {closed.end}"


def _batch(slot: Hashable) -> str:
    match slot:
        case Sent(dispatch):
            return f"sent to {place(dispatch.segment_id)} at {dispatch.first}"
        case Answered(_, Appended(last)):
            return f"answered: ends at {last}"
        case Answered(_, Sealed(end)):
            return f"answered: sealed at {end}"
        case Acknowledged(segment_id, first):
            return f"acknowledged in {place(segment_id)} at {first}"
        case Failed():
            return "failed"
        case _:
            return "not sent"
