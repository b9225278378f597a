"""When a law speaks: the premise that stands beside each law.

A law that holds because nothing in it is ever true holds idly. So each says of which of the cases
that it is shown it speaks, in words and as a function; of all others it holds, whatever else is in
them. A law that speaks of all of them says that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

Judgement = Callable[..., bool]
"""A law of `spec.laws`, or a premise of one: takes values of `spec.truth`."""
P = ParamSpec("P")

_PREMISES: dict[Judgement, "Premise"] = {}


@dataclass(frozen=True, slots=True)
class Premise:
    """Of which cases a law speaks."""

    words: str
    """Goes on after `it speaks where`; empty where it speaks of every case."""
    is_met: Judgement
    """Takes what the law takes."""

    def __call__(self, *values: object, **named: object) -> bool:
        """Whether a case fulfils it."""
        return self.is_met(*values, **named)


def where(words: str, is_met: Judgement) -> Callable[[Callable[P, bool]], Callable[P, bool]]:
    """The law below speaks only where this is so."""

    def marked(law: Callable[P, bool]) -> Callable[P, bool]:
        _PREMISES[law] = Premise(words, is_met)
        return law

    return marked


def everywhere(law: Callable[P, bool]) -> Callable[P, bool]:
    """The law below speaks of every case that it is shown."""
    _PREMISES[law] = Premise("", lambda *_, **__: True)
    return law


def premises() -> dict[str, Premise]:
    """The premises of all laws whose pages were read, by the name of the law."""
    return {law.__name__: premise for law, premise in _PREMISES.items()}


def premise_of(law: Judgement) -> Premise:
    """The premise of a law."""
    assert law in _PREMISES, f"the law {getattr(law, '__name__', law)} does not say when it speaks"
    return _PREMISES[law]
