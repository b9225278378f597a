"""The lines of a recording: JSON, one term a line, read within fixed bounds.

Whatever stands in the file, reading it takes the memory of one line of `LINE_BYTES` and a time
in proportion to what was read. Equal keys, numbers with a fraction, `NaN` and the infinities
are refused: what they mean differs between readers.
"""

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, cast

from checker.replay.terms import MalformedError, Term

LINE_BYTES = 4 * 2**20
DEPTH = 64
"""Brackets that may be open at once."""
SHOWN_KEY = 60

STRING = re.compile(rb'"[^"]*(?:"|\Z)')
TO_SQUARE = bytes.maketrans(b"{}", b"[]")
STEEP = b"[" * (DEPTH + 1)
NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def read_terms(path: Path) -> Iterator[tuple[int, Term, int]]:
    """Line by line: its number from 1, its term, and how many flags it holds at most.

    Python holds 1 for equal to true, so a line with flags is to be compared with more care.
    Raises MalformedError at a line that cannot be read, OSError where the file cannot.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LINE_BYTES + 1):
            number += 1
            yield number, parse(line), line.count(b"true") + line.count(b"false")


def parse(line: bytes) -> Term:
    """The term that a line holds."""
    if len(line) > LINE_BYTES:
        raise MalformedError(f"longer than {LINE_BYTES // 2**20} MiB")
    if is_deep(line):
        raise MalformedError(f"nested more than {DEPTH} deep")
    if line.startswith(BOM_UTF8):
        raise MalformedError("begins with a byte order mark")
    try:
        return cast("Term", DECODER.decode(line.decode()))
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if line.endswith(b"\n") else "the file ends in this line"
        raise MalformedError(f"not JSON: {error.msg}, {place}") from None
    except RecursionError:
        raise MalformedError(f"nested more than {DEPTH} deep") from None
    except ValueError:
        raise MalformedError("a number has too many digits") from None


def is_deep(line: bytes) -> bool:
    """Whether more than `DEPTH` brackets are open at once.

    A bracket inside a string can mislead the quick look, so strings go before a yes.
    """
    if line.count(b"[") + line.count(b"{") <= DEPTH:
        return False
    brackets = line.translate(TO_SQUARE, NOT_BRACKETS)
    if STEEP not in brackets and not left_over(brackets):
        return False
    bare = STRING.sub(b"", line.replace(rb"\\", b"").replace(rb"\"", b""))
    brackets = bare.translate(TO_SQUARE, NOT_BRACKETS)
    return STEEP in brackets or b"[]" in left_over(brackets)


def left_over(brackets: bytes) -> bytes:
    """What is left when the innermost pairs were taken away `DEPTH` times.

    Each round is one `replace`, which is as quick as copying.
    """
    for _ in range(DEPTH):
        fewer = brackets.replace(b"[]", b"")
        if len(fewer) == len(brackets):
            break
        brackets = fewer
    return brackets


def unique(pairs: list[tuple[str, Term]]) -> dict[str, Term]:
    """An object whose keys differ."""
    found = dict(pairs)
    if len(found) != len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise MalformedError(f"key {json.dumps(twice[:SHOWN_KEY])} stands twice in one object")
    return found


def refuse_fraction(literal: str) -> NoReturn:
    """There are only whole numbers in a recording."""
    raise MalformedError(f"{literal[:SHOWN_KEY]} is not a whole number")


DECODER = json.JSONDecoder(
    object_pairs_hook=unique, parse_float=refuse_fraction, parse_constant=refuse_fraction
)
