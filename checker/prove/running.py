"""Many obligations, a few processes: each process takes the next name as soon as it is free.

A process that ends before its answer (killed, out of memory) leaves its obligation unknown, and
another takes its place.
"""

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

import checker
from checker.prove.tasks import Asked, Plain

PAUSE = 0.1
"""Seconds between two looks at whether a process has ended."""
ROOT = str(Path(checker.__path__[0]).parent)
"""Where the packages that are running here stand."""
Done = Callable[[Plain], None]
"""Is told of each result as it comes."""


def run_all(names: Iterable[str], asked: Asked, defect: str | None, jobs: int, done: Done) -> None:
    """Work on every name, on so many processes at once."""
    waiting = deque(names)
    results: SimpleQueue[Plain] = SimpleQueue()
    left = len(waiting)
    workers = [Worker(waiting, asked, defect, results) for _ in range(min(jobs, left))]
    try:
        for worker in workers:
            worker.start()
        while left:
            done(results.get())
            left -= 1
    finally:
        waiting.clear()
        for worker in workers:
            while worker.is_alive():
                worker.end()
                worker.join(PAUSE)


class Worker(Thread):
    """Keeps one process busy."""

    def __init__(
        self,
        waiting: deque[str],
        asked: Asked,
        defect: str | None,
        results: "SimpleQueue[Plain]",
    ) -> None:
        super().__init__(daemon=True)
        self.waiting = waiting
        self.asked = asked
        self.defect = defect
        self.results = results
        self.process: subprocess.Popen[str] | None = None

    def run(self) -> None:
        """Hand out names until none is left."""
        while self.waiting:
            try:
                name = self.waiting.popleft()
            except IndexError:
                break
            self.results.put(self.answer(name))
        self.end()
        self._close()

    def end(self) -> None:
        """End the process, whatever it is at; who reads from it then closes it."""
        process = self.process
        if process is not None:
            process.kill()

    def _close(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.communicate()

    def answer(self, name: str) -> Plain:
        """Hand out one name, and wait for what comes of it."""
        try:
            process = self.own_process()
        except OSError as error:
            return ended(name, f"no process could be started for it: {error}")
        try:
            assert process.stdin is not None, "the process is started with a pipe to it"
            assert process.stdout is not None, "and with one from it"
            process.stdin.write(name + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            answer: Plain = json.loads(line)
        except (OSError, ValueError):
            # It was killed, or it ran out of memory.
            self._close()
            return ended(name)
        return answer

    def own_process(self) -> "subprocess.Popen[str]":
        """The process, started if there is none."""
        if self.process is None:
            self.process = subprocess.Popen(  # noqa: S603 - this very program
                self.command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=os.environ | {"PYTHONPATH": path()},
                # A terminal's Ctrl-C is for us alone: it reaches no process of another group.
                process_group=0,
            )
        return self.process

    def command(self) -> list[str]:
        """What starts a process: its last argument says what is asked."""
        given = json.dumps({"asked": self.asked.as_plain(), "defect": self.defect})
        # Not what stands in the current folder: -P keeps it off the path.
        return [sys.executable, "-P", "-m", "checker.prove.working", given]


def path() -> str:
    """Where a process looks for modules: here first, and then where this one was told to."""
    return os.pathsep.join(filter(None, (ROOT, os.environ.get("PYTHONPATH"))))


def ended(name: str, why: str = "the process that worked on it ended") -> Plain:
    """What is known of an obligation whose process ended before its answer: nothing."""
    nothing: Plain = {"step": name, "shapes": 0, "paths": 0, "seconds": 0.0, "drawing": 0.0}
    return {**nothing, "unknown": why, "laws": []}
