"""The questions that a proof asks its solver, as scripts that any solver reads.

Each is a set of conditions on integers and says what was answered. The proof of a step rests on
the answers `unsat`: on those it took no way, or found no integers for which a law is false.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from checker.prove.proving import Stage, work


@dataclass(frozen=True, slots=True)
class Script:
    """One question."""

    text: str
    """SMT-LIB 2."""
    answer: str
    """`sat` or `unsat`."""


def scripts(name: str, stage: Stage, laws: frozenset[str] | None = None) -> Iterator[Script]:
    """Work on an obligation, and answer each question that it asks."""
    found: list[Script] = []

    def hear(text: str, answer: str) -> None:
        found.append(Script(text, answer))

    work(name, stage, laws, hear=hear)
    yield from found
