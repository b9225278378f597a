"""The parts of a world of views in a few words each, for people who read a trace."""

from collections.abc import Hashable, Iterator

from checker.search.model import Parts
from checker.world.views.orders import in_words, place
from checker.world.views.parts import Begun, Reads, Told
from reference.frontend import Frontend
from reference.vnodes import View, merged
from spec.commands import Command
from spec.replies import Refusal
from spec.vocabulary import Segment


def glance(parts: Parts) -> Parts:
    """Answer the same state, each part as the words that matter."""
    return {key: words for name, value in parts.items() for key, words in _words(name, value)}


def _words(name: str, value: Hashable) -> Iterator[tuple[str, Hashable]]:
    match value:
        case Frontend():
            yield from _frontend(name, value)
        case View():
            yield f"{name} plane lists", lists(value)
        case Reads(left, begun):
            yield f"{name}", "; ".join(map(_read, begun)) or f"none under way, {left} left"
        case Told(_, reply):
            yield name, reply.name if isinstance(reply, Refusal) else "done"
        case None | False:
            yield name, "nothing" if name == "late" else "not done"
        case True:
            yield name, "done"
        case int():
            yield f"{name} left", value
        case _:
            yield name, in_words(value)  # type: ignore[arg-type] # the command that is late


def _frontend(name: str, front: Frontend) -> Iterator[tuple[str, Hashable]]:
    yield f"{name} lists", lists(front.view)
    if front.journal is not None:
        yield f"{name} journal", _commands(front.journal) or "empty"
    heads = [
        f"{place(head.id)} on {' '.join(head.replica_set)}"
        for _, head in sorted(front.heads.items())
    ]
    yield f"{name} heads", ", ".join(heads) or "none"
    owed = [place(roll.segment_id) for _, roll in sorted(front.rolling.items())]
    yield f"{name} owes", ", ".join(owed) or "none"
    yield f"{name} brokers", " ".join(front.options.brokers)


def lists(view: View) -> str:
    """What a view lists, topic by topic, and what groups committed."""
    flat = merged(view)
    topics = [
        f"{name} of {topic.keyspace_size}"
        + (f" bound to {topic.policy}" if topic.policy else "")
        + (" (sealed)" if topic.state.value == "sealed" else "")
        for name, topic in sorted(flat.topics.items())
    ]
    segments = [f"{place(each)} {_segment(one)}" for each, one in sorted(flat.segments.items())]
    committed = [
        f"{group} in {topic} at {position}"
        for (group, topic), positions in sorted(flat.committed.items())
        for _, position in sorted(positions.items())
    ]
    return "; ".join((*topics, *segments, *committed)) or "nothing"


def _segment(segment: Segment) -> str:
    end = "" if segment.length is None else f" to {segment.start_offset + segment.length}"
    return f"{segment.state.value} from {segment.start_offset}{end}"


def _read(begun: Begun) -> str:
    missing = f", without {' '.join(sorted(begun.unread))}" if begun.unread else ""
    return f"under way: {lists(begun.view)}{missing}"


def _commands(commands: tuple[Command, ...]) -> str:
    return ", ".join(map(in_words, commands))
