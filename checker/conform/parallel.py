"""Scenarios shared out among several adapters, each judged by a process of its own.

A scenario is played from nothing, whoever plays it, so what comes of it does not depend on how many
play. Results come as they are done, each with its place.
"""

import multiprocessing
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import TYPE_CHECKING

from checker.conform.collecting import rarely_collecting
from checker.conform.messages import Level
from checker.conform.running import Bench, Result, run_one
from checker.conform.scenarios import Scenario

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

MakeBench = Callable[[], Bench]
"""Makes the bench of one process; it travels there, so it is no closure."""
Placed = tuple[int, Result]
ENDED = "a process that judges ended before it had answered"
LEAVE_S = 10.0
"""How long a process may take to put an end to its adapter."""


class WorkerError(Exception):
    """A process that judges failed; the text says how."""


def run_shared(
    make: MakeBench,
    scenarios: Sequence[Scenario],
    level: Level,
    workers: int,
    *,
    shrink: bool = True,
) -> Iterator[Placed]:
    """Each scenario with its place, in the order in which they are done."""
    context = multiprocessing.get_context("spawn")
    processes: list[SpawnProcess] = []
    lines: dict[Connection, int] = {}
    try:
        for _ in range(min(workers, len(scenarios))):
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(make, level, shrink, theirs), daemon=True)
            with heard_later():
                process.start()
            theirs.close()
            processes.append(process)
            lines[ours] = -1
        yield from dealt(lines, scenarios)
    except BaseException:
        # Nobody waits any more for what they are at.
        for process in processes:
            process.terminate()
        raise
    finally:
        for line in lines:
            line.close()
        for process in processes:
            process.join(LEAVE_S)


FOR_ALL = (signal.SIGINT, signal.SIGHUP)
"""What a terminal sends to every process that it started. Whoever judges is told by the first."""


@contextmanager
def heard_later() -> Iterator[None]:
    """Hear of a Ctrl-C a moment later, and let a process that is started meanwhile hear of none."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, FOR_ALL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def told_alone() -> None:
    """Leave when one is told to, and not for what all are told."""
    signal.signal(signal.SIGTERM, leave)
    for number in FOR_ALL:
        # Not ignored, or an adapter would ignore it too.
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FOR_ALL)


def leave(_number: int, _frame: FrameType | None) -> None:
    """Be done with what is going on."""
    raise KeyboardInterrupt


def dealt(lines: dict[Connection, int], scenarios: Sequence[Scenario]) -> Iterator[Placed]:
    """Hand out one scenario after the other, to whoever is done with the last."""
    places = iter(range(len(scenarios)))
    busy: dict[Connection, int] = {}
    for line in lines:
        hand_out(line, places, scenarios, busy)
    while busy:
        for ready in wait(list(busy)):
            assert isinstance(ready, Connection)
            place = busy.pop(ready)
            yield place, received(ready)
            hand_out(ready, places, scenarios, busy)


def hand_out(
    line: Connection,
    places: Iterator[int],
    scenarios: Sequence[Scenario],
    busy: dict[Connection, int],
) -> None:
    """Give a process the next scenario, if there is one."""
    place = next(places, None)
    if place is not None:
        try:
            line.send(scenarios[place])
        except OSError:
            raise WorkerError(ENDED) from None
        busy[line] = place


def received(line: Connection) -> Result:
    """What a process found."""
    try:
        found: Result | str = line.recv()
    except (EOFError, OSError):
        raise WorkerError(ENDED) from None
    if isinstance(found, Result):
        return found
    trouble = WorkerError(found.rstrip().rpartition("\n")[2])
    trouble.add_note(found)
    raise trouble


def work(
    make: MakeBench, level: Level, shrink: bool, line: Connection
) -> None:  # args of a process
    """Play what comes, until nothing more does."""
    told_alone()
    bench = make()
    try:
        with rarely_collecting():
            while True:
                line.send(answered(bench, line.recv(), level, shrink=shrink))
    except (EOFError, OSError, KeyboardInterrupt):
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        bench.close()


def answered(bench: Bench, scenario: Scenario, level: Level, *, shrink: bool) -> Result | str:
    """The result of a scenario, or how judging it failed."""
    try:
        return run_one(bench, scenario, level, shrink=shrink)
    except Exception:  # noqa: BLE001 # whatever it is, the other process has to tell of it
        return traceback.format_exc()
