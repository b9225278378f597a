"""Long searches: checkpoints, kills, memory that runs short, disks that are full."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from checker.models.fencecore import fencecore
from checker.search import fingerprints
from checker.search.checkpoints import STATE, read_state
from checker.search.explore import Options, search
from checker.search.faults import CheckpointError
from checker.search.fingerprints import rules_hash
from checker.search.model import Model
from checker.search.report import Report
from tests.search_models import below, counters

SIZE = (2, 3, 1)
WHOLE = (79_149, 411_228, 31)
KILLS = 20


def options(folder: Path | None, **changes: object) -> Options:
    """Answer options that go over to machine code early and keep checkpoints often."""
    basis = Options(
        engine="compiled", plain_states=2_500, checkpoint=folder, checkpoint_seconds=0.0
    )
    return replace(basis, **changes)  # type: ignore[arg-type] # fields are named by the test


def counts(report: Report) -> tuple[int, int, int]:
    """Answer what a search counted."""
    return report.states, report.transitions, report.depth


def test_a_search_that_was_stopped_goes_on_and_ends_as_if_it_never_was(tmp_path: Path) -> None:
    whole = search(fencecore(*SIZE), options=options(None))

    stops = [
        search(fencecore(*SIZE), max_states=most, options=options(tmp_path, resume=True))
        for most in (5_000, 5_001, 20_000, 60_000)
    ]
    last = search(fencecore(*SIZE), options=options(tmp_path, resume=True))

    assert [each.verdict for each in stops] == ["unfinished"] * 4
    assert counts(last) == WHOLE == counts(whole)
    assert last.rule_calls == whole.rule_calls
    assert last.laws == whole.laws


def test_a_trace_is_the_same_after_a_stop(tmp_path: Path) -> None:
    model = counters(80, laws=(below(60),))
    whole = search(model, options=options(None, plain_states=50))

    stopped = search(model, max_states=1_000, options=options(tmp_path, plain_states=50))
    last = search(model, options=options(tmp_path, plain_states=50, resume=True))

    assert stopped.verdict == "unfinished"
    assert last.trace == whole.trace
    assert last.trace is not None


RUN = """
import sys
from pathlib import Path
from checker.models.fencecore import fencecore
from checker.search.checkpoints import Keeper
from checker.search.explore import Options, search

def keep_and_tell(*given):
    keep(*given)
    print("kept", flush=True)

keep, Keeper.keep = Keeper.keep, keep_and_tell
options = Options(
    engine="compiled", plain_states=2_500, checkpoint=Path(sys.argv[1]), checkpoint_seconds=0.0,
    resume=True,
)
report = search(fencecore(2, 3, 1), options=options)
print(report.states, report.transitions, report.depth, report.verdict)
"""


@pytest.mark.slow
def test_twenty_kills_change_nothing(tmp_path: Path) -> None:
    draw = random.Random(20)
    whole = " ".join(map(str, WHOLE)) + " holds\n"
    killed = 0
    searches = 0

    while killed < KILLS:
        command = [sys.executable, "-c", RUN, str(tmp_path / str(searches))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            said = [running.stdout.readline() for _ in range(draw.randint(1, 4)) if running.stdout]
            time.sleep(draw.uniform(0.0, 0.05))
            is_over = said[-1] != "kept\n" or running.poll() is not None
            running.send_signal(signal.SIGKILL)
            rest = running.stdout.read() if running.stdout else ""
        killed += not is_over
        searches += is_over
        assert not is_over or whole in {*said, rest[-len(whole) :]}
    command = [sys.executable, "-c", RUN, str(tmp_path / str(searches))]
    last = subprocess.run(command, capture_output=True, text=True, check=True)

    assert last.stdout.endswith(whole)


def test_a_checkpoint_of_other_rules_is_refused_by_name(tmp_path: Path) -> None:
    search(counters(80), max_states=1_000, options=options(tmp_path, plain_states=50))

    with pytest.raises(CheckpointError, match="is of other rules than those of counters now"):
        search(counters(81), options=options(tmp_path, plain_states=50, resume=True))


def test_rules_that_answer_otherwise_are_refused_though_they_look_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprints, "told_of", lambda _value, _depth=0: "")
    search(counters(80), max_states=1_000, options=options(tmp_path, plain_states=50))

    with pytest.raises(CheckpointError, match="is of other rules than those of counters now"):
        search(counters(12), options=options(tmp_path, plain_states=50, resume=True))


@pytest.mark.parametrize("name", ["rows-0-0", "rows-0-1", "calls"])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, name: str) -> None:
    search(counters(80), max_states=1_000, options=options(tmp_path, plain_states=50))
    path = next(tmp_path.glob(f"*/{name}"))
    data = path.read_bytes()
    path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])

    with pytest.raises(CheckpointError, match=f"{name} is damaged; remove the folder"):
        search(counters(80), options=options(tmp_path, plain_states=50, resume=True))


def test_a_checkpoint_of_another_version_or_no_checkpoint_at_all_is_refused(
    tmp_path: Path,
) -> None:
    for content, complaint in (
        ('{"version": 0}', "another version"),
        ("[]", "another version"),
        ("{", "cannot be read"),
    ):
        (tmp_path / STATE).write_text(content, "utf-8")

        with pytest.raises(CheckpointError, match=complaint):
            read_state(tmp_path, counters(), is_reduced=False)


@pytest.mark.parametrize("name", ["firsts", "ends", "counts", "transitions", "plain_states"])
def test_a_checkpoint_that_says_other_numbers_than_were_kept_is_refused(
    tmp_path: Path, name: str
) -> None:
    search(counters(80), max_states=1_000, options=options(tmp_path, plain_states=50))
    path = tmp_path / "counters" / STATE
    given = json.loads(path.read_text("utf-8"))
    other = [each + 1 for each in given[name]] if isinstance(given[name], list) else given[name] + 1
    path.write_text(json.dumps({**given, name: other}), "utf-8")

    with pytest.raises(CheckpointError, match=r"state\.json is damaged; remove the folder"):
        search(counters(80), options=options(tmp_path, plain_states=50, resume=True))


def test_where_there_is_no_checkpoint_the_search_begins_anew_and_says_so(tmp_path: Path) -> None:
    said: list[str] = []

    report = search(counters(80), options=options(tmp_path, resume=True, warn=said.append))

    assert report.verdict == "holds"
    assert said == [f"no checkpoint in {tmp_path / 'counters'}: the search begins anew"]


def test_rows_that_do_not_fit_into_memory_go_to_the_disk(tmp_path: Path) -> None:
    tight = options(None, memory=1, spill=tmp_path)
    wide = options(None, memory=1 << 40, spill=tmp_path)

    stopped = search(fencecore(*SIZE), options=tight)
    whole = search(fencecore(*SIZE), options=wide)

    assert (stopped.verdict, stopped.stopped_by) == ("unfinished", "memory")
    assert counts(whole) == WHOLE


def test_a_search_on_disk_counts_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checker.search.budgets.resident", lambda: 1 << 30)

    report = search(fencecore(*SIZE), options=options(None, memory=1 << 30, spill=tmp_path))

    assert counts(report) == WHOLE
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_a_clean_stop_from_which_the_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = iter(range(12))
    take = os.posix_fallocate

    def fallocate(file: int, start: int, size: int) -> None:
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        take(file, start, size)

    monkeypatch.setattr("checker.search.budgets.resident", lambda: 1 << 30)
    monkeypatch.setattr(os, "posix_fallocate", fallocate)
    said: list[str] = []
    tight = options(tmp_path, memory=1 << 30, spill=tmp_path, warn=said.append)

    stopped = search(fencecore(*SIZE), options=tight)
    last = search(fencecore(*SIZE), options=options(tmp_path, resume=True))

    assert (stopped.verdict, stopped.stopped_by) == ("unfinished", "disk")
    (line,) = said
    assert line.startswith("no room for ")
    assert line.endswith("[Errno 28] No space left on device")
    assert counts(last) == WHOLE


def test_a_disk_that_is_full_from_the_start_is_a_clean_stop_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fallocate(_file: int, _start: int, _size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("checker.search.budgets.resident", lambda: 1 << 30)
    monkeypatch.setattr(os, "posix_fallocate", fallocate)
    said: list[str] = []
    tight = options(tmp_path, memory=1 << 30, spill=tmp_path, warn=said.append)

    stopped = search(fencecore(*SIZE), options=tight)

    assert (stopped.verdict, stopped.stopped_by) == ("unfinished", "disk")
    assert said == [f"no room for rows in {tmp_path}: [Errno 28] No space left on device"]


def test_an_interrupted_search_keeps_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = iter(range(5))

    def interrupted() -> int:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return 0

    monkeypatch.setattr("checker.search.compiled.Compiled._finish_round", interrupting(interrupted))
    with pytest.raises(KeyboardInterrupt):
        search(fencecore(*SIZE), options=options(tmp_path, checkpoint_seconds=1e9))
    monkeypatch.undo()

    last = search(fencecore(*SIZE), options=options(tmp_path, resume=True))

    assert counts(last) == WHOLE


def interrupting(check: object) -> object:
    """Answer a method that asks first whether somebody interrupts."""
    from checker.search.compiled import Compiled  # noqa: PLC0415 - the method as it is now

    finish = Compiled._finish_round  # noqa: SLF001 - where an interrupt hurts most

    def method(self: Compiled) -> None:
        check()  # type: ignore[operator] # a function
        finish(self)

    return method


def add(step: int, value: int) -> int:
    """Answer a sum."""
    return value + step


def test_a_hash_of_rules_tells_constants_closures_and_arguments_apart() -> None:
    def model(limit: int, holds: object) -> Model:
        return counters(3, laws=(replace(below(limit), holds=holds),))  # type: ignore[arg-type] # any

    hashes = [
        rules_hash(each)
        for each in (
            counters(3),
            counters(4),
            model(1, partial(add, 1)),
            model(1, partial(add, 2)),
            model(1, lambda right: right < 1),
            model(1, lambda right: right < 2),
        )
    ]

    assert len(set(hashes)) == len(hashes)
    assert rules_hash(counters(3)) == hashes[0]
