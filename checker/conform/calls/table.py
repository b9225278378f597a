"""The calls of the protocol by name."""

from collections.abc import Mapping
from types import MappingProxyType

from checker.conform.calls import (
    healing,
    placing,
    producing,
    ranges,
    reading,
    refreshing,
    rolling,
)
from checker.conform.operations import Operation
from checker.replay.terms import MalformedError, shown

OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        each.name: each
        for each in (
            *ranges.OPERATIONS,
            *placing.OPERATIONS,
            *producing.OPERATIONS,
            *rolling.OPERATIONS,
            *refreshing.OPERATIONS,
            *healing.OPERATIONS,
            *reading.OPERATIONS,
        )
    }
)


def operation_named(name: str) -> Operation:
    """The call of a name."""
    if name not in OPERATIONS:
        raise MalformedError(f"op is {shown(name)}, which protocol 1 does not have")
    return OPERATIONS[name]
