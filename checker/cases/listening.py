"""Hears which functions of the reference a step calls, with what, and what they answer.

A world runs the functions themselves, in rules that know nothing of recordings. So the calls are
heard where the interpreter makes them: the outermost ones, and what each tells the control plane.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType

from reference import vnodes
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply

TELLS = "command_fun"
"""The parameter by which the reference takes the way to the control plane."""


@dataclass(slots=True)
class Told:
    """One command, and what became of it."""

    request: Command
    reply: CommandReply | None = None
    applied: View | None = None
    """The control plane after it; none where it was never applied."""


@dataclass(slots=True)
class Heard:
    """One call of a function of the reference."""

    name: str
    args: Mapping[str, object]
    answer: object = None
    told: list[Told] = field(default_factory=list)


class Listener:
    """A profile hook that notes the calls of some functions."""

    def __init__(self, functions: Mapping[str, Callable[..., object]]) -> None:
        self.heard: list[Heard] = []
        self._names = {_code(function): name for name, function in functions.items()}
        self._outer: FrameType | None = None
        self._tell: FrameType | None = None
        self._command: FrameType | None = None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Note what is called in here."""
        before = sys.getprofile()
        sys.setprofile(self._hook)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _hook(self, frame: FrameType, event: str, answer: object) -> None:
        if event == "call":
            self._called(frame)
        elif event == "return":
            self._answered(frame, answer)

    def _called(self, frame: FrameType) -> None:
        code = frame.f_code
        if self._outer is None:
            if code in self._names:
                self._outer = frame
                self.heard.append(Heard(self._names[code], dict(frame.f_locals)))
        elif self._tell is None:
            if code is _code(self.heard[-1].args.get(TELLS)):
                self._tell = frame
                held = list(frame.f_locals.values())
                self.heard[-1].told.append(Told(held[-1]))
        elif code is _code(vnodes.command) and self.heard[-1].told[-1].applied is None:
            # In the mode raft the caller's view takes the command too: the first is the plane's.
            self._command = self._command or frame

    def _answered(self, frame: FrameType, answer: object) -> None:
        if frame is self._command:
            self._command = None
            if isinstance(answer, tuple):
                self.heard[-1].told[-1].applied = answer[0]
        elif frame is self._tell:
            self._tell = None
            if isinstance(answer, tuple):
                self.heard[-1].told[-1].reply = answer[1]
        elif frame is self._outer:
            self._outer = None
            self.heard[-1].answer = answer


def _code(function: object) -> CodeType | None:
    """The code that runs when something is called."""
    found = getattr(function, "__func__", function)
    code = getattr(found, "__code__", None)
    return code if isinstance(code, CodeType) else None
