"""Variants: one of several alternatives, each with a tag and what it carries."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

from checker.conform.codecs import UNIT, Codec, Schema, record_of, unlike
from checker.replay.terms import Term, field, fields, text, wrong

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Case:
    """One alternative of a variant."""

    tag: str
    is_mine: Callable[[Any], bool]
    codec: Codec[Any] | None
    """Of the value that the tag carries; none where it carries nothing."""
    body: Callable[[Any], Any] | None
    """From the whole value to what the tag carries; none where it carries the whole."""
    make: Callable[[Any], Any]
    """And back."""
    kind: type | None = None
    """The class of all its values; none where they have several."""


def bare(tag: str, value: object) -> Case:
    """An alternative that carries nothing and stands for one value."""
    return Case(tag, lambda other: other == value, None, None, lambda _: value, type(value))


def single(tag: str, kind: type, name: str, codec: Codec[Any]) -> Case:
    """An alternative of a class with one field, and carries that field's value."""
    return Case(tag, lambda _: True, codec, attrgetter(name), kind, kind)


def whole_record(tag: str, kind: type, **codecs: Codec[Any]) -> Case:
    """An alternative of a class, and carries its fields."""
    codec: Codec[Any] = record_of(kind, **codecs)
    return Case(tag, lambda _: True, codec, None, lambda value: value, kind)


def direct(tag: str, is_mine: Callable[[Any], bool], codec: Codec[Any]) -> Case:
    """An alternative that carries the value itself."""
    return Case(tag, is_mine, codec, None, lambda value: value)


def variant(*cases: Case) -> Codec[Any]:
    """One of several alternatives: `{"tag": ..., "value": ...}`."""
    by_tag = {case.tag: case for case in cases}

    def decode(term: Term, path: str) -> object:
        found = fields(term, path)
        if found.keys() != {"tag", "value"}:
            raise unlike(found, frozenset({"tag", "value"}), path)
        tag = text(field(found, "tag", path), f"{path}.tag")
        if tag not in by_tag:
            raise wrong(f"{path}.tag", " or ".join(sorted(by_tag)), tag)
        case = by_tag[tag]
        if case.codec is None:
            if found["value"] != UNIT:
                raise wrong(f"{path}.value", "the empty tuple", found["value"])
            return case.make(None)
        return case.make(case.codec.decode(found["value"], f"{path}.{tag}"))

    schema = {"oneOf": [case_schema(case) for case in cases]}
    return Codec(writer_of(cases), decode, schema)


def writer_of(cases: tuple[Case, ...]) -> Callable[[object], Term]:
    """What writes the alternative that a value is."""
    by_kind: dict[type, list[tuple[Callable[[Any], bool], Callable[[Any], Term]]]] = {}
    for case in cases:
        if case.kind is not None:
            by_kind.setdefault(case.kind, []).append((case.is_mine, case_writer(case)))
    others = [(case.is_mine, case_writer(case)) for case in cases if case.kind is None]

    def encode(value: object) -> Term:
        for is_mine, write in by_kind.get(type(value), others):
            if is_mine(value):
                return write(value)
        raise TypeError(f"no alternative for {value!r} among {[case.tag for case in cases]}")

    return encode


def case_writer(case: Case) -> Callable[[Any], Term]:
    """What writes one alternative."""
    tag = case.tag
    if case.codec is None:
        alone: Term = {"tag": tag, "value": UNIT}
        return lambda _: alone
    write, body = case.codec.encode, case.body
    if body is None:
        return lambda value: {"tag": tag, "value": write(value)}
    return lambda value: {"tag": tag, "value": write(body(value))}


def case_schema(case: Case) -> Schema:
    """The schema of one alternative."""
    value: Schema = {"const": UNIT} if case.codec is None else case.codec.used()
    return {
        "type": "object",
        "properties": {"tag": {"const": case.tag}, "value": value},
        "required": ["tag", "value"],
        "additionalProperties": False,
    }


def option(codec: Codec[Value]) -> Codec[Value | None]:
    """A value or none: `{"tag": "some", "value": x}`, `{"tag": "none", "value": {"#tup": []}}`."""
    either = variant(bare("none", None), direct("some", lambda value: value is not None, codec))
    write, nothing = codec.encode, either.encode(None)

    def encode(value: Value | None) -> Term:
        return nothing if value is None else {"tag": "some", "value": write(value)}

    return Codec(encode, either.decode, either.schema)
