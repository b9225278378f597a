"""The servers, and how they share what there is to do."""

import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Request = Mapping[str, Any]
Answer = dict[str, Any]


class PoolError(Exception):
    """The tests cannot be served."""


class Pool:
    """Some servers of the same tests. Every one answers one request at a time."""

    def __init__(self, root: Path, files: Sequence[str], workers: int) -> None:
        command = [sys.executable, "-m", "checker.mutants.serving", *files]
        # The order in which sets are walked is a test's own affair: it is to be the same tomorrow.
        surroundings = os.environ | {"PYTHONHASHSEED": "0"}
        self.servers = [
            subprocess.Popen(  # noqa: S603 - this interpreter, and files of this project
                command,
                cwd=root,
                env=surroundings,
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            for _ in range(workers)
        ]
        self.tests: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        """Wait until all the tests are collected."""
        try:
            for server in self.servers:
                self.tests = _collected(self._answer(server))
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every server, at work or not, with what it has forked."""
        for server in self.servers:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
            for stream in (server.stdin, server.stdout, server.stderr):
                if stream is not None:
                    stream.close()

    def ask(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Answer]]:
        """Have every request answered, as each server comes to it."""
        waiting = iter(requests)
        with selectors.DefaultSelector() as selector:
            for server in self.servers:
                self._hand_out(waiting, server, selector)
            while selector.get_map():
                for key, _ in selector.select():
                    server, request = key.data
                    answer = self._answer(server)
                    selector.unregister(server.stdout)
                    self._hand_out(waiting, server, selector)
                    yield request, answer

    def _hand_out(
        self,
        waiting: Iterator[Request],
        server: "subprocess.Popen[str]",
        selector: selectors.BaseSelector,
    ) -> None:
        request = next(waiting, None)
        if request is None or server.stdin is None or server.stdout is None:
            return
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        selector.register(server.stdout, selectors.EVENT_READ, (server, request))

    def _answer(self, server: "subprocess.Popen[str]") -> Answer:
        assert server.stdout is not None
        assert server.stderr is not None
        line = server.stdout.readline()
        if not line:
            said = server.stderr.read().strip().splitlines()
            raise PoolError(f"the tests cannot be served: {said[-1] if said else 'no reason'}")
        answer = dict(json.loads(line))
        if "error" in answer:
            raise PoolError(f"a test server fails: {answer['error']}")
        return answer


def _collected(answer: Answer) -> tuple[str, ...]:
    """The names of the tests that a server has collected."""
    if answer["failed"] or not answer["tests"]:
        raise PoolError("the tests cannot be collected: see what `make test` says")
    return tuple(answer["tests"])
