"""What an outcome on unknown integers comes to when they have values."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum

from immutables import Map

from checker.prove.integers import is_unknown, value_of
from checker.prove.measuring import Blob


def concrete(value: object, values: Mapping[str, int]) -> object:
    """The same value with integers in the place of unknowns."""
    if is_unknown(value):
        return value_of(value, values)
    if isinstance(value, Blob):
        return Blob(value_of(value.size, values))
    if isinstance(value, Map):
        return Map((key, concrete(each, values)) for key, each in value.items())
    if isinstance(value, tuple | list):
        return _row(value, values)
    if is_dataclass(value) and not isinstance(value, type | Enum):
        found = {each.name: getattr(value, each.name) for each in fields(value)}
        changed = {
            name: new for name, held in found.items() if (new := concrete(held, values)) is not held
        }
        return replace(value, **changed) if changed else value
    return value


def _row(value: tuple[object, ...] | list[object], values: Mapping[str, int]) -> object:
    row = [concrete(each, values) for each in value]
    if all(one is other for one, other in zip(row, value, strict=True)):
        return value
    make: Callable[..., object] = type(value)
    return make(*row) if hasattr(value, "_fields") else make(row)
