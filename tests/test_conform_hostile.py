"""Adapters that misbehave: what each ends with, in its time, and what is said of it."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from checker.commands.exits import Exit
from checker.conform.messages import Limits
from checker.conform.session import Session, greet
from checker.conform.transports.channel import ChannelError
from checker.conform.transports.stdio import StartError, Stdio
from checker.conform.world import world_of
from tests.conforming import created, opened

HOSTILE = Path(__file__).parent / "hostile_adapter.py"
LIMITS = Limits(start_ms=120_000, turn_ms=60_000, effects=300)
IMPATIENT = replace(LIMITS, turn_ms=250)
MEGABYTES = 200
"""So much memory may the harness take at most."""
SECONDS = 60.0
"""So long may each take, the start of its Python included, on a machine that is busy."""

CASES = {
    "log_lines": (
        "error/protocol",
        "not JSON: Expecting value, column 2: [info] broker",
    ),
    "half_a_line": ("error/timeout", 'within 250 ms; it wrote half a line: {"type": "rep'),
    "half_a_line_and_leave": ("error/exit", "ended with exit code 0 in the middle of a line"),
    "silence": ("error/timeout", "did not answer within 250 ms"),
    "flood": ("error/timeout", "did not answer within 250 ms"),
    "chatter": ("error/exit", "ended with exit code 0"),
    "leave": ("error/exit", "ended with exit code 3"),
    "killed": ("error/exit", "was ended by signal SIGKILL"),
    "grandchild": ("error/exit", "ended with exit code 4"),
    "not_a_number": ("error/protocol", "NaN is not a whole number"),
    "a_fraction": ("error/protocol", "1.5 is not a whole number"),
    "a_key_twice": ("error/protocol", 'key "id" stands twice in one object'),
    "deep": ("error/protocol", "nested more than 64 deep"),
    "huge": ("error/protocol", "sent a line longer than 16,777,216 bytes"),
    "many_values": ("error/protocol", "holds more than 1,000,000 values"),
    "many_digits": ("error/protocol", "holds a number of more than 400 digits"),
    "wrong_id": ("error/protocol", "the id is 999, and that of the message was 2"),
    "a_reply_too_many": ("error/protocol", "spoke out of turn"),
    "effect_after_reply": ("error/protocol", "spoke out of turn"),
    "effect_of_another_call": ("error/protocol", "an effect of call 999 came during call 2"),
    "endless_effects": ("error/protocol", "asked for 301 effects in one call"),
    "slow_drip": ("error/timeout", "did not answer within 250 ms"),
    "not_utf8": ("error/protocol", "not UTF-8 at byte 10"),
    "unknown_type": ("error/protocol", "said banana where a reply is due"),
    "not_an_object": ("error/protocol", "the message is a list of 2, not an object"),
    "old_id": ("error/protocol", "the id is 1, and that of the message was 2"),
    "closed_input": ("error/exit", "closed the connection"),
    "closed_output": ("error/exit", "closed the connection"),
    "flood_behind_closed_output": ("error/exit", "closed the connection"),
    "daemon": ("error/exit", "ended with exit code 0"),
    "deaf_to_signals": ("error/timeout", "did not answer within 250 ms"),
    "stopped": ("error/timeout", "did not answer within 250 ms"),
    "odd_signal": ("error/exit", f"was ended by signal {signal.SIGRTMIN + 5}"),
    "crash": ("fail/crash", "crashed (KeyError): no such thing"),
}


@pytest.mark.parametrize("behaviour", CASES)
def test_a_hostile_adapter_gives_its_own_outcome_in_time(behaviour: str) -> None:
    outcome, said = CASES[behaviour]
    started = time.monotonic()
    limits = IMPATIENT if outcome == "error/timeout" else LIMITS
    channel = Stdio([sys.executable, str(HOSTILE), behaviour], limits)
    try:
        session = Session(channel, greet(channel, limits), world_of("memory"))

        found = session.run((opened(), created()))
    finally:
        channel.close()

    assert found is not None
    assert found.outcome == outcome
    assert said in found.text
    assert time.monotonic() - started < SECONDS


RUNS = """
import contextlib, io, json, pathlib, re, sys, time
from checker.commands.main import run
for behaviour, turn_ms in json.loads(sys.argv[2]):
    told, started = io.StringIO(), time.monotonic()
    given = ["--start-ms", "120000", "--turn-ms", str(turn_ms), "--effects", "300"]
    with contextlib.redirect_stdout(told):
        only = ["--only", "core-a-keyspace-has-1-to-32-bits"]
        code = run(["conform", "run", *only, *given, "--", sys.executable, sys.argv[1], behaviour])
    # What getrusage says began with the process that started this one.
    status = pathlib.Path("/proc/self/status").read_text()
    peak = int(re.search("VmHWM: *([0-9]+)", status.expandtabs(1))[1]) // 1024
    print(json.dumps([behaviour, code, told.getvalue(), time.monotonic() - started, peak]))
"""


def test_a_run_survives_every_hostile_adapter_with_its_exit_code_in_little_memory() -> None:
    """One process judges them all, so its peak is above that of each."""
    turns = [
        (name, 250 if outcome == "error/timeout" else 60_000)
        for name, (outcome, _) in CASES.items()
    ]
    done = subprocess.run(
        [sys.executable, "-c", RUNS, str(HOSTILE), json.dumps(turns)],
        cwd=HOSTILE.parent.parent,
        capture_output=True,
        check=True,
        text=True,
    )

    found = [json.loads(line) for line in done.stdout.splitlines()]

    assert [each[0] for each in found] == list(CASES)
    for behaviour, code, told, seconds, peak in found:
        outcome, said = CASES[behaviour]
        assert code == Exit.BROKEN, behaviour
        assert f": {outcome}" in told, behaviour
        assert said in told, behaviour
        assert seconds < 3 * SECONDS, behaviour
        assert peak < MEGABYTES, (behaviour, peak)


def test_what_an_adapter_wrote_on_standard_error_is_kept_up_to_a_size() -> None:
    channel = Stdio([sys.executable, str(HOSTILE), "chatter"], LIMITS)
    try:
        Session(channel, greet(channel, LIMITS), world_of("memory")).run((opened(),))
        kept = channel.complaints()
    finally:
        channel.close()

    assert len(kept) == LIMITS.stderr_bytes
    assert kept.endswith(b"the last word")


@pytest.mark.parametrize(
    ("behaviour", "outcome", "said"),
    [
        ("another_protocol", "error/protocol", "protocol is 2, not 1, the only one there is"),
        ("deaf", "error/timeout", "did not answer within 1,000 ms"),
        ("banner", "error/protocol", "not JSON: Expecting value, column 1: broker 1.0 is starting"),
    ],
)
def test_a_greeting_that_fails_says_how(behaviour: str, outcome: str, said: str) -> None:
    limits = Limits(start_ms=1_000 if behaviour == "deaf" else 120_000)
    channel = Stdio([sys.executable, str(HOSTILE), behaviour], limits)
    try:
        with pytest.raises(ChannelError) as raised:
            greet(channel, limits)
    finally:
        channel.close()

    assert raised.value.outcome == outcome
    assert said in str(raised.value)


def test_a_child_that_stays_is_ended_with_all_of_its_group() -> None:
    mark = f"grandchild-of-{os.getpid()}"
    channel = Stdio([sys.executable, str(HOSTILE), "grandchild", mark], LIMITS)
    Session(channel, greet(channel, LIMITS), world_of("memory")).run((opened(),))
    assert marked(mark)

    channel.close()

    # A process that was killed is gone a moment later.
    deadline = time.monotonic() + 5
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not marked(mark)


def marked(mark: str) -> list[int]:
    """The processes that run and were given a mark among their arguments."""
    found = psutil.process_iter(["pid", "cmdline", "status"])
    return [
        one.info["pid"]
        for one in found
        if mark in (one.info["cmdline"] or []) and one.info["status"] != psutil.STATUS_ZOMBIE
    ]


def test_a_program_that_is_missing_cannot_be_started() -> None:
    with pytest.raises(StartError) as raised:
        Stdio(["/no/such/program"], LIMITS)

    assert str(raised.value) == "'/no/such/program' cannot be started: No such file or directory"
