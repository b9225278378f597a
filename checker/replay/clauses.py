"""Which clause a difference is about: by the call, and by the place where it shows."""

import re
from collections.abc import Mapping

from checker.replay.comparing import Difference
from checker.replay.terms import Term
from checker.replay.trace import Call, Mode

EFFECT = re.compile(r"effects\[(\d+)\](?:\.([a-z]+)(?:\.([a-z_]+))?)?")
PAGE = re.compile(r"reply\.ok\[([012])\]")

CALLS: Mapping[str, str] = {
    "open": "PLC-2",
    "restart": "RFR-28",
    "refresh": "RFR-3",
    "snapshot": "RFR-3",
    "put_cache": "RFR-1",
    "authority_command": "RNG-4",
    "store_fence": "ROL-1",
    "store_append": "ROL-2",
    "store_force": "ROL-31",
    "store_drop": "ROL-34",
    "create_topic": "RNG-5",
    "active_range_ids": "RNG-38",
    "split_range": "RNG-9",
    "merge_ranges": "RNG-11",
    "delete_segment": "RNG-20",
    "commit_offset": "RNG-24",
    "committed_offsets": "RNG-26",
    "bind_topic_policy": "RNG-27",
    "topic_policy_name": "RNG-28",
    "topics_bound_to": "RNG-29",
    "metadata": "RNG-37",
    "set_brokers": "PLC-1",
    "set_broker_attributes": "PLC-15",
    "domain_violations": "PLC-18",
    "produce": "PRD-20",
    "produce_plan": "PRD-17",
    "adopt_offsets": "PRD-23",
    "active_roll": "ROL-24",
    "due_rolls": "ROL-14",
    "request_rolls": "ROL-15",
    "fences_to_send": "ROL-17",
    "awaiting_fence": "ROL-19",
    "range_awaiting_fence": "ROL-21",
    "forget_fence": "ROL-22",
    "record_fence": "ROL-25",
    "record_seal": "ROL-5",
    "forget_sealed": "ROL-7",
    "drop_stale_active_segments": "RFR-12",
    "journal": "RFR-5",
    "take_journal": "RFR-7",
    "replay_journal": "RFR-8",
    "seed_range_state": "RFR-20",
    "seed_unrecovered_range": "RFR-22",
    "unrecovered": "RFR-25",
    "apply_heal": "HEA-1",
    "apply_heal_reply": "HEA-6",
    "failover_candidates": "HEA-8",
    "failover_plan": "HEA-9",
    "orphaned_fence_candidates": "HEA-14",
    "orphaned_fence_plan": "HEA-15",
    "retention_expired": "HEA-22",
    "read": "RDG-3",
    "read_consume": "RDG-17",
    "stream_history": "RDG-26",
    "read_history": "RDG-29",
}
"""What a call promises as a whole."""

COMMANDS: Mapping[str, str] = {
    "create_topic": "RNG-5",
    "seal_topic": "RNG-22",
    "delete_topic": "RNG-23",
    "split_range": "RNG-9",
    "merge_ranges": "RNG-11",
    "register_segment": "RNG-16",
    "seal_segment": "RNG-19",
    "delete_segment": "RNG-20",
    "set_segment_replicas": "RNG-21",
    "commit_offset": "RNG-24",
    "bind_topic_policy": "RNG-27",
    "begin_migration": "RNG-35",
    "end_migration": "RNG-35",
}
"""What the control plane answers a command, and what becomes of it then."""

SENT: Mapping[str, str] = {
    "register_segment": "PRD-10",
    "seal_segment": "ROL-9",
    "split_range": "RNG-14",
    "merge_ranges": "RNG-14",
}
"""What a frontend puts into a command."""

STATE: Mapping[str, str] = {
    "offsets": "ROL-44",
    "segments": "PRD-8",
    "segment_seq": "ROL-37",
    "rolling": "ROL-13",
    "fencing": "ROL-18",
    "unrecovered": "RFR-25",
    "journal": "RFR-6",
}
"""What a frontend holds, whatever is called."""

OF_CALL: Mapping[tuple[str, str], str] = {
    ("produce", "offsets"): "PRD-19",
    ("produce", "segments"): "PRD-21",
    ("produce", "segment_seq"): "PRD-21",
    ("produce", "rolling"): "ROL-11",
    ("produce_plan", "offsets"): "PRD-16",
    ("produce_plan", "segments"): "PRD-26",
    ("produce_plan", "segment_seq"): "PRD-10",
    ("produce_plan", "rolling"): "ROL-11",
    ("adopt_offsets", "offsets"): "PRD-23",
    ("adopt_offsets", "unrecovered"): "PRD-25",
    ("request_rolls", "segment_seq"): "ROL-16",
    ("request_rolls", "rolling"): "ROL-15",
    ("fences_to_send", "rolling"): "ROL-18",
    ("forget_fence", "fencing"): "ROL-22",
    ("record_fence", "rolling"): "ROL-26",
    ("record_seal", "offsets"): "ROL-6",
    ("forget_sealed", "offsets"): "ROL-29",
    ("forget_sealed", "segments"): "ROL-30",
    ("forget_sealed", "rolling"): "ROL-30",
    ("forget_sealed", "fencing"): "ROL-20",
    ("refresh", "offsets"): "RFR-12",
    ("refresh", "segments"): "RFR-12",
    ("refresh", "rolling"): "RFR-15",
    ("refresh", "fencing"): "RFR-19",
    ("refresh", "journal"): "RFR-7",
    ("refresh", "metadata"): "RFR-3",
    ("put_cache", "metadata"): "RFR-2",
    ("replay_journal", "metadata"): "RFR-8",
    ("drop_stale_active_segments", "rolling"): "RFR-15",
    ("drop_stale_active_segments", "fencing"): "RFR-19",
    ("take_journal", "journal"): "RFR-7",
    ("journal", "journal"): "RFR-5",
    ("seed_range_state", "offsets"): "RFR-20",
    ("seed_range_state", "unrecovered"): "RFR-21",
    ("seed_unrecovered_range", "offsets"): "RFR-22",
    ("seed_unrecovered_range", "segment_seq"): "RFR-24",
    ("apply_heal", "segments"): "HEA-2",
    ("apply_heal", "rolling"): "HEA-3",
    ("apply_heal", "offsets"): "HEA-4",
    ("apply_heal_reply", "segments"): "HEA-2",
    ("apply_heal_reply", "rolling"): "HEA-3",
    ("apply_heal_reply", "offsets"): "HEA-4",
    ("produce", "replicate"): "PRD-15",
    ("read", "read"): "RDG-3",
}
"""What a call does to a part of what a frontend holds."""

VIEWS: Mapping[Mode, str] = {"memory": "RNG-41", "authoritative": "RNG-42", "raft": "RNG-43"}
"""Which view a frontend holds, by the way in which its commands travel."""

READS: Mapping[str, str] = {
    "primary": "RDG-7",
    "segment": "RDG-3",
    "offset": "RDG-2",
    "max": "RDG-9",
}
"""What a read asks, by field."""


def clause_of(call: Call, difference: Difference, mode: Mode) -> str:
    """The clause that a difference breaks, as near as call and place tell."""
    path = difference.path
    match path.split(".", 1)[0].partition("[")[0]:
        case "effects":
            return of_effect(call, path)
        case "state":
            part = path.removeprefix("state.").partition(".")[0].partition("[")[0]
            of_view = VIEWS[mode] if part == "metadata" else STATE.get(part, CALLS[call.call])
            return OF_CALL.get((call.call, part), of_view)
        case "authority":
            return of_control_plane(call)
        case "store":
            return "ROL-1" if ".fence" in path else "ROL-31"
        case _:
            return of_reply(call, difference)


def of_reply(call: Call, difference: Difference) -> str:
    """What the reply breaks; a page has parts of its own."""
    part = PAGE.match(difference.path)
    if call.call != "read_consume" or part is None:
        return CALLS[call.call]
    match difference.expected:
        case "unknown" | {"offsets": "unknown"}:
            return "RDG-23"
        case _:
            return {"0": "RDG-14", "1": "RDG-11", "2": "RDG-20"}[part[1]]


def of_effect(call: Call, path: str) -> str:
    """What an effect breaks: what was asked, what was answered, or that there was one."""
    found = EFFECT.match(path)
    at, part, below = found.groups() if found else ("0", None, None)
    recorded = call.effects[int(at)] if int(at) < len(call.effects) else {}
    match recorded.get("kind"):
        case "command":
            word = word_of(recorded.get("request"))
            table = COMMANDS if part == "reply" else SENT
            return table.get(word, CALLS[call.call])
        case "replicate":
            return "ROL-32" if part == "reply" else "PRD-15"
        case "read":
            return "RDG-6" if part == "reply" else READS.get(below or "", "RDG-3")
        case _:
            return CALLS[call.call]


def of_control_plane(call: Call) -> str:
    """What the control plane breaks: what the command of the call promises."""
    commands = [each["request"] for each in call.effects if each["kind"] == "command"]
    words = [word_of(one) for one in [*commands, call.args.get("command")]]
    return next((COMMANDS[word] for word in words if word in COMMANDS), "RNG-3")


def word_of(command: Term) -> str:
    """The word that a command begins with."""
    match command:
        case [str(word), *_]:
            return word
        case _:
            return ""
