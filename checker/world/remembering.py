"""Answers about values that come again as the very same objects, as those of a search do.

To hash a frontend costs more than most questions about it. Here an object is known by itself, and
only one that was never met is looked at.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")
Answer = TypeVar("Answer")
MOST_KEPT = 1 << 16


class Remembering(Generic[Value, Answer]):
    """A function of one immutable value that is run once for each object."""

    def __init__(self, function: Callable[[Value], Answer]) -> None:
        self.__wrapped__ = function
        self._known: dict[int, tuple[Value, Answer]] = {}
        """By identity; the object is kept, so that no other takes its place."""

    def __call__(self, value: Value) -> Answer:
        """Answer as the function does."""
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        answer = self.__wrapped__(value)
        self._known[id(value)] = value, answer
        return answer
