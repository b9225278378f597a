"""Functions that go through the fields of an object in one straight expression.

They are put together from source once, as dataclasses put their constructors together: a loop over
names and functions takes three times as long, and every call of a broker writes dozens of objects.
"""

from collections.abc import Callable, Mapping
from typing import Any

Function = Callable[[Any], Any]


def object_of(parts: Mapping[str, tuple[str, str]], names: Mapping[str, object]) -> Function:
    """A function from a value, `it`, to an object: under each name what its expression says.

    A part is where it stands in the value, and what is done with it, `{}` being the part.
    """
    fields = ", ".join(f"{name!r}: {done.format(part)}" for name, (part, done) in parts.items())
    function: Function = eval(f"lambda it: {{{fields}}}", dict(names))  # noqa: S307 # our own names
    return function
