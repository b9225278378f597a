"""The calls of the format by name."""

from collections.abc import Mapping

from checker.replay.calls import (
    healing,
    placing,
    producing,
    ranges,
    reading,
    refreshing,
    rolling,
    world,
)
from checker.replay.machine import Entry
from checker.replay.terms import MalformedError, shown

CALLS: Mapping[str, Entry] = {
    **world.CALLS,
    **ranges.CALLS,
    **placing.CALLS,
    **producing.CALLS,
    **rolling.CALLS,
    **refreshing.CALLS,
    **healing.CALLS,
    **reading.CALLS,
}


def entry_of(name: str) -> Entry:
    """How a call runs."""
    if name not in CALLS:
        raise MalformedError(f"call is {shown(name)}, which the format does not have")
    return CALLS[name]
