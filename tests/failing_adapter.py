"""The reference as an adapter that ends itself in one call, whichever process plays it."""

import os
import sys

from checker.conform.calls.table import OPERATIONS
from checker.conform.messages import Message
from checker.conform.serving import ReferenceAdapter, serve
from checker.conform.transports.channel import AnswerFun

FATAL = sys.argv[1]


class Failing(ReferenceAdapter):
    """Leaves in the middle of a call."""

    def handle(self, message: Message, effect: AnswerFun) -> Message | None:
        """Leave, or do as the reference does."""
        if message.get("op") == FATAL:
            os._exit(9)
        return super().handle(message, effect)


serve(Failing(OPERATIONS, {}), sys.stdin.buffer, sys.stdout.buffer)
