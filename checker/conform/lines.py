"""Lines of the wire: one JSON object each, read strictly, written one way."""

import json
import re
from codecs import BOM_UTF8

from checker.replay.lines import DECODER, DEPTH, is_deep
from checker.replay.terms import MalformedError, Term, fields, printable

LINE_BYTES = 16 * 2**20
VALUES = 1_000_000
"""So many values, at most, a line may hold: a small text can ask for a lot of memory."""
SHOWN = 80
DIGITS = re.compile(rb"[0-9]{400}")
"""No number of the protocol is that long, and reading one takes time in its square."""


def write_line(message: dict[str, Term]) -> bytes:
    """A message as its line."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def read_line(line: bytes) -> dict[str, Term]:
    """The message that a line holds; raises MalformedError for anything else."""
    if is_deep(line):
        raise MalformedError(f"nested more than {DEPTH} deep")
    if line.startswith(BOM_UTF8):
        raise MalformedError("begins with a byte order mark")
    if line.count(b",") + line.count(b"[") + line.count(b"{") > VALUES:
        raise MalformedError(f"holds more than {VALUES:,} values")
    if DIGITS.search(line):
        raise MalformedError("holds a number of more than 400 digits")
    try:
        return fields(DECODER.decode(line.decode()), "the message")
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise MalformedError(f"not JSON: {error.msg}, column {error.colno}") from None
    except RecursionError:
        raise MalformedError(f"nested more than {DEPTH} deep") from None


def quoted(line: bytes) -> str:
    """The beginning of a line, as it may stand on a terminal."""
    text = line[:SHOWN].decode(errors="replace").rstrip("\r\n")
    return printable(text) + ("..." if len(line) > SHOWN else "")
