"""What is replayed when a path is given, and what is kept when it is interrupted."""

from pathlib import Path

import pytest

from checker.replay import replaying
from checker.replay.judging import judge
from checker.replay.replaying import replay_paths
from tests.recordings import TRACES, lines_of, path_of, put, written

RANDOM = TRACES / "random"


def test_an_interrupt_between_files_keeps_what_was_judged() -> None:
    def interrupt(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    result = replay_paths([RANDOM], interrupt)

    assert (result.files, result.calls, result.agree + result.known_deviations) == (2, 171, 171)
    assert (result.interrupted, result.verdict, result.exit_code) == (True, "unfinished", 4)
    assert result.as_json()["interrupted"] is True


def test_an_interrupt_within_a_file_keeps_its_calls_and_finds_no_entry_stale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = iter([judge, judge, judge])

    def interrupted(*args: object) -> object:
        for real in turns:
            return real(*args)  # type: ignore[arg-type] # passed on
        raise KeyboardInterrupt

    monkeypatch.setattr(replaying, "judge", interrupted)

    result = replay_paths([path_of("066")])

    assert (result.files, result.calls, result.stale) == (1, 3, ())
    assert result.verdict == "unfinished"


def test_a_difference_weighs_more_than_an_interrupt(tmp_path: Path) -> None:
    lines = lines_of("189")
    put("reply", 7)(lines[1])

    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    result = replay_paths([written(tmp_path, lines)], interrupt)

    assert (result.interrupted, result.verdict, result.exit_code) == (True, "differs", 1)
