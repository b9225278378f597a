"""The entry of `malachi-model`: quick to import, so that even an early Ctrl-C ends cleanly."""

import sys
from contextlib import suppress

from checker.commands.interrupts import INTERRUPTED, listen

UNFINISHED = 4


def main() -> None:
    """Run the command line, and leave with its exit code."""
    try:
        listen()
        from checker.commands.main import run  # noqa: PLC0415 - what takes long comes after listen

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        # Not by `complain`: what brings it may be just what was interrupted.
        if sys.stderr is not None:
            with suppress(OSError):
                sys.stderr.write(f"malachi-model: {INTERRUPTED}\n")
        code = UNFINISHED
    sys.exit(code)
