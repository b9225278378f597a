"""Integers that nobody knows, with which the reference runs as with others.

A `Number` is a sum of named unknowns and a constant. It can be added, subtracted, multiplied by
a constant and compared; a comparison asks whoever explores the paths which way to go, so that
it answers a plain bool. What would need the value itself (a hash, an index, the count of a loop)
is refused by name and never approximated.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from math import gcd
from typing import Literal, NamedTuple, NoReturn, Protocol, TypeVar, cast

Parts = tuple[tuple[str, int], ...]
"""The unknowns of a sum, each once, by name, with what it is multiplied by."""
Kind = Literal["<=", "=="]
Named = TypeVar("Named", bound=int)


class NotSymbolicError(Exception):
    """Something was asked of an unknown integer that only a known one can answer."""


class Atom(NamedTuple):
    """A condition on unknowns: that a sum of them is at most a bound, or is it, or is not so."""

    parts: Parts
    """The first one is multiplied by a positive number, and nothing divides them all."""
    kind: Kind
    bound: int
    holds: bool = True

    def __str__(self) -> str:
        sign = {("<=", True): "<=", ("<=", False): ">", ("==", True): "==", ("==", False): "!="}
        return f"{_written(self.parts, 0)} {sign[self.kind, self.holds]} {self.bound}"

    @property
    def negated(self) -> "Atom":
        """The opposite."""
        return self._replace(holds=not self.holds)

    def is_true(self, values: Mapping[str, int]) -> bool:
        """Whether it holds of these values; one that is not named is 0."""
        total = sum(times * values.get(name, 0) for name, times in self.parts)
        found = total <= self.bound if self.kind == "<=" else total == self.bound
        return found is self.holds


class Decider(Protocol):
    """Who knows which way a comparison goes on the path that is being explored."""

    def decide(self, atom: Atom) -> bool:
        """Whether the condition holds on this path."""

    def quotient(self, number: "Number", divisor: int) -> "Number":
        """The whole part of a number divided by a positive constant."""


class Spelling:
    """Takes two sums for one where they are written alike, and so can tell their hashes."""

    def decide(self, _atom: Atom) -> bool:
        """Answer that two sums which differ are not the same."""
        return False

    def quotient(self, number: "Number", _divisor: int) -> "Number":
        """Refuse: who compares values does not reckon."""
        raise NotSymbolicError(f"{number} is to be divided where values are only compared")


DECIDERS: list[Decider] = []


@contextmanager
def deciding(decider: Decider) -> Iterator[None]:
    """Ask this one, until the end of the block."""
    DECIDERS.append(decider)
    try:
        yield
    finally:
        DECIDERS.pop()


class Number:
    """A sum of unknowns and a constant. It stands wherever an integer is asked for."""

    __slots__ = ("parts", "rest")

    # An integer for whoever asks, so that nothing takes it for something else in silence.
    __class__ = int  # type: ignore[assignment] # what isinstance answers by

    def __init__(self, parts: Parts, rest: int = 0) -> None:
        self.parts = parts
        self.rest = rest

    def __repr__(self) -> str:
        return _written(self.parts, self.rest)

    def __format__(self, _spec: str) -> str:
        return _written(self.parts, self.rest)

    def __add__(self, other: object) -> int:
        return _sum(self, other, 1) if is_whole(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> int:
        return _sum(self, other, -1) if is_whole(other) else NotImplemented

    def __rsub__(self, other: object) -> int:
        return _times(self, -1) + cast("int", other) if is_whole(other) else NotImplemented

    def __neg__(self) -> int:
        return _times(self, -1)

    def __mul__(self, other: object) -> int:
        if type(other) is not int:
            raise NotSymbolicError(f"the product of {self} and {other} is no sum of unknowns")
        return _times(self, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> int:
        if type(other) is not int or other < 1:
            raise NotSymbolicError(f"{self} can only be divided by a positive constant")
        return cast("int", _decider().quotient(self, other))

    def __eq__(self, other: object) -> bool:
        if not is_whole(other):
            return NotImplemented
        return _ask(_sum(self, other, -1), "==")

    def __ne__(self, other: object) -> bool:
        if not is_whole(other):
            return NotImplemented
        return not _ask(_sum(self, other, -1), "==")

    def __le__(self, other: object) -> bool:
        return _ask(_sum(self, other, -1), "<=") if is_whole(other) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return _ask(_sum(self, other, -1) + 1, "<=") if is_whole(other) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return not _ask(_sum(self, other, -1) + 1, "<=") if is_whole(other) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return not _ask(_sum(self, other, -1), "<=") if is_whole(other) else NotImplemented

    def __bool__(self) -> bool:
        return not _ask(cast("int", self), "==")

    def __hash__(self) -> int:
        if DECIDERS and type(DECIDERS[-1]) is Spelling:
            return hash((self.parts, self.rest))
        return self._refuse("its hash")

    def __index__(self) -> int:
        return self._refuse("its value, to index, slice or count with it")

    def __int__(self) -> int:
        return self._refuse("its value, as an int")

    def __float__(self) -> float:
        return self._refuse("its value, as a float")

    def _refuse_bits(self, other: object) -> int:
        return self._refuse(f"its bits, beside {other}")

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _refuse_bits
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse_bits

    def _refuse_ratio(self, other: object) -> int:
        return self._refuse(f"how it divides, beside {other}")

    __mod__ = __rmod__ = __rfloordiv__ = __truediv__ = __rtruediv__ = _refuse_ratio
    __pow__ = __rpow__ = __divmod__ = __rdivmod__ = _refuse_ratio

    def _refuse(self, what: str) -> NoReturn:
        raise NotSymbolicError(f"{self} is unknown, and {what} was asked for")


def unknown(name: str) -> int:
    """The unknown with this name."""
    return cast("int", Number(((name, 1),)))


def is_whole(value: object) -> bool:
    """Whether a value is an integer, known or not."""
    return type(value) is Number or isinstance(value, int)


def is_unknown(value: object) -> bool:
    """Whether a value is an integer that nobody knows."""
    return type(value) is Number


def value_of(number: object, values: Mapping[str, int]) -> int:
    """What an integer comes to when its unknowns have these values; one not named is 0."""
    if type(number) is not Number:
        return cast("int", number)
    return number.rest + sum(times * values.get(name, 0) for name, times in number.parts)


def atom_of(number: int, kind: Kind) -> Atom | bool:
    """The condition that a number is at most 0, or is 0; a bool where that is plain."""
    if not is_unknown(number):
        return number <= 0 if kind == "<=" else number == 0
    found = cast("Number", number)
    return _atom(found.parts, -found.rest, kind)


@lru_cache(maxsize=1 << 16)
def _atom(parts: Parts, bound: int, kind: Kind) -> Atom | bool:
    divisor = gcd(*(times for _, times in parts))
    if kind == "==" and bound % divisor:
        return False
    if parts[0][1] > 0:
        return Atom(_over(parts, divisor), kind, bound // divisor)
    positive = _over(parts, -divisor)
    if kind == "==":
        return Atom(positive, kind, -bound // divisor)
    # The sum is at least the negated bound: it is not at most one less.
    return Atom(positive, "<=", -(bound // divisor) - 1, holds=False)


def _over(parts: Parts, divisor: int) -> Parts:
    return tuple((name, times // divisor) for name, times in parts)


def _ask(number: int, kind: Kind) -> bool:
    atom = atom_of(number, kind)
    if isinstance(atom, bool):
        return atom
    if atom.holds:
        return _decider().decide(atom)
    return not _decider().decide(atom.negated)


def _decider() -> Decider:
    if not DECIDERS:
        raise NotSymbolicError("an unknown integer was compared where nobody explores paths")
    return DECIDERS[-1]


def _sum(one: Number, other: object, sign: int) -> int:
    if type(other) is not Number:
        return cast("int", Number(one.parts, one.rest + sign * cast("int", other)))
    parts, rest = _merged(one.parts, other.parts, sign), one.rest + sign * other.rest
    return cast("int", Number(parts, rest)) if parts else rest


@lru_cache(maxsize=1 << 16)
def _merged(one: Parts, other: Parts, sign: int) -> Parts:
    counts = dict(one)
    for name, times in other:
        counts[name] = counts.get(name, 0) + sign * times
    return tuple(sorted((name, times) for name, times in counts.items() if times))


def _times(number: Number, factor: int) -> int:
    if factor == 0:
        return 0
    parts = tuple((name, times * factor) for name, times in number.parts)
    return cast("int", Number(parts, number.rest * factor))


def _written(parts: Parts, rest: int) -> str:
    """`counter + 2*n - 1`."""
    words: list[str] = []
    for name, times in parts:
        size = "" if abs(times) == 1 else f"{abs(times)}*"
        words += ["-" if times < 0 else "+", f"{size}{name}"]
    if rest:
        words += ["-" if rest < 0 else "+", str(abs(rest))]
    if words[0] == "+":
        return " ".join(words[1:])
    return f"-{words[1]}{' ' if words[2:] else ''}{' '.join(words[2:])}"
