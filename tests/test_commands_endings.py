"""How commands end: interrupts, streams that take nothing, interpreters that strip too much."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE

import pytest

from checker.commands import entry
from checker.commands import pinned as pinned_command
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.search.model import Model
from checker.search.plain import search as plain_search
from checker.search.report import Report
from checker.search.stopping import REQUEST

SMALL, LARGE = "fencecore-2-1-1", "fencecore-2-3-2"
LONG_AFTER_THE_START = 2.5
"""Processor seconds after which a check is busy with LARGE, and far from its end."""


def one_line(text: str) -> str:
    """The only line of a text."""
    (line,) = text.splitlines()
    return line


def test_a_time_that_is_no_number_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["check", SMALL, "--max-seconds", "nan"])

    assert code == Exit.USAGE
    assert "'nan' is no time" in one_line(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("scopes > /dev/full", Exit.USAGE, "standard output cannot be written"),
        ("scopes >&-", Exit.USAGE, "standard output cannot be written"),
        ("spec ROL-7 >&-", Exit.USAGE, "standard output cannot be written"),
        ("site /proc/x", Exit.USAGE, "/proc/x cannot be made a folder"),
        ("draw --graphs /proc/x", Exit.USAGE, "/proc/x cannot be made a folder"),
        ("site spec", Exit.USAGE, "spec holds files of others"),
        ("run ''", Exit.USAGE, "a PATH is empty"),
        ("check nothing 2>/dev/full", Exit.USAGE, ""),
        ("check nothing 2>&-", Exit.USAGE, ""),
    ],
)
def test_a_stream_that_takes_nothing_gets_one_line_and_the_right_code(
    line: str, code: Exit, said: str
) -> None:
    command = f"{sys.executable} -m checker {line}"

    done = subprocess.run(  # noqa: S602 # the redirections are what is tested
        command, shell=True, capture_output=True, text=True, check=False
    )

    assert done.returncode == code
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == bool(said)


def test_python_that_strips_the_laws_of_their_sentences_is_refused() -> None:
    command = [sys.executable, "-OO", "-m", "checker", "check", SMALL]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == Exit.USAGE
    assert "PYTHONOPTIMIZE=2" in one_line(done.stderr)


@pytest.mark.usefixtures("as_in_the_foreground")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_check_with_what_it_found(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "checker", "check", SMALL, LARGE]
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()

        process.send_signal(number)
        out, err = process.stdout.read(), process.stderr.read()

    assert process.returncode == Exit.UNFINISHED
    assert first.startswith(f"{SMALL}: holds, ")
    assert out.splitlines()[-1].startswith("unfinished: ")
    assert one_line(err)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="the system does not tell processor time")
def test_a_signal_ends_a_check_for_programs_with_what_it_found() -> None:
    command = [sys.executable, "-m", "checker", "check", SMALL, LARGE, "--format", "json"]
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True) as process:
        while processor_seconds(process.pid) < LONG_AFTER_THE_START:
            time.sleep(0.05)

        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)

    report = json.loads(out)
    assert process.returncode == Exit.UNFINISHED
    assert [each["verdict"] for each in report["scopes"]] == ["holds", "unfinished"]
    assert report["scopes"][1]["stopped_by"] == "interrupt"
    assert one_line(err) == f"malachi-model: interrupted in {LARGE}"


def processor_seconds(pid: int) -> float:
    """How long a process ran on processors."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_an_interrupt_shows_the_defects_that_were_searched_before_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []

    def search(model: Model) -> Report:
        searched.append(model.name)
        REQUEST.is_made = len(searched) > 1
        return plain_search(model)

    monkeypatch.setattr(pinned_command, "search", search)
    try:
        code = run(["defects", "D02", "D09", "--format", "json"])
    finally:
        REQUEST.is_made = False

    report = json.loads(capsys.readouterr().out)
    assert code == Exit.UNFINISHED
    assert [each["name"] for each in report["defects"]] == ["D02"]
    assert report["unsearched"] == ["D09"]


def test_a_complaint_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", "a\nb\x1b[2J"])

    assert "\x1b" not in one_line(capsys.readouterr().err)


def test_an_interrupt_while_the_program_is_loaded_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "listen", interrupted)

    with pytest.raises(SystemExit) as end:
        entry.main()

    assert end.value.code == Exit.UNFINISHED
    assert one_line(capsys.readouterr().err).startswith("malachi-model: interrupted")
