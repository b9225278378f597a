"""The three ways in which a frontend's command reaches the control plane.

Each answers the view that comes back with the reply; `authority` is the control plane that
all frontends share.
"""

from reference.vnodes import View, command, submit
from spec.commands import Command
from spec.replies import CommandReply
from spec.vocabulary import Millis


def in_memory(view: View, request: Command, now: Millis | None = None) -> tuple[View, CommandReply]:
    """[RNG-41] The frontend's own view is the control plane."""
    return command(view, request, now)


def authoritative(
    authority: View, view: View, request: Command, now: Millis | None = None
) -> tuple[View, View, CommandReply]:
    """[RNG-42] The control plane decides, and its own newest view comes back with the reply."""
    del view  # what the caller held is replaced whole
    authority, reply = command(authority, request, now)
    return authority, authority, reply


def raft(
    authority: View, view: View, request: Command, now: Millis | None = None
) -> tuple[View, View, CommandReply]:
    """[RNG-43] The shared log decides, and the caller then applies the command to its own view.

    It does so whatever the log answered, so the two can part where the view was behind.
    """
    authority, reply = submit(authority, request, now)
    view, _ = submit(view, request, now)
    return authority, view, reply
