"""The steps of a run: calls of brokers, and what others do to the control plane and the stores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from checker.conform.world import Fault
from reference.frontend import Frontend
from spec.commands import Command
from spec.vocabulary import Millis, Offset, Record, SegmentId, VnodeId

EPOCH = Millis(0)


@dataclass(frozen=True, slots=True)
class ViewOf:
    """Stands for the control plane among the arguments of a call."""

    remembered: str | None = None
    """As it was when it was remembered under this name; none: as it is."""
    blank: tuple[VnodeId, ...] = ()
    """Vnodes that could not be read, and stand empty."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function of a broker, with its arguments as values."""

    broker: str
    op: str
    args: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    now: Millis = EPOCH


@dataclass(frozen=True, slots=True)
class Tell:
    """Somebody else's command to the control plane."""

    command: Command
    now: Millis = EPOCH


@dataclass(frozen=True, slots=True)
class Remember:
    """The control plane is remembered: a read of it that lands later."""

    name: str


@dataclass(frozen=True, slots=True)
class Append:
    """Somebody else's batch at a store."""

    segment: SegmentId
    base: Offset
    records: tuple[Record, ...]
    is_forced: bool = False
    """Whether it passes the latch by, as a copy that came back may."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A store is closed."""

    segment: SegmentId
    base: Offset


@dataclass(frozen=True, slots=True)
class Drop:
    """A store is gone, with its latch."""

    segment: SegmentId


@dataclass(frozen=True, slots=True)
class Load:
    """A broker is put into a state, if it can be: a capability."""

    broker: str
    front: Frontend


@dataclass(frozen=True, slots=True)
class Fork:
    """A name for what another name stands for now: a capability."""

    broker: str
    source: str


@dataclass(frozen=True, slots=True)
class Look:
    """A broker is looked at between calls: nothing may have changed it."""

    broker: str


Step = Call | Tell | Remember | Append | Fence | Drop | Load | Fork | Look
