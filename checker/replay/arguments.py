"""The arguments of a recorded call, by name."""

from collections.abc import Callable
from typing import TypeVar

from checker.replay import decoding
from checker.replay.terms import Term, count, field, flag, items, text, whole
from spec.vocabulary import Broker, RangeId, SegmentId, TopicName, VnodeId

Value = TypeVar("Value")


class Arguments:
    """Takes arguments apart; a complaint names the argument."""

    def __init__(self, terms: dict[str, Term]) -> None:
        self.terms = terms

    def get(self, name: str, decode: Callable[[Term, str], Value]) -> Value:
        """An argument that has to be there."""
        return decode(field(self.terms, name, "args"), f"args.{name}")

    def find(self, name: str, decode: Callable[[Term, str], Value]) -> Value | None:
        """An argument that may be missing, or null."""
        term = self.terms.get(name)
        return None if term is None else decode(term, f"args.{name}")

    def many(self, name: str, decode: Callable[[Term, str], Value]) -> tuple[Value, ...]:
        """A list of them; none where the argument is missing."""
        term = self.terms.get(name, [])
        return tuple(decode(one, f"args.{name}") for one in items(term, f"args.{name}"))

    def range_id(self, name: str = "range") -> RangeId:
        """A range."""
        return self.get(name, decoding.range_id)

    def segment_id(self, name: str = "segment") -> SegmentId:
        """A segment."""
        return self.get(name, decoding.segment_id)

    def topic(self, name: str = "topic") -> TopicName:
        """A topic's name."""
        return TopicName(self.get(name, text))

    def brokers(self, name: str) -> tuple[Broker, ...]:
        """Names of brokers."""
        return self.get(name, decoding.brokers)

    def vnodes(self, name: str) -> tuple[VnodeId, ...]:
        """Names of vnodes; none where the argument is missing."""
        return tuple(VnodeId(one) for one in self.many(name, text))

    def whole(self, name: str) -> int:
        """A whole number."""
        return self.get(name, whole)

    def count(self, name: str) -> int:
        """A whole number from 0."""
        return self.get(name, count)

    def flag(self, name: str) -> bool:
        """True or false; false where the argument is missing."""
        return self.find(name, flag) or False
