"""Questions that the audit asks twice, and what it finds when the answers do not agree."""

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from checker.search.constancy import fresh, kinds
from checker.search.faults import ModelError
from checker.search.model import Outcome, Parts
from checker.search.watching import labels

Kind = Literal[
    "names",
    "fails",
    "wrong shape",
    "not constant",
    "two kinds of equal",
    "undeclared read",
    "undeclared write",
    "answers differently",
    "shuts out",
]


class Complaint(NamedTuple):
    """One thing about a model that is not as the search needs it."""

    kind: Kind
    who: str
    """`step f1 plans`, `the law tile`: what has to be changed."""
    text: str


class Complaints:
    """What was found, one complaint of a kind about each."""

    def __init__(self) -> None:
        self._found: dict[tuple[Kind, str], Complaint] = {}

    def add(self, kind: Kind, who: str, text: str) -> None:
        """Note a complaint, if it is the first of its kind about this one."""
        self._found.setdefault((kind, who), Complaint(kind, who, text))

    def all(self) -> tuple[Complaint, ...]:
        """Answer the complaints in the order in which they were found."""
        return tuple(self._found.values())


class UndeclaredReadError(Exception):
    """A step law looks at a part that its step neither reads nor writes."""


class Declared(Mapping[str, Hashable]):
    """The parts that a step declares; to look for another one is an error of its own."""

    def __init__(self, parts: Parts) -> None:
        self._parts = dict(parts)

    def __getitem__(self, name: str) -> Hashable:
        if name not in self._parts:
            raise UndeclaredReadError(name)
        return self._parts[name]

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


Answer = Sequence[Outcome] | bool
Ask = Callable[..., Answer]
FAILED = False, ()


class Asked(NamedTuple):
    """A question with the answer it had."""

    who: str
    ask: Ask
    arguments: tuple[Hashable, ...]
    answer: Answer


class Questions:
    """Asks each question twice, remembers the answer, and can ask all of them once more."""

    def __init__(self, complaints: Complaints) -> None:
        self._complaints = complaints
        self._asked: dict[tuple[str, tuple[int, ...]], Asked | None] = {}

    def answer(
        self,
        who: str,
        key: tuple[int, ...],
        ask: Ask,
        names: Sequence[str],
        arguments: tuple[Hashable, ...],
    ) -> Answer | None:
        """Ask about the values of the named parts, once for each key; None for a fault."""
        asked = who, key
        if asked not in self._asked:
            self._asked[asked] = None
            twins = tuple(map(fresh, arguments))
            said = self._ask(who, ask, arguments)
            self._look_for_writes(who, names, arguments, twins)
            if said is not None:
                self._asked[asked] = Asked(who, ask, arguments, said)
                self._compare(who, said, self._ask(who, ask, twins), "answers differently")
        known = self._asked[asked]
        return None if known is None else known.answer

    def ask_again(self, seed: int, most: int) -> None:
        """Ask in another order: whoever reads what it does not declare may answer otherwise."""
        asked = list(filter(None, self._asked.values()))
        random.Random(seed).shuffle(asked)  # noqa: S311 - any other order will do
        for who, ask, arguments, answer in asked[:most]:
            self._compare(who, answer, self._ask(who, ask, arguments), "undeclared read")

    def _ask(self, who: str, ask: Ask, arguments: Sequence[object]) -> Answer | None:
        try:
            return ask(*arguments)
        except ModelError as error:
            if isinstance(error.__cause__, UndeclaredReadError):
                part = error.__cause__
                self._complaints.add("undeclared read", who, f"{who} reads {part}, undeclared")
            else:
                kind: Kind = "wrong shape" if error.__cause__ is None else "fails"
                self._complaints.add(kind, who, str(error))
            return None

    def _look_for_writes(
        self,
        who: str,
        names: Sequence[str],
        arguments: Sequence[object],
        twins: Sequence[object],
    ) -> None:
        for name, value, twin in zip(names, arguments, twins, strict=True):
            if value != twin:
                text = f"{who} changes the value of {name} that it is given"
                self._complaints.add("undeclared write", who, text)

    def _compare(self, who: str, first: Answer, second: Answer | None, kind: Kind) -> None:
        if second is None or (first == second and kinds(first) == kinds(second)):
            return
        when = "equal values" if kind == "answers differently" else "the same values, later"
        text = f"{who} answers {_said(first)}, and for {when} {_said(second)}"
        self._complaints.add(kind, who, text)


def _said(answer: Answer) -> str:
    return str(answer) if isinstance(answer, bool) else labels(answer)
