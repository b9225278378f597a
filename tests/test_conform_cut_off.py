"""Runs that are cut off, and files that were: what was found is kept, and no code is 0."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from xml.etree import ElementTree as ET

import psutil
import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from tests.hostile_server import Server

HOSTILE = Path(__file__).parent / "hostile_adapter.py"
SECONDS = 120.0
HEADER = '{"event": "header", "schema": "malachi-model/conform-events/1"}\n'
FOOTER = '{"event": "footer", "results": 0, "claim": "nothing"}\n'


def found_in(path: Path) -> list[dict[str, object]]:
    """The events that were written."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def reports(folder: Path) -> tuple[str, ...]:
    """Files for what was found, and limits in which a silent adapter holds a run up."""
    files = ("--events", str(folder / "events"), "--junit", str(folder / "junit"))
    return (*files, "--start-ms", "120000", "--turn-ms", "600000", "--walks", "0")


def wait_for(path: Path) -> None:
    """Wait until a run has written what comes before the first call: what the adapter lacks."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and not (path.exists() and len(found_in(path)) > 2):
        time.sleep(0.05)


def test_a_run_that_is_interrupted_tells_what_it_had_written_already(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "events"
    written: list[dict[str, object]] = []

    def interrupt(_number: bytes) -> Iterator[bytes]:
        written.extend(found_in(path))
        signal.raise_signal(signal.SIGINT)
        return iter(())

    with Server(interrupt) as server:
        code = run(["conform", "run", *reports(tmp_path), "--connect", server.address])

    told = capsys.readouterr()
    # What is untestable counts before what is unfinished.
    assert code == Exit.UNDETERMINED
    number, every = len(written) - 1, found_in(path)[-1]["unplayed"]
    assert isinstance(every, int)
    said = f"interrupted after {number} of {number + every} scenarios"
    assert every > 0
    assert told.err == f"malachi-model: {said}\n"
    assert f"\n{said}\nclaim: partial (" in told.out
    assert "unsupported, as the adapter does not have" in told.out
    assert {each["event"] for each in written[1:]} == {"result"}
    assert found_in(path)[:-1] == written
    assert found_in(path)[-1]["event"] == "footer"
    assert found_in(path)[-1]["whole"] is False
    suite = ET.parse(tmp_path / "junit").getroot()  # noqa: S314 # our own file
    assert len(list(suite.iter("testcase"))) == len(written) - 1


def test_a_run_of_several_processes_is_interrupted_without_a_word_of_theirs(
    tmp_path: Path,
) -> None:
    program = ("--", sys.executable, str(HOSTILE), "silence")
    running = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "checker",
            "conform",
            "run",
            "-j",
            "2",
            *reports(tmp_path),
            *program,
        ],
        cwd=HOSTILE.parent.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(tmp_path / "events")

    # A terminal tells all of the group.
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=SECONDS)

    assert running.returncode == Exit.UNDETERMINED
    assert err.startswith("malachi-model: interrupted after ")
    assert err.count("\n") == 1
    assert "unsupported, as the adapter does not have" in out
    assert found_in(tmp_path / "events")[-1]["whole"] is False


def test_a_run_whose_judge_is_killed_tells_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def kill() -> None:
        wait_for(tmp_path / "events")
        every = psutil.Process().children()
        next(each for each in every if "spawn_main" in " ".join(each.cmdline())).kill()

    thread = Thread(target=kill)
    thread.start()

    code = run(
        [
            *("conform", "run", "-j", "2", *reports(tmp_path)),
            *("--", sys.executable, str(HOSTILE), "silence"),
        ]
    )

    thread.join()
    told = capsys.readouterr()
    assert code == Exit.INTERNAL
    assert "WorkerError: a process that judges ended before it had answered" in told.err
    assert told.err.count("\n") == 1
    assert "unsupported, as the adapter does not have" in told.out
    assert found_in(tmp_path / "events")[-1]["whole"] is False


def test_an_adapter_that_cannot_be_started_again_is_one_that_went_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "adapter"
    program.write_text(
        f"#!/bin/sh\nrm {program}\nexec {sys.executable} {HOSTILE} half_a_line_and_leave\n"
    )
    program.chmod(0o755)
    only = ("--only", "core-a-keyspace-has*", "--only", "core-a-topic-needs-*")
    limits = ("--start-ms", "120000", "--turn-ms", "60000")

    code = run(["conform", "run", *only, *limits, "--", str(program)])

    told = capsys.readouterr().out
    assert code == Exit.BROKEN
    assert f"'{program}' cannot be started: No such file or directory" in told
    assert "2 scenarios, " in told


def test_an_adapter_that_ends_in_one_call_spoils_no_other_scenario(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whichever process plays it."""
    only = ("--only", "core-a-keyspace*", "--only", "core-a-t*", "--no-shrink")
    limits = ("--start-ms", "120000", "--turn-ms", "60000")
    program = [sys.executable, str(HOSTILE.parent / "failing_adapter.py"), "active_range_ids"]

    codes = [run(["conform", "run", *only, *limits, "-j", n, "--", *program]) for n in "12"]

    told = capsys.readouterr().out
    assert codes == [Exit.BROKEN, Exit.BROKEN]
    assert "active_range_ids: ended with exit code 9" in told
    assert " pass, " in told
    assert told[: len(told) // 2] == told[len(told) // 2 :]


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"", Exit.USAGE, "holds no events"),
        (b"\x00\xff\xfe", Exit.USAGE, "cannot be read: it was cut off in the middle of a line"),
        (b"\xff\n", Exit.USAGE, "cannot be read: 'utf-8' codec can't decode byte 0xff"),
        (b"[" * 100_000 + b"\n", Exit.USAGE, "cannot be read: it is nested too deep"),
        (b"9" * 5_000 + b"\n", Exit.USAGE, "cannot be read: Exceeds the limit"),
        (b" " * (5 << 20), Exit.USAGE, "cannot be read: a line is longer than 4 MiB"),
        (HEADER.encode(), Exit.USAGE, "was cut off: it has no footer for its 0 results"),
        (HEADER.encode()[:-9], Exit.USAGE, "was cut off in the middle of a line"),
        ((HEADER + FOOTER).encode(), Exit.NOTHING, "hold no results to compare"),
    ],
)
def test_a_stream_that_says_nothing_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, code: Exit, said: str
) -> None:
    path = tmp_path / "events"
    path.write_bytes(content)

    assert run(["conform", "diff", str(path), str(path)]) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no file without an end")
@pytest.mark.parametrize(
    "arguments",
    [
        ("diff", "/dev/zero", "/dev/zero"),
        ("known", "/dev/zero"),
        ("history", "/dev/zero"),
        ("replay", "/dev/zero"),
        ("run", "--reference", "--known", "/dev/zero"),
        ("run", "--reference", "--config", "/dev/zero"),
        ("run", "--reference", "--scenarios", "{}/zero.toml"),
        ("run", "--reference", "--scenarios", "{}/zero.jsonl"),
    ],
)
def test_a_file_without_an_end_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    """Were it read without bound, the machine would pay for it: so the limit."""
    for name in ("zero.toml", "zero.jsonl"):
        (tmp_path / name).symlink_to("/dev/zero")
    limits = resource.getrlimit(resource.RLIMIT_AS)
    held = psutil.Process().memory_info().vms
    resource.setrlimit(resource.RLIMIT_AS, (held + (1 << 30), limits[1]))
    try:
        code = run(["conform", *(each.replace("{}", str(tmp_path)) for each in arguments)])
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)

    told = capsys.readouterr().err
    assert code == Exit.USAGE
    assert "longer than" in told or "not a regular file" in told


def test_what_other_files_say_reaches_no_terminal_raw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = {"event": "result", "id": "\x1b[2J", "outcome": "pass", "signature": "\ud800"}
    footer = {"event": "footer", "results": 1, "claim": "\x1b[31m"}
    path, other = tmp_path / "events", tmp_path / "other"
    path.write_text(f"{HEADER}{json.dumps(result)}\n{json.dumps(footer)}\n")
    other.write_text(f"{HEADER}{json.dumps({**footer, 'results': 0})}\n")

    assert run(["conform", "diff", str(path), str(other)]) == Exit.BROKEN
    assert capsys.readouterr().out.replace("\n", "").isprintable()


def test_an_empty_list_of_known_failures_is_no_success(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text("")

    assert run(["conform", "known", str(path)]) == Exit.NOTHING


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("localhost:" + "9" * 5_000, "and not HOST:PORT"),
        ("localhost:\u0663", "and not HOST:PORT"),
        ("localhost:99999", "and not HOST:PORT"),
        ("x" * 70 + ":1", "nobody can be reached at xxxx"),
    ],
)
def test_an_address_that_is_none_is_named(
    capsys: pytest.CaptureFixture[str], address: str, said: str
) -> None:
    assert run(["conform", "run", "--connect", address]) == Exit.USAGE
    assert said in capsys.readouterr().err
