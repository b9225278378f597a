"""What happens around the broker in a recording: opening, snapshots, the store, a lost log."""

from pathlib import Path
from typing import Any

import pytest

from checker.replay.arguments import Arguments
from checker.replay.effects import Effects
from checker.replay.judging import run
from checker.replay.machine import Entry, Turn, machine
from checker.replay.replaying import replay_paths
from checker.replay.terms import Term
from checker.replay.trace import Header
from tests.recordings import Line, lines_of, put, written

NUMBER = "189"


def appended(lines: list[Line], call: str, args: dict[str, Any], **after: object) -> list[Line]:
    """The lines and one call more, after which all is as it was but what is given."""
    last = lines[-1]
    line = {
        "n": last["n"] + 1,
        "frontend": last["frontend"],
        "call": call,
        "args": args,
        "reply": "ok",
        "effects": [],
        "state": last["state"],
    }
    return [*lines, line | after]


def test_a_dropped_log_is_gone(tmp_path: Path) -> None:
    lines = appended(lines_of(NUMBER), "store_drop", {"segment": [["t", 0], 0]}, store=[])

    result = replay_paths([written(tmp_path, lines)])

    assert (result.verdict, result.agree) == ("agrees", len(lines) - 1)


def test_a_log_that_should_be_gone_is_a_difference(tmp_path: Path) -> None:
    lines = appended(lines_of(NUMBER), "store_drop", {"segment": [["t", 0], 0]})

    [call] = replay_paths([written(tmp_path, lines)]).differences

    assert call.first.path == "store[t.0.0]"


def test_a_snapshot_that_nobody_took_is_named(tmp_path: Path) -> None:
    lines = appended(lines_of(NUMBER), "refresh", {"snapshot": "s9"})

    [complaint] = replay_paths([written(tmp_path, lines)]).malformed

    assert complaint.reason == 'no snapshot is named "s9"'


LOG = [["t", 0], 0]
LISTED = {
    "id": LOG,
    "range_id": ["t", 0],
    "replica_set": ["p"],
    "start_offset": 0,
    "state": "active",
}


@pytest.mark.parametrize(
    ("call", "args", "reason"),
    [
        ("store_fence", {"segment": LOG, "start_offset": None}, "args.start_offset is null"),
        (
            "store_append",
            {"segment": LOG, "records": [], "base_offset": "x"},
            'args.base_offset is "x"',
        ),
        (
            "store_force",
            {"segment": LOG, "records": [], "base_offset": -1},
            "args.base_offset is -1",
        ),
        (
            "request_rolls",
            {"segments": [{**LISTED, "wings": 2}]},
            'args.segments has the unknown field "wings"',
        ),
    ],
)
def test_an_argument_of_another_shape_is_refused_though_nothing_hangs_on_it(
    tmp_path: Path, call: str, args: dict[str, Any], reason: str
) -> None:
    lines = appended(lines_of(NUMBER), call, args)

    [complaint] = replay_paths([written(tmp_path, lines)]).malformed

    assert complaint.reason.startswith(reason)


def test_a_command_to_an_authority_without_vnodes_answers_no_vnode(tmp_path: Path) -> None:
    """[RNG-31] Nobody owns the topic, so nobody marks it."""
    lines = appended(
        lines_of("169"),
        "authority_command",
        {"command": ["begin_migration", "t"]},
        reply={"error": "no_vnode"},
    )

    assert replay_paths([written(tmp_path, lines)]).verdict == "agrees"


def test_a_broker_that_opens_what_the_reference_refuses_goes_on_with_it(tmp_path: Path) -> None:
    """[PLC-2] The open differs, and the calls after it are still judged."""
    lines = lines_of(NUMBER)
    put("args.replication_factor", 0)(lines[1])

    result = replay_paths([written(tmp_path, lines)])

    opened = result.differences[0]
    assert (opened.n, opened.first.path, opened.first.observed) == (0, "reply", "ok")
    assert opened.first.expected == {"raise": "ArgumentError"}
    assert result.agree > 0
    assert result.malformed == ()


def test_a_policy_that_is_no_policy_is_refused(tmp_path: Path) -> None:
    """[PLC-2] As the recorded broker refuses other options outside their domain."""
    lines = lines_of("001")
    put("args.placement_policy", "maybe")(lines[1])
    put("args.brokers", ["p"])(lines[1])

    assert replay_paths([written(tmp_path, lines)]).verdict == "agrees"


def test_an_exception_of_the_reference_is_a_reply_that_no_recording_has() -> None:
    def broken(_turn: Turn) -> Term:
        raise ZeroDivisionError("by nought")

    running = machine(Header("it", "it", "memory", None, {}))
    turn = Turn(running, "a", Arguments({}), Effects(running.world, [], {}, has_flags=False))

    reply = run(Entry(broken), turn)

    assert reply == {"raise": "ZeroDivisionError in the reference: by nought"}
