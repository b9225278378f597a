"""An adapter on a socket that says whatever a test wants, in a thread of the test."""

import json
import socket
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Self

WELCOME = {
    "type": "welcome",
    "protocol": 1,
    "implementation": "hostile",
    "ops": ["open", "create_topic", "active_range_ids"],
    "level": "L1",
}
"""Who answers, as long as nothing else is wanted."""
Say = Callable[[bytes], Iterator[bytes]]
"""What is said in place of a reply, given the id of the call as text."""


class Server:
    """Speaks the protocol on a socket, up to the first call."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.welcome = json.dumps(WELCOME).encode()
        self.ready: object = None
        """What answers a reset, in place of its id."""
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            try:
                with connection, connection.makefile("rb") as heard:
                    for each in heard:
                        for part in self._said(json.loads(each)):
                            connection.sendall(part)
            except OSError:
                pass

    def _said(self, message: dict[str, object]) -> Iterator[bytes]:
        if message["type"] == "hello":
            yield self.welcome + b"\n"
        elif message["type"] == "call":
            yield from self.say(str(message["id"]).encode())
        elif message["type"] == "reset":
            number = message["id"] if self.ready is None else self.ready
            yield json.dumps({"type": "ready", "id": number}).encode() + b"\n"
