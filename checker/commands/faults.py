"""What a command says of an error: one line, and the exit code."""

import click

from checker.commands.exits import CommandError, Exit
from checker.commands.interrupts import INTERRUPTED
from checker.search.faults import CheckpointError, InternalError, ModelError

PROGRAM = "malachi-model"


def explained(error: BaseException) -> tuple[str, Exit]:
    """What went wrong in one line, and the exit code for it."""
    match error:
        case click.ClickException():
            return usage_line(error), Exit.USAGE
        case CommandError() | CheckpointError():
            return str(error), getattr(error, "code", Exit.USAGE)
        case KeyboardInterrupt() | click.Abort():
            return INTERRUPTED, Exit.UNFINISHED
        case MemoryError():
            return "out of memory: give it more, or a smaller scope", Exit.UNFINISHED
        case InternalError() | ModelError():
            return f"internal error: {error}", Exit.INTERNAL
        case _:
            said = f"internal error: {type(error).__name__}: {error}".replace("\n", " ")
            return f"{said} (MALACHI_MODEL_DEBUG=1 shows where)", Exit.INTERNAL


def usage_line(error: click.ClickException) -> str:
    """What is wrong with the arguments, and where the right ones are listed."""
    said = error.format_message().replace("\n", " ").rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = PROGRAM if context is None else context.command_path
    return f"{said}: `{path} --help` lists what it takes"
