"""Mutants in a process of their own: planted, probed, and noticed by a test or a law."""

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from checker.commands.mutants import finished
from checker.mutants import running
from checker.mutants.journal import Journal
from checker.mutants.page import pages
from checker.mutants.planting import plant
from checker.mutants.pool import Answer, Pool, PoolError
from checker.mutants.probes import Probing, probe_of
from checker.mutants.running import ROOT, Plan, Run, judging_scopes
from checker.mutants.serving import in_a_fork
from checker.mutants.sites import Mutant, mutants_of
from checker.mutants.trying import Overtime, Witness, by_scope, within
from checker.world.kinds import Size
from checker.world.scopes import fencecore_scope
from reference import hashing, rolling, store, vnodes
from spec.vocabulary import Offset

ALL = {mutant.name: mutant for mutant in mutants_of(ROOT / "reference")}
FENCES = "tests/test_rolling_fences.py"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """One server of a few tests."""
    with Pool(ROOT, [FENCES], 1) as served:
        yield served


def changed(name: str, old: str, new: str) -> Callable[[object], Answer]:
    """Plant a change of one module and answer what a few calls then say."""

    def answer(_: object) -> Answer:
        page = next(page for page in pages(ROOT / "reference") if page.name == name)
        assert old in page.source
        plant(name, compile(page.source.replace(old, new), str(page.path), "exec"))
        return {
            "end": store.Log(Offset(3)).end,
            "hash": hashing.phash2("a"),
            "bits": vnodes.single().ring_bits,
            "outside": rolling.raise_sequence.__module__,
        }

    return answer


UNCHANGED = {
    "end": 3,
    "hash": hashing.phash2("a"),
    "bits": 32,
    "outside": "reference.rolling",
}


@pytest.mark.parametrize(
    ("name", "old", "new", "moved"),
    [
        ("store", "return Offset(self.start + len", "return Offset(7 + len", {"end": 7}),
        ("hashing", "return _hash_alone(term) % size", "return 5", {"hash": 5}),
        ("vnodes", "RING_BITS = 32", "RING_BITS = 31", {"bits": 31}),
    ],
)
def test_a_planted_change_reaches_everybody_who_imported_it(
    name: str, old: str, new: str, moved: dict[str, int]
) -> None:
    answer = in_a_fork(changed(name, old, new), {})

    assert answer == UNCHANGED | moved
    assert store.Log(Offset(3)).end == 3


def test_probes_say_which_statements_ran() -> None:
    mutant = ALL["store:fence:operand_dropped:1"]

    def reached(_: object) -> Answer:
        probing = Probing(pages(ROOT / "reference"))
        probing.start()
        store.fence(store.Log(Offset(0)))
        return {"reached": [list(probe) for probe in probing.reached()]}

    lines = in_a_fork(reached, {})["reached"]

    assert list(probe_of(mutant) or ()) in lines
    assert {module for module, _ in lines} == {"store"}


def tried(pool: Pool, mutant: Mutant, scopes: list[tuple[str, float]]) -> Answer:
    """What becomes of a mutant with all the tests of the pool, and then some scopes."""
    request = {
        "name": mutant.name,
        "module": mutant.page.name,
        "source": mutant.source,
        "tests": [(name, 10.0) for name in pool.tests],
        "scopes": scopes,
    }
    ((_, answer),) = pool.ask([request])
    return answer


def test_a_test_that_judges_kills_a_mutant(pool: Pool) -> None:
    answer = tried(pool, ALL["rolling:_is_open:comparison_changed:1"], [])

    assert (answer["verdict"], answer["how"]) == ("killed", "assertion")
    assert answer["by"].startswith(FENCES)


def test_a_mutant_that_only_raises_is_not_killed(pool: Pool) -> None:
    mutant = ALL["rolling:_clear_fencing:guard_dropped:1"]
    raising = replace(mutant, edit=replace(mutant.edit, text="raise KeyError"))

    answer = tried(pool, raising, [])

    assert (answer["verdict"], answer["how"]) == ("raised", "exception")


def test_a_mutant_that_never_ends_is_not_killed(pool: Pool) -> None:
    mutant = ALL["rolling:_clear_fencing:guard_dropped:1"]
    endless = replace(mutant, edit=replace(mutant.edit, text="while True: pass"))
    request: dict[str, Any] = {"name": "", "module": "rolling", "source": endless.source}
    request |= {"tests": [(name, 0.2) for name in pool.tests], "scopes": []}

    ((_, answer),) = pool.ask([request])

    assert (answer["verdict"], answer["how"]) == ("raised", "time")


def test_a_mutant_that_changes_nothing_that_is_asked_for_survives(pool: Pool) -> None:
    mutant = ALL["producing:encoded_size:sum_changed:1"]

    assert tried(pool, mutant, [])["verdict"] == "survived"


def test_a_law_kills_what_no_test_notices(pool: Pool) -> None:
    mutant = ALL["producing:_reserve:sum_changed:2"]

    answer = tried(pool, mutant, [("settling", 60.0)])

    assert (answer["verdict"], answer["how"]) in {("killed", "law"), ("killed", "size")}
    assert answer["by"].startswith("settling: ")


def test_a_server_that_cannot_collect_says_so(tmp_path: Path) -> None:
    broken = tmp_path / "test_broken.py"
    broken.write_text("import nothing_of_this_name\n", "utf-8")

    with pytest.raises(PoolError, match="cannot be"), Pool(ROOT, [str(broken)], 1):
        pass


def test_what_a_server_cannot_do_ends_the_run(pool: Pool) -> None:
    with pytest.raises(PoolError, match="a test server fails: KeyError: 'no such test'"):
        list(pool.ask([{"probe": ["no such test"]}]))


def test_a_pool_that_closes_leaves_no_mutant_running() -> None:
    mutant = ALL["rolling:_clear_fencing:guard_dropped:1"]
    endless = replace(mutant, edit=replace(mutant.edit, text="while True: pass"))
    with Pool(ROOT, [FENCES], 1) as served:
        tests = [(name, 3600.0) for name in served.tests]
        request = {"module": "rolling", "source": endless.source, "tests": tests, "scopes": []}
        (server,) = served.servers
        assert server.stdin is not None
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        while not group_of(server.pid) - {server.pid}:
            time.sleep(0.01)

    deadline = time.monotonic() + 60
    while group_of(server.pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert group_of(server.pid) == set()


def group_of(leader: int) -> set[int]:
    """The processes of a group that still run."""
    running_now = {each.pid: each for each in psutil.process_iter()}
    return {
        number
        for number, each in running_now.items()
        if is_in_group(number, leader) and each.status() != psutil.STATUS_ZOMBIE
    }


def is_in_group(number: int, leader: int) -> bool:
    """Whether a process is one of a group; not if it has ended."""
    try:
        return os.getpgid(number) == leader
    except ProcessLookupError:
        return False


def test_an_interrupt_ends_a_run_with_what_it_found() -> None:
    class Interrupted(Run):
        def __init__(self) -> None:
            """Nothing is looked for."""

        def go(self) -> None:
            raise KeyboardInterrupt

    assert not finished(Interrupted())


def test_a_fork_that_dies_has_raised() -> None:
    answer = in_a_fork(lambda _: os._exit(1), {})

    assert (answer["verdict"], answer["how"]) == ("raised", "exception")


def test_a_run_tries_what_its_journal_does_not_know(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chosen = [ALL[f"rolling:_is_open:comparison_changed:{number}"] for number in (1, 2)]
    monkeypatch.setattr(running, "judging_files", lambda _: [FENCES])
    journal = Journal(tmp_path / "journal", "these", resume=False)
    journal.keep("refused", [])
    journal.keep("tried", {"name": chosen[0].name, "verdict": "survived", "by": None, "how": None})

    run = Run(Plan(by="tests", workers=1), chosen, journal, None)
    run.go()

    assert [run.found[mutant.name]["verdict"] for mutant in chosen] == ["survived", "killed"]
    again = Run(Plan(), chosen, Journal(tmp_path / "journal", "these", resume=True), None)
    assert again.untried() == []


def raised(action: Callable[[], object]) -> pytest.ExceptionInfo[BaseException]:
    """What an action raises."""
    with pytest.raises(BaseException) as info:  # noqa: PT011 - whatever it is
        action()
    return info


def test_only_an_assertion_of_a_test_is_a_judgement() -> None:
    witness = Witness(ROOT)

    def wrong() -> None:
        assert ALL == {}

    assert witness.how(raised(wrong)) == "assertion"
    assert witness.how(raised(lambda: pytest.fail("did not raise"))) == "assertion"
    assert witness.how(raised(lambda: ALL["a"])) == "exception"
    assert witness.how(raised(lambda: by_scope(fencecore_scope(1, 1, 1), 1.0))) == "exception"


def test_what_takes_too_long_ends() -> None:
    def endless() -> None:
        with within(0.05):
            while True:
                pass

    assert isinstance(raised(endless).value, Overtime)


def test_a_search_of_another_size_notices() -> None:
    scope = fencecore_scope(1, 1, 1, Size(1, 2, 3))

    notice = by_scope(scope, 60.0)

    assert notice is not None
    assert (notice.by, notice.how) == ("fencecore-1-1-1: its size", "size")


def test_the_scopes_that_judge_are_those_of_the_quick_check_that_are_small() -> None:
    sizes = [scope.size.states for scope in judging_scopes() if scope.size is not None]

    assert sizes == sorted(sizes)
    assert 6_476 in sizes
    assert max(sizes) < 552_413
