"""Where two terms differ, as paths: `state.offsets[t.0]`, `effects[1].request.max`.

Terms are compared whole first, and taken apart only where they differ.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from checker.replay.terms import Term

ABSENT = "(absent)"
"""Stands for what one side does not have."""
KEYED = frozenset(
    {
        "offsets",
        "segments",
        "segment_seq",
        "rolling",
        "fencing",
        "ranges",
        "committed_offsets",
        "store",
    }
)
"""Fields whose rows begin with what identifies them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the recording is not what the reference says."""

    path: str
    expected: Term
    """What the reference says."""
    observed: Term
    """What was recorded."""


def differences(path: str, expected: Term, observed: Term) -> Iterator[Difference]:
    """Every place below a path where two terms differ, in the order of the expected one."""
    if isinstance(expected, dict) and isinstance(observed, dict):
        yield from in_objects(path, expected, observed)
    elif isinstance(expected, list) and isinstance(observed, list):
        yield from in_lists(path, expected, observed)
    elif expected != observed or isinstance(expected, bool) is not isinstance(observed, bool):
        yield Difference(path, expected, observed)


def is_same(expected: Term, observed: Term) -> bool:
    """Whether two terms are one: 1 and 0 are not true and false."""
    return json.dumps(expected, sort_keys=True) == json.dumps(observed, sort_keys=True)


def in_objects(
    path: str, expected: dict[str, Term], observed: dict[str, Term]
) -> Iterator[Difference]:
    """Field by field; those that only the recording has come last."""
    for key in [*expected, *sorted(observed.keys() - expected.keys())]:
        below = f"{path}.{key}" if path else key
        yield from differences(below, expected.get(key, ABSENT), observed.get(key, ABSENT))


def in_lists(path: str, expected: list[Term], observed: list[Term]) -> Iterator[Difference]:
    """Row by row: by what identifies the rows where they have that, else by their places."""
    if path.rpartition(".")[2] in KEYED:
        ours, theirs = by_key(expected), by_key(observed)
        if ours is not None and theirs is not None:
            found = list(in_rows(path, ours, theirs))
            yield from found or in_order(path, expected, observed)
            return
    if len(expected) == len(observed):
        for at, (one, other) in enumerate(zip(expected, observed, strict=True)):
            yield from differences(f"{path}[{at}]", one, other)
        return
    for at in range(max(len(expected), len(observed))):
        one = expected[at] if at < len(expected) else ABSENT
        other = observed[at] if at < len(observed) else ABSENT
        yield from differences(f"{path}[{at}]", one, other)


def in_order(path: str, expected: list[Term], observed: list[Term]) -> Iterator[Difference]:
    """The lists whole, where the same rows stand in another order."""
    if expected != observed:
        yield Difference(path, expected, observed)


def in_rows(path: str, ours: dict[str, Term], theirs: dict[str, Term]) -> Iterator[Difference]:
    """Row by row."""
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        yield from differences(f"{path}[{key}]", ours.get(key, ABSENT), theirs.get(key, ABSENT))


def by_key(rows: Iterable[Term]) -> dict[str, Term] | None:
    """The last element of each row by the ones before it; none where that tells rows not apart."""
    found: dict[str, Term] = {}
    for row in rows:
        if not isinstance(row, list) or len(row) not in {2, 3}:
            return None
        names = [named(one) for one in row[:-1]]
        key = ".".join(name for name in names if name is not None)
        if None in names or key in found:
            return None
        found[key] = row[-1]
    return found


def named(term: Term) -> str | None:
    """An id as it stands in a path: `t.0`, `t.0.1`; none where it is no id."""
    match term:
        case str():
            return term
        case [inner, int(seq)]:
            name = named(inner)
            return None if name is None else f"{name}.{seq}"
        case _:
            return None
