"""The reference over each transport, and sockets that misbehave."""

import socket
import sys
import threading
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.messages import Limits
from checker.conform.serving import IMPLEMENTATION, reference_adapter, serve
from checker.conform.session import Session, greet
from checker.conform.transports.channel import Channel, ChannelError
from checker.conform.transports.inprocess import InProcess
from checker.conform.transports.stdio import StartError, Stdio
from checker.conform.transports.tcp import connect, listen
from checker.conform.world import world_of
from tests.conforming import SERVE, created, opened, produced

LIMITS = Limits(start_ms=120_000, turn_ms=60_000)
TCP = [sys.executable, str(Path(__file__).parent / "tcp_adapter.py")]


def agrees(channel: Channel) -> bool:
    """Whether the reference at the other end fits."""
    try:
        welcome = greet(channel, LIMITS)
        session = Session(channel, welcome, world_of("raft"))
        found = session.run((opened(), created(), produced(b"a", b"b"), produced(b"a")))
    finally:
        channel.close()
    return welcome.implementation == IMPLEMENTATION and found is None and session.calls == 4


def test_the_reference_fits_over_standard_input_and_output() -> None:
    assert agrees(Stdio(SERVE, LIMITS))


def test_the_reference_fits_over_a_socket_that_the_harness_listens_on() -> None:
    assert agrees(listen([*SERVE, "--tcp"], LIMITS))


def test_the_reference_fits_over_a_socket_that_it_listens_on_itself() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            connection, _ = server.accept()
            with connection, connection.makefile("rwb") as file:
                serve(reference_adapter(), cast("BinaryIO", file), cast("BinaryIO", file))

        thread = threading.Thread(target=accept)
        thread.start()
        fits = agrees(connect("127.0.0.1", server.getsockname()[1], LIMITS))
        thread.join(10)

    assert fits


@pytest.mark.parametrize(
    ("behaviour", "outcome", "said"),
    [
        ("never_connects", "error/timeout", "did not connect in time"),
        ("leaves", "error/exit", "ended with exit code 5 before it connected"),
        ("resets", "error/exit", "closed the connection"),
        ("wrong_token", "error/protocol", "shows the wrong token"),
    ],
)
def test_a_socket_that_misbehaves_says_how(behaviour: str, outcome: str, said: str) -> None:
    limits = Limits(start_ms=500) if behaviour == "never_connects" else LIMITS

    with pytest.raises(ChannelError) as raised:
        greeted(behaviour, limits)

    assert raised.value.outcome == outcome
    assert str(raised.value) == said


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ("never_connects", "error/timeout: the adapter did not connect in time"),
        ("leaves", "error/exit: the adapter ended with exit code 5 before it connected"),
        ("resets", "error/exit: the adapter closed the connection"),
        ("wrong_token", "error/protocol: the adapter shows the wrong token"),
    ],
)
def test_a_run_over_a_socket_that_misbehaves_ends_with_1_and_a_line(
    capsys: pytest.CaptureFixture[str], behaviour: str, said: str
) -> None:
    start_ms = "500" if behaviour == "never_connects" else "120000"

    code = run(["conform", "run", "--start-ms", start_ms, "--tcp", "--", *TCP, behaviour])

    told = capsys.readouterr()
    assert code == Exit.BROKEN
    assert told.out == ""
    assert told.err == f"malachi-model: {said}\n"


def test_what_a_program_behind_a_socket_prints_is_no_part_of_the_report(
    capfd: pytest.CaptureFixture[str],
) -> None:
    program = [sys.executable, "-c", "print('noise')"]

    code = run(["conform", "run", "--start-ms", "120000", "--tcp", "--", *program])

    told = capfd.readouterr()
    assert code == Exit.BROKEN
    assert told.out == ""
    assert told.err.startswith("noise\nmalachi-model: error/exit: the adapter ended with")


def greeted(behaviour: str, limits: Limits) -> None:
    """Start an adapter over TCP, and greet it."""
    channel = listen([*TCP, behaviour], limits)
    try:
        greet(channel, limits)
    finally:
        channel.close()


def test_nobody_at_an_address_is_no_adapter() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    with pytest.raises(StartError) as raised:
        connect("127.0.0.1", port, LIMITS)

    assert str(raised.value) == f"nobody can be reached at 127.0.0.1:{port}: Connection refused"


def test_an_adapter_in_this_process_that_raises_has_ended() -> None:
    class Broken:
        def handle(self, *_: object) -> None:
            raise KeyError("oops")

    with pytest.raises(ChannelError) as raised:
        greet(InProcess(Broken()), LIMITS)

    assert raised.value.outcome == "error/exit"
    assert str(raised.value) == "the adapter raised KeyError: 'oops'"
