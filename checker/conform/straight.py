"""Functions that go through the fields of an object in one straight expression.

They are put together from source once, as dataclasses put their constructors together: a loop over
names and functions takes three times as long, and every call of a broker goes through dozens.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any


def object_of(fields: Iterable[tuple[str, str]]) -> str:
    """The source of an object: names, each with the source of what stands under it."""
    return "{" + ", ".join(f"{name!r}: {source}" for name, source in fields) + "}"


def construction(make: str, fields: Iterable[tuple[str, str]]) -> str:
    """The source of a call that is given fields by their names."""
    return f"{make}({', '.join(f'{name}={source}' for name, source in fields)})"


def function(takes: str, source: str, names: Mapping[str, object]) -> Callable[..., Any]:
    """The function whose source is an expression over what it takes, and over these names."""
    made: Callable[..., Any] = eval(f"lambda {takes}: {source}", dict(names))  # noqa: S307 # our own
    return made
