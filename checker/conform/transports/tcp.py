"""An adapter at the other end of a socket on the loopback."""

import contextlib
import hmac
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Sequence

from checker.conform.messages import BYE, Limits, Message
from checker.conform.transports.channel import AnswerFun, ChannelError, DueFun
from checker.conform.transports.stdio import (
    FAREWELL_MS,
    StartError,
    how_it_ended,
    put_an_end_to,
    spawn,
)
from checker.conform.transports.streams import Streams

STDERR = 2
LOOPBACK = "127.0.0.1"
HOST, PORT, TOKEN = "MALACHI_CONFORM_HOST", "MALACHI_CONFORM_PORT", "MALACHI_CONFORM_TOKEN"
"""Where a child that is to connect finds the address and the token that it has to show."""


class Socket:
    """A conversation over a connected socket."""

    def __init__(
        self,
        connection: socket.socket,
        limits: Limits,
        child: subprocess.Popen[bytes] | None = None,
        token: str = "",
    ) -> None:
        self._connection = connection
        self._child = child
        self._token = token
        self._farewell_ms = FAREWELL_MS
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number = connection.fileno()
        self._streams = Streams(number, number, limits)

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """One turn. The first one shows who is there."""
        try:
            received = self._streams.exchange(message, answer, due)
        except ChannelError:
            self._farewell_ms = 0
            raise
        if self._token and message["type"] == "hello":
            shown = received.get("token")
            if not isinstance(shown, str) or not hmac.compare_digest(
                shown.encode(errors="replace"), self._token.encode()
            ):
                raise ChannelError("error/protocol", "shows the wrong token")
        return received

    def complaints(self) -> bytes:
        """Its standard error is not ours."""
        return b""

    def close(self) -> None:
        """Say goodbye, and end the child if there is one."""
        if self._farewell_ms:
            with contextlib.suppress(ChannelError):
                self._streams.tell(BYE)
        self._connection.close()
        if self._child is not None:
            put_an_end_to(self._child, self._farewell_ms)


def connect(host: str, port: int, limits: Limits) -> Socket:
    """Connect to an adapter that runs already."""
    try:
        connection = socket.create_connection((host, port), limits.start_ms / 1000)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StartError(f"nobody can be reached at {host}:{port}: {why}") from None
    return Socket(connection, limits)


def listen(argv: Sequence[str], limits: Limits) -> Socket:
    """Start a program that connects to us, and wait for it."""
    token = secrets.token_hex(16)
    with socket.create_server((LOOPBACK, 0)) as server:
        env = {HOST: LOOPBACK, PORT: str(server.getsockname()[1]), TOKEN: token}
        # What it prints is no part of the report that stands on our standard output.
        beside = None if sys.stderr is None else STDERR
        child = spawn(argv, env, subprocess.DEVNULL, beside, beside)
        deadline = time.monotonic() + limits.start_ms / 1000
        server.settimeout(0.1)
        while True:
            try:
                connection, _ = server.accept()
            except TimeoutError:
                how = how_it_ended(child)
                if how is None and time.monotonic() < deadline:
                    continue
                put_an_end_to(child)
                if how is not None:
                    raise ChannelError("error/exit", f"{how} before it connected") from None
                raise ChannelError("error/timeout", "did not connect in time") from None
            return Socket(connection, limits, child, token)
