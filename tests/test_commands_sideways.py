"""Searches side by side: the same answers as one after the other, and no worker left behind."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from checker.commands.exits import CommandError, Exit
from checker.commands.sideways import side_by_side
from checker.search.stopping import REQUEST


@pytest.fixture
def _as_if_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A test runner's own threads do not stand in the way of a fork here."""
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    yield
    REQUEST.is_made = False


def children() -> set[int]:
    """The processes that this one has begun and not seen end."""
    return {child.pid for child in psutil.Process().children()}


@pytest.mark.usefixtures("_as_if_alone")
@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_every_task_is_answered_once(count: int) -> None:
    tasks = range(100, 100 + count)

    answers = dict(side_by_side(lambda task: task * task, tasks, workers=2))

    assert answers == {index: task * task for index, task in enumerate(tasks)}


@pytest.mark.usefixtures("_as_if_alone")
def test_two_workers_are_two_other_processes() -> None:
    pids = dict(side_by_side(lambda _: os.getpid(), range(4), workers=2))

    assert len(set(pids.values())) == 2
    assert os.getpid() not in pids.values()


def test_a_process_with_threads_does_the_work_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 3)

    pids = dict(side_by_side(lambda _: os.getpid(), range(3), workers=2))

    assert set(pids.values()) == {os.getpid()}


@pytest.mark.usefixtures("_as_if_alone")
def test_what_a_worker_raises_is_raised_here_and_no_worker_stays() -> None:
    before = children()

    with pytest.raises(ZeroDivisionError):
        list(side_by_side(lambda task: 1 // task, [2, 1, 0, 3], workers=2))

    assert children() == before


@pytest.mark.usefixtures("_as_if_alone")
def test_an_interrupt_ends_the_workers_and_keeps_what_came() -> None:
    before = children()
    answers = side_by_side(lambda task: time.sleep(60 * task), [0, 1, 1, 1], workers=2)

    first = next(answers)
    REQUEST.is_made = True
    rest = list(answers)

    assert (first, rest) == ((0, None), [])
    assert children() == before


@pytest.mark.usefixtures("_as_if_alone")
def test_a_worker_that_is_killed_is_not_taken_for_one_that_is_done() -> None:
    with pytest.raises(CommandError, match="ended from outside") as raised:
        list(side_by_side(lambda _: os.kill(os.getpid(), signal.SIGKILL), range(4), workers=2))

    assert raised.value.code is Exit.UNFINISHED
