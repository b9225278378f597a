"""How a world of copies shows its parts to the laws: as the values of `spec.truth`."""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, cast

from checker.search.model import Parts
from checker.world.copies.parts import Copy, FailingOver, copy_named
from checker.world.remembering import Remembering
from checker.world.sharing.sight import copy_of
from spec import truth
from spec.truth import Asking, Replicas
from spec.vocabulary import Broker

if TYPE_CHECKING:
    from reference.store import Log

shown = Remembering(copy_of)
"""One copy as the laws see it."""


def replicas_in(brokers: Iterable[Broker], copies: Iterable[Hashable]) -> Replicas:
    """The copies of a segment that are there, by the brokers that hold them."""
    pairs = zip(brokers, cast("Iterable[Copy]", copies), strict=True)
    return tuple((broker, shown(log)) for broker, log in pairs if log is not None)


def replicas_of(brokers: Iterable[Broker], segment: int, parts: Parts) -> Replicas:
    """The copies of a segment, out of parts by their names; those that are not there are not."""
    named = [(broker, parts.get(copy_named(broker, segment))) for broker in brokers]
    return replicas_in((broker for broker, _ in named), (log for _, log in named))


def copies_in(parts: Parts) -> dict[str, truth.Copy | None]:
    """Every part that is a copy, by its name."""
    return {
        name: None if value is None else shown(cast("Log", value))
        for name, value in parts.items()
        if ".s" in name
    }


def asking_in(held: FailingOver) -> Asking:
    """What a failover asked and heard."""
    ends = tuple((each.broker, each.end_offset) for each in held.answers)
    return Asking(held.segment_id, held.asked, held.failed, ends)
