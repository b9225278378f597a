"""What differs between two values, path by path."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from typing import NamedTuple


class Absent:
    """Stands for a value that one side does not have."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


class Difference(NamedTuple):
    """One place where two values differ."""

    path: str
    """As in Python: `offsets[t.0]`, `heads[2].end`."""
    before: object
    after: object


class Content(NamedTuple):
    """What a value consists of."""

    members: dict[str, object]
    """By the last part of the path: `.end`, `[2]`."""
    opening: str
    """How it is shown: `(` and `)` for a tuple, `Segment(` and `)` for a class."""
    closing: str
    has_names: bool
    """Whether its members are shown with their names."""


def differences(before: object, after: object, path: str = "") -> tuple[Difference, ...]:
    """Answer the smallest places in which two values differ, in a stable order.

    Looks into dataclasses, named tuples, tuples, lists, mappings and sets. Values of one kind
    that compare equal do not differ; values of two kinds differ as a whole.
    """
    return tuple(_walk(before, after, path))


def shown(value: object) -> str:
    """Answer a value as a short text that is the same in every process."""
    content = content_of(value)
    if content is None and callable(value):
        # A function's own text names where it lies in memory, which no two processes share.
        return str(getattr(value, "__qualname__", type(value).__qualname__))
    if content is None:
        return value if isinstance(value, str) else "none" if value is None else repr(value)
    if content.has_names:
        sign = ": " if isinstance(value, Mapping) else "="
        inside = [f"{name.strip('.[]')}{sign}{shown(x)}" for name, x in content.members.items()]
    else:
        inside = [shown(each) for each in content.members.values()]
    return content.opening + ", ".join(inside) + content.closing


def content_of(value: object) -> Content | None:
    """Answer what a value consists of; None where it is one thing."""
    if is_dataclass(value) and not isinstance(value, type):
        named = {f".{each.name}": getattr(value, each.name) for each in fields(value)}
        return Content(named, f"{type(value).__name__}(", ")", has_names=True)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        named = {f".{name}": each for name, each in zip(value._fields, value, strict=True)}
        return Content(named, f"{type(value).__name__}(", ")", has_names=True)
    if isinstance(value, tuple | list):
        placed = {f"[{index}]": each for index, each in enumerate(value)}
        opening, closing = "()" if isinstance(value, tuple) else "[]"
        return Content(placed, opening, closing, has_names=False)
    if isinstance(value, Mapping):
        keyed = {f"[{shown(key)}]": each for key, each in value.items()}
        return Content(dict(sorted(keyed.items())), "{", "}", has_names=True)
    if isinstance(value, AbstractSet):
        held = {f"[{shown(each)}]": each for each in value}
        return Content(dict(sorted(held.items())), "{", "}", has_names=False)
    return None


def _walk(before: object, after: object, path: str) -> Iterator[Difference]:
    if type(before) is not type(after):
        yield Difference(path, before, after)
        return
    if before == after:
        return
    left, right = content_of(before), content_of(after)
    if left is None or right is None:
        yield Difference(path, before, after)
        return
    for name in left.members | right.members:
        inside = left.members.get(name, ABSENT), right.members.get(name, ABSENT)
        yield from _walk(*inside, (path + name).removeprefix("."))
