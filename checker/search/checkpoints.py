"""Checkpoints: what a long search needs to go on after it was stopped, or killed.

A checkpoint holds numbers only: packed rows, and the calls of rules that were made, in order. To
go on, the calls are made again, so that every id stands for the value it stood for before; what
they answer then must be what they answered. Rows and calls are appended to their files, and one
small file that says how much of them counts is replaced in one move, so that a checkpoint is
whole at any moment. That file holds a check of itself too: of other numbers no search goes on.
"""

import hashlib
import json
import os
import time
import zlib
from array import array
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from checker.search.faults import CheckpointError
from checker.search.fingerprints import rules_hash
from checker.search.model import Model
from checker.search.packing import Layout

VERSION = 2
STATE, CALLS = "state.json", "calls"


@dataclass(frozen=True, slots=True)
class Place:
    """How far a search has come, between two rounds."""

    layout: Layout
    bounds: tuple[tuple[int, ...], ...]
    """Where each layer starts, by owner of rows."""
    firsts: tuple[int, ...]
    """Where the next rows to expand stand."""
    ends: tuple[int, ...]
    """Where the layer that is being expanded ends."""
    counts: tuple[int, ...]
    transitions: int
    answer_sum: int
    """A check of what the rules answered."""


@dataclass(frozen=True, slots=True)
class State(Place):
    """A checkpoint: a place, and how much of which files counts."""

    version: int
    rules: str
    """A hash of the model."""
    is_reduced: bool
    """Whether it was searched up to symmetry."""
    plain_states: int
    """How many states plain Python searched first, at most."""
    generation: int
    """Names the files of rows; each layout has its own."""
    calls: int
    """How many numbers the file of calls has."""
    row_sums: tuple[int, ...]
    call_sum: int
    """Checks of the files."""


RowBytes = Callable[[int, int, int], memoryview]
"""Takes an owner and two places; answers the bytes of the rows between them."""


class Keeper:
    """Writes the checkpoints of one search into a folder of its own."""

    def __init__(
        self, folder: Path, model: Model, plain_states: int, seconds: float, *, is_reduced: bool
    ) -> None:
        self.folder = folder
        self.seconds = seconds
        self.plain_states = plain_states
        self.is_reduced = is_reduced
        self.rules = rules_hash(model)
        self._last = time.monotonic()
        self._state: State | None = None

    def is_due(self) -> bool:
        """Answer whether the last checkpoint is long ago."""
        return time.monotonic() - self._last >= self.seconds

    def went_on_from(self, state: State) -> None:
        """Append to the files of a checkpoint that was read."""
        self._state = state

    def keep(self, place: Place, rows: RowBytes, calls: "array[int]") -> None:
        """Write a checkpoint; OSError where the disk is full, and the last one stands then."""
        self.folder.mkdir(parents=True, exist_ok=True)
        old = self._state
        if old is None:
            (self.folder / STATE).unlink(missing_ok=True)
        generation = 0 if old is None else old.generation + (old.layout != place.layout)
        called, check = (old.calls, old.call_sum) if old else (0, 0)
        state = State(
            version=VERSION,
            rules=self.rules,
            is_reduced=self.is_reduced,
            plain_states=self.plain_states,
            generation=generation,
            calls=len(calls),
            row_sums=self._append_rows(generation, place, rows),
            call_sum=append(
                self.folder / CALLS, called * 8, memoryview(calls[called:]).cast("B"), check
            ),
            **{each.name: getattr(place, each.name) for each in fields(place)},
        )
        given = asdict(state)
        content = json.dumps({**given, "sum": sum_of(given)})
        replace_file(self.folder / STATE, content.encode())
        if old is not None and old.generation != generation:
            for owner in range(len(place.counts)):
                self._rows(old.generation, owner).unlink(missing_ok=True)
        self._state, self._last = state, time.monotonic()

    def _append_rows(self, generation: int, place: Place, rows: RowBytes) -> tuple[int, ...]:
        """Append the rows that are new; answer the checks of the files."""
        old, size, sums = self._state, place.layout.words * 8, []
        for owner, end in enumerate(place.counts):
            start = check = 0
            if old is not None and old.generation == generation:
                start, check = old.counts[owner], old.row_sums[owner]
            path = self._rows(generation, owner)
            sums.append(append(path, start * size, rows(owner, start, end), check))
        return tuple(sums)

    def _rows(self, generation: int, owner: int) -> Path:
        return rows_file(self.folder, generation, owner)


def rows_file(folder: Path, generation: int, owner: int) -> Path:
    """Answer where the rows of an owner are."""
    return folder / f"rows-{generation}-{owner}"


def append(path: Path, start: int, data: memoryview, check: int) -> int:
    """Put bytes at a place of a file and make them stay; answer the check of the whole file."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.seek(start)
        file.truncate()
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return zlib.crc32(data, check)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file in one move."""
    fresh = path.with_suffix(".new")
    append(fresh, 0, memoryview(data), 0)
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def sum_of(given: dict[str, Any]) -> str:
    """Answer a check of what a state file says."""
    return hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()


def read_state(folder: Path, model: Model, *, is_reduced: bool) -> State | None:
    """Answer the checkpoint in a folder; None where there is none.

    Raises CheckpointError where it is damaged, of another version, of other rules, or of a search
    that took other states for one than this search does.
    """
    try:
        given: Any = json.loads((folder / STATE).read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{folder / STATE} cannot be read: {error}") from error
    if not isinstance(given, dict) or given.get("version") != VERSION:
        raise CheckpointError(
            f"{folder} was written by another version of the checker; remove it to begin anew"
        )
    if given.get("rules") != rules_hash(model):
        raise CheckpointError(
            f"{folder} is of other rules than those of {model.name} now; remove it to begin anew"
        )
    if given.pop("sum", None) != sum_of(given):
        raise _damaged(folder / STATE)
    if given["is_reduced"] != is_reduced:
        raise CheckpointError(
            f"{folder} is of a search {'up to symmetry' if not is_reduced else 'of all states'},"
            " from which this one cannot go on; remove it to begin anew"
        )
    layout = Layout(**{name: _tupled(value) for name, value in given.pop("layout").items()})
    return State(layout=layout, **{name: _tupled(value) for name, value in given.items()})


def read_rows(folder: Path, state: State, owner: int) -> bytes:
    """Answer the rows of an owner."""
    size = state.counts[owner] * state.layout.words * 8
    return _read(rows_file(folder, state.generation, owner), size, state.row_sums[owner])


def read_calls(folder: Path, state: State) -> "array[int]":
    """Answer the calls of rules, each the place of the step and the ids it read."""
    calls = array("q")
    calls.frombytes(_read(folder / CALLS, state.calls * 8, state.call_sum))
    return calls


def _read(path: Path, size: int, check: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(size)
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    if len(data) != size or zlib.crc32(data) != check:
        raise _damaged(path)
    return data


def _damaged(path: Path) -> CheckpointError:
    return CheckpointError(f"{path} is damaged; remove the folder to begin anew")


def _tupled(value: Any) -> Any:  # noqa: ANN401 - what JSON holds
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
