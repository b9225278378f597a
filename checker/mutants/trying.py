"""What becomes of one mutant: the tests and searches that could notice it, until one does.

Runs in a process of its own, which ends with the mutant.
"""

import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Literal

import pytest
from _pytest.runner import runtestprotocol

from checker.search.explore import Options, search
from checker.world.kinds import Scope

How = Literal["assertion", "law", "size", "goal", "exception", "time"]
"""What noticed a mutant. An exception or a lapse of time is not a judgement about what it does."""
JUDGEMENTS = {"assertion", "law", "size", "goal"}
BASE = ("reference", "checker", "spec")
"""Whose assertions are no judgements: they are exceptions like others."""
SLOWER = 6
"""A mutant may take so many times as long as the reference."""
PATIENCE = 2
"""After so many tests that did not end, no other is begun."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Who noticed a mutant, and how."""

    by: str
    """The name of a test, or of a scope with what is wrong in it."""
    how: How

    @property
    def is_judgement(self) -> bool:
        """Whether it says that what the mutant does is wrong."""
        return self.how in JUDGEMENTS


class Overtime(BaseException):
    """A test runs longer than a mutant may take. No `except Exception` stops it."""


class Witness:
    """A plugin that keeps what the tests of this process raised."""

    def __init__(self, root: Path) -> None:
        self.base = tuple(str(root / name) for name in BASE)
        self.raised: list[How] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note how a phase of a test failed."""
        report = yield
        if report.failed:
            self.raised.append(self.how(call.excinfo))
        return report

    def how(self, raised: pytest.ExceptionInfo[BaseException] | None) -> How:
        """Whether a test judged, or was only cut short."""
        if raised is None or isinstance(raised.value, pytest.fail.Exception):
            return "assertion"
        if isinstance(raised.value, Overtime):
            return "time"
        place = str(raised.traceback[-1].path)
        is_judged = isinstance(raised.value, AssertionError) and not place.startswith(self.base)
        return "assertion" if is_judged else "exception"


def by_tests(
    items: Sequence[pytest.Item], limits: Sequence[float], witness: Witness
) -> Iterator[Notice]:
    """What the tests notice, in their order."""
    late = 0
    for place, item in enumerate(items):
        following = items[place + 1] if place + 1 < len(items) else None
        witness.raised.clear()
        try:
            with within(limits[place]):
                runtestprotocol(item, log=False, nextitem=following)
        except Overtime:
            witness.raised.append("time")
        if witness.raised:
            how = min(witness.raised, key=lambda each: each not in JUDGEMENTS)
            yield Notice(item.nodeid, how)
            late += how == "time"
        if late == PATIENCE:
            return


def by_scope(scope: Scope, limit: float) -> Notice | None:
    """What a search of a scope notices: a broken law, another size, a goal that is not reached."""
    assert scope.size is not None, "a scope that judges mutants has a size"
    most = scope.size.states
    options = Options(workers=1, expected_states=most)
    try:
        with within(limit):
            report = search(scope.build(), max_states=most, options=options)
    except Overtime:
        return Notice(f"{scope.name}: it takes too long", "time")
    except Exception as error:  # noqa: BLE001 - whatever a mutant raises in a rule
        return Notice(f"{scope.name}: {type(error).__name__}", "exception")
    if report.trace is not None:
        return Notice(f"{scope.name}: {report.trace.law.name}", "law")
    found = report.states, report.transitions, report.depth
    if report.stopped_by is not None or found != _pinned(scope):
        return Notice(f"{scope.name}: its size", "size")
    if report.verdict != "holds":
        return Notice(f"{scope.name}: its goals and rules", "goal")
    return None


def _pinned(scope: Scope) -> tuple[int, int, int]:
    assert scope.size is not None
    return scope.size.states, scope.size.transitions, scope.size.depth


def first_judgement(notices: Iterator[Notice]) -> Notice | None:
    """The first that judges; else the first of all."""
    first: Notice | None = None
    for notice in notices:
        if notice.is_judgement:
            return notice
        first = first or notice
    return first


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise Overtime where more processor time than this is taken."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise Overtime

    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
