"""The share of the audit that is always on: it costs little and refuses what it finds."""

from collections.abc import Hashable, Sequence
from operator import ne
from typing import NamedTuple, cast

from checker.search.constancy import fresh, why_mutable
from checker.search.contract import call
from checker.search.faults import ModelError
from checker.search.model import Outcome, Step

FIRST_VALUES = 16
"""How many values of a part are all looked into; of the later ones, ever fewer."""


class Asked(NamedTuple):
    """A rule's answer that is to be asked for again."""

    step: Step
    arguments: tuple[Hashable, ...]
    outcomes: tuple[Outcome, ...]


class Watch:
    """Keeps some answers of every step, to ask for them again when the search is over."""

    def __init__(self) -> None:
        self._asked: list[Asked] = []
        self._counts: dict[str, int] = {}
        self._shut: dict[str, int] = {}

    def answered(
        self, step: Step, arguments: Sequence[Hashable], outcomes: Sequence[Outcome]
    ) -> None:
        """Note an answer: of each step the first, second, fourth, eighth..."""
        count = self._counts[step.name] = self._counts.get(step.name, 0) + 1
        if is_power_of_two(count):
            self._asked.append(Asked(step, tuple(arguments), tuple(outcomes)))

    def is_to_be_tried(self, step: Step) -> bool:
        """Answer whether a guard that shuts a step is to be held to its rule: ever more rarely."""
        count = self._shut[step.name] = self._shut.get(step.name, 0) + 1
        return is_power_of_two(count)

    def interned(self, part: str, value: Hashable, count: int, origin: str) -> None:
        """Look into a new value of a part, the `count`th."""
        if count > FIRST_VALUES and not is_power_of_two(count):
            return
        why = call(f"{origin}: the value of {part}", why_mutable, value)
        if why is not None:
            raise ModelError(f"{origin}: the value of {part} is not constant: {why}")

    def ask_again(self) -> None:
        """Ask once more for the answers noted, last one first, with equal values."""
        asked, self._asked = self._asked[::-1], []
        for step, arguments, outcomes in asked:
            again = _again(step, arguments)
            if call(f"comparing the answers of step {step.name}", ne, again, outcomes):
                raise ModelError(differs(step.name, outcomes, again))


def _again(step: Step, arguments: tuple[Hashable, ...]) -> tuple[Outcome, ...]:
    def answer() -> tuple[Outcome, ...]:
        return tuple(step.rule(*map(fresh, arguments)))

    return cast("tuple[Outcome, ...]", call(f"step {step.name} answers once and then", answer))


def differs(name: str, outcomes: Sequence[Outcome], again: Sequence[Outcome]) -> str:
    """Say that a step does not answer by the values it declares."""
    first, second = labels(outcomes), labels(again)
    said = f"{first}, then {second}" if first != second else f"{first}, then the same with others"
    return (
        f"step {name} answers differently for the same values: {said};"
        " it reads something that it does not declare"
    )


def labels(outcomes: Sequence[Outcome]) -> str:
    """Answer the labels of some outcomes, quoted."""
    said = (repr(getattr(outcome, "label", outcome)) for outcome in outcomes)
    return " and ".join(said) or "nothing"


def is_power_of_two(count: int) -> bool:
    """Answer whether a count is 1, 2, 4, 8..."""
    return count & (count - 1) == 0
