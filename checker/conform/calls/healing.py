"""What a frontend takes over of the coordinators' commands."""

from checker.conform.calls.answers import nothing
from checker.conform.codecs import many
from checker.conform.nouns import command
from checker.conform.operations import Answered, Arguments, Effects, Operation
from checker.conform.replying import command_reply
from reference import healing
from reference.frontend import Frontend
from spec.replies import Ok


def apply_heal(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Send commands."""
    return healing.apply_heal(front, args["commands"], effects.command), Ok()


def apply_heal_reply(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Send commands, and say how it went."""
    return healing.apply_heal_reply(front, args["commands"], effects.command)


COMMANDS = {"commands": many(command)}

OPERATIONS = (
    Operation("apply_heal", "heal", apply_heal, nothing, COMMANDS),
    Operation("apply_heal_reply", "heal", apply_heal_reply, command_reply, COMMANDS),
)
