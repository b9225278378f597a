"""What a recording shows of a frontend, of the control plane and of the store.

Most calls leave most of it as it was, and values are never changed in place: the term of a
value that is still the same object is still right.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from immutables import Map

from checker.replay import encoding
from checker.replay.terms import Term
from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View
from spec.commands import Command, Positions
from spec.vocabulary import (
    Fencing,
    Group,
    Head,
    Offset,
    Range,
    RangeId,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    Topic,
    TopicName,
)

Value = TypeVar("Value")
Key = TypeVar("Key")

KEPT = 20_000
"""Terms of one kind that are kept at most; then they are all made again."""


class Kept(Generic[Value]):
    """Makes a term once for each object. The object is kept too, so its id stays its own."""

    def __init__(self, encode: Callable[[Value], Term]) -> None:
        self._encode = encode
        self._terms: dict[int, tuple[Value, Term]] = {}

    def __call__(self, value: Value) -> Term:
        """The term of a value."""
        found = self._terms.get(id(value))
        if found is not None:
            return found[1]
        if len(self._terms) >= KEPT:
            self._terms.clear()
        term = self._encode(value)
        self._terms[id(value)] = (value, term)
        return term


def by_range(encode: Callable[[Value], Term]) -> Kept[Map[RangeId, Value]]:
    """Terms of maps by range: pairs, ascending."""
    return Kept(lambda some: [[encoding.range_id(one), encode(some[one])] for one in sorted(some)])


class Shown:
    """Terms of the large values, for the length of one trace."""

    def __init__(self) -> None:
        self._offsets: Kept[Map[RangeId, Offset]] = by_range(lambda offset: offset)
        self._sequences: Kept[Map[RangeId, Sequence]] = by_range(lambda sequence: sequence)
        self._heads: Kept[Map[RangeId, Head]] = by_range(encoding.head)
        self._rolling: Kept[Map[RangeId, Roll]] = by_range(encoding.roll)
        self._fencing: Kept[Map[RangeId, Fencing]] = by_range(encoding.fencing)
        self._unrecovered: Kept[frozenset[RangeId]] = Kept(
            lambda some: [encoding.range_id(one) for one in sorted(some)]
        )
        self._command: Kept[Command] = Kept(encoding.command)
        self._journal: Kept[tuple[Command, ...]] = Kept(
            lambda some: [self._command(one) for one in some]
        )
        self._topic: Kept[Topic] = Kept(encoding.topic)
        self._range: Kept[Range] = Kept(encoding.range_)
        self._segment: Kept[Segment] = Kept(encoding.segment)
        self._positions: Kept[Positions] = Kept(encoding.positions)
        self._ranges = Kept(self._range_pairs)
        self._segments = Kept(self._segment_pairs)
        self._committed = Kept(self._committed_rows)
        self._whole = Kept(self._metadata)
        self._log = Kept(log)
        self.state: Kept[Frontend] = Kept(self._state)
        self.view: Kept[View] = Kept(self._merged)
        self.store: Kept[Map[SegmentId, Log]] = Kept(self._store)

    def _state(self, front: Frontend) -> Term:
        journal = front.journal
        return {
            "offsets": self._offsets(front.offsets),
            "segments": self._heads(front.heads),
            "segment_seq": self._sequences(front.sequences),
            "rolling": self._rolling(front.rolling),
            "fencing": self._fencing(front.fencing),
            "unrecovered": self._unrecovered(front.unrecovered),
            "journal": None if journal is None else self._journal(journal),
            "metadata": self.view(front.view),
        }

    def metadata(self, metadata: Metadata) -> Term:
        """One vnode's metadata, or all of them as one."""
        return self._whole(metadata)

    def _metadata(self, metadata: Metadata) -> Term:
        return {
            "topics": self._topics(metadata.topics),
            "ranges": self._ranges(metadata.ranges),
            "segments": self._segments(metadata.segments),
            "committed_offsets": self._committed(metadata.committed),
        }

    def _merged(self, view: View) -> Term:
        vnodes = list(view.vnodes.values())
        if len(vnodes) == 1:
            return self._metadata(vnodes[0])
        return {
            "topics": self._topics(joined(vnode.topics for vnode in vnodes)),
            "ranges": self._range_pairs(joined(vnode.ranges for vnode in vnodes)),
            "segments": self._segment_pairs(joined(vnode.segments for vnode in vnodes)),
            "committed_offsets": self._committed_rows(joined(vnode.committed for vnode in vnodes)),
        }

    def _topics(self, topics: Mapping[TopicName, Topic]) -> Term:
        return {name: self._topic(topics[name]) for name in sorted(topics)}

    def _range_pairs(self, ranges: Mapping[RangeId, Range]) -> Term:
        return [[encoding.range_id(one), self._range(ranges[one])] for one in sorted(ranges)]

    def _segment_pairs(self, segments: Mapping[SegmentId, Segment]) -> Term:
        return [
            [encoding.segment_id(one), self._segment(segments[one])] for one in sorted(segments)
        ]

    def _committed_rows(self, committed: Mapping[tuple[Group, TopicName], Positions]) -> Term:
        return [
            [group, topic, self._positions(committed[group, topic])]
            for group, topic in sorted(committed)
        ]

    def _store(self, logs: Map[SegmentId, Log]) -> Term:
        return [[encoding.segment_id(one), self._log(logs[one])] for one in sorted(logs)]


def log(one: Log) -> Term:
    """A log of the store. Keys stand for its records."""
    latch = one.latch
    return {
        "start": one.start,
        "end": one.end,
        "fence": None if latch is None else [latch.end, latch.byte_size],
        "keys": [None if each.key is None else each.key.decode() for each in one.records],
    }


def joined(maps: Iterable[Mapping[Key, Value]]) -> dict[Key, Value]:
    """The entries of several maps that share no key."""
    return {key: value for one in maps for key, value in one.items()}
