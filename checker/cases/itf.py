"""Traces in the Informal Trace Format of ADR-015, for tools that show or check such traces."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from json import dumps

from checker.replay.terms import Term

FORMAT_PAGE = "https://apalache-mc.org/docs/adr/015adr-trace.html"
UNIT: Term = {"#tup": []}

State = Mapping[str, object]


def trace_in_itf(
    states: Sequence[State],
    phrases: Sequence[str],
    source: str,
    description: str,
    loop: int | None = None,
) -> dict[str, Term]:
    """The object of a trace: its states, and of each but the first how it came about.

    A class is a variant: its name is the tag, and its fields are a record.
    """
    names = list(states[0])
    said = ["the initial state", *phrases]
    told: list[Term] = [
        {"#meta": {"index": index, "label": said[index]}, **_written(state, names)}
        for index, state in enumerate(states)
    ]
    written: dict[str, Term] = {
        "#meta": {
            "format": "ITF",
            "format-description": FORMAT_PAGE,
            "source": source,
            "description": description,
        },
        "vars": list[Term](names),
    }
    if loop is not None:
        written["loop"] = loop
    return written | {"states": told}


def _written(state: State, names: Sequence[str]) -> dict[str, Term]:
    return {name: expression(state[name]) for name in names}


def lines(trace: Mapping[str, Term]) -> str:
    """A trace as text, with a line for each state."""
    states = trace["states"]
    assert isinstance(states, list), "a trace has states"
    head = dumps({**trace, "states": []}).removesuffix("]}")
    return head + "\n" + ",\n".join(map(dumps, states)) + "\n]}\n"


def expression(value: object) -> Term:  # noqa: C901, PLR0911 - one case for each kind of value
    """A value as an expression of the format. Equal values are written alike."""
    match value:
        case bool() | str():
            return value.value if isinstance(value, Enum) else value
        case Enum():
            return {"tag": value.name, "value": UNIT}
        case int():
            return {"#bigint": str(value)}
        case None:
            return {"tag": "None", "value": UNIT}
        case bytes():
            return _bytes(value)
        case Mapping():
            pairs = [[expression(key), expression(each)] for key, each in value.items()]
            return {"#map": sorted(pairs, key=dumps)}
        case AbstractSet():
            return {"#set": sorted(map(expression, value), key=dumps)}
        case tuple() if hasattr(value, "_fields"):
            return variant(value, value._fields)
        case tuple() | list():
            return [expression(each) for each in value]
        case _ if is_dataclass(value):
            return variant(value, tuple(each.name for each in fields(value)))
        case _:
            name = getattr(value, "__qualname__", type(value).__qualname__)
            return {"#unserializable": str(name)}


def variant(value: object, names: Sequence[str]) -> Term:
    """A value of a class."""
    record: dict[str, Term] = {name: expression(getattr(value, name)) for name in names}
    return {"tag": type(value).__name__, "value": record}


def _bytes(value: bytes) -> Term:
    """Bytes as the text that they are, or as digits."""
    try:
        return {"tag": "Text", "value": value.decode()}
    except UnicodeDecodeError:
        return {"tag": "Bytes", "value": value.hex()}
