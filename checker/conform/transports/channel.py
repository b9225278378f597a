"""What every transport offers, and how it fails."""

from collections.abc import Callable
from typing import Literal, Protocol

from checker.conform.messages import Message

AnswerFun = Callable[[Message], Message]
"""Answers an effect."""
Fault = Literal["error/exit", "error/timeout", "error/protocol"]


class ChannelError(Exception):
    """The adapter cannot be talked to any more; the text says what it did."""

    def __init__(self, outcome: Fault, text: str) -> None:
        super().__init__(text)
        self.outcome: Fault = outcome


class Channel(Protocol):
    """A conversation in strict turns."""

    def exchange(self, message: Message, answer: AnswerFun | None = None) -> Message:
        """Send a message, answer the effects that come, and take what ends the turn."""

    def close(self) -> None:
        """End the conversation, and whatever runs for it."""

    def complaints(self) -> bytes:
        """The last of what the adapter wrote on standard error."""
