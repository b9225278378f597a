"""An adapter that is a child process and talks over its standard input and output."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence

from checker.conform.messages import BYE, Limits, Message
from checker.conform.transports.channel import AnswerFun, ChannelError, DueFun
from checker.conform.transports.streams import Streams

FAREWELL_MS = 500
"""How long a child may take to leave after `bye`, before its group is killed."""


class StartError(Exception):
    """The program cannot be started; the text says why."""


def spawn(
    argv: Sequence[str], env: Mapping[str, str], stdin: int, stdout: int | None, stderr: int | None
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, through no shell."""
    try:
        return subprocess.Popen(  # noqa: S603 # the caller's own program
            list(argv),
            bufsize=0,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            env={**os.environ, **env},
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise StartError(f"{argv[0]!r} cannot be started: {why}") from None


def how_it_ended(child: subprocess.Popen[bytes]) -> str | None:
    """How a child ended; none while it runs."""
    code = child.poll()
    if code is None:
        return None
    if code < 0:
        return f"was ended by signal {signal_name(-code)}"
    return f"ended with exit code {code}"


def signal_name(number: int) -> str:
    """The name of a signal, or its number where it has none: most of those for real time."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def put_an_end_to(child: subprocess.Popen[bytes], wait_ms: int = FAREWELL_MS) -> None:
    """End a child and all of its group, which may leave by itself for a while."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(wait_ms / 1000)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


class Stdio:
    """A child and its three streams."""

    def __init__(self, argv: Sequence[str], limits: Limits) -> None:
        self._child = spawn(argv, {}, subprocess.PIPE, subprocess.PIPE, subprocess.PIPE)
        stdin, stdout, stderr = self._child.stdin, self._child.stdout, self._child.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._files = (stdin, stdout, stderr)
        self._farewell_ms = FAREWELL_MS
        self._streams = Streams(
            stdout.fileno(),
            stdin.fileno(),
            limits,
            lambda: how_it_ended(self._child),
            stderr.fileno(),
        )

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """One turn."""
        try:
            return self._streams.exchange(message, answer, due)
        except ChannelError:
            self._farewell_ms = 0
            raise

    def complaints(self) -> bytes:
        """The last of its standard error."""
        return self._streams.complaints()

    def close(self) -> None:
        """Say goodbye, and end whoever does not leave."""
        if self._farewell_ms:
            with contextlib.suppress(ChannelError):
                self._streams.tell(BYE)
        self._files[0].close()
        put_an_end_to(self._child, self._farewell_ms)
        for file in self._files:
            file.close()
