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
    body: Callable[[Any], Any]
    """From the whole value to what the tag carries."""
    make: Callable[[Any], Any]
    """And back."""
    kind: type | None = None
    """The class of all its values; none where they have several."""


def bare(tag: str, value: object) -> Case:
    """An alternative that carries nothing and stands for one value."""
    return Case(
        tag, lambda other: other == value, None, lambda _: None, lambda _: value, type(value)
    )


def single(tag: str, kind: type, name: str, codec: Codec[Any]) -> Case:
    """An alternative of a class with one field, and carries that field's value."""
    return Case(tag, lambda _: True, codec, attrgetter(name), kind, kind)


def whole_record(tag: str, kind: type, **codecs: Codec[Any]) -> Case:
    """An alternative of a class, and carries its fields."""
    codec: Codec[Any] = record_of(kind, **codecs)
    return Case(tag, lambda _: True, codec, lambda value: value, lambda value: value, kind)


def direct(tag: str, is_mine: Callable[[Any], bool], codec: Codec[Any]) -> Case:
    """An alternative that carries the value itself."""
    return Case(tag, is_mine, codec, lambda value: value, lambda value: value)


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
    by_kind: dict[type, list[Case]] = {}
    for case in cases:
        if case.kind is not None:
            by_kind.setdefault(case.kind, []).append(case)
    others = [case for case in cases if case.kind is None]

    def encode(value: object) -> Term:
        for case in by_kind.get(type(value), others):
            if case.is_mine(value):
                inside = UNIT if case.codec is None else case.codec.encode(case.body(value))
                return {"tag": case.tag, "value": inside}
        raise TypeError(f"no alternative for {value!r} among {[case.tag for case in cases]}")

    return encode


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
    return variant(bare("none", None), direct("some", lambda value: value is not None, codec))
