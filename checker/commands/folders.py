"""Folders that commands write into: looked at before the work, and only what is theirs."""

from pathlib import Path
from tempfile import TemporaryFile

from checker.commands.exits import CommandError

MARK = ".malachi-model"
"""The file by which a folder is known again; it holds the word of the command."""


def writable(path: Path) -> Path:
    """The folder, made where it is not there; an error where nothing can be written into it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{path} cannot be made a folder: {error.strerror}") from None
    try:
        with TemporaryFile(dir=path):
            return path
    except OSError as error:
        raise CommandError(f"{path} cannot be written into: {error.strerror}") from None


def own(path: Path, word: str) -> Path:
    """The folder, empty or of an earlier run of the command; one with other files is refused."""
    mark = writable(path) / MARK
    try:
        if any(path.iterdir()) and not (mark.is_file() and mark.read_text("utf-8") == word):
            raise CommandError(f"{path} holds files of others: name an empty or a new folder")
        mark.write_text(word, "utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be used: {error}") from None
    return path
