"""What breaks each clause: a named defect, or a mutant of its code that its own test notices.

The mutants are listed in `breaking.toml`. `look_for` finds one for a clause, and `noticed` runs
those that are listed again.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from checker.citing import Place
from checker.explaining import changes_of, laws
from checker.mutants.pool import Pool
from checker.mutants.sites import Mutant, mutants_of
from checker.ties.gathering import ID, ROOT, by_code, by_tests, citations
from checker.world.defects import DEFECTS

LIMIT_S = 10.0
"""No test takes longer than this, with or without a mutant."""
MOST = 60
"""So many mutants are tried for a clause."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A mutant of the code of a clause, and the test of that clause that fails with it."""

    clause: str
    mutant: str
    change: str
    """The lines before and after: another change under the same name is another mutant."""
    test: str
    """`tests/test_rolling.py::test_...`."""


def listed() -> tuple[Broken, ...]:
    """All that are listed."""
    text = files("checker.ties").joinpath("breaking.toml").read_text("utf-8")
    return tuple(Broken(**entry) for entry in tomllib.loads(text).get("broken", []))


def written(found: Iterable[Broken]) -> str:
    """The list as the text of its file."""
    lines = [
        "# For each clause without a named defect: a mutant of the code that cites it, and the",
        "# test that cites it and fails with that mutant. `malachi-model spec --break` writes it.",
    ]
    for each in found:
        lines += ["", "[[broken]]", f'clause = "{each.clause}"', f'mutant = "{each.mutant}"']
        lines += [f"change = {quoted(each.change)}", f"test = {quoted(each.test)}"]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """A text as TOML has it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
def by_defects() -> Mapping[str, tuple[str, ...]]:
    """The defects that break each clause: their law judges it, or their change says so."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for defect in DEFECTS:
        cited = [laws()[defect.caught_by].clause]
        cited += [each for place in changes_of(defect) for each in ids_at(place)]
        for each in dict.fromkeys(cited):
            found[each].append(defect.name)
    return {each: tuple(names) for each, names in found.items()}


def ids_at(changed: Place) -> list[str]:
    """The ids that a function of a change cites, at the end of its words or at their begin."""
    found = ID.findall(changed.said)
    page = ROOT / changed.file
    known = citations(page, changed.file) if page.is_file() else ()
    for place, ids in known:
        if (place.function, place.line) == (changed.function, changed.line):
            found += ids
    return found


def problems(root: Path = ROOT) -> Iterator[str]:
    """What is listed and is so no longer, without running anything."""
    mutants = {each.name: each for each in mutants_of(root / "reference")}
    code, tests = by_code(root), by_tests(root)
    for each in listed():
        mutant = mutants.get(each.mutant)
        if mutant is None or mutant.change != each.change:
            yield f"{each.clause}: {each.mutant} is no mutant, or another by now"
        elif not is_of(mutant, code.get(each.clause, ())):
            yield f"{each.clause}: no code that cites it is changed by {each.mutant}"
        if function_of(each.test) not in {named(p) for p in tests.get(each.clause, ())}:
            yield f"{each.clause}: {each.test} does not cite it"


def function_of(test: str) -> str:
    """A test without its parameters."""
    return re.sub(r"\[.*", "", test, flags=re.DOTALL)


def named(test: Place) -> str:
    """A test as pytest calls it."""
    return f"{test.file}::{test.function}"


def is_of(mutant: Mutant, places: Iterable[Place]) -> bool:
    """Whether a mutant changes one of these functions, or a method of one of these classes."""
    words = mutant.name.split(":")[1].split(".")
    page = f"reference/{mutant.page.name}.py"
    return any(
        place.file == page and (place.function in words or place.line == 1) for place in places
    )


def request(mutant: Mutant, tests: Iterable[str], name: str) -> dict[str, Any]:
    """What a server is asked."""
    return {
        "name": name,
        "module": mutant.page.name,
        "source": mutant.source,
        "tests": [(test, LIMIT_S) for test in tests],
        "scopes": [],
    }


def noticed(chosen: Iterable[Broken], workers: int = 2) -> Iterator[tuple[Broken, bool]]:
    """Plant the mutant of each again, and answer whether its test fails."""
    kept = {each.clause: each for each in chosen}
    mutants = {each.name: each for each in mutants_of(ROOT / "reference")}
    pages = sorted({each.test.partition("::")[0] for each in kept.values()})
    with Pool(ROOT, pages, workers) as pool:
        requests = (
            request(mutants[each.mutant], [each.test], each.clause)
            for each in kept.values()
            if each.mutant in mutants and each.test in pool.tests
        )
        seen = {asked["name"]: answer["verdict"] for asked, answer in pool.ask(requests)}
    for each in kept.values():
        yield each, seen.get(each.clause) == "killed"


def look_for(wanted: Iterable[str]) -> Iterator[tuple[str, Broken | None]]:
    """For each clause a mutant of its code that a test of it notices, if there is one."""
    mutants, code, tests = mutants_of(ROOT / "reference"), by_code(), by_tests()
    pages = sorted({place.file for each in wanted for place in tests.get(each, ())})
    if not pages:
        return
    with Pool(ROOT, pages, 1) as pool:
        for clause in wanted:
            places = code.get(clause, ())
            # Those of the first function first: it is the one that the clause is told of.
            suited = [each for place in places for each in mutants if is_of(each, [place])]
            names = {named(place) for place in tests.get(clause, ())}
            chosen = [test for test in pool.tests if function_of(test) in names][:40]
            yield clause, _first(pool, clause, spread(suited), chosen) if chosen else None


def spread(mutants: list[Mutant]) -> list[Mutant]:
    """At most so many, from the whole of the code."""
    step = max(1, len(mutants) // MOST)
    return mutants[::step][:MOST]


def _first(pool: Pool, clause: str, mutants: list[Mutant], tests: list[str]) -> Broken | None:
    for mutant in mutants:
        # One at a time: an answer that nobody waits for would be taken for the next one's.
        ((_, answer),) = pool.ask([request(mutant, tests, mutant.name)])
        if answer["verdict"] == "killed":
            return Broken(clause, mutant.name, mutant.change, answer["by"])
    return None
