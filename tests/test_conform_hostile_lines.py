"""Replies that no broker should send: what a run makes of each, in its time and memory."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from tests.hostile_server import WELCOME, Say, Server

ONLY = "core-a-keyspace-has-1-to-32-bits"
OK = b'{"tag":"ok","value":{"#tup":[]}}'
MEGABYTES = 150
"""So much may a run take besides what this process holds anyway."""
SECONDS = 60.0
CHUNK = b"x" * 2**16


def reply(value: bytes) -> Say:
    """A reply with a value."""
    return line(b'{"type":"reply","id":%s,"value":' + value.replace(b"%", b"%%") + b"}")


def line(text: bytes, end: bytes = b"\n") -> Say:
    """A line, whose `%s` is the id."""
    return lambda number: iter([text.replace(b"%s", number).replace(b"%%", b"%") + end])


def long_string(chunks: int) -> Say:
    """A reply with a string of so many chunks, made as it is sent."""

    def said(number: bytes) -> Iterator[bytes]:
        yield b'{"type":"reply","id":%s,"value":"' % number
        yield from (CHUNK for _ in range(chunks))
        yield b'"}\n'

    return said


def dribbled(text: bytes) -> Say:
    """A line, byte by byte."""
    return lambda number: (bytes([one]) for one in text.replace(b"%s", number) + b"\n")


def leaving(text: bytes) -> Say:
    """Something, and then the end."""

    def said(number: bytes) -> Iterator[bytes]:
        yield text.replace(b"%s", number)
        raise ConnectionAbortedError

    return said


def dripping(number: bytes) -> Iterator[bytes]:
    """A space now and then, for ever."""
    del number
    while True:
        yield b" "
        time.sleep(0.02)


GOOD = b'{"type":"reply","id":%s,"value":' + OK + b"}"
NO_MESSAGE = "error/protocol at step 1, open: sent what is no message: "
NEXT = "fail/reply at step 2, create_topic: answers what is not allowed"
"""The first reply is taken, and the next is judged."""
SAID: dict[str, tuple[Say, str]] = {
    "nan": (reply(b"NaN"), NO_MESSAGE + "NaN is not a whole number"),
    "infinity": (reply(b"-Infinity"), NO_MESSAGE + "-Infinity is not a whole number"),
    "out-of-floats": (reply(b"1e400"), NO_MESSAGE + "1e400 is not a whole number"),
    "fraction": (reply(b"1.0"), NO_MESSAGE + "1.0 is not a whole number"),
    "70-bits": (reply(b"1180591620717411303424"), "reply is 1180591620717411303424, not an object"),
    "5000-digits": (reply(b"9" * 5000), NO_MESSAGE + "holds a number of more than 400 digits"),
    "bigint": (
        reply(b'{"#bigint":"%s"}' % (b"9" * 6000)),
        NO_MESSAGE + "holds a number of more than 400 digits",
    ),
    "id-of-70-bits": (
        line(b'{"type":"reply","id":1180591620717411303424,"value":1}'),
        "the id is 1180591620717411303424, and that of the message was 2",
    ),
    "id-with-fraction": (
        line(b'{"type":"reply","id":%s.0,"value":1}'),
        NO_MESSAGE + "2.0 is not a whole number",
    ),
    "id-with-exponent": (
        line(b'{"type":"reply","id":%se0,"value":1}'),
        NO_MESSAGE + "2e0 is not a whole number",
    ),
    "id-minus-0": (line(b'{"type":"reply","id":-0,"value":1}'), "the id is 0, and that of the"),
    "id-true": (line(b'{"type":"reply","id":true,"value":1}'), "the id is true, and that of the"),
    "key-twice": (
        line(b'{"type":"reply","id":%s,"id":%s,"value":1}'),
        NO_MESSAGE + 'key "id" stands twice in one object',
    ),
    "key-twice-inside": (
        reply(b'{"tag":"error","tag":"ok","value":{"#tup":[]}}'),
        NO_MESSAGE + 'key "tag" stands twice in one object',
    ),
    "key-twice-escaped": (
        line(b'{"type":"reply","id":%s,"value":1,"\\u0076alue":2}'),
        NO_MESSAGE + 'key "value" stands twice in one object',
    ),
    "half-a-surrogate": (
        reply(b'{"tag":"error","value":{"tag":"failed","value":"\\ud800"}}'),
        "error/protocol at step 1, open: reply.error.failed holds half a surrogate pair",
    ),
    "half-a-surrogate-as-key": (
        line(b'{"type":"reply","id":%s,"\\udfff":1,"value":1}'),
        r"error/protocol at step 1, open: reply: \udfff is unknown",
    ),
    "half-a-surrogate-in-a-crash": (
        line(b'{"type":"crash","id":%s,"kind":"x","message":"\\ud83d"}'),
        "error/protocol at step 1, open: message holds half a surrogate pair",
    ),
    "65-deep": (reply(b"[" * 65 + b"]" * 65), NO_MESSAGE + "nested more than 64 deep"),
    "5000-objects-deep": (
        reply(b'{"a":' * 5000 + b"1" + b"}" * 5000),
        NO_MESSAGE + "nested more than 64 deep",
    ),
    "3-million-open": (line(b"[" * 3_000_000), NO_MESSAGE + "nested more than 64 deep"),
    "many-values": (
        reply(b"[" + b"1," * 1_500_000 + b"1]"),
        NO_MESSAGE + "holds more than 1,000,000 values",
    ),
    "15-MB": (
        long_string(240),
        'error/protocol at step 1, open: reply is "' + "x" * 60 + '...", not an object',
    ),
    "17-MB": (
        long_string(272),
        "error/protocol at step 1, open: sent a line longer than 16,777,216 bytes",
    ),
    "100-MB": (
        long_string(1600),
        "error/protocol at step 1, open: sent a line longer than 16,777,216 bytes",
    ),
    "a-long-crash": (
        line(b'{"type":"crash","id":%s,"kind":"k","message":"' + CHUNK * 16 + b'"}'),
        "fail/crash at step 1, open: crashed (k): " + "x" * 200 + "\n",
    ),
    "not-utf-8": (reply(b'"\xff\xfe"'), NO_MESSAGE + "not UTF-8 at byte 32"),
    "surrogate-in-utf-8": (reply(b'"\xed\xa0\x80"'), NO_MESSAGE + "not UTF-8 at byte 32"),
    "utf-16": (line('{"type":"reply"}'.encode("utf-16")), NO_MESSAGE + "not UTF-8 at byte 0"),
    "nul": (reply(b'"\x00"'), NO_MESSAGE + "not JSON: Invalid control character at, column 33"),
    "byte-order-mark": (line(b"\xef\xbb\xbf" + GOOD), NO_MESSAGE + "begins with a byte order mark"),
    "no-end": (line(GOOD, b""), "error/timeout at step 1, open: did not answer within 250 ms"),
    "only-a-return": (line(GOOD, b"\r"), "error/timeout at step 1, open: did not answer within"),
    "return-and-newline": (line(GOOD, b"\r\n"), NEXT),
    "spaces": (line(b'  { "type" : "reply" , "id" : %s , "value" : ' + OK + b" }  \t"), NEXT),
    "byte-by-byte": (dribbled(GOOD), NEXT),
    "vertical-tab": (line(GOOD, b"\x0b\n"), NO_MESSAGE + "not JSON: Extra data, column 65"),
    "two-in-a-line": (line(GOOD + b"{}"), NO_MESSAGE + "not JSON: Extra data, column 65"),
    "two-lines": (line(GOOD + b"\n" + GOOD), "create_topic: spoke out of turn"),
    "leaves": (leaving(b""), "error/exit at step 1, open: closed the connection\n"),
    "leaves-within-a-line": (
        leaving(b'{"type": "rep'),
        'error/exit at step 1, open: closed the connection in the middle of a line: {"type": "rep',
    ),
    "drips": (dripping, "error/timeout at step 1, open: did not answer within 250 ms"),
    "effect-of-another-call": (
        line(b'{"type":"effect","id":1,"call":9,"kind":"policy","args":{"name":"p"}}'),
        "error/protocol at step 1, open: an effect of call 9 came during call 2",
    ),
    "effect-of-no-kind": (
        line(b'{"type":"effect","id":1,"call":%s,"kind":{},"args":{}}'),
        "error/protocol at step 1, open: kind is an object of 0, not command or",
    ),
    "effect-and-reply-at-once": (
        line(
            b'{"type":"effect","id":1,"call":%s,"kind":"policy","args":{"name":"p"}}\n'
            b'{"type":"reply","id":%s,"value":1}'
        ),
        "error/protocol at step 1, open: spoke out of turn",
    ),
    "nothing": (line(b""), NO_MESSAGE + "not JSON: Expecting value, column 1: an empty line\n"),
    "list": (line(b"[]"), NO_MESSAGE + "the message is a list of 0, not an object"),
    "null": (line(b"null"), NO_MESSAGE + "the message is null, not an object"),
    "string": (line(b'"x"'), NO_MESSAGE + 'the message is "x", not an object'),
    "number": (line(b"1.5"), NO_MESSAGE + "1.5 is not a whole number"),
    "a-field-too-many": (line(b'{"type":"reply","id":%s,"value":1,"x":1}'), "reply: x is unknown"),
    "no-type": (line(b'{"id":%s,"value":1}'), "type is null, not a string"),
    "type-list": (line(b'{"type":["reply"],"id":%s}'), "type is a list of 1, not a string"),
    "type-object": (line(b'{"type":{},"id":%s}'), "type is an object of 0, not a string"),
    "tag-object": (reply(b'{"tag":{},"value":[]}'), "reply.tag is an object of 0, not a string"),
    "a-crash-of-numbers": (
        line(b'{"type":"crash","id":%s,"kind":5,"message":[]}'),
        "kind is 5, not a string",
    ),
    "control-characters": (
        reply(b'{"tag":"error","value":{"tag":"failed","value":"\\u001b[31m\\u202e"}}'),
        r"observed: Failed(reason=\x1b[31m\u202e)",
    ),
}


@pytest.fixture
def server() -> Iterator[Server]:
    """One that listens."""
    with Server(line(GOOD)) as found:
        yield found


def judged(server: Server, *more: str, turn_ms: int = 60_000) -> int:
    """Judge what the server says."""
    limits = ("--start-ms", "60000", "--turn-ms", str(turn_ms))
    return run(["conform", "run", "--only", ONLY, *limits, *more, "--connect", server.address])


def peak() -> int:
    """The most memory of this process since it was last asked, in megabytes."""
    found = re.search(r"VmHWM:\s*([0-9]+)", Path("/proc/self/status").read_text())
    assert found is not None
    Path("/proc/self/clear_refs").write_text("5")
    return int(found[1]) // 1024


@pytest.mark.parametrize("name", SAID)
def test_a_hostile_reply_is_told_in_a_line_in_little_time_and_memory(
    server: Server, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    server.say, said = SAID[name]
    started, held = time.monotonic(), (peak(), peak())[1]

    code = judged(server, turn_ms=250 if "error/timeout" in said else 60_000)

    told = capsys.readouterr()
    assert code == Exit.BROKEN
    assert said in told.out
    assert told.out.removesuffix("\n").replace("\n", "").isprintable()
    assert told.err == ""
    assert time.monotonic() - started < SECONDS
    assert peak() - held < MEGABYTES


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"protocol": True}, "protocol is true, not 1, the only one there is"),
        ({"protocol": 1 << 70}, "protocol is 1180591620717411303424, not 1"),
        ({"level": ["L1"]}, "level is a list of 1, not L0 or L1 or L2 or L3"),
        ({"ops": {"open": 1}}, "ops is an object of 1, not a list"),
        ({"ops": [1]}, "ops is 1, not a string"),
        ({"implementation": None}, "implementation is null, not a string"),
        ({"implementation": "\udc00"}, "implementation holds half a surrogate pair"),
        ({"capabilities": {"clock": []}}, "capabilities.clock is a list of 0, not injected or"),
        ({"capabilities": {"brokers": -1}}, "capabilities.brokers is -1, not a whole number"),
        ({"capabilities": {"x" * 5000: 1}}, f"capabilities.{'x' * 67} is unknown"),
        ({"y" * 5000: 1}, f"welcome: {'y' * 60} is unknown"),
        ({"type": ["welcome"]}, "type is a list of 1, not a string"),
    ],
)
def test_a_hostile_welcome_is_told_in_a_line(
    server: Server, capsys: pytest.CaptureFixture[str], changed: dict[str, object], said: str
) -> None:
    server.welcome = json.dumps({**WELCOME, **changed}).encode()

    code = judged(server)

    told = capsys.readouterr()
    assert code == Exit.BROKEN
    assert told.out == ""
    assert f"error/protocol: the adapter sent a wrong welcome: {said}" in told.err
    assert told.err.count("\n") == 1
    assert len(told.err) < 400


def test_a_ready_with_true_for_an_id_is_no_answer(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python holds true for equal to 1, the id of the first message."""
    server.ready = True

    code = judged(server)

    assert code == Exit.BROKEN
    assert "the id is true, and that of the message was 1" in capsys.readouterr().out


def test_what_an_adapter_calls_itself_is_told_without_control_characters_and_not_at_length(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.welcome = json.dumps({**WELCOME, "implementation": "\x1b[2J" + "n" * 100_000}).encode()

    judged(server)

    told = capsys.readouterr().out
    assert r"\x1b[2Jnnn" in told
    assert "\x1b" not in told
    assert "n" * 2_000 not in told


@pytest.mark.parametrize("name", ["half-a-surrogate-as-key", "control-characters"])
def test_every_report_can_be_written_of_what_has_no_utf_8_form(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    kinds = ("events", "junit", "markdown", "sarif", "transcript", "html")
    reports = [part for kind in kinds for part in (f"--{kind}", str(tmp_path / kind))]
    server.say, _ = SAID[name]

    code = judged(server, *reports)

    assert code == Exit.BROKEN
    assert capsys.readouterr().err == ""
    for kind in kinds:
        assert ONLY in (tmp_path / kind).read_text("utf-8")


def test_who_was_not_greeted_is_not_played_with(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """An adapter that speaks another protocol once it was started anew has no say."""
    server.say = line(b"no")
    good, bad = server.welcome, json.dumps({**WELCOME, "protocol": 2}).encode()

    def once(number: bytes) -> Iterator[bytes]:
        server.welcome = bad
        return line(b"no")(number)

    server.say = once
    code = judged(server, "--only", "core-options-*")

    told = capsys.readouterr().out
    assert good != bad
    assert code == Exit.BROKEN
    assert "core-options-outside-their-domain: error/protocol" in told
    assert told.count("protocol is 2, not 1, the only one there is") == 1
    assert "spoke out of turn" not in told
