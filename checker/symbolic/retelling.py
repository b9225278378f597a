"""A way through states with unknown integers, told with numbers and confirmed by the plain rules.

The numbers are the least that lead there. A world of few bytes is replayed with the records of
the reference, one by one; in one of many, each batch is one value that counts as many.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise

from checker.search.faults import InternalError
from checker.search.model import Law, Model, StepLaw
from checker.search.report import LawReport, Trace
from checker.search.tables import ids_of
from checker.search.traces import replay, trace_by
from checker.symbolic.regions import NOWHERE
from checker.symbolic.running import on_unknowns
from checker.symbolic.search import Found, Search
from checker.symbolic.worlds import World

MOST_BYTES = 1 << 20
"""Batches of so many bytes in all are replayed record by record."""


def retold(search: Search, world: World, found: Found) -> tuple[Trace, Mapping[str, int]]:
    """The way to a broken law, and the integers that it was told with."""
    broken = broken_law(search.tables.model, found)
    values = search.regions.fewest(found.region)
    is_large = sum(values[f"{slot}.bytes"] for slot in world.unknowns.slots) > MOST_BYTES
    model = world.known(values, is_counted=is_large)
    counting: AbstractContextManager[None] = on_unknowns() if is_large else nullcontext()
    law = LawReport(broken.name, broken.clause, broken.sentence, "broken")
    with counting:
        trace = trace_by(model, moves_of(search, found), law)
        replay(model, trace, broken)
    return trace, dict(sorted(values.items()))


def broken_law(model: Model, found: Found) -> Law | StepLaw:
    """The law that breaks."""
    return model.laws[found.law] if found.breach is None else model.step_laws[found.law]


def moves_of(search: Search, found: Found) -> Iterator[tuple[int, int]]:
    """Each step on the way, and which of its outcomes it takes."""
    for before, after in pairwise(search.way_to(found.ordinal)):
        yield _move(search, before, after)
    if found.breach is not None:
        yield found.breach.step, found.breach.number


def _move(search: Search, before: int, after: int) -> tuple[int, int]:
    row, inside = search.rows[before], search.inside[before]
    for look in search.looks:
        key = look.getter(row)
        entry = look.table.get(key) or search.tables.learn(look.step, ids_of(key, look.reads))
        if entry is None:
            continue
        numbers: dict[int, int] = {}
        for region, ids in entry.changes:
            number = numbers[region] = numbers.get(region, -1) + 1
            met = search.regions.met(inside, region)
            if met == NOWHERE or met != search.inside[after]:
                continue
            fresh = list(row)
            for position, value in zip(entry.writes, ids, strict=True):
                fresh[position] = value
            if tuple(fresh) == search.rows[after]:
                return look.step, number
    raise InternalError(f"{search.tables.model.name}: no step leads along the way to {after}")
