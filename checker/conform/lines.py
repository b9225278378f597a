"""Lines of the wire: one JSON object each, read strictly, written one way."""

import json
import re
from codecs import BOM_UTF8
from typing import cast

import orjson

from checker.replay.lines import DECODER, DEPTH, is_deep
from checker.replay.terms import MalformedError, Term, fields, printable

LINE_BYTES = 16 * 2**20
VALUES = 1_000_000
"""So many values, at most, a line may hold: a small text can ask for a lot of memory."""
SHOWN = 80
MANY_DIGITS = 400
DIGITS = re.compile(rb"[0-9]{%d}" % MANY_DIGITS)
"""No number of the protocol is that long, and reading one takes time in its square."""
FRACTION = re.compile(rb"[:,\[]-?[0-9]+[.eE]")
"""How a number that is not whole stands in a line without spaces. A string may look like it."""
PATIENT_ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)
"""Writes what the quick one does not: halves of surrogate pairs, and very large numbers."""


def text_of(term: Term) -> bytes:
    """A term as we write it."""
    try:
        return orjson.dumps(term)
    except TypeError:
        return PATIENT_ENCODER.encode(term).encode()


def write_line(message: dict[str, Term]) -> bytes:
    """A message as its line."""
    return text_of(message) + b"\n"


def read_line(line: bytes) -> dict[str, Term]:
    """The message that a line holds; raises MalformedError for anything else."""
    if is_deep(line):
        raise MalformedError(f"nested more than {DEPTH} deep")
    if line.startswith(BOM_UTF8):
        raise MalformedError("begins with a byte order mark")
    if len(line) > VALUES and line.count(b",") + line.count(b"[") + line.count(b"{") > VALUES:
        raise MalformedError(f"holds more than {VALUES:,} values")
    if len(line) > MANY_DIGITS and DIGITS.search(line):
        raise MalformedError(f"holds a number of more than {MANY_DIGITS} digits")
    try:
        return fields(decoded(line), "the message")
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise MalformedError(f"not JSON: {error.msg}, column {error.colno}") from None
    except RecursionError:
        raise MalformedError(f"nested more than {DEPTH} deep") from None


def decoded(line: bytes) -> Term:
    """The term that a line holds.

    Looking at every object for a key that stands twice takes longer than all the rest. A line that
    is written again just as it came has none.
    """
    try:
        term: Term = orjson.loads(line)
        is_as_written = line.startswith(b"{") and orjson.dumps(term) == line.removesuffix(b"\n")
        if is_as_written and not FRACTION.search(line):
            return term
    except (TypeError, ValueError):
        # The patient one says what is wrong, if anything is.
        pass
    return cast("Term", DECODER.decode(line.decode()))


def quoted(line: bytes) -> str:
    """The beginning of a line, as it may stand on a terminal."""
    text = line[:SHOWN].decode(errors="replace").rstrip("\r\n")
    return printable(text) + ("..." if len(line) > SHOWN else "")
