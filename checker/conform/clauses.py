"""Which clause a finding is about: by the call, and by the place where it shows."""

from checker.conform.effects import CommandEffect, ReadEffect, ReplicateEffect
from checker.conform.world import Mode
from checker.replay.clauses import CALLS, OF_CALL, READS, SENT, STATE, VIEWS

OPENED = "PLC-2"
PARTS = {"heads": "segments", "sequences": "segment_seq", "view": "metadata"}
"""What the parts of a state are called in a recording."""


def clause_of_call(op: str) -> str:
    """What a call promises as a whole."""
    if op == "domain_violations_over":
        return CALLS["domain_violations"]
    return CALLS.get(op, OPENED)


def clause_of_reply(op: str, path: str) -> str:
    """What a reply breaks; a page has parts of its own."""
    if op != "read_consume":
        return clause_of_call(op)
    for part, clause in (("records", "RDG-14"), ("cursor", "RDG-11"), ("skips", "RDG-20")):
        if path.startswith(f"reply.{part}"):
            return clause
    return clause_of_call(op)


def clause_of_effect(op: str, allowed: object, path: str) -> str:
    """What an effect breaks that is not the allowed one, or is there where none is."""
    match allowed:
        case CommandEffect(command):
            return SENT.get(command.tag, clause_of_call(op))
        case ReplicateEffect():
            return "PRD-15"
        case ReadEffect():
            return READS.get(path.rpartition(".")[2], "RDG-3")
        case _:
            return clause_of_call(op)


def clause_of_state(op: str, path: str, mode: Mode) -> str:
    """What a state breaks, by its part."""
    part = path.removeprefix("state.").partition(".")[0].partition("[")[0]
    part = PARTS.get(part, part)
    of_part = VIEWS[mode] if part == "metadata" else STATE.get(part, clause_of_call(op))
    return OF_CALL.get((op, part), of_part)
