"""Which scenarios a run plays."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from checker.commands.exits import CommandError, unknown_name
from checker.conform.operations import PROFILES, Profile
from checker.conform.scenarios import Scenario
from checker.conform.suite import of_paths, shipped, walks
from checker.conform.walks import WalkKind, walk
from checker.replay.terms import MalformedError

WALK = re.compile(r"walk-([a-z]+)-([0-9]{1,9})")
FOUNDATION: frozenset[Profile] = frozenset({"core", "plan"})
"""Every scenario may make these calls."""
KINDS: tuple[str, ...] = (*PROFILES, "mixed")


def profiles_named(names: Sequence[str]) -> tuple[Profile, ...]:
    """The profiles that were asked for; all where none was."""
    for name in names:
        if name not in PROFILES:
            raise unknown_name("profile", name, PROFILES, "malachi-model conform list")
    return tuple(one for one in PROFILES if not names or one in names)


def selected(
    profiles: tuple[Profile, ...],
    only: Sequence[str],
    files: Sequence[Path],
    count: int,
    seed: int,
) -> list[Scenario]:
    """The scenarios of a run: those of files, else those that ship and some walks."""
    try:
        read = list(of_paths(files))
    except MalformedError as error:
        raise CommandError(str(error)) from None
    drawn = walks(profiles, count, seed) if may_draw(only) else ()
    known = read if files else [*shipped(), *drawn]
    known += [walk_named(name) for name in dict.fromkeys(only) if is_other_walk(name, known)]
    wanted = frozenset(profiles)
    return [
        one
        for one in known
        if wanted.union(FOUNDATION) >= one.called_profiles
        and wanted.intersection(one.spoken_for)
        and is_named(one, only)
    ]


def may_draw(only: Sequence[str]) -> bool:
    """Whether a walk may have a name that was asked for, other than one that is given whole.

    Drawing walks takes long, and there may be many.
    """
    return not only or any(
        not WALK.fullmatch(pattern) and may_begin(pattern, "walk-") for pattern in only
    )


def may_begin(pattern: str, prefix: str) -> bool:
    """Whether what a pattern is for may begin so, as far as it is written out."""
    begun = re.split(r"[*?[]", pattern, maxsplit=1)[0]
    return begun.startswith(prefix) or (begun != pattern and prefix.startswith(begun))


def is_named(scenario: Scenario, only: Sequence[str]) -> bool:
    """Whether a scenario has a name that was asked for; every one has, where none was."""
    return not only or any(fnmatchcase(scenario.id, pattern) for pattern in only)


def is_other_walk(name: str, known: Sequence[Scenario]) -> bool:
    """Whether a walk is named that is not among those that would be drawn."""
    found = WALK.fullmatch(name)
    return found is not None and found[1] in KINDS and name not in {one.id for one in known}


def walk_named(name: str) -> Scenario:
    """The walk of a name."""
    found = WALK.fullmatch(name)
    assert found is not None
    kind: WalkKind = "mixed"
    for one in PROFILES:
        if one == found[1]:
            kind = one
    return walk(kind, int(found[2]))
