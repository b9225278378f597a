"""Where the values of a run come from: from nobody, from chance, or from a list.

A scene is a function that draws its integers and picks its shapes from a `Draw`. Run on unknown
integers it is explored path by path; run on known ones it is one plain call of the same code.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar, cast

Value = TypeVar("Value")

SMALL = 6
LARGE = 1 << 40


class ExcludedError(Exception):
    """The values drawn are none that the scene speaks of."""


class Draw(Protocol):
    """Where a scene gets its values."""

    def integer(self, name: str, at_least: int | None = None) -> int:
        """An integer with this name; each name is drawn once."""

    def pick(self, name: str, options: Sequence[Value]) -> Value:
        """One of these shapes."""

    def assume(self, holds: Callable[[], bool]) -> None:
        """Speak only of values for which this holds."""

    def once(self, name: str, make: Callable[["Draw"], Value]) -> Value:
        """What was made under this name; it is made when it is first asked for."""


DRAWS: list[Draw] = []


@contextmanager
def drawing(draw: Draw) -> Iterator[None]:
    """Let what is drawn late be drawn from this one, until the end of the block."""
    DRAWS.append(draw)
    try:
        yield
    finally:
        DRAWS.pop()


def current() -> Draw:
    """Where values come from now."""
    assert DRAWS, "what is drawn late is asked for while somebody draws"
    return DRAWS[-1]


class Memory:
    """What was made once."""

    def __init__(self, known: Mapping[str, object] | None = None) -> None:
        self.made: dict[str, object] = dict(known or {})

    def once(self, draw: Draw, name: str, make: Callable[[Draw], Value]) -> Value:
        """Answer what was made under this name, or make it."""
        if name not in self.made:
            self.made[name] = make(draw)
        return cast("Value", self.made[name])


class Given:
    """Draws what a list says; what it does not name is the least there is, and the first."""

    def __init__(self, values: Mapping[str, int], picks: Mapping[str, int]) -> None:
        self.values = dict(values)
        self.picks = dict(picks)
        self._memory = Memory()

    def integer(self, name: str, at_least: int | None = None) -> int:
        """Answer the listed integer."""
        value = self.values.get(name, 0)
        if at_least is not None and value < at_least:
            raise ExcludedError(f"{name} is {value}, and at least {at_least}")
        return value

    def pick(self, name: str, options: Sequence[Value]) -> Value:
        """Answer the listed shape."""
        return options[self.picks.get(name, 0)]

    def assume(self, holds: Callable[[], bool]) -> None:
        """Refuse values that the scene does not speak of."""
        if not holds():
            raise ExcludedError("an assumption does not hold")

    def once(self, name: str, make: Callable[[Draw], Value]) -> Value:
        """Answer what was made under this name, or make it."""
        return self._memory.once(self, name, make)


class Random:
    """Draws by chance, mostly small integers that often meet, and notes what it drew."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.values: dict[str, int] = {}
        self.picks: dict[str, int] = {}
        self.base = source.choice((0, 0, 0, source.randrange(LARGE)))
        self._memory = Memory()

    def integer(self, name: str, at_least: int | None = None) -> int:
        """Answer any integer."""
        value = self.base + self.source.randrange(-2, SMALL)
        if self.base and self.source.random() < 1 / 3:
            value -= self.base
        self.values[name] = value if at_least is None else max(value, at_least)
        return self.values[name]

    def pick(self, name: str, options: Sequence[Value]) -> Value:
        """Answer any of the shapes."""
        self.picks[name] = self.source.randrange(len(options))
        return options[self.picks[name]]

    def assume(self, holds: Callable[[], bool]) -> None:
        """Refuse values that the scene does not speak of."""
        if not holds():
            raise ExcludedError("an assumption does not hold")

    def once(self, name: str, make: Callable[[Draw], Value]) -> Value:
        """Answer what was made under this name, or make it."""
        return self._memory.once(self, name, make)
