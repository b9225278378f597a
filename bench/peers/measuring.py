"""Run one command to its end: how long it took, and how much memory it held at its height."""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

BETWEEN_LOOKS = 0.25
"""Seconds between two looks at the memory of a command that started further processes."""


class OverrunError(Exception):
    """The command was stopped at its limit."""


class FailedError(Exception):
    """The command ended in an error, or printed no counts."""


class Run(NamedTuple):
    """What one command cost."""

    seconds: float
    """Wall time of the whole process, its start included."""
    cpu_seconds: float
    """Time on a core, user and system, of the command and of the children it waited for."""
    peak_bytes: int
    """Resident memory at its height; where a command starts others, of all of them together.

    The kernel counts the moment before the command replaced this process too, so less than this
    process holds (about 20 MB) cannot be told.
    """
    output: str


class Exit(NamedTuple):
    """How a process ended."""

    code: int
    cpu_seconds: float
    peak_bytes: int
    """Of the largest single process, as the kernel saw it."""


def run(
    command: Sequence[str], folder: Path, limit: float, more: Mapping[str, str] | None = None
) -> Run:
    """Run the command in the folder, alone; `more` are further environment variables.

    Raises OverrunError after `limit` seconds and FailedError where it exits with a failure.
    """
    with tempfile.TemporaryFile() as output:
        begun = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(more or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        with _group_ended(process.pid), _watched(process.pid) as together:
            left = _wait(process, limit)
        seconds = time.perf_counter() - begun
        output.seek(0)
        text = output.read().decode(errors="replace")
    if left.code:
        raise FailedError(f"{command[0]} exited with {left.code}: {text[-2000:]}")
    return Run(seconds, left.cpu_seconds, max(left.peak_bytes, together[0]), text)


def _wait(process: subprocess.Popen[bytes], limit: float) -> Exit:
    # wait4 alone tells the memory of this one child; it takes no limit, so a timer ends the child.
    overran = threading.Event()

    def stop() -> None:
        overran.set()
        _kill(process.pid)

    timer = threading.Timer(limit, stop)
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if overran.is_set():
        raise OverrunError(f"not within {limit:.0f} s")
    cpu = usage.ru_utime + usage.ru_stime
    return Exit(process.returncode, cpu, usage.ru_maxrss * 1024)


@contextlib.contextmanager
def _group_ended(group: int) -> Iterator[None]:
    """Leave nothing running that the command started, also when we are interrupted."""
    try:
        yield
    finally:
        _kill(group)


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


@contextlib.contextmanager
def _watched(pid: int) -> Iterator[list[int]]:
    """Note now and then what the command and its children hold together, once it has children."""
    seen = [0]
    done = threading.Event()

    def look() -> None:
        while not done.wait(BETWEEN_LOOKS):
            seen[0] = max(seen[0], _held_together(pid))

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield seen
    finally:
        done.set()
        watcher.join()


def _held_together(pid: int) -> int:
    # A page that several processes share counts once: each has its part of it.
    try:
        parent = psutil.Process(pid)
        children = parent.children(recursive=True)
        if not children:
            return 0
        return sum(int(process.memory_full_info().pss) for process in (parent, *children))
    except psutil.Error:
        return 0
