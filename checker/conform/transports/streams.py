"""Lines over file descriptors: every wait has an end, every buffer a size."""

import os
import select
import time
from collections.abc import Callable

from checker.conform.lines import quoted, read_line, write_line
from checker.conform.messages import Limits, Message
from checker.conform.transports.channel import AnswerFun, ChannelError, Due, DueFun
from checker.conform.transports.inprocess import too_many
from checker.replay.terms import MalformedError

CHUNK = 2**14
PIPE_BYTES = 2**20
"""So much a pipe may hold."""
GRACE_MS = 200
"""How long the output of a process that ended is still waited for."""
MILLIS = 1000


class Streams:
    """A conversation over two descriptors, and the standard error beside them."""

    def __init__(
        self,
        read_from: int,
        write_to: int,
        limits: Limits,
        ended: Callable[[], str | None] = lambda: None,
        errors_from: int | None = None,
    ) -> None:
        self._read_from = read_from
        self._write_to = write_to
        self._limits = limits
        self._ended = ended
        """How the process at the other end ended; none while it runs, or where there is none."""
        self._errors_from = errors_from
        self._buffer = bytearray()
        self._errors = bytearray()
        self._poll = select.poll()
        self._poll.register(read_from, select.POLLIN)
        if errors_from is not None:
            self._poll.register(errors_from, select.POLLIN)
            os.set_blocking(errors_from, False)
        os.set_blocking(read_from, False)
        os.set_blocking(write_to, False)
        self._turn_ms = limits.start_ms

    def complaints(self) -> bytes:
        """The last of what came on standard error."""
        return bytes(self._errors)

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """Send, answer effects, and take what ends the turn."""
        asked = 0
        while True:
            if self._buffer:
                raise ChannelError(
                    "error/protocol", f"spoke out of turn: {quoted(bytes(self._buffer[:200]))}"
                )
            deadline = time.monotonic() + self._turn_ms / MILLIS
            self._send(write_line(message), deadline)
            received = self._receive(deadline, None if due is None else due())
            self._turn_ms = self._limits.turn_ms
            if received.get("type") != "effect":
                return received
            asked += 1
            if answer is None or asked > self._limits.effects:
                raise ChannelError("error/protocol", too_many(asked, answer is not None))
            message = answer(received)

    def tell(self, message: Message) -> None:
        """Send a message that nobody answers."""
        self._send(write_line(message), time.monotonic() + self._turn_ms / MILLIS)

    def _send(self, line: bytes, deadline: float) -> None:
        rest = memoryview(line)
        while rest:
            try:
                rest = rest[os.write(self._write_to, rest) :]
            except BlockingIOError:
                self._wait_to_write(deadline)
            except OSError:
                raise self._gone() from None

    def _wait_to_write(self, deadline: float) -> None:
        """Wait until more can be written. What comes on standard error meanwhile is taken."""
        poll = select.poll()
        poll.register(self._write_to, select.POLLOUT)
        if self._errors_from is not None:
            poll.register(self._errors_from, select.POLLIN)
        for number, _ in poll.poll(left(deadline)):
            if number == self._errors_from:
                self._take_errors()
        if time.monotonic() >= deadline:
            raise ChannelError("error/timeout", f"reads nothing for {self._turn_ms} ms")

    def _receive(self, deadline: float, due: Due | None) -> Message:
        expected = None
        if due is not None:
            # The other end is at work, and so are we.
            expected = due.line()
            due.look_ahead()
            # Mostly it is done by then, and there is nothing to wait for.
            if not self._take():
                raise self._gone()
        searched = 0
        while True:
            at = self._buffer.find(b"\n", searched)
            if at >= 0:
                line = bytes(self._buffer[: at + 1])
                del self._buffer[: at + 1]
                if due is None:
                    return parsed(line)
                return due.message if line == expected else understood(line, due)
            searched = len(self._buffer)
            if searched > self._limits.line_bytes:
                size = self._limits.line_bytes
                raise ChannelError("error/protocol", f"sent a line longer than {size:,} bytes")
            self._fill(deadline)

    def _fill(self, deadline: float) -> None:
        """Take what is there, and wait for it at most until the turn is over."""
        events = self._poll.poll(min(left(deadline), GRACE_MS))
        for number, _ in events:
            if number == self._errors_from:
                self._take_errors()
            elif not self._take():
                raise self._gone()
        if not events and self._ended() is not None:
            raise self._gone()
        if time.monotonic() >= deadline and b"\n" not in self._buffer:
            raise ChannelError("error/timeout", self._silence())

    def _take(self) -> bool:
        """Whether there was more to read."""
        try:
            chunk = os.read(self._read_from, CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._buffer += chunk
        return bool(chunk)

    def _take_errors(self) -> None:
        assert self._errors_from is not None
        try:
            chunk = os.read(self._errors_from, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._poll.unregister(self._errors_from)
            self._errors_from = None
        self._errors += chunk
        del self._errors[: -self._limits.stderr_bytes]

    def _take_last_errors(self) -> None:
        """What the other end had still to say, as far as it lies there.

        Somebody may write without end: no more is taken than a pipe can hold.
        """
        poll = select.poll()
        for _ in range(PIPE_BYTES // CHUNK):
            if self._errors_from is None:
                return
            poll.register(self._errors_from, select.POLLIN)
            if not poll.poll(0):
                return
            self._take_errors()

    def _silence(self) -> str:
        said = f"did not answer within {self._turn_ms:,} ms"
        if not self._buffer:
            return said
        return f"{said}; it wrote half a line: {quoted(bytes(self._buffer[:200]))}"

    def _gone(self) -> ChannelError:
        """What became of the other end."""
        deadline = time.monotonic() + GRACE_MS / MILLIS
        while (how := self._ended()) is None and time.monotonic() < deadline:
            time.sleep(0.005)
        self._take_last_errors()
        said = how or "closed the connection"
        if self._buffer:
            said += f" in the middle of a line: {quoted(bytes(self._buffer[:200]))}"
        return ChannelError("error/exit", said)


def left(deadline: float) -> float:
    """Milliseconds until then."""
    return max(0.0, (deadline - time.monotonic()) * MILLIS)


def understood(line: bytes, due: Due) -> Message:
    """The message of a line: the very one that is due, where the line says the same.

    Python holds 1 for equal to true, so a line with flags is compared by its text alone.
    """
    message = parsed(line)
    is_flagged = b"true" in line or b"false" in line
    return due.message if not is_flagged and message == due.message else message


def parsed(line: bytes) -> Message:
    """The message of a line."""
    try:
        return read_line(line)
    except MalformedError as error:
        said = f"sent what is no message: {error}: {quoted(line) or 'an empty line'}"
        raise ChannelError("error/protocol", said) from None
