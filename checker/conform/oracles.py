"""Hashing and placement as an implementation does them, asked for once and believed.

Languages hash differently. Who says so is asked where each key falls and in which order brokers
stand for a segment, and the reference runs on the answers.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from checker.conform.messages import Capabilities
from checker.conform.predicting import Asked, Way, foreseen, way_of
from checker.conform.recalling import Recalled
from checker.conform.world import World
from reference.frontend import Frontend, Options
from reference.vnodes import single
from spec.vocabulary import Broker, Position, SegmentId

Foresee = Callable[[Asked, Frontend, World], Way]
"""Answers the way of the reference."""


@dataclass(frozen=True, slots=True)
class UnaskedPositionError(Exception):
    """The reference needs a position that nobody has asked for yet."""

    key: bytes | None
    size: int


@dataclass(frozen=True, slots=True)
class UnaskedRankError(Exception):
    """The reference needs a ranking that nobody has asked for yet."""

    segment_id: SegmentId


Question = tuple[bytes | None, int] | SegmentId
"""Where a key falls in a keyspace, or in which order brokers stand for a segment."""


class Oracles:
    """What an implementation said of keys and brokers, in one run and in those before it.

    Each run asks anew, so that what passes in it is the same whatever was played before. An answer
    that is known leaves what followed from it known as well.
    """

    def __init__(self, universe: tuple[Broker, ...] = ()) -> None:
        self.universe = universe
        """All brokers of the run."""
        self._positions: dict[tuple[bytes | None, int], Position] = {}
        self._ranks: dict[SegmentId, dict[Broker, int]] = {}
        self._asked: set[Question] = set()
        """What was asked in this run."""
        self._needed: dict[Question, None] = {}
        """What the way needs that is gone just now, in order."""
        self._ways: Recalled[tuple[Way, tuple[Question, ...]]] = Recalled(self._way)

    def begin(self) -> None:
        """Another run: nothing has been asked in it."""
        self._asked.clear()

    def foresee(self, asked: Asked, front: Frontend, world: World) -> Way:
        """The way of the reference. Raises what it needs to know that was not asked in this run."""
        found, needed = self._ways(*asked, front, world)
        for question in needed:
            self._demand(question)
        return found

    def _way(self, *parts: Any) -> tuple[Way, tuple[Question, ...]]:  # noqa: ANN401 # of a call
        self._needed = {}
        found = way_of(*parts)
        return found, tuple(self._needed)

    def position_of(self, key: bytes | None, size: int) -> Position:
        """Where a key falls, as the implementation said."""
        self._demand((key, size))
        return self._positions[key, size]

    def rank_of(self, segment_id: SegmentId, broker: Broker) -> int:
        """How high a broker ranks, as the implementation said."""
        self._demand(segment_id)
        return self._ranks[segment_id][broker]

    def _demand(self, question: Question) -> None:
        self._needed[question] = None
        if question in self._asked:
            return
        if isinstance(question, SegmentId):
            raise UnaskedRankError(question)
        raise UnaskedPositionError(*question)

    def learn_position(self, key: bytes | None, size: int, position: Position) -> None:
        """Believe where a key falls."""
        self._learn(self._positions.get((key, size)), position, (key, size))
        self._positions[key, size] = position

    def learn_ranking(self, segment_id: SegmentId, ranking: Iterable[Broker]) -> None:
        """Believe in an order of brokers, the best one first."""
        ranks = {one: -place for place, one in enumerate(ranking)}
        self._learn(self._ranks.get(segment_id), ranks, segment_id)
        self._ranks[segment_id] = ranks

    def _learn(self, before: object, now: object, question: Question) -> None:
        self._asked.add(question)
        if before != now:
            self._ways.forget()


BLANK = Frontend(Options(()), single())
"""What a broker is before it is opened."""


def blank_frontend(capabilities: Capabilities, oracles: Oracles) -> Frontend:
    """What a broker is before it is opened: with the hash and the ranking that count here."""
    options = Options(())
    if capabilities.position == "oracle":
        options = replace(options, position_fun=oracles.position_of)
    if capabilities.placement == "oracle":
        options = replace(options, rank_fun=oracles.rank_of)
    return Frontend(options, single())


class Knowledge:
    """The oracles of one adapter while it runs, and what its brokers are before they are opened."""

    def __init__(self, capabilities: Capabilities) -> None:
        self._capabilities = capabilities
        self._is_asked = "oracle" in {capabilities.position, capabilities.placement}
        self._known: dict[tuple[Broker, ...], tuple[Oracles, Frontend]] = {}

    def of(self, universe: tuple[Broker, ...]) -> tuple[Oracles, Frontend, Foresee]:
        """The oracles of a run on these brokers, the blank frontend, and how it foresees."""
        if not self._is_asked:
            return Oracles(universe), BLANK, foreseen
        if universe not in self._known:
            oracles = Oracles(universe)
            self._known[universe] = oracles, blank_frontend(self._capabilities, oracles)
        oracles, blank = self._known[universe]
        oracles.begin()
        return oracles, blank, oracles.foresee
