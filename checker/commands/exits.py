"""The exit codes of every command, and the errors that people see."""

from collections.abc import Iterable
from enum import IntEnum

from checker.nearest import unknown


class Exit(IntEnum):
    """What a command's exit code says."""

    OK = 0
    """All is as expected, and at least one thing ran."""
    BROKEN = 1
    """A law is broken, an implementation departs, a size moved, a defect survives."""
    USAGE = 2
    """The arguments, a file or the environment cannot be used."""
    UNDETERMINED = 3
    """It could not be decided."""
    UNFINISHED = 4
    """A budget was used up, or the run was interrupted."""
    NOTHING = 5
    """Nothing was selected."""
    INTERNAL = 70
    """The checker contradicts itself."""


SEVEREST_FIRST = (
    Exit.INTERNAL,
    Exit.BROKEN,
    Exit.USAGE,
    Exit.UNDETERMINED,
    Exit.UNFINISHED,
    Exit.NOTHING,
)


def worst(exits: Iterable[Exit]) -> Exit:
    """The one that counts when several apply."""
    found = set(exits)
    return next((each for each in SEVEREST_FIRST if each in found), Exit.OK)


class CommandError(Exception):
    """Something that the user can put right: one line says what, where and what to do."""

    def __init__(self, message: str, code: Exit = Exit.USAGE) -> None:
        super().__init__(message)
        self.code = code


def unknown_name(kind: str, name: str, known: Iterable[str], listing: str) -> CommandError:
    """An error for a name that nobody knows, with the nearest ones that are known."""
    return CommandError(unknown(kind, name, known, listing))
