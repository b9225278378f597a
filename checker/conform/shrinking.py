"""A failing run made small: the fewest steps, and the simplest values, with the same signature.

Every candidate is played against the adapter itself, so what is left was seen to fail.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from checker.conform.steps import Append, Call, Step
from spec.vocabulary import Record

Fails = Callable[[tuple[Step, ...]], bool]
"""Whether a run fails as the whole one did."""
TRIALS = 2_000
"""So many runs are tried at most."""


class Shrinker:
    """Counts its trials, and stops where they are used up."""

    def __init__(self, fails: Fails, trials: int = TRIALS) -> None:
        self._fails = fails
        self.left = trials

    def fails(self, steps: Sequence[Step]) -> bool:
        """Try one run."""
        if self.left <= 0:
            return False
        self.left -= 1
        return self._fails(tuple(steps))

    def shrink(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Fewer steps, then simpler ones, until neither helps: no step can be left out."""
        while self.left > 0:
            before = steps
            steps = self._simpler(self._fewer(steps))
            if steps == before:
                return steps
        return steps

    def _fewer(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Leave out runs of steps, long ones first, then each one alone until none can go."""
        size = len(steps)
        while size >= 1:
            start, went = len(steps) - size, False
            while start >= 0:
                shorter = (*steps[:start], *steps[start + size :])
                if shorter and self.fails(shorter):
                    steps, went = shorter, True
                start -= max(1, size)
            if not (size == 1 and went):
                size //= 2
        return steps

    def _simpler(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Take the first simpler form of each step that fails as well."""
        for at in range(len(steps)):
            trying = True
            while trying:
                trying = False
                for simpler in forms(steps[at]):
                    changed = (*steps[:at], simpler, *steps[at + 1 :])
                    if self.fails(changed):
                        steps, trying = changed, True
                        break
        return steps


def forms(step: Step) -> Iterator[Step]:
    """Simpler forms of a step, the simplest first."""
    match step:
        case Call():
            if step.faults:
                yield replace(step, faults=())
            for name, value in step.args.items():
                for simpler in simpler_values(value):
                    yield replace(step, args={**step.args, name: simpler})
        case Append():
            for fewer in simpler_values(step.records):
                yield replace(step, records=fewer)
        case _:
            return


def simpler_values(value: Any) -> Iterator[Any]:  # noqa: ANN401 # any argument
    """Simpler values in the place of one: fewer, shorter, lower."""
    match value:
        case tuple((Record(), *_)):
            yield from simpler_records(value)
        case tuple() if not hasattr(value, "_fields") and len(value) > 1:
            for at in range(len(value)):
                yield (*value[:at], *value[at + 1 :])
        case bool():
            return
        case int() if value > 0:
            for lower in dict.fromkeys((0, 1, value // 2, value - 1)):
                if lower < value:
                    yield lower


def simpler_records(records: tuple[Record, ...]) -> Iterator[tuple[Record, ...]]:
    """Fewer records, and shorter values in them."""
    for at, record in enumerate(records):
        if len(records) > 1:
            yield (*records[:at], *records[at + 1 :])
        if len(record.value) > 1:
            yield (*records[:at], replace(record, value=b"v"), *records[at + 1 :])
        if record.key is not None:
            yield (*records[:at], replace(record, key=None), *records[at + 1 :])
