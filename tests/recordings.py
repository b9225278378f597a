"""Recordings for tests: found by name, taken apart, changed and written anew."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

TRACES = Path(__file__).parent / "data" / "traces"

Line = dict[str, Any]


def path_of(number: str) -> Path:
    """The recording whose file name begins with a number, or is `random-` and a number."""
    [path] = TRACES.rglob(f"{number}*.jsonl")
    return path


def lines_of(number: str) -> list[Line]:
    """All lines of a recording, the header first."""
    return [json.loads(line) for line in path_of(number).read_text("utf-8").splitlines()]


def written(folder: Path, lines: Sequence[Line], name: str = "changed") -> Path:
    """A recording of these lines."""
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def changed(folder: Path, number: str, n: int, change: Callable[[Line], object]) -> Path:
    """A recording in which one call was changed."""
    lines = lines_of(number)
    change(lines[n + 1])
    return written(folder, lines)


def put(place: str, value: object) -> Callable[[Line], None]:
    """A change that puts a value at a place: `state.offsets.0.1`."""

    def change(line: Line) -> None:
        *way, last = (int(step) if step.isdigit() else step for step in place.split("."))
        here: Any = line
        for step in way:
            here = here[step]
        here[last] = value

    return change
