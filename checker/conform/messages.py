"""The messages of protocol 1: what each is made of, and how it is checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from checker.conform.codecs import boolean
from checker.conform.effects import EFFECTS, Effect, Kind
from checker.conform.state import PARTS, options, state_of
from checker.conform.state import state as state_codec
from checker.conform.views import LoggedView, ring, view
from checker.replay.terms import MalformedError, Term, count, fields, items, text, wrong
from reference.frontend import Frontend

PROTOCOL = 1
SUITE = "malachi-model"
SCHEMA = "malachi-model/protocol/1"
Message = dict[str, Term]

IMPLEMENTATION = 1_000
"""So many characters of what an adapter calls itself are told."""

Level = Literal["L0", "L1", "L2", "L3"]
LEVELS: tuple[Level, ...] = ("L0", "L1", "L2", "L3")
Choice = Literal["oracle", "phash2"]

OPAQUE = frozenset({*PARTS, "opened_at", "migrating"})
"""What an adapter may say that it cannot show."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how large. All can be set otherwise."""

    start_ms: int = 30_000
    turn_ms: int = 5_000
    line_bytes: int = 16 * 2**20
    nesting: int = 64
    effects: int = 10_000
    """Effects within one call."""
    stderr_bytes: int = 256 * 2**10
    restarts: int = 10
    """How often an adapter is started anew within one run."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an adapter can do besides, and what it cannot show. Each may be left out."""

    load: bool = False
    fork: bool = False
    show: bool = False
    """Whether a reply comes with the state, where a call asks for it."""
    clock: Literal["injected", "opaque"] = "opaque"
    position: Choice = "phash2"
    placement: Choice = "phash2"
    view: Literal["value", "log"] = "value"
    opaque: frozenset[str] = frozenset()
    brokers: int = 1
    """The most that are open at once."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """Who answers."""

    implementation: str
    ops: frozenset[str]
    level: Level
    capabilities: Capabilities = field(default_factory=Capabilities)
    token: str = ""


def hello(limits: Limits) -> Message:
    """The first message of all."""
    said: Message = {
        "turn_ms": limits.turn_ms,
        "line_bytes": limits.line_bytes,
        "nesting": limits.nesting,
        "effects": limits.effects,
    }
    return {
        "type": "hello",
        "protocols": [PROTOCOL],
        "suite": SUITE,
        "schema": SCHEMA,
        "limits": said,
    }


def call(
    number: int, broker: str, op: str, args: dict[str, Term], now: int, *, show: bool = False
) -> Message:
    """Call a function of a broker, and perhaps ask it to show its state with the reply."""
    said: Message = {"type": "call", "id": number, "broker": broker, "op": op, "args": args}
    said["now"] = now
    if show:
        said["show"] = True
    return said


def effect(number: int, call: Term, kind: Kind, value: Effect) -> Message:
    """Ask for an effect."""
    args = EFFECTS[kind].encode(value)
    return {"type": "effect", "id": number, "call": call, "kind": kind, "args": args}


def reply(number: int, value: Term) -> Message:
    """Answer a call."""
    return {"type": "reply", "id": number, "value": value}


def answer(number: Term, value: Term) -> Message:
    """Answer an effect."""
    return {"type": "answer", "id": number, "value": value}


def snapshot(number: int, broker: str) -> Message:
    """Ask for the state of a broker."""
    return {"type": "snapshot", "id": number, "broker": broker}


def load(number: int, broker: str, front: Frontend, log: LoggedView | None = None) -> Message:
    """Put a broker into a state; its view is told as a log too, where the adapter takes those."""
    told = {} if log is None else {"view": view.encode(log)}
    return {
        "type": "load",
        "id": number,
        "broker": broker,
        "options": options.encode(front.options),
        "state": state_codec.encode(state_of(front)),
        "ring": ring.encode(front.view.ring),
        **told,
    }


def fork(number: int, broker: str, source: str) -> Message:
    """Let a name stand for what another one stands for."""
    return {"type": "fork", "id": number, "broker": broker, "from": source}


def reset(number: int) -> Message:
    """Forget all brokers."""
    return {"type": "reset", "id": number}


BYE: Message = {"type": "bye"}


def type_of(message: Message) -> str:
    """What a message says it is."""
    return text(message.get("type"), "type")


def exactly(message: Message, *names: str) -> None:
    """Refuse missing and unknown fields."""
    wanted = {"type", *names}
    if message.keys() != wanted:
        missing, unknown = wanted - message.keys(), message.keys() - wanted
        which = f"{min(missing)} is missing" if missing else f"{min(unknown)[:60]} is unknown"
        raise MalformedError(f"{type_of(message)}: {which}")


def read_welcome(message: Message) -> Welcome:
    """Who answers, of a `welcome`."""
    if type_of(message) != "welcome":
        raise wrong("type", "welcome", message["type"])
    known = {"type", "protocol", "implementation", "ops", "level", "capabilities", "token"}
    exactly({**dict.fromkeys(known), **message}, *(known - {"type"}))
    for name in ("protocol", "implementation", "ops", "level"):
        if name not in message:
            raise MalformedError(f"welcome: {name} is missing")
    if message["protocol"] != PROTOCOL or message["protocol"] is True:
        raise wrong("protocol", f"{PROTOCOL}, the only one there is", message["protocol"])
    level = message["level"]
    if level not in LEVELS:
        raise wrong("level", " or ".join(LEVELS), level)
    return Welcome(
        text(message["implementation"], "implementation")[:IMPLEMENTATION],
        frozenset(text(each, "ops") for each in items(message["ops"], "ops")),
        level,
        read_capabilities(fields(message.get("capabilities", {}), "capabilities")),
        text(message.get("token", ""), "token"),
    )


def read_capabilities(found: dict[str, Term]) -> Capabilities:
    """What an adapter can do besides."""
    given: dict[str, Any] = {}
    for name, term in found.items():
        path = f"capabilities.{name}"
        if name in CHOICES:
            if term not in CHOICES[name]:
                raise wrong(path, " or ".join(CHOICES[name]), term)
            given[name] = term
        elif name in FLAGS:
            given[name] = boolean.decode(term, path)
        elif name == "brokers":
            given[name] = count(term, path)
        elif name == "opaque":
            given[name] = frozenset(text(each, path) for each in items(term, path))
            if unknown := given[name] - OPAQUE:
                raise wrong(path, " or ".join(sorted(OPAQUE)), min(unknown))
        else:
            raise MalformedError(f"{path[:80]} is unknown")
    return Capabilities(**given)


FLAGS = ("load", "fork", "show")
CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "clock": ("injected", "opaque"),
        "position": ("oracle", "phash2"),
        "placement": ("oracle", "phash2"),
        "view": ("value", "log"),
    }
)


def read_effect(message: Message) -> tuple[Kind, Effect]:
    """What an `effect` asks."""
    exactly(message, "id", "call", "kind", "args")
    kind = message["kind"]
    for known, codec in EFFECTS.items():
        if kind == known:
            return known, codec.decode(message["args"], f"effect.{known}")
    raise wrong("kind", " or ".join(EFFECTS), kind)
