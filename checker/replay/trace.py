"""A trace: who recorded it and how commands travelled, then a line for each call."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from checker.replay.faults import KINDS
from checker.replay.lines import read_terms
from checker.replay.recorded import STATE_FIELDS
from checker.replay.terms import (
    MalformedError,
    Term,
    count,
    field,
    fields,
    items,
    only,
    shown,
    text,
    whole,
    wrong,
)
from reference.vnodes import RING_BITS
from spec.vocabulary import PolicyName, TopicPolicy, VnodeId

FORMAT = "malachi-trace/1"
Mode = Literal["memory", "authoritative", "raft"]
MODES: tuple[Mode, ...] = ("memory", "authoritative", "raft")

CALL_FIELDS = frozenset({"n", "frontend", "call", "args", "reply", "effects", "state"})
SHOWN_FIELDS = CALL_FIELDS | {"authority", "store"}
METADATA_FIELDS = frozenset({"topics", "ranges", "segments", "committed_offsets"})
EFFECT_FIELDS = frozenset({"kind", "request", "reply"})
HEADER_FIELDS = frozenset({"format", "name", "implementation", "options"})
OPTIONS = frozenset({"mode", "vnodes", "policies", "seed"})


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line says."""

    name: str
    implementation: str
    mode: Mode
    vnodes: tuple[tuple[VnodeId, int], ...] | None
    """Each vnode with its token; none for the one vnode that owns everything."""
    policies: dict[PolicyName, TopicPolicy]


@dataclass(frozen=True, slots=True)
class Call:
    """One line: what was called, what it answered, and what was there afterwards."""

    line: int
    n: int
    frontend: str
    call: str
    args: dict[str, Term]
    reply: Term
    effects: list[dict[str, Term]]
    state: dict[str, Term] | None
    authority: Term
    """The control plane; none where it is as it was."""
    store: Term
    """The store; none where it is as it was."""
    has_flags: bool
    """Whether true or false may stand beside the arguments: 1 and 0 are not to pass for them."""


class Trace:
    """A file of a recording, read as it goes. `line` is the line that is being read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1
        self._lines = read_terms(path)

    def header(self) -> Header:
        """The first line."""
        for _, term, _ in self._lines:
            return header(fields(term, "the header"))
        raise MalformedError("the file is empty")

    def calls(self) -> Iterator[Call]:
        """The lines after the first."""
        self.line = 2
        for number, term, flags in self._lines:
            yield call(fields(term, "the line"), number, flags)
            self.line = number + 1


def header(term: dict[str, Term]) -> Header:
    """Who recorded the trace, and under which options."""
    named = field(term, "format", "")
    if named != FORMAT:
        raise wrong("format", f'"{FORMAT}"', named)
    only(term, HEADER_FIELDS, "the header")
    options = fields(field(term, "options", ""), "options")
    only(options, OPTIONS, "options")
    mode = field(options, "mode", "options")
    if mode not in MODES:
        raise wrong("options.mode", "memory, authoritative or raft", mode)
    if "seed" in options:
        whole(options["seed"], "options.seed")
    return Header(
        name=text(field(term, "name", ""), "name"),
        implementation=text(field(term, "implementation", ""), "implementation"),
        mode=mode,
        vnodes=vnodes(options["vnodes"]) if "vnodes" in options else None,
        policies=policies(options.get("policies", {})),
    )


def vnodes(term: Term) -> tuple[tuple[VnodeId, int], ...]:
    """Each vnode with its token."""
    found: dict[VnodeId, int] = {}
    for at, pair in enumerate(items(term, "options.vnodes")):
        where = f"options.vnodes[{at}]"
        first, token = items(pair, where, 2)
        vnode = VnodeId(text(first, where))
        if vnode in found:
            raise MalformedError(f"{where} names {shown(vnode)} once more")
        if count(token, where) >> RING_BITS:
            raise wrong(where, f"a token below 2^{RING_BITS}", token)
        found[vnode] = count(token, where)
    return tuple(found.items())


def policies(term: Term) -> dict[PolicyName, TopicPolicy]:
    """The storage policies that say something of placement, by name."""
    found = {}
    for name, policy in fields(term, "options.policies").items():
        where = f"options.policies.{name}"
        if "spread_by" in fields(policy, where):
            spread_by = fields(policy, where)["spread_by"]
            found[PolicyName(name)] = TopicPolicy(
                None if spread_by is None else text(spread_by, f"{where}.spread_by")
            )
    return found


def call(term: dict[str, Term], line: int, flags: int) -> Call:
    """One call, from a line that holds at most so many flags."""
    if not CALL_FIELDS <= term.keys() <= SHOWN_FIELDS:
        only(term, SHOWN_FIELDS, "the line")
        raise MalformedError(f"{min(CALL_FIELDS - term.keys())} is missing")
    n = count(term["n"], "n")
    if n != line - 2:
        raise MalformedError(f"n is {shown(n)}, and {line - 2} is next: a line is missing or twice")
    state = term["state"]
    args = fields(term["args"], "args")
    return Call(
        line=line,
        n=n,
        frontend=text(term["frontend"], "frontend"),
        call=text(term["call"], "call"),
        args=args,
        reply=term["reply"],
        effects=[effect(one, at) for at, one in enumerate(items(term["effects"], "effects"))],
        state=None if state is None else whole_object(state, STATE_FIELDS, "state"),
        authority=whole_object(term["authority"], METADATA_FIELDS, "authority")
        if "authority" in term
        else None,
        store=items(term["store"], "store") if "store" in term else None,
        has_flags=flags > 0 and flags > flags_in(args),
    )


def flags_in(term: Term) -> int:
    """How many flags a term holds."""
    match term:
        case bool():
            return 1
        case list():
            return sum(flags_in(one) for one in term)
        case dict():
            return sum(flags_in(one) for one in term.values())
        case _:
            return 0


def effect(term: Term, at: int) -> dict[str, Term]:
    """One effect."""
    found = whole_object(term, EFFECT_FIELDS, f"effects[{at}]")
    if found["kind"] not in KINDS:
        raise wrong(f"effects[{at}].kind", "command, replicate or read", found["kind"])
    return found


def whole_object(term: Term, names: frozenset[str], name: str) -> dict[str, Term]:
    """An object with exactly these fields."""
    found = fields(term, name)
    if found.keys() != names:
        only(found, names, name)
        raise MalformedError(f"{name}.{min(names - found.keys())} is missing")
    return found
