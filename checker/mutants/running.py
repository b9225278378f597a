"""A run: which mutants there are, which tests and scopes could notice each, and what came of it."""

import hashlib
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from checker.mutants.journal import Journal
from checker.mutants.planting import imports
from checker.mutants.pool import Pool, PoolError, Request
from checker.mutants.probes import Probe, probe_of
from checker.mutants.sites import OUTSIDE, Mutant, sampled
from checker.mutants.typed import well_typed
from checker.world.kinds import Level, Scope
from checker.world.scopes import SCOPES

ROOT = Path(__file__).resolve().parent.parent.parent
FLOORS = ("spec", "reference", "checker", "tests")
REACHES = ("reference", "tests.oracles", "oracles", "checker.replay")
"""What a test file speaks of that could notice a mutant."""
OTHERS = ("test_mutants", "test_search", "test_commands", "test_replay_", "test_laws", "test_house")
"""How files begin whose tests are about the checker: what searches notice, scopes notice sooner."""
CHUNK = 40
"""So many tests are probed at a time."""
MOST_STATES = 150_000
"""Larger scopes judge no mutants: each would take longer than all the tests."""
SLOWER = 6
PATIENCE_S = 3.0
"""A mutant may take so many times as long as the reference, and this much more."""
BUDGET_S = 20.0
"""So long may the tests of one mutant take with the reference in, and so long the scopes."""

By = Literal["both", "tests", "check"]
Show = Callable[[str], None]


class NoTestsError(Exception):
    """There is nothing to judge mutants with."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A test or a scope, with what it costs."""

    name: str
    seconds: float
    breadth: int
    """How many statements of the reference it reaches."""

    @property
    def limit(self) -> float:
        """How long it may take with a mutant in."""
        return SLOWER * self.seconds + PATIENCE_S


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run."""

    names: tuple[str, ...] = ()
    """Mutants, or the beginnings of their names; all for none."""
    sample: int | None = None
    seed: int = 0
    by: By = "both"
    workers: int = 2
    max_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Sites:
    """All mutants, and those that can be run."""

    mutants: tuple[Mutant, ...]
    refused: frozenset[str]
    """Those that do not import, or that the type checker finds fault with."""
    chosen: tuple[Mutant, ...]


class Run:
    """Tries mutants until all are tried or the time is up."""

    def __init__(
        self, plan: Plan, mutants: Sequence[Mutant], journal: Journal, show: Show | None
    ) -> None:
        self.plan = plan
        self.journal = journal
        self.show = show or (lambda _: None)
        self.begun = time.monotonic()
        self.sites = self._sites(tuple(mutants))
        self.found: dict[str, Mapping[str, Any]] = {
            each["name"]: each for each in journal.of("tried")
        }

    def untried(self) -> list[Mutant]:
        """The chosen ones of which nothing is known."""
        return [mutant for mutant in self.sites.chosen if mutant.name not in self.found]

    def go(self) -> None:
        """Try what is untried."""
        if not self.untried():
            return
        self.show("collecting the tests")
        with Pool(ROOT, judging_files(ROOT), self.plan.workers) as pool:
            tests, scopes = self._judges(pool)
            names = {mutant.name: mutant for mutant in self.untried()}
            requests = (self._request(mutant, tests, scopes) for mutant in self._in_time())
            for request, answer in pool.ask(requests):
                entry = {"name": request["name"], **answer}
                self.journal.keep("tried", entry)
                self.found[entry["name"]] = entry
                self.show(self._progress(names))

    def _sites(self, mutants: tuple[Mutant, ...]) -> Sites:
        kept = self.journal.of("refused")
        if not kept:
            self.show("checking the types of mutants")
            importable = [mutant for mutant in mutants if is_importable(mutant)]
            typed = well_typed(importable, ROOT)
            self.journal.keep("refused", [m.name for m in mutants if m.name not in typed])
            kept = self.journal.of("refused")
        refused = frozenset(kept[0])
        named = [m for m in mutants if m.name not in refused and is_named(m, self.plan.names)]
        return Sites(mutants, refused, sampled(named, self.plan.sample, self.plan.seed))

    def _judges(self, pool: Pool) -> tuple[dict[Probe, list[Judge]], dict[Probe, list[Judge]]]:
        """Who reaches each statement, the most specific first: tests, and scopes."""
        known = {each["name"] for each in self.journal.of("probed")}
        scopes = [s.name for s in judging_scopes() if s.name not in known]
        tests = [name for name in pool.tests if name not in known]
        chunks = [tests[at : at + CHUNK] for at in range(0, len(tests), CHUNK)]
        requests: list[Request] = []
        if self.plan.by != "tests":
            requests += [{"search": name} for name in scopes]
        if self.plan.by != "check":
            requests += [{"probe": chunk} for chunk in chunks]
        for done, (_, answer) in enumerate(pool.ask(requests)):
            self.show(f"asking what tests and searches reach: {done + 1} of {len(requests)}")
            for each in answer["probed"]:
                self.journal.keep("probed", each)
        probed = self.journal.of("probed")
        failed = [each["name"] for each in probed if each["failed"]]
        if failed:
            raise PoolError(f"{failed[0]} fails without any mutant: mend it first")
        names = {scope.name for scope in judging_scopes()}
        return (
            by_probe([each for each in probed if each["name"] not in names]),
            by_probe([each for each in probed if each["name"] in names]),
        )

    def _in_time(self) -> Iterator[Mutant]:
        for mutant in self.untried():
            limit = self.plan.max_seconds
            if limit is not None and time.monotonic() - self.begun > limit:
                return
            yield mutant

    def _request(
        self,
        mutant: Mutant,
        tests: Mapping[Probe, Sequence[Judge]],
        scopes: Mapping[Probe, Sequence[Judge]],
    ) -> dict[str, Any]:
        by = self.plan.by
        told = reaching(mutant, tests) if by != "check" else []
        searched = reaching(mutant, scopes) if by != "tests" else []
        return {
            "name": mutant.name,
            "module": mutant.page.name,
            "source": mutant.source,
            "tests": [(each.name, each.limit) for each in affordable(told)],
            "scopes": [(each.name, each.limit) for each in affordable(searched)],
        }

    def _progress(self, names: Mapping[str, Mutant]) -> str:
        done = [each for name, each in self.found.items() if name in names]
        survived = sum(each["verdict"] == "survived" for each in done)
        seconds = time.monotonic() - self.begun
        left = seconds / max(len(done), 1) * (len(names) - len(done))
        return f"{len(done)} of {len(names)} mutants, {survived} survived, {left / 60:.0f} min left"


def judging_scopes() -> list[Scope]:
    """The scopes of the quick check that are small enough to judge each mutant, smallest first."""
    quick = [scope for scope in SCOPES if scope.is_searched_at(Level.QUICK)]
    return sorted((s for s in quick if _states(s) <= MOST_STATES), key=_states)


def _states(scope: Scope) -> int:
    return scope.size.states if scope.size is not None else MOST_STATES + 1


def by_probe(probed: Sequence[Mapping[str, Any]]) -> dict[Probe, list[Judge]]:
    """Who reaches each statement."""
    reaches: dict[Probe, list[Judge]] = defaultdict(list)
    for each in probed:
        judge = Judge(each["name"], each["seconds"], len(each["reached"]))
        for module, line in each["reached"]:
            reaches[module, line].append(judge)
    return dict(reaches)


def reaching(mutant: Mutant, reaches: Mapping[Probe, Sequence[Judge]]) -> Sequence[Judge]:
    """Who could notice a mutant, the most specific and quickest first.

    Those that reach its statement; for a constant, those that reach anything in its module.
    """
    probe = probe_of(mutant)
    found = {
        judge
        for (module, line), judges in reaches.items()
        if (module, line) == probe or (probe is None and module == mutant.page.name)
        for judge in judges
    }
    return sorted(found, key=lambda judge: (judge.breadth * (1 + judge.seconds), judge.name))


def affordable(judges: Sequence[Judge]) -> list[Judge]:
    """The first of these that together take no longer than one mutant may."""
    kept: list[Judge] = []
    left = BUDGET_S
    for judge in judges:
        if judge.seconds <= left:
            kept.append(judge)
            left -= judge.seconds
    return kept


def is_importable(mutant: Mutant) -> bool:
    """Whether the changed module can be loaded. What is in a function waits until it is called."""
    if mutant.name.split(":")[1] != OUTSIDE:
        return True
    return imports(mutant.page.name, compile(mutant.source, str(mutant.page.path), "exec"))


def is_named(mutant: Mutant, names: Sequence[str]) -> bool:
    """Whether a mutant is one of those asked for, by name or by the beginning of it."""
    return not names or any(f"{mutant.name}:".startswith(f"{name}:") for name in names)


def judging_files(root: Path) -> list[str]:
    """The test files that speak of the reference, or of what runs it."""
    folder = root / "tests"
    if not folder.is_dir():
        raise NoTestsError(f"mutants need the tests of a checkout, and there are none in {root}")
    if find_spec("pytest") is None:
        raise NoTestsError("mutants need pytest: install malachi-model[dev], or run make setup")
    found = sorted(folder.rglob("test_*.py"))
    return [
        str(path.relative_to(root))
        for path in found
        if not path.name.startswith(OTHERS) and speaks(path.read_text("utf-8"))
    ]


def speaks(text: str) -> bool:
    """Whether a test file imports what could notice a mutant."""
    starts = [f"{word} {name}" for word in ("from", "import") for name in REACHES]
    return any(line.startswith(tuple(starts)) for line in text.splitlines())


def sources(root: Path) -> str:
    """A mark of everything that a run depends on."""
    mark = hashlib.sha256(sys.version.encode())
    for floor in FLOORS:
        for path in sorted((root / floor).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                mark.update(f"{path.relative_to(root)}\n".encode())
                mark.update(path.read_bytes())
    return mark.hexdigest()
