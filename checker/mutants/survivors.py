"""The mutants that nobody notices, each with the reason why nobody could."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from checker.mutants.sites import Mutant


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that is known to survive."""

    name: str
    change: str
    """The lines before and after: another change under the same name is another mutant."""
    reason: str


def survivors() -> tuple[Survivor, ...]:
    """All that are listed."""
    text = files("checker.mutants").joinpath("survivors.toml").read_text("utf-8")
    return tuple(Survivor(**entry) for entry in tomllib.loads(text).get("survivor", []))


def misnamed(listed: Iterable[Survivor], mutants: Iterable[Mutant]) -> list[str]:
    """Those that are listed and are no mutants, or are others by now."""
    changes = {mutant.name: mutant.change for mutant in mutants}
    return [each.name for each in listed if changes.get(each.name) != each.change]
