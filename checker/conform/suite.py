"""The suite: the scenarios that ship, and walks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from checker.cases.kinds import CallCase
from checker.cases.parsing import parse, read
from checker.conform.operations import PROFILES, Profile
from checker.conform.scenarios import Scenario, scenario_of, scenario_of_recording
from checker.conform.walks import LENGTH, WalkKind, walk
from checker.replay.terms import MalformedError

SUFFIX = ".toml"
RECORDED = ".jsonl"


@cache
def shipped() -> tuple[Scenario, ...]:
    """The named scenarios that ship, by id. The id is the name of the file, and never changes."""
    entries = sorted(files("checker.conform.suites").iterdir(), key=lambda each: each.name)
    found = (
        of_text(entry.name.removesuffix(SUFFIX), entry.read_text("utf-8"))
        for entry in entries
        if entry.name.endswith(SUFFIX)
    )
    return tuple(replace(each, profiles=profiles_of(each.id)) for each in found)


def profiles_of(name: str) -> tuple[Profile, ...]:
    """The profile that the name of a scenario begins with; none where it is about several."""
    return tuple(one for one in PROFILES if name.startswith(f"{one}-"))


def of_text(name: str, text: str) -> Scenario:
    """The scenario of a case. Raises MalformedError."""
    case = parse(text)
    if not isinstance(case, CallCase):
        raise MalformedError("its steps are those of a world, and a broker has only calls")
    return scenario_of(name, case)


def of_paths(paths: Iterable[Path]) -> Iterator[Scenario]:
    """Scenarios of files and folders: cases of calls, and recordings. Raises MalformedError.

    In a folder other files are passed over.
    """
    for path in paths:
        if not path.is_dir() and path.suffix not in {SUFFIX, RECORDED}:
            raise MalformedError(f"{path}: no case or recording, which end in .toml and .jsonl")
        inside = path.rglob("*") if path.is_dir() else [path]
        for file in sorted(inside):
            if file.suffix in {SUFFIX, RECORDED}:
                yield of_file(file)


def of_file(path: Path) -> Scenario:
    """The scenario of one file."""
    try:
        if path.suffix == RECORDED:
            return scenario_of_recording(path)
        return of_text(path.stem, read(path))
    except OSError as error:
        raise MalformedError(f"{path}: {error.strerror or error}") from None
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from None


def walks(
    profiles: Sequence[Profile], count: int, seed: int, length: int = LENGTH
) -> Iterator[Scenario]:
    """So many walks of each profile, from a seed on, and of all calls where all are wanted."""
    kinds: list[WalkKind] = [one for one in PROFILES if one in profiles]
    if len(kinds) == len(PROFILES):
        kinds.append("mixed")
    for kind in kinds:
        for number in range(seed, seed + count):
            yield walk(kind, number, length)
