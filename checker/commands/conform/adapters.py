"""How the command line reaches an adapter."""

import re
from collections.abc import Sequence

from checker.commands.exits import CommandError
from checker.conform.messages import Limits
from checker.conform.running import Bench, Connect
from checker.conform.serving import reference_adapter
from checker.conform.transports.inprocess import InProcess
from checker.conform.transports.stdio import Stdio
from checker.conform.transports.tcp import connect, listen

PORT = re.compile("[0-9]{1,5}")


def reached(
    argv: Sequence[str], address: str | None, limits: Limits, *, tcp: bool, reference: bool
) -> Connect:
    """What starts the adapter, or connects to it: exactly one way has to be named."""
    ways = [bool(argv), address is not None, reference]
    if sum(ways) != 1:
        said = "name a program to start, or --connect HOST:PORT, or --reference: one of them"
        raise CommandError(said)
    if reference:
        adapter = reference_adapter()
        return lambda: InProcess(adapter, limits.effects)
    if address is not None:
        host, port = host_and_port(address)
        return lambda: connect(host, port, limits)
    if tcp:
        return lambda: listen(argv, limits)
    return lambda: Stdio(argv, limits)


def bench_for(
    argv: Sequence[str],
    address: str | None,
    limits: Limits,
    *,
    tcp: bool,
    reference: bool,
    keep_lines: bool = False,
) -> Bench:
    """The adapter, to be started when it is first spoken to."""
    connect = reached(argv, address, limits, tcp=tcp, reference=reference)
    return Bench(connect, limits, keep_lines=keep_lines)


def host_and_port(address: str) -> tuple[str, int]:
    """`127.0.0.1:7000` in its parts."""
    host, _, port = address.rpartition(":")
    if not host or not PORT.fullmatch(port) or int(port) >= 2**16:
        raise CommandError(f"--connect is {address!r}, and not HOST:PORT")
    return host, int(port)


def command_of(argv: Sequence[str], address: str | None, *, tcp: bool, reference: bool) -> str:
    """How the adapter was named, for whoever runs it again."""
    if reference:
        return "--reference"
    if address is not None:
        return f"--connect {address}"
    return f"{'--tcp ' if tcp else ''}-- {' '.join(argv)}"
