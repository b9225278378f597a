"""Hashing and placement as an implementation does them, asked for once and believed.

Languages hash differently. Who says so is asked where each key falls and in which order brokers
stand for a segment, and the reference runs on the answers.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from checker.conform.messages import Capabilities
from reference.frontend import Frontend, Options
from reference.vnodes import single
from spec.vocabulary import Broker, Position, SegmentId


@dataclass(frozen=True, slots=True)
class UnaskedPositionError(Exception):
    """The reference needs a position that nobody has asked for yet."""

    key: bytes | None
    size: int


@dataclass(frozen=True, slots=True)
class UnaskedRankError(Exception):
    """The reference needs a ranking that nobody has asked for yet."""

    segment_id: SegmentId


@dataclass(slots=True)
class Oracles:
    """What an implementation said of keys and brokers."""

    universe: tuple[Broker, ...] = ()
    """All brokers of the run."""
    positions: dict[tuple[bytes | None, int], Position] = field(default_factory=dict)
    ranks: dict[SegmentId, dict[Broker, int]] = field(default_factory=dict)

    def position_of(self, key: bytes | None, size: int) -> Position:
        """Where a key falls, as the implementation said."""
        found = self.positions.get((key, size))
        if found is None:
            raise UnaskedPositionError(key, size)
        return found

    def rank_of(self, segment_id: SegmentId, broker: Broker) -> int:
        """How high a broker ranks, as the implementation said."""
        found = self.ranks.get(segment_id)
        if found is None:
            raise UnaskedRankError(segment_id)
        return found[broker]

    def learn_ranking(self, segment_id: SegmentId, ranking: Iterable[Broker]) -> None:
        """The best broker first."""
        self.ranks[segment_id] = {one: -place for place, one in enumerate(ranking)}


BLANK = Frontend(Options(()), single())
"""What a broker is before it is opened."""


def blank_frontend(capabilities: Capabilities, oracles: Oracles) -> Frontend:
    """What a broker is before it is opened: with the hash and the ranking that count here."""
    if "oracle" not in {capabilities.position, capabilities.placement}:
        return BLANK
    options = Options(())
    if capabilities.position == "oracle":
        options = replace(options, position_fun=oracles.position_of)
    if capabilities.placement == "oracle":
        options = replace(options, rank_fun=oracles.rank_of)
    return Frontend(options, single())
