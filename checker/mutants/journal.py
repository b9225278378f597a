"""What a run found so far, in a file that only grows: a run that was stopped goes on from it.

Each line is one JSON object and is on the disk before the next thing begins. A line that was cut
off by the end of a process counts as not written.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

Kind = Literal["sources", "refused", "probed", "tried"]
"""The lines: what the run is about, which mutants never ran, what tests reach, what came of one."""


class JournalError(Exception):
    """A journal that a run cannot go on from."""


class Journal:
    """Lines that are kept in a file, if there is one."""

    def __init__(self, path: Path | None, sources: str, *, resume: bool) -> None:
        self.path = path
        self.lines: list[tuple[Kind, Any]] = []
        if path is not None and resume and path.exists():
            self.lines = _read(path)
            if self.lines[:1] != [("sources", sources)]:
                raise JournalError(
                    f"{path} is of other sources than these: remove it, or no --resume"
                )
            _rewrite(path, self.lines)
        else:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("", "utf-8")
            self.keep("sources", sources)

    def of(self, kind: Kind) -> list[Any]:
        """What the lines of one kind say, oldest first."""
        return [said for each, said in self.lines if each == kind]

    def keep(self, kind: Kind, said: Mapping[str, Any] | list[str] | str) -> None:
        """Add a line."""
        self.lines.append((kind, said))
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps([kind, said]) + "\n")
                stream.flush()
                os.fsync(stream.fileno())


def _read(path: Path) -> list[tuple[Kind, Any]]:
    lines: list[tuple[Kind, Any]] = []
    for text in path.read_text("utf-8").splitlines(keepends=True):
        try:
            kind, said = json.loads(text)
        except ValueError:
            break
        if text.endswith("\n"):
            lines.append((kind, said))
    return lines


def _rewrite(path: Path, lines: list[tuple[Kind, Any]]) -> None:
    """Let nothing stand behind a line that was cut off."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    beside.replace(path)
