"""Whether values are what a search takes them for: constant, and equal by what they hold."""

import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import cast

import immutables

from checker.differences import content_of

CHANGEABLE = (list, dict, set, bytearray)


class Disordered(frozenset[object]):
    """An equal set that is walked the other way round: a rule may not care."""

    __slots__ = ()

    def __iter__(self) -> Iterator[object]:
        return reversed(list(super().__iter__()))


def why_mutable(value: object) -> str | None:
    """Answer what may change in a value, or makes it equal to nothing; None where all is well."""
    name = type(value).__name__
    if isinstance(value, CHANGEABLE):
        return f"a {name} can change"
    if is_dataclass(value) and not isinstance(value, type) and not _is_frozen(value):
        return f"{name} is a dataclass that is not frozen"
    if isinstance(value, Mapping) and not isinstance(value, immutables.Map):
        return f"a {name} can change"
    is_single = value is None or isinstance(value, Enum | type)
    if not is_single and not _is_named(value) and type(value).__hash__ is object.__hash__:
        return f"a {name} is equal only to itself"
    if value != value:  # noqa: PLR0124 - a value that is not equal to itself is the point
        return f"{value!r} is not equal to itself"
    return next(filter(None, map(why_mutable, _inside(value))), None)


def kinds(value: object) -> object:
    """Answer the types of a value and of all it holds, so that True and 1 can be told apart."""
    name = "frozenset" if isinstance(value, frozenset) else type(value).__qualname__
    inside = [kinds(each) for each in _inside(value)]
    if isinstance(value, frozenset | Mapping):
        inside.sort(key=repr)
    return (name, *inside) if inside else name


def fresh(value: object) -> object:
    """Answer an equal value made of other objects; sets in it are walked the other way round."""
    if isinstance(value, tuple):
        inside, make = [fresh(each) for each in value], cast("Callable[..., object]", type(value))
        return make(*inside) if hasattr(value, "_fields") else make(inside)
    if isinstance(value, frozenset):
        return Disordered(fresh(each) for each in value)
    if isinstance(value, immutables.Map):
        return immutables.Map([(fresh(key), fresh(each)) for key, each in value.items()][::-1])
    if is_dataclass(value) and not isinstance(value, type):
        return _fresh_dataclass(value)
    return "".join(list(value)) if type(value) is str else _copied(value)


def _copied(value: object) -> object:
    try:
        return copy.deepcopy(value)
    except Exception:  # noqa: BLE001 - any type may refuse to be copied, in its own way
        return value


def _fresh_dataclass(value: object) -> object:
    made: object = object.__new__(type(value))
    for each in fields(value):  # type: ignore[arg-type] # its caller has looked
        object.__setattr__(made, each.name, fresh(getattr(value, each.name)))
    return made


def _is_named(value: object) -> bool:
    """Answer whether a module knows a function by its name, so that there is only one of it."""
    module = sys.modules.get(str(getattr(value, "__module__", None)))
    return module is not None and value is getattr(
        module, str(getattr(value, "__qualname__", None)), None
    )


def _is_frozen(value: object) -> bool:
    parameters = getattr(value, "__dataclass_params__", None)
    return bool(parameters is not None and parameters.frozen)


def _inside(value: object) -> Iterable[object]:
    content = content_of(value)
    if isinstance(value, Mapping):
        return (each for pair in value.items() for each in pair)
    return () if content is None else content.members.values()
