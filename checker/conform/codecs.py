"""How values stand in a message: the few shapes of the Informal Trace Format, and bytes.

A codec writes a value, reads one strictly, and says in JSON Schema what it takes. What a term means
is settled by the codec that reads it, never guessed from the term.
"""

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

from immutables import Map

from checker.conform.straight import construction, function, object_of
from checker.replay.terms import BITS, MalformedError, Term, fields, items, text, wrong

Value = TypeVar("Value")
Form = TypeVar("Form")
Key = TypeVar("Key")
Entry = TypeVar("Entry")
Schema = Mapping[str, object]
Reader = Callable[[Term, str], Value]
"""Takes a term and its path; raises MalformedError with that path."""

KEPT = 4096
"""So many values or terms of one kind are known again; then all are worked out anew."""
SMALL = 2**53
"""Whole numbers from here on stand as text: some readers keep no more digits."""
UNIT: dict[str, Term] = {"#tup": []}
"""The value of a variant that carries nothing."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[Value]):
    """One kind of value on the wire."""

    encode: Callable[[Value], Term]
    decode: Reader[Value]
    schema: Schema
    name: str = ""
    """The name of its definition in the published schema; none where it is written out."""
    inline: str = ""
    """What `encode` does, as an expression over `{}`; none where it has to be called."""

    def used(self) -> Schema:
        """How another schema speaks of this one."""
        return {"$ref": f"#/$defs/{self.name}"} if self.name else self.schema


def named(name: str, codec: Codec[Value], book: dict[str, Schema]) -> Codec[Value]:
    """The codec under a name of its own in a book of definitions."""
    book[name] = codec.schema
    return Codec(codec.encode, codec.decode, codec.schema, name)


def once(function: Callable[[Value], Form], most: int = KEPT) -> Callable[[Value], Form]:
    """The function, run once for each object. The object is kept, so its identity stays its own."""
    found: dict[int, tuple[Value, Form]] = {}

    def recalling(value: Value) -> Form:
        known = found.get(id(value))
        if known is not None:
            return known[1]
        if len(found) >= most:
            found.clear()
        result = function(value)
        found[id(value)] = value, result
        return result

    return recalling


def kept(codec: Codec[Value]) -> Codec[Value]:
    """The codec, which writes a value that is still the same object only once.

    A term that was written in this process is known again as well, while it is the same object:
    nobody changes a term, so it stands for the value that it was written from.
    """
    write = codec.encode
    terms: dict[int, tuple[Value, Term]] = {}
    values: dict[int, tuple[Value, Term]] = {}

    def encode(value: Value) -> Term:
        known = terms.get(id(value))
        if known is not None:
            return known[1]
        if len(terms) >= KEPT:
            terms.clear()
            values.clear()
        term = write(value)
        terms[id(value)] = values[id(term)] = value, term
        return term

    return Codec(encode, knowing(values, codec.decode), codec.schema, codec.name)


def hashed(codec: Codec[Value]) -> Codec[Value]:
    """The codec, which writes equal values only once: for ids, the same few of which come back."""
    write = codec.encode
    values: dict[int, tuple[Value, Term]] = {}

    @lru_cache(KEPT)
    def encode(value: Value) -> Term:
        if len(values) >= KEPT:
            values.clear()
        term = write(value)
        values[id(term)] = value, term
        return term

    return Codec(encode, knowing(values, codec.decode), codec.schema, codec.name)


def knowing(values: Mapping[int, tuple[Value, Term]], decode: Reader[Value]) -> Reader[Value]:
    """Reads a term, unless it is the very object that a value was written as."""

    def read(term: Term, path: str) -> Value:
        known = values.get(id(term))
        return decode(term, path) if known is None else known[0]

    return read


def whole_number(make: Callable[[int], Value]) -> Codec[Value]:
    """A whole number; a large one as `{"#bigint": "..."}`."""

    def encode(value: Value) -> Term:
        number = cast("int", value)
        return number if -SMALL < number < SMALL else large(number)

    def decode(term: Term, path: str) -> Value:
        if type(term) is int and -SMALL < term < SMALL:
            return make(term)
        return make(big_number(term, path))

    inline = "(n if -SMALL < (n := {}) < SMALL else large(n))"
    return Codec(encode, decode, {"$ref": "#/$defs/Integer"}, inline=inline)


def large(number: int) -> Term:
    """A whole number as text."""
    return {"#bigint": str(number)}


def big_number(term: Term, path: str) -> int:
    """A whole number that is written as text."""
    if not isinstance(term, dict) or term.keys() != {"#bigint"}:
        raise wrong(path, f"a whole number below 2^53 or a {'#bigint'}", term)
    digits = text(term["#bigint"], path)
    bare = digits.removeprefix("-")
    if not (bare.isascii() and bare.isdigit()) or len(bare) > BITS // 3:
        raise wrong(path, f"a whole number of at most {BITS} bits", digits)
    return int(digits)


INTEGER_SCHEMA: Schema = {
    "oneOf": [
        {"type": "integer", "exclusiveMinimum": -SMALL, "exclusiveMaximum": SMALL},
        {
            "type": "object",
            "properties": {"#bigint": {"type": "string", "pattern": "^-?[0-9]+$"}},
            "required": ["#bigint"],
            "additionalProperties": False,
        },
    ]
}


def string(make: Callable[[str], Value]) -> Codec[Value]:
    """A string."""

    def decode(term: Term, path: str) -> Value:
        return make(text(term, path))

    return Codec(lambda value: cast("str", value), decode, {"type": "string"}, inline="{}")


def one_of(*values: Any) -> Codec[Any]:  # noqa: ANN401 # members of any one enumeration
    """A word: one member of an enumeration."""
    words = {each.value: each for each in values}

    def decode(term: Term, path: str) -> object:
        if isinstance(term, str) and term in words:
            return words[term]
        raise wrong(path, " or ".join(words), term)

    return Codec(attrgetter("_value_"), decode, {"enum": list(words)}, inline="{}._value_")


def _boolean(term: Term, path: str) -> bool:
    if isinstance(term, bool):
        return term
    raise wrong(path, "true or false", term)


boolean: Codec[bool] = Codec(lambda value: value, _boolean, {"type": "boolean"}, inline="{}")


def _encode_blob(value: bytes) -> Term:
    return {"#bytes": base64.b64encode(value).decode()}


def _decode_blob(term: Term, path: str) -> bytes:
    if not isinstance(term, dict) or term.keys() != {"#bytes"}:
        raise wrong(path, "bytes", term)
    try:
        return base64.b64decode(text(term["#bytes"], path), validate=True)
    except (binascii.Error, ValueError):
        raise wrong(path, "base64", term["#bytes"]) from None


blob: Codec[bytes] = Codec(
    _encode_blob,
    _decode_blob,
    {
        "type": "object",
        "properties": {"#bytes": {"type": "string", "contentEncoding": "base64"}},
        "required": ["#bytes"],
        "additionalProperties": False,
    },
)


def many(codec: Codec[Value]) -> Codec[tuple[Value, ...]]:
    """A list, in order."""
    encode, decode = codec.encode, codec.decode

    def encode_all(values: tuple[Value, ...]) -> Term:
        return [encode(each) for each in values]

    return Codec(
        cast("Callable[[tuple[Value, ...]], Term]", list) if codec.inline == "{}" else encode_all,
        lambda term, path: tuple(
            decode(each, f"{path}[{at}]") for at, each in enumerate(items(term, path))
        ),
        {"type": "array", "items": codec.used()},
    )


def wrapped(term: Term, key: str, path: str) -> list[Term]:
    """What stands under the one key of an object: `#tup`, `#map` or `#set`."""
    if not isinstance(term, dict) or term.keys() != {key}:
        raise wrong(path, f'an object with the one key "{key}"', term)
    return items(term[key], path)


def wrapping(key: str, inside: Schema) -> Schema:
    """The schema of an object with one such key."""
    return {
        "type": "object",
        "properties": {key: inside},
        "required": [key],
        "additionalProperties": False,
    }


def tuple_of(make: Callable[..., Value], *codecs: Codec[Any]) -> Codec[Value]:
    """A tuple of fixed length: `{"#tup": [...]}`."""
    encodes = [each.encode for each in codecs]
    decodes = [each.decode for each in codecs]

    def encode(value: Value) -> Term:
        parts = cast("Iterable[object]", value)
        return {"#tup": [write(part) for write, part in zip(encodes, parts, strict=True)]}

    def decode(term: Term, path: str) -> Value:
        parts = wrapped(term, "#tup", path)
        if len(parts) != len(decodes):
            raise wrong(path, f"a tuple of {len(decodes)}", term)
        return make(*[read(part, path) for read, part in zip(decodes, parts, strict=True)])

    inside: Schema = {
        "type": "array",
        "prefixItems": [each.used() for each in codecs],
        "minItems": len(codecs),
        "maxItems": len(codecs),
    }
    return Codec(encode, decode, wrapping("#tup", inside))


def map_of(keys: Codec[Key], values: Codec[Entry]) -> Codec[Map[Key, Entry]]:
    """A map: `{"#map": [[key, value], ...]}`, in any order; written in ascending order."""
    encode_key, decode_key = keys.encode, keys.decode
    encode_value, decode_value = values.encode, values.decode

    def encode(value: Map[Key, Entry]) -> Term:
        some = sorted(cast("Iterable[Any]", value)) if value else ()
        return {"#map": [[encode_key(key), encode_value(value[key])] for key in some]}

    def decode(term: Term, path: str) -> Map[Key, Entry]:
        found: dict[Key, Entry] = {}
        pairs = wrapped(term, "#map", path)
        for pair in pairs:
            first, second = items(pair, path, 2)
            key = decode_key(first, path)
            found[key] = decode_value(second, f"{path}[{key_text(key)}]")
        if len(found) != len(pairs):
            raise MalformedError(f"{path} names a key twice")
        return Map(found)

    pair: Schema = {
        "type": "array",
        "prefixItems": [keys.used(), values.used()],
        "minItems": 2,
        "maxItems": 2,
    }
    return Codec(encode, decode, wrapping("#map", {"type": "array", "items": pair}))


def key_text(key: object) -> str:
    """A key as it stands in a path."""
    if isinstance(key, tuple):
        return ".".join(key_text(each) for each in key)
    return str(key)


def set_of(codec: Codec[Value]) -> Codec[frozenset[Value]]:
    """A set: `{"#set": [...]}`, in any order; written in ascending order."""
    encode, decode = codec.encode, codec.decode

    def decode_set(term: Term, path: str) -> frozenset[Value]:
        some = wrapped(term, "#set", path)
        found = frozenset(decode(each, path) for each in some)
        if len(found) != len(some):
            raise MalformedError(f"{path} holds a value twice")
        return found

    return Codec(
        lambda values: {"#set": [encode(each) for each in sorted(cast("Iterable[Any]", values))]},
        decode_set,
        wrapping("#set", {"type": "array", "items": codec.used()}),
    )


def record_of(make: Callable[..., Value], **codecs: Codec[Any]) -> Codec[Value]:
    """A record: an object with exactly these fields."""
    read = fields_reader(codecs, make)
    return Codec(fields_writer(codecs, "it.{}"), read, record_schema(codecs))


def fields_writer(codecs: Mapping[str, Codec[Any]], place: str) -> Callable[[Any], dict[str, Term]]:
    """Writes an object of parts, each of which stands in a value, `it`, at a place by its name."""
    names = {f"write_{name}": each.encode for name, each in codecs.items()}
    parts = object_of(
        (name, (each.inline or f"write_{name}({{}})").format(place.format(name)))
        for name, each in codecs.items()
    )
    return function("it", parts, {**names, "SMALL": SMALL, "large": large})


def fields_reader(codecs: Mapping[str, Codec[Any]], make: Callable[..., Value]) -> Reader[Value]:
    """Reads an object of just these parts, and makes something of them."""
    names = {f"read_{name}": each.decode for name, each in codecs.items()}
    parts = [(name, f"read_{name}(it[{name!r}], path + {'.' + name!r})") for name in codecs]
    read = function("it, path", construction("make", parts), {**names, "make": make})
    expected = frozenset(codecs)

    def decode(term: Term, path: str) -> Value:
        found = fields(term, path)
        if found.keys() != expected:
            raise unlike(found, expected, path)
        made: Value = read(found, path)
        return made

    return decode


def record_schema(codecs: Mapping[str, Codec[Any]]) -> Schema:
    """The schema of an object with exactly these fields."""
    return {
        "type": "object",
        "properties": {name: each.used() for name, each in codecs.items()},
        "required": list(codecs),
        "additionalProperties": False,
    }


def unlike(found: dict[str, Term], names: frozenset[str], path: str) -> MalformedError:
    """The complaint about a missing or an unknown field."""
    missing, unknown = names - found.keys(), found.keys() - names
    if missing:
        return MalformedError(f"{path}.{min(missing)} is missing")
    return MalformedError(f"{path} has the unknown field {min(unknown)[:60]!r}")
