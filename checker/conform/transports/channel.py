"""What every transport offers, and how it fails."""

from collections.abc import Callable
from typing import Literal, Protocol

from checker.conform.lines import write_line
from checker.conform.messages import Message

AnswerFun = Callable[[Message], Message]
"""Answers an effect."""


class Due:
    """A message that is expected."""

    def __init__(self, message: Message) -> None:
        self.message = message

    def line(self) -> bytes:
        """How we would write it."""
        return write_line(self.message)

    def look_ahead(self) -> None:
        """Work out what will be needed next. Who waits for an answer has the time for it."""


DueFun = Callable[[], Due | None]
"""What is expected next, asked for while the adapter is at work."""
Fault = Literal["error/exit", "error/timeout", "error/protocol"]


class ChannelError(Exception):
    """The adapter cannot be talked to any more; the text says what it did."""

    def __init__(self, outcome: Fault, text: str) -> None:
        super().__init__(text)
        self.outcome: Fault = outcome


class Channel(Protocol):
    """A conversation in strict turns."""

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """Send a message, answer the effects that come, and take what ends the turn.

        Where what comes is what is due, to the letter, that very message is answered, and nobody
        has to read it.
        """

    def close(self) -> None:
        """End the conversation, and whatever runs for it."""

    def complaints(self) -> bytes:
        """The last of what the adapter wrote on standard error."""
