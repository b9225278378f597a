"""Which recordings are meant: paths as they were given, and what lies below folders."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from checker.replay.result import Complaint

SUFFIX = ".jsonl"
NO_PATH = '""'
"""How a path without a character is written."""

Paths = str | Path | Iterable[str | Path]
"""One path or several."""


@dataclass(slots=True)
class Found:
    """The recordings, and what is in the way of others."""

    files: list[Path] = field(default_factory=list)
    """Each once, however it was reached; those of a folder in ascending order."""
    malformed: list[Complaint] = field(default_factory=list)
    """What cannot be looked at."""
    unselected: list[Complaint] = field(default_factory=list)
    """Folders that hold no recording."""


def recordings(paths: Paths) -> Found:
    """The files that are given, and all `.jsonl` files below the folders that are given.

    Links are followed. Raises TypeError for what is no path.
    """
    found = Found()
    reached: dict[str, Path] = {}
    for path in given(paths):
        reason = unusable(path)
        if reason is not None:
            found.malformed.append(Complaint(path or NO_PATH, None, reason))
            continue
        complaints = len(found.malformed)
        files = list(below(Path(path), found.malformed))
        if not files and len(found.malformed) == complaints:
            reason = f"no {SUFFIX} file in this folder: nothing to replay"
            found.unselected.append(Complaint(path, None, reason))
        for file in files:
            reached.setdefault(os.path.realpath(file), file)
    found.files = list(reached.values())
    return found


def given(paths: Paths) -> list[str]:
    """Each path as text. A single path is no list of letters."""
    several = [paths] if isinstance(paths, str | bytes | Path) else paths
    if not isinstance(several, Iterable):
        raise no_path(paths)
    return [as_text(path) for path in several]


def as_text(path: object) -> str:
    """A path as text."""
    if not isinstance(path, str | Path):
        raise no_path(path)
    return str(path)


def no_path(what: object) -> TypeError:
    """The error for what is no path."""
    return TypeError(f"a recording is given as str or Path, not as {type(what).__name__}")


def unusable(path: str) -> str | None:
    """Why no file can have this path."""
    if not path:
        return "an empty path names no file"
    if "\0" in path:
        return "a path holds no NUL character"
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return "a path with half a surrogate pair names no file"
    return None


def below(path: Path, malformed: list[Complaint]) -> Iterator[Path]:
    """The path itself, or the recordings below it where it is a folder."""
    try:
        is_folder = path.is_dir()
    except OSError as error:
        malformed.append(Complaint(str(path), None, why(error)))
        return
    if is_folder:
        yield from sorted(walked(path, malformed))
    else:
        yield path


def walked(top: Path, malformed: list[Complaint]) -> Iterator[Path]:
    """The recordings below a folder. A folder that links lead back to is entered once."""
    entered: set[str] = set()
    folders = [top]
    while folders:
        folder = folders.pop()
        real = os.path.realpath(folder)
        if real in entered:
            continue
        entered.add(real)
        try:
            entries = sorted(folder.iterdir())
        except OSError as error:
            malformed.append(Complaint(str(folder), None, why(error)))
            continue
        for entry in reversed(entries):
            try:
                is_folder = entry.is_dir()
            except OSError as error:
                malformed.append(Complaint(str(entry), None, why(error)))
                continue
            if is_folder:
                folders.append(entry)
            elif entry.suffix == SUFFIX:
                yield entry


def why(error: OSError) -> str:
    """Why a file cannot be read, in words."""
    return error.strerror or str(error)
