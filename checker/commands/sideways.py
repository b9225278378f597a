"""Many searches side by side: each in a process of its own that has all that this one has."""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Generic, TypeVar

from checker.commands.exits import CommandError, Exit
from checker.commands.interrupts import SIGNALS
from checker.commands.output import progress_line
from checker.search.stopping import REQUEST

Task = TypeVar("Task")
Answer = TypeVar("Answer")

ENDED = "a process that searched was ended from outside (was memory short?): search again"
BREATH = 0.1
"""Seconds after which it is looked at whether somebody interrupted."""


def side_by_side(
    work: Callable[[Task], Answer], tasks: Sequence[Task], workers: int
) -> Iterator[tuple[int, Answer]]:
    """Answer what work makes of each task, with the task's index, as they come.

    The answers have to be picklable; the tasks need not be, since the workers are forks. An
    exception of a worker is raised here. Where this process has other threads, or there is
    nothing to share, the tasks are done here one after the other.
    """
    count = min(workers, len(tasks))
    if count < 2 or threading.active_count() > 1 or not hasattr(os, "fork"):  # noqa: PLR2004
        return ((index, work(task)) for index, task in enumerate(tasks))
    # Forked before anybody asks for an answer: whoever shows progress may then begin threads.
    return _answered([_Worker(work, tasks, share, count) for share in range(count)])


def _answered(crew: Sequence["_Worker[Task, Answer]"]) -> Iterator[tuple[int, Answer]]:
    try:
        yield from _gathered(crew)
    finally:
        for worker in crew:
            worker.end()


class _Worker(Generic[Task, Answer]):
    """A fork that does every so many-th task, and writes each answer as it has it."""

    def __init__(
        self, work: Callable[[Task], Answer], tasks: Sequence[Task], share: int, count: int
    ) -> None:
        self.pipe, ours = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        # What comes in between is heard here only: a fork that heard it might leave by our endings.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            _serve(work, tasks[share::count], range(share, len(tasks), count), ours, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(ours)
        self.stream = os.fdopen(self.pipe, "rb")
        self.owed = len(range(share, len(tasks), count))
        """How many answers it has still to give."""

    def answers(self) -> Iterator[tuple[int, Answer]]:
        """The next answer; none where the worker has come to its end, which is to be after all."""
        try:
            index, answer = pickle.load(self.stream)  # noqa: S301 - written by this program's fork
        except (EOFError, pickle.UnpicklingError):
            if self.owed and not REQUEST.is_made:
                raise CommandError(ENDED, Exit.UNFINISHED) from None
            return
        self.owed -= 1
        if isinstance(answer, BaseException):
            raise answer
        yield index, answer

    def end(self) -> None:
        """Let it go, whatever it is doing."""
        self.stream.close()
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def _serve(
    work: Callable[[Task], Answer],
    tasks: Sequence[Task],
    places: Sequence[int],
    pipe: int,
    mask: Iterable[int],
) -> None:
    """Do the tasks of one worker, and leave the process without any of its parent's endings."""
    with suppress(BaseException), os.fdopen(pipe, "wb") as stream:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for index, task in zip(places, tasks, strict=True):
            try:
                answer: object = work(task)
            except BaseException as error:  # noqa: BLE001 - it is raised where somebody hears it
                answer = error
            pickle.dump((index, answer), stream)
            stream.flush()
    os._exit(0)


def _gathered(crew: Sequence[_Worker[Task, Answer]]) -> Iterator[tuple[int, Answer]]:
    with DefaultSelector() as ready:
        for worker in crew:
            ready.register(worker.stream, EVENT_READ, worker)
        while ready.get_map() and not REQUEST.is_made:
            for key, _ in ready.select(BREATH):
                came = list(key.data.answers())
                yield from came
                if not came:
                    ready.unregister(key.fileobj)


def watched(answers: Iterator[tuple[int, Answer]], total: int) -> Iterator[tuple[int, Answer]]:
    """The same answers, and on a terminal a line that counts them."""
    with progress_line() as show:
        for done, answer in enumerate(answers, 1):
            if show is not None:
                show(f"{done} of {total} searched")
            yield answer
