"""The race: the plain model is exact, and what other checkers print is read with care."""

import re
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest

from bench import race
from bench.peers import pythons, rumur, spin, tlc
from bench.peers.entrant import Entrant
from bench.peers.fencecore import INVARIANTS, Size
from bench.peers.figures import FIGURES, Counts, disagreement
from bench.peers.measuring import FailedError, OverrunError, run
from bench.peers.plain import explore
from bench.peers.table import shown
from bench.peers.workshop import HERE, MissingError, Ready, Workshop

SMALL = Size(2, 1, 1)
DEFECT = Size(2, 2, 2, defect=True)
PAN = """State-vector 28 byte, depth reached 85, errors: {errors}
    23867 states, stored
    95648 states, matched
   119515 transitions (= stored+matched)
"""
TLC = """Model checking completed. No error has been found.
119,515 states generated, 23,867 distinct states found, {left} states left on queue.
The depth of the complete state graph search is 27.
"""
VERIFIER = "Status:\n\n\t{status}\n\n\t23867 states, 119514 rules fired in 1s.\n"


@pytest.mark.parametrize("size", [SMALL, Size(2, 2, 1)])
def test_the_plain_loop_finds_the_known_states_and_transitions(size: Size) -> None:
    found = explore(size)

    assert found.broken is None
    assert disagreement(size, Counts(found.states, found.transitions, found.depth)) is None


def test_the_defect_breaks_an_invariant_in_six_steps() -> None:
    found = explore(DEFECT)

    assert found.broken is not None
    assert found.depth == 6


def test_the_defect_lets_an_acknowledged_record_stand_behind_the_end_in_ten_steps() -> None:
    found = explore(DEFECT, ["AckBelowEnd"])

    assert (found.broken, found.depth) == ("AckBelowEnd", 10)


def test_a_model_for_each_checker_names_every_invariant() -> None:
    named = {
        "FenceCore.cfg": set(INVARIANTS),
        "FenceCore.tla": {f"{name} ==" for name in INVARIANTS},
        "fencecore.m": {f'invariant "{name}"' for name in INVARIANTS},
        "fencecore.pml": {f"#define {name}" for name in ("ACK_BELOW_END", "TILE", "ONE_ACTIVE")}
        | {"#define SEALED_LENGTH"},
    }

    missing = {
        (file, name)
        for file, names in named.items()
        for name in names
        if name not in (HERE / file).read_text()
    }

    assert missing == set()


def test_the_counts_of_spin_leave_the_initial_state_out_of_the_transitions() -> None:
    assert spin.counts(PAN.format(errors=0)) == Counts(23_867, 119_514)


@pytest.mark.parametrize(
    "output",
    [
        PAN.format(errors=1),
        "error: max search depth too small\n" + PAN.format(errors=0),
        "errors: 0",
    ],
    ids=["an error", "a bound met", "no counts"],
)
def test_a_search_of_spin_that_is_not_whole_is_refused(output: str) -> None:
    with pytest.raises(FailedError):
        spin.counts(output)


def test_the_counts_of_tlc_leave_the_initial_state_out_of_transitions_and_depth() -> None:
    assert tlc.counts(TLC.format(left=0)) == Counts(23_867, 119_514, 26)


def test_a_search_of_tlc_that_left_states_is_refused() -> None:
    with pytest.raises(FailedError):
        tlc.counts(TLC.format(left=7))


def test_the_counts_of_rumur_are_states_and_rules_fired() -> None:
    assert rumur.counts(VERIFIER.format(status="No error found.")) == Counts(23_867, 119_514)


def test_a_search_of_rumur_with_an_error_is_refused() -> None:
    with pytest.raises(FailedError):
        rumur.counts(VERIFIER.format(status="1 error(s) found."))


@pytest.mark.parametrize(
    "output",
    [
        '{"states": 3, "transitions": 4, "verdict": "unfinished"}',
        '{"states": 3, "transitions": 4, "exhaustive": false}',
        '{"states": 3, "transitions": 4, "broken": ["Tile"]}',
        '{"states": 3}',
        "3 states",
    ],
)
def test_json_of_a_search_that_is_not_whole_is_refused(output: str) -> None:
    with pytest.raises(FailedError):
        pythons.counts(output)


def test_counts_are_read_from_the_last_line_that_is_json() -> None:
    output = 'layer 3\n{"states": 3, "transitions": 4, "depth": 2, "verdict": "holds"}\n'

    assert pythons.counts(output) == Counts(3, 4, 2)


def test_the_constants_of_a_model_are_replaced_one_by_one() -> None:
    size = Size(3, 2, 1, defect=True)

    murphi = rumur.with_constants((HERE / "fencecore.m").read_text(), size)
    settings = tlc.with_constants((HERE / "FenceCore.cfg").read_text(), size)

    assert re.findall(r"(?m)^  ([FSB]|DEFECT): (\d);", murphi) == [
        *zip("FSB", "321", strict=True),
        ("DEFECT", "1"),
    ]
    assert re.findall(r" = (\d)", settings) == ["3", "2", "1", "1"]


def test_a_model_without_the_constant_is_refused() -> None:
    with pytest.raises(MissingError, match="what F is"):
        rumur.with_constants("const\n  S: 2;\n", SMALL)


def test_wrong_counts_are_named_with_what_they_should_be() -> None:
    said = disagreement(SMALL, Counts(2_857, 12_613))

    assert said == "transitions 12,613 instead of 12,612"


def test_every_known_size_is_listed_with_more_transitions_than_states() -> None:
    assert all(known.transitions > known.states for known in FIGURES.values())


def test_a_run_tells_its_time_and_the_memory_it_held(tmp_path: Path) -> None:
    held = "import time; block = bytearray(64_000_000); time.sleep(0.05); print('done')"

    ended = run((sys.executable, "-c", held), tmp_path, limit=60)

    assert ended.output == "done\n"
    assert ended.seconds >= 0.05
    assert ended.cpu_seconds > 0
    assert 64_000_000 <= ended.peak_bytes <= 200_000_000 + psutil.Process().memory_info().rss


def test_the_memory_of_processes_that_a_command_starts_is_added_up(tmp_path: Path) -> None:
    child = "import time; block = bytearray(b'x') * 40_000_000; time.sleep(1.5)"
    both = f"""
import subprocess, sys
told = (sys.executable, "-c", {child!r})
for started in [subprocess.Popen(told), subprocess.Popen(told)]:
    started.wait()
"""

    ended = run((sys.executable, "-c", both), tmp_path, limit=60)

    assert ended.peak_bytes >= 80_000_000


def test_a_run_that_overruns_its_limit_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    parent = f"""
import pathlib, subprocess, sys
child = subprocess.Popen((sys.executable, "-c", "import time; time.sleep(600)"))
pathlib.Path({str(noted)!r}).write_text(str(child.pid))
child.wait()
"""

    with pytest.raises(OverrunError, match="not within 1 s"):
        run((sys.executable, "-c", parent), tmp_path, limit=1)

    assert _is_gone(int(noted.read_text()))


def test_a_run_that_fails_says_what_it_printed(tmp_path: Path) -> None:
    with pytest.raises(FailedError, match="out of luck"):
        run((sys.executable, "-c", "raise SystemExit('out of luck')"), tmp_path, limit=60)


def test_an_entrant_that_cannot_run_has_a_line_that_says_why(tmp_path: Path) -> None:
    def nowhere(_workshop: Workshop, _size: Size) -> Ready:
        raise MissingError("java is not installed")

    lanes = _race(tmp_path, Entrant("tlc", "TLC", nowhere))

    assert [lane.note for lane in lanes] == ["missing: java is not installed"]
    assert race.strangers(lanes) == []


def test_a_program_that_is_not_there_names_its_debian_package(tmp_path: Path) -> None:
    workshop = Workshop(tmp_path, may_install=False)

    with pytest.raises(MissingError, match="apt-get install of-no-name"):
        workshop.require("a-program-of-no-name", "of-no-name")


def test_an_entrant_with_wrong_counts_is_named(tmp_path: Path) -> None:
    lanes = _race(tmp_path, _saying("one", 2_857, 12_612), _saying("other", 2_857, 12_613))

    said = race.strangers(lanes)

    assert "other: transitions 12,613 instead of 12,612" in said
    assert not any(line.startswith("one") for line in said)


def test_at_a_size_nobody_knows_the_entrants_are_held_to_each_other(tmp_path: Path) -> None:
    entrants = (_saying("one", 5, 6), _saying("other", 5, 7))

    lanes = _race(tmp_path, *entrants, size=Size(1, 1, 1))

    assert race.strangers(lanes) == ["other found (5, 7), one (5, 6)"]


def test_our_command_runs_once_more_and_is_what_others_are_compared_with(tmp_path: Path) -> None:
    told = f'{sys.executable} -c \'print("{{{{\\"states\\": {{F}}, \\"transitions\\": {{B}}}}}}")\''

    lanes = _race(tmp_path, pythons.ours(told), size=Size(1, 1, 1))

    assert [lane.entrant.title for lane in lanes] == ["malachi-model, first run", "malachi-model"]
    assert [len(lane.runs) for lane in lanes] == [1, 2]
    assert lanes[1].counts == Counts(1, 1)


def test_an_entrant_that_leaves_states_out_may_count_fewer(tmp_path: Path) -> None:
    whole, fewer = _saying("one", 2_857, 12_612), _saying("fewer", 1_500, 6_000)

    lanes = _race(tmp_path, whole, replace(fewer, is_reduced=True))

    assert race.strangers(lanes) == []
    assert race.row(lanes[1], 1.0)["states"] == 1_500


def test_our_own_ways_to_leave_states_out_race_too(tmp_path: Path) -> None:
    lanes = _race(tmp_path, *pythons.ours_reduced(race.COMMAND))

    assert race.strangers(lanes) == []
    assert [lane.wrong for lane in lanes] == [None, None]
    assert [lane.counts and lane.counts.states for lane in lanes] == [1_458, 2_857]


def test_an_entrant_that_overran_says_how_many_times_ours_that_is(tmp_path: Path) -> None:
    entrant = Entrant("slow", "slow", _sleeping)
    rules = race.Rules(runs=1, long=60, limit=1)

    (lane,) = race.race(SMALL, [entrant], Workshop(tmp_path, may_install=False), rules)

    assert race.row(lane, 0.5) == {
        "name": "slow",
        "note": "not within 1 s: more than 2.0 times ours",
    }


def test_our_command_may_name_only_the_size(tmp_path: Path) -> None:
    lanes = _race(tmp_path, pythons.ours("check --workers {N}"))

    assert lanes[-1].note == "missing: {N} in check --workers {N}: only F, S and B are known"


def test_a_row_without_figures_shows_its_note() -> None:
    figures = {"states": 5, "transitions": 6, "seconds": 0.5, "states/s": 10.0}
    rows: list[dict[str, object]] = [
        {"name": "one", "note": None, **figures},
        {"name": "other", "note": "missing: no compiler\nat all"},
    ]

    lines = shown("a race", rows).splitlines()

    assert lines[0] == "a race"
    assert lines[2].split()[:4] == ["one", "5", "6", "0.50"]
    assert lines[3] == "other  missing: no compiler"


def _race(folder: Path, *entrants: Entrant, size: Size = SMALL) -> list[race.Lane]:
    rules = race.Rules(runs=2, long=60, limit=60)
    return race.race(size, entrants, Workshop(folder, may_install=False), rules)


def _saying(name: str, states: int, transitions: int) -> Entrant:
    return Entrant(name, name, partial(_ready, states, transitions))


def _ready(states: int, transitions: int, workshop: Workshop, _size: Size) -> Ready:
    said = f'{{"states": {states}, "transitions": {transitions}}}'
    command = (sys.executable, "-c", f"print({said!r})")
    return Ready(command, workshop.root, pythons.counts)


def _sleeping(workshop: Workshop, _size: Size) -> Ready:
    return Ready((sys.executable, "-c", "import time; time.sleep(60)"), workshop.root, _counts)


def _counts(_output: str) -> Counts:
    return Counts(1, 1)


def _is_gone(pid: int) -> bool:
    for _ in range(100):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False
