"""What was worked out before, for the very same objects: values are never changed in place."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

RECALLED = 8192
"""So many results of one function are kept; then all of them are worked out anew."""


class Recalled(Generic[Result]):
    """A function that is run once for the same objects.

    Hashing values takes longer than most functions that are kept so. Objects are told apart by
    their identities, and kept, so that an identity stays its object's own.
    """

    def __init__(self, function: Callable[..., Result], most: int = RECALLED) -> None:
        self._function = function
        self._most = most
        self._found: dict[tuple[int, ...], tuple[tuple[Any, ...], Result]] = {}

    def __call__(self, *args: Any) -> Result:  # noqa: ANN401 # those of the function
        """The result, of now or of before."""
        key = tuple(map(id, args))
        found = self._found.get(key)
        if found is not None:
            return found[1]
        result = self._function(*args)
        if len(self._found) >= self._most:
            self._found.clear()
        self._found[key] = args, result
        return result

    def forget(self) -> None:
        """Work everything out anew."""
        self._found.clear()
