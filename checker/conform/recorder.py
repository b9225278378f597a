"""What passes between harness and adapter, written down."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from checker.conform.lines import write_line
from checker.conform.messages import Message
from checker.conform.transports.channel import AnswerFun, Channel, DueFun

Line = tuple[str, Message]
"""A message with who said it: `>` the harness, `<` the adapter."""


@dataclass(slots=True)
class Recorder:
    """A channel that keeps what passes."""

    channel: Channel
    lines: list[Line] = field(default_factory=list)

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """One turn, written down."""
        self.lines.append((">", message))
        kept = None if answer is None else partial(self._answered, answer)
        received = self.channel.exchange(message, kept, due)
        self.lines.append(("<", received))
        return received

    def close(self) -> None:
        """End the conversation."""
        self.channel.close()

    def complaints(self) -> bytes:
        """The last of its standard error."""
        return self.channel.complaints()

    def _answered(self, answer: AnswerFun, effect: Message) -> Message:
        self.lines.append(("<", effect))
        answered = answer(effect)
        self.lines.append((">", answered))
        return answered


def transcript(lines: Iterable[Line]) -> bytes:
    """The lines as they stand in a file."""
    return b"".join(who.encode() + b" " + write_line(message) for who, message in lines)
