"""What stands on the wire: values, lines, messages, and the schema of all of them."""

import json
from importlib.resources import files

import jsonschema
import pytest
from immutables import Map

from checker.conform.calls.table import OPERATIONS
from checker.conform.codecs import Codec, blob, map_of, set_of, whole_number
from checker.conform.lines import read_line, write_line
from checker.conform.messages import Capabilities, Message, read_welcome
from checker.conform.nouns import history_cursor, range_id, roll
from checker.conform.operations import PROFILES
from checker.conform.recorder import Recorder, transcript
from checker.conform.replying import refusal
from checker.conform.schema import protocol_schema
from checker.conform.serving import reference_adapter
from checker.conform.session import Session, greet
from checker.conform.state import PARTS, StateReader, state, state_of
from checker.conform.steps import Call, Fence
from checker.conform.transports.inprocess import InProcess
from checker.conform.variants import option
from checker.conform.views import LoggedView, as_view
from checker.conform.views import view as view_codec
from checker.conform.world import world_of
from checker.replay.calls import (
    healing,
    placing,
    producing,
    ranges,
    reading,
    refreshing,
    rolling,
)
from checker.replay.terms import MalformedError, Term
from reference import vnodes
from spec.commands import BeginMigration, CreateTopic
from spec.replies import RangeSealed, Sealed
from spec.vocabulary import Cursor, Offset, RangeId, Record, SegmentId, Sequence, TopicName
from tests.conforming import QUICK, created, opened, produced

ROOT = RangeId(TopicName("t"), Sequence(0))
INTEGER = whole_number(int)
WELCOME: Message = {
    "type": "welcome",
    "protocol": 1,
    "implementation": "mine",
    "ops": ["open"],
    "level": "L1",
}


@pytest.mark.parametrize(
    ("codec", "value", "term"),
    [
        (INTEGER, 2**53 - 1, 2**53 - 1),
        (INTEGER, -(2**53), {"#bigint": "-9007199254740992"}),
        (blob, b"a\xff", {"#bytes": "Yf8="}),
        (option(INTEGER), None, {"tag": "none", "value": {"#tup": []}}),
        (option(INTEGER), 0, {"tag": "some", "value": 0}),
        (set_of(INTEGER), frozenset({2, 1}), {"#set": [1, 2]}),
        (map_of(INTEGER, INTEGER), Map({2: 0, 1: 5}), {"#map": [[1, 5], [2, 0]]}),
        (range_id, ROOT, {"#tup": ["t", 0]}),
        (history_cursor, "done", {"tag": "done", "value": {"#tup": []}}),
        (history_cursor, Cursor(1, Offset(4)), {"tag": "at", "value": {"#tup": [1, 4]}}),
        (refusal, RangeSealed(), {"tag": "range_sealed", "value": {"#tup": []}}),
        (refusal, Sealed(Offset(4)), {"tag": "sealed", "value": 4}),
    ],
)
def test_a_value_stands_on_the_wire_as_the_page_says(
    codec: Codec[object], value: object, term: Term
) -> None:
    assert codec.encode(value) == term
    assert codec.decode(term, "it") == value


@pytest.mark.parametrize(
    ("codec", "term", "said"),
    [
        (INTEGER, True, "it is true, not a whole number below 2^53"),
        (INTEGER, 2**53, "it is 9007199254740992, not a whole number below 2^53"),
        (INTEGER, {"#bigint": "1e9"}, 'it is "1e9", not a whole number of at most'),
        (blob, "YQ==", 'it is "YQ==", not bytes'),
        (blob, {"#bytes": "Y"}, 'it is "Y", not base64'),
        (set_of(INTEGER), {"#set": [1, 1]}, "it holds a value twice"),
        (map_of(INTEGER, INTEGER), {"#map": [[1, 2], [1, 3]]}, "it names a key twice"),
        (map_of(INTEGER, INTEGER), {"#map": [[1, "x"]]}, 'it[1] is "x", not a whole'),
        (range_id, {"#tup": ["t"]}, "it is an object of 1, not a tuple of 2"),
        (range_id, ["t", 0], 'not an object with the one key "#tup"'),
        (roll, {}, "it.fence_sent_at is missing"),
        (refusal, {"tag": "ok", "value": {"#tup": []}}, 'it.tag is "ok", not'),
        (refusal, {"tag": "no_vnode", "value": 0}, "it.value is 0, not the empty tuple"),
        (refusal, {"tag": "no_vnode"}, "it.value is missing"),
    ],
)
def test_a_term_of_another_shape_is_refused_with_its_path(
    codec: Codec[object], term: Term, said: str
) -> None:
    with pytest.raises(MalformedError) as raised:
        codec.decode(term, "it")

    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"a": 1.0}', "1.0 is not a whole number"),
        (b'{"a": Infinity}', "Infinity is not a whole number"),
        (b'{"a": 1, "a": 1}', 'key "a" stands twice in one object'),
        (b"[" * 65 + b"]" * 65, "nested more than 64 deep"),
        (b"\xef\xbb\xbf{}", "begins with a byte order mark"),
        (b'{"a": ' + b"1" * 400 + b"}", "holds a number of more than 400 digits"),
        (b"[1]", "the message is a list of 1, not an object"),
        (b"{} {}", "not JSON: Extra data, column 4"),
        (b"\n", "not JSON: Expecting value, column 1"),
    ],
)
def test_a_line_that_is_no_message_is_refused(line: bytes, said: str) -> None:
    with pytest.raises(MalformedError) as raised:
        read_line(line)

    assert said in str(raised.value)


def test_a_line_is_written_without_spaces_and_read_back() -> None:
    message: Message = {"type": "ready", "id": 1, "note": "ä"}

    line = write_line(message)

    assert line == '{"type":"ready","id":1,"note":"ä"}\n'.encode()
    assert read_line(line) == message


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"protocol": 2}, "protocol is 2, not 1"),
        ({"level": "L4"}, 'level is "L4", not L0 or L1'),
        ({"ops": "open"}, 'ops is "open", not a list'),
        ({"extra": 1}, "welcome: extra is unknown"),
        ({"capabilities": {"clock": "sundial"}}, "clock is"),
        ({"capabilities": {"opaque": ["colour"]}}, 'capabilities.opaque is "colour", not'),
        ({"capabilities": {"wings": True}}, "capabilities.wings is unknown"),
        ({"capabilities": {"load": 1}}, "capabilities.load is 1, not true or false"),
    ],
)
def test_a_welcome_that_says_the_wrong_thing_is_refused(changed: Message, said: str) -> None:
    with pytest.raises(MalformedError) as raised:
        read_welcome({**WELCOME, **changed})

    assert said in str(raised.value)


def test_capabilities_may_be_left_out() -> None:
    assert read_welcome(WELCOME).capabilities == Capabilities()


def test_every_function_of_the_source_is_a_call_in_one_profile() -> None:
    """The two forms of domain_violations are two functions."""
    recorded = {"open", "put_cache"}.union(
        *(each.CALLS for each in (ranges, placing, producing, rolling, refreshing, reading)),
        (name for name in healing.CALLS if name.startswith("apply_heal")),
    )

    profiles = {name: operation.profile for name, operation in OPERATIONS.items()}

    assert len(profiles) == 43
    assert set(profiles.values()) == set(PROFILES)
    assert set(profiles) - {"domain_violations_over"} == recorded


def test_the_published_schema_is_that_of_the_codecs() -> None:
    published = files("checker.schemas").joinpath("protocol.schema.json").read_text("utf-8")

    assert json.loads(published) == json.loads(json.dumps(protocol_schema()))


def test_every_message_of_a_run_keeps_the_published_schema() -> None:
    validator = jsonschema.Draft202012Validator(protocol_schema())
    recorder = Recorder(InProcess(reference_adapter()))
    segment = SegmentId(ROOT, Sequence(0))
    records = (Record(b"k", b"v", ((b"h", b"x"),)),)
    steps = (
        opened(),
        Call("f1", "journal"),
        created(),
        produced(b"a"),
        Call("f1", "produce_plan", {"topic": "t", "records": records}),
        Call("f1", "read", {"range": ROOT, "offset": 0, "max": 5}),
        Call("f1", "active_roll", {"range": ROOT}),
        Fence(segment, Offset(0)),
        produced(b"b"),
        Call("f1", "metadata"),
    )
    session = Session(recorder, greet(recorder, QUICK), world_of("authoritative"))

    assert session.run(steps) is None
    for _, message in recorder.lines:
        validator.validate(message)


def test_a_transcript_is_the_lines_with_who_said_them() -> None:
    lines = [(">", {"type": "reset", "id": 1}), ("<", {"type": "ready", "id": 1})]

    assert transcript(lines) == b'> {"type":"reset","id":1}\n< {"type":"ready","id":1}\n'  # type: ignore[arg-type] # literals


def test_a_state_is_read_part_by_part() -> None:
    adapter = reference_adapter()
    channel = InProcess(adapter)
    session = Session(channel, greet(channel, QUICK), world_of("raft"))
    session.run((opened(), created(), produced(b"a")))
    [front] = session.fronts("f1")
    term = state.encode(state_of(front))

    found = StateReader({"journal"}).read({**state.encode(state_of(front))})  # type: ignore[dict-item] # an object

    assert state.decode(term, "state") == state_of(front)
    assert set(found) == set(PARTS) - {"journal"}
    with pytest.raises(MalformedError):
        StateReader().read({"offsets": {"#map": []}})


def test_a_view_that_is_told_as_a_log_is_the_view() -> None:
    told = LoggedView(
        ((0, vnodes.DEFAULT_VNODE),),
        ((CreateTopic(TopicName("t"), 2), None), (BeginMigration(TopicName("t")), None)),
    )

    view = as_view(told)

    term = view_codec.encode(told)
    assert view_codec.decode(term, "view") == told
    assert vnodes.merged(view).migrating == {"t"}
