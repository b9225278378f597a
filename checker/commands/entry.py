"""The entry of `malachi-model`: quick to import, so that even an early Ctrl-C ends cleanly."""

import sys

from checker.commands.interrupts import listen

UNFINISHED = 4


def main() -> None:
    """Run the command line, and leave with its exit code."""
    try:
        listen()
        from checker.commands.main import run  # noqa: PLC0415 - what takes long comes after listen

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = UNFINISHED
    sys.exit(code)
