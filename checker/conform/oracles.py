"""Hashing and placement as an implementation does them, asked for once and believed.

Languages hash differently. Who says so is asked where each key falls and in which order brokers
stand for a segment, and the reference runs on the answers.
"""

from collections.abc import Callable
from dataclasses import replace
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
Question = tuple[bytes | None, int] | SegmentId
"""Where a key falls in a keyspace, or in which order brokers stand for a segment."""
Ask = Callable[[Question], Any]
"""Puts a question to an implementation: answers a position, or the brokers, the best one first."""


class UnaskedError(Exception):
    """The reference needs to know what the implementation was never asked."""


class Oracles:
    """What an implementation said of keys and brokers, in one run and in those before it.

    Each run asks anew, so that what passes in it is the same whatever was played before. An answer
    that is known leaves what followed from it known as well.
    """

    def __init__(self, universe: tuple[Broker, ...] = ()) -> None:
        self.universe = universe
        """All brokers of the run."""
        self.ask: Ask | None = None
        """How a question is put; none while the implementation has something else to do."""
        self._known: dict[Question, Any] = {}
        """A position, or the rank of each broker."""
        self._asked: set[Question] = set()
        """What was asked in this run."""
        self._needed: dict[Question, None] = {}
        """What the way needs that is gone just now, in order."""
        self._ways: Recalled[tuple[Way, tuple[Question, ...]]] = Recalled(self._way)

    def begin(self) -> None:
        """Another run: nothing has been asked in it."""
        self._asked.clear()

    def foresee(self, asked: Asked, front: Frontend, world: World) -> Way:
        """The way of the reference, as far as possible by what was said in this run.

        Where nobody can be asked, what was said in runs before has to do. Raises UnaskedError.
        """
        found, needed = self._ways(*asked, front, world)
        if self.ask is not None and any(self._is_news(question) for question in needed):
            return self.foresee(asked, front, world)
        return found

    def _way(self, *parts: Any) -> tuple[Way, tuple[Question, ...]]:  # noqa: ANN401 # of a call
        self._needed = {}
        found = way_of(*parts)
        return found, tuple(self._needed)

    def position_of(self, key: bytes | None, size: int) -> Position:
        """Where a key falls, as the implementation said."""
        found: Position = self._answer((key, size))
        return found

    def rank_of(self, segment_id: SegmentId, broker: Broker) -> int:
        """How high a broker ranks, as the implementation said."""
        found: int = self._answer(segment_id)[broker]
        return found

    def _answer(self, question: Question) -> Any:  # noqa: ANN401 # by the question
        self._needed[question] = None
        self._is_news(question)
        if question not in self._known:
            raise UnaskedError
        return self._known[question]

    def _is_news(self, question: Question) -> bool:
        """Ask what was not asked in this run; whether another answer was known until now."""
        if self.ask is None or question in self._asked:
            return False
        answer = self.ask(question)
        if isinstance(question, SegmentId):
            answer = {one: -place for place, one in enumerate(answer)}
        self._asked.add(question)
        if self._known.setdefault(question, answer) == answer:
            return False
        self._known[question] = answer
        self._ways.forget()
        return True


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
