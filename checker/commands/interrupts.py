"""What Ctrl-C, a hang-up and a request to end do: stop cleanly, once, with what was found."""

import signal
from types import FrameType

from checker.search.stopping import REQUEST

INTERRUPTED = "interrupted before there was anything to report"
SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """Ask the search to stop, or where none listens end what runs. A second time changes nothing.

    A command that was told once is busy writing what it found.
    """
    if REQUEST.is_made:
        return
    REQUEST.is_made = True
    if not REQUEST.listeners:
        raise KeyboardInterrupt


def listen() -> None:
    """Take the signals over from the interpreter."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)
