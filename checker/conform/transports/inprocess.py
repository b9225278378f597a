"""An adapter that is a Python object: the same messages, and no wire."""

from typing import Protocol

from checker.conform.messages import Message
from checker.conform.transports.channel import AnswerFun, ChannelError, DueFun


class Adapter(Protocol):
    """What an adapter in Python offers."""

    def handle(self, message: Message, effect: AnswerFun) -> Message | None:
        """Take a message, ask for effects, answer; nothing is answered to `bye`."""


class InProcess:
    """Calls an adapter directly."""

    def __init__(self, adapter: Adapter, effects: int = 10_000) -> None:
        self._adapter = adapter
        self._effects = effects

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """Call the adapter. What it raises is how it ends."""
        asked = 0

        def ask(effect: Message) -> Message:
            nonlocal asked
            asked += 1
            if answer is None or asked > self._effects:
                raise ChannelError("error/protocol", too_many(asked, answer is not None))
            return answer(recognised(effect, due))

        try:
            reply = self._adapter.handle(message, ask)
        except ChannelError:
            raise
        except Exception as error:
            said = f"the adapter raised {type(error).__name__}: {error}"
            raise ChannelError("error/exit", said) from error
        if reply is None:
            raise ChannelError("error/exit", "the adapter answered nothing")
        return recognised(reply, due)

    def close(self) -> None:
        """Nothing runs for it."""

    def complaints(self) -> bytes:
        """It has no standard error of its own."""
        return b""


def recognised(message: Message, due: DueFun | None) -> Message:
    """The message that is due, where this one is equal to it. Python holds 1 for equal to True."""
    expected = None if due is None else due()
    return expected.message if expected is not None and expected.message == message else message


def too_many(asked: int, is_call: bool) -> str:
    """Why an effect is not answered."""
    if is_call:
        return f"asked for {asked:,} effects in one call"
    return "asked for an effect outside a call"
