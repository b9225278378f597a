"""What a frontend shows of itself: all that it holds but its options, the view as one."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from immutables import Map

from checker.conform.codecs import (
    Codec,
    fields_writer,
    many,
    map_of,
    once,
    record_of,
    set_of,
    string,
)
from checker.conform.lines import text_of
from checker.conform.nouns import (
    BOOK,
    attributes,
    brokers,
    byte_size,
    command,
    fencing,
    head,
    metadata,
    offset,
    plain_integer,
    plain_string,
    range_id,
    roll,
    sequence,
)
from checker.conform.variants import option
from checker.replay.terms import Term, fields
from reference import vnodes
from reference.controlplane import Metadata
from reference.frontend import Frontend, Options
from spec.commands import Command
from spec.vocabulary import Fencing, Head, Offset, RangeId, Roll, Sequence


@dataclass(frozen=True, slots=True)
class State:
    """What a frontend shows."""

    offsets: Map[RangeId, Offset]
    heads: Map[RangeId, Head]
    sequences: Map[RangeId, Sequence]
    rolling: Map[RangeId, Roll]
    fencing: Map[RangeId, Fencing]
    unrecovered: frozenset[RangeId]
    journal: tuple[Command, ...] | None
    view: Metadata


merged = once(vnodes.merged)
"""All vnodes of a view as one."""


def state_of(front: Frontend) -> State:
    """The state of a frontend of the reference."""
    return State(
        front.offsets,
        front.heads,
        front.sequences,
        front.rolling,
        front.fencing,
        front.unrecovered,
        front.journal,
        merged(front.view),
    )


PARTS: Mapping[str, Codec[Any]] = MappingProxyType(
    {
        "offsets": map_of(range_id, offset),
        "heads": map_of(range_id, head),
        "sequences": map_of(range_id, sequence),
        "rolling": map_of(range_id, roll),
        "fencing": map_of(range_id, fencing),
        "unrecovered": set_of(range_id),
        "journal": option(many(command)),
        "view": metadata,
    }
)
"""Each part of a state with its codec."""
state: Codec[State] = record_of(State, **PARTS)
BOOK["State"] = state.schema

options: Codec[Options] = record_of(
    Options,
    brokers=brokers,
    replication_factor=plain_integer,
    segment_max_bytes=byte_size,
    spread_by=option(plain_string),
    broker_attributes=attributes,
    min_domains=option(plain_integer),
    placement_policy=string(str),
)
BOOK["Options"] = options.schema


class StateReader:
    """Reads states of one adapter. A part that was read a moment ago is not read again."""

    def __init__(self, opaque: Collection[str] = ()) -> None:
        self.names = tuple(name for name in PARTS if name not in opaque)
        self._last: dict[str, tuple[bytes, object]] = {}

    def read(self, term: Term, path: str = "state") -> dict[str, object]:
        """Every part that the adapter shows; what it calls opaque is passed by."""
        found = fields(term, path)
        missing = [name for name in self.names if name not in found]
        if missing or found.keys() - PARTS.keys():
            state.decode(term, path)
        return {name: self._part(name, found[name], path) for name in self.names}

    def _part(self, name: str, term: Term, path: str) -> object:
        # Texts are compared, not terms: Python holds 1 for equal to true.
        text = text_of(term)
        last = self._last.get(name)
        if last is not None and last[0] == text:
            return last[1]
        value: object = PARTS[name].decode(term, f"{path}.{name}")
        self._last[name] = text, value
        return value


ONCE: Mapping[str, Codec[Any]] = MappingProxyType(
    {name: replace(codec, encode=once(codec.encode)) for name, codec in PARTS.items()}
)
"""The same, each of which writes a part that is still the same object only once."""
_write = fields_writer({name: codec for name, codec in ONCE.items() if name != "view"}, "it.{}")
TEXTS = tuple((name, once(text_of)) for name in PARTS)
SHAPE = b"{%b}" % b",".join(b'"%b":%%b' % name.encode() for name in PARTS)
"""Where the text of each part stands."""


def _written(front: Frontend) -> dict[str, Term]:
    found = _write(front)
    found["view"] = ONCE["view"].encode(merged(front.view))
    return found


def _written_text(front: Frontend) -> bytes:
    terms = written(front)
    return SHAPE % tuple([text(terms[name]) for name, text in TEXTS])


written = once(_written)
"""The state of a frontend as a term."""
written_text = once(_written_text)
"""The same as it stands in a line."""
