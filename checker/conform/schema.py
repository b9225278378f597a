"""The published JSON Schema of protocol 1, made of the codecs that read and write it."""

from checker.conform.calls.table import OPERATIONS
from checker.conform.codecs import Schema, record_schema
from checker.conform.effects import EFFECTS
from checker.conform.messages import CHOICES, FLAGS, LEVELS, OPAQUE, PROTOCOL
from checker.conform.nouns import BOOK

Fields = dict[str, Schema]

WORD: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
WORDS: Schema = {"type": "array", "items": WORD}
SHOWN: Schema = {"type": "object"}
"""A state, of which parts may be left out."""


def protocol_schema() -> Schema:
    """Every message, by who sends it."""
    definitions: dict[str, Schema] = {**BOOK, **calls()}
    messages = {**from_harness(), **from_adapter()}
    definitions.update({f"Message.{name}": schema for name, schema in messages.items()})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "malachi-model/protocol/1",
        "title": "A message of protocol 1: one line of JSON",
        "oneOf": [{"$ref": f"#/$defs/Message.{name}"} for name in messages],
        "$defs": definitions,
    }


def message(kind: str, fields: Fields, optional: Fields | None = None) -> Schema:
    """One type of message."""
    return {
        "type": "object",
        "properties": {"type": {"const": kind}, **fields, **(optional or {})},
        "required": ["type", *fields],
        "additionalProperties": False,
    }


def calls() -> dict[str, Schema]:
    """The arguments and the reply of every call."""
    found: dict[str, Schema] = {}
    for name, operation in OPERATIONS.items():
        found[f"Arguments.{name}"] = record_schema(operation.arguments)
        found[f"Reply.{name}"] = operation.reply.used()
    return found


def from_harness() -> Fields:
    """What the harness says."""
    limits = dict.fromkeys(("turn_ms", "line_bytes", "nesting", "effects"), NUMBER)
    return {
        "hello": message(
            "hello",
            {
                "protocols": {"type": "array", "items": NUMBER},
                "suite": WORD,
                "schema": WORD,
                "limits": {"type": "object", "properties": limits, "required": list(limits)},
            },
        ),
        "call": {"oneOf": [a_call(name) for name in OPERATIONS]},
        "answer": message("answer", {"id": NUMBER, "value": any_of("Answer")}),
        "snapshot": message("snapshot", {"id": NUMBER, "broker": WORD}),
        "load": message(
            "load",
            {
                "id": NUMBER,
                "broker": WORD,
                "options": {"$ref": "#/$defs/Options"},
                "state": {"$ref": "#/$defs/State"},
                "ring": {"type": "array"},
            },
            {"view": {"$ref": "#/$defs/View"}},
        ),
        "fork": message("fork", {"id": NUMBER, "broker": WORD, "from": WORD}),
        "reset": message("reset", {"id": NUMBER}),
        "bye": message("bye", {}),
    }


def a_call(name: str) -> Schema:
    """The call of one function."""
    return message(
        "call",
        {
            "id": NUMBER,
            "broker": WORD,
            "op": {"const": name},
            "args": {"$ref": f"#/$defs/Arguments.{name}"},
            "now": NUMBER,
        },
        {"show": FLAG},
    )


def from_adapter() -> Fields:
    """What the adapter says."""
    capabilities: Fields = {
        **dict.fromkeys(FLAGS, FLAG),
        **{name: {"enum": list(words)} for name, words in CHOICES.items()},
        "opaque": {"type": "array", "items": {"enum": sorted(OPAQUE)}},
        "brokers": NUMBER,
    }
    return {
        "welcome": message(
            "welcome",
            {
                "protocol": {"const": PROTOCOL},
                "implementation": WORD,
                "ops": WORDS,
                "level": {"enum": list(LEVELS)},
            },
            {
                "capabilities": {
                    "type": "object",
                    "properties": capabilities,
                    "additionalProperties": False,
                },
                "token": WORD,
            },
        ),
        "effect": {"oneOf": [an_effect(kind) for kind in EFFECTS]},
        "reply": message("reply", {"id": NUMBER, "value": any_of("Reply")}, {"state": SHOWN}),
        "crash": message("crash", {"id": NUMBER, "kind": WORD, "message": WORD}),
        "state": message("state", {"id": NUMBER, "value": SHOWN}),
        "ready": message("ready", {"id": NUMBER}),
    }


def an_effect(kind: str) -> Schema:
    """One kind of effect."""
    return message(
        "effect",
        {
            "id": NUMBER,
            "call": NUMBER,
            "kind": {"const": kind},
            "args": {"$ref": f"#/$defs/Effect.{kind}"},
        },
    )


def any_of(family: str) -> Schema:
    """Any of a family of definitions: which one, the message that it answers says."""
    members = OPERATIONS if family == "Reply" else EFFECTS
    return {"anyOf": [{"$ref": f"#/$defs/{family}.{name}"} for name in members]}
