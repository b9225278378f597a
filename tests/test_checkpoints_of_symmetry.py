"""A search up to symmetry that is stopped, or killed, goes on as if it never was."""

import random
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from checker.models.fencecore import fencecore
from checker.search.explore import Options, search
from checker.search.faults import CheckpointError
from checker.search.model import Law, Model
from checker.search.report import Report
from tests.test_search_symmetric import painted, trio

KILLS = 5
OPTIONS = Options(engine="compiled", plain_states=100, checkpoint_seconds=0.0, symmetry=True)


def kept(folder: Path, **changes: object) -> Options:
    """Answer options that keep a checkpoint before every round."""
    return replace(OPTIONS, checkpoint=folder, resume=True, **changes)  # type: ignore[arg-type] # fields are named by the test


def timeless(report: Report) -> Report:
    """Answer a report but for how long it took."""
    return replace(report, seconds=0.0)


def both_three(a: int, c: int) -> bool:
    """Answer whether two counters are not both at 3."""
    return (a, c) != (3, 3)


BROKEN = trio(laws=(Law("apart", "T-1", "Apart.", ("a", "c"), both_three),))


@pytest.mark.parametrize(
    ("model", "stops", "plain_states"),
    [(fencecore(2, 1, 1), (200, 201, 900), 100), (BROKEN, (8, 9), 4)],
    ids=["fencecore", "broken"],
)
def test_a_search_up_to_symmetry_goes_on_after_stops(
    tmp_path: Path, model: Model, stops: tuple[int, ...], plain_states: int
) -> None:
    options = kept(tmp_path, plain_states=plain_states)
    whole = search(model, options=replace(OPTIONS, plain_states=plain_states))

    stopped = [search(model, max_states=most, options=options) for most in stops]
    last = search(model, options=options)

    assert [each.verdict for each in stopped] == ["unfinished"] * len(stops)
    assert timeless(last) == timeless(whole)


KILLED = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
from checker.models.fencecore import fencecore
from checker.search.explore import search
from tests.test_checkpoints_of_symmetry import kept, timeless

size, moment = map(int, sys.argv[2].split(",")), int(sys.argv[3])
sync = os.fsync

def sync_or_die(number):
    global moment
    moment -= 1
    if moment == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    sync(number)

os.fsync = sync_or_die
print(timeless(search(fencecore(*size), options=kept(Path(sys.argv[1])))))
"""


def run_and_kill(folder: Path, size: str, moment: int) -> str | None:
    """Search in a process that is killed as it writes for the nth time; answer what it found."""
    command = [sys.executable, "-c", KILLED, str(folder), size, str(moment)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode in {0, -signal.SIGKILL}, run.stderr
    return None if run.returncode else run.stdout


def test_a_search_up_to_symmetry_that_is_killed_as_it_writes_goes_on(tmp_path: Path) -> None:
    whole = search(fencecore(2, 1, 1), options=OPTIONS)

    # A checkpoint is written five times over: two files of rows, the calls, the state, its folder.
    said = [run_and_kill(tmp_path, "2,1,1", moment) for moment in (3, 9, 12, 1)]
    last = search(fencecore(2, 1, 1), options=kept(tmp_path))

    assert said == [None] * 4
    assert timeless(last) == timeless(whole)


@pytest.mark.slow
def test_five_kills_change_nothing_up_to_symmetry(tmp_path: Path) -> None:
    draw = random.Random(22)
    whole = f"{timeless(search(fencecore(3, 1, 1), options=OPTIONS))}\n"
    killed = searches = 0

    while killed < KILLS:
        found = run_and_kill(tmp_path / str(searches), "3,1,1", draw.randint(1, 80))
        killed += found is None
        searches += found is not None
        assert found in {None, whole}

    assert run_and_kill(tmp_path / str(searches), "3,1,1", 0) == whole


@pytest.mark.parametrize("first", ["whole", "up to symmetry"])
def test_a_checkpoint_of_the_other_kind_of_search_is_refused(tmp_path: Path, first: str) -> None:
    was_reduced = first == "up to symmetry"
    begun = kept(tmp_path, symmetry=was_reduced, plain_states=10)
    search(painted(6), max_states=60, options=begun)
    (made,) = tmp_path.iterdir()
    shutil.copytree(made, tmp_path / ("painted" if was_reduced else "painted-up-to-symmetry"))

    with pytest.raises(CheckpointError, match="from which this one cannot go on"):
        search(painted(6), options=replace(begun, symmetry=not was_reduced))
