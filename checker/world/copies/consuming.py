"""The steps of a consumer: it reads through a frontend, from the copies that the view names."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from immutables import Map

from checker.search.model import Outcome, Step
from checker.world.copies.bounds import Bounds
from checker.world.copies.parts import Consumer, Copy, copy_named
from checker.world.copies.rules import Rules
from checker.world.sharing.parts import RANGE, TOPIC, segment_of
from reference.frontend import Frontend
from reference.reading import read_consume
from reference.vnodes import metadata_of
from spec.replies import Failed, ReadReply
from spec.truth import Delivered
from spec.vocabulary import Broker, Count, Offset, Page, SegmentId

Outcomes = Sequence[Outcome]
PAGE = Count(1)
"""A page is one record, so each page is read at one moment."""


def consuming_steps(bounds: Bounds, rules: Rules) -> Iterator[Step]:
    """Every step of the consumer."""
    for seq in range(bounds.segments if bounds.reads else 0):
        consuming = _Consuming(bounds, rules, segment_of(seq))
        copies = tuple(copy_named(broker, seq) for broker in bounds.brokers)
        reads = (bounds.reader, "consumer", *copies, *bounds.brokers)
        yield Step(f"the consumer reads s{seq}", "consume", reads, reads[1:2], consuming)


class _ElsewhereError(Exception):
    """A page that needs another segment is not this step's."""


@dataclass(frozen=True, slots=True)
class _Consuming:
    """The consumer asks for one page, which a copy of this segment fills."""

    bounds: Bounds
    rules: Rules
    segment_id: SegmentId

    def __call__(self, front: Frontend, consumer: Consumer, *parts: Hashable) -> Outcomes:
        """[RDG-17] Take the next record, if there is one."""
        if not consumer.left:
            return ()
        brokers = self.bounds.brokers
        logs = cast("tuple[Copy, ...]", parts[: len(brokers)])
        ups = dict(zip(brokers, cast("tuple[bool, ...]", parts[len(brokers) :]), strict=True))
        held = Map({each: log for each, log in zip(brokers, logs, strict=True) if log is not None})
        asked: list[Broker] = []

        def read_fun(
            broker: Broker, segment_id: SegmentId, offset: Offset, at_most: Count
        ) -> ReadReply:
            if segment_id != self.segment_id:
                raise _ElsewhereError
            asked.append(broker)
            if not ups[broker] or broker not in held:
                return Failed("no answer")
            return self.rules.serve(held, self._set_in(front), broker, offset, at_most)

        try:
            page = read_consume(front, RANGE, consumer.cursor, PAGE, read_fun)
        except _ElsewhereError:
            return ()
        if not isinstance(page, Page) or not page.records:
            return ()
        given = tuple(Delivered(self.segment_id, record) for record in page.records)
        after = Consumer(consumer.left - 1, page.cursor, (*consumer.delivered, *given))
        words = " ".join(record.value.decode() for record in page.records)
        label = f"the consumer reads {words} from s{self.segment_id.seq} at {asked[-1]}"
        return [Outcome(label, (after,))]

    def _set_in(self, front: Frontend) -> tuple[Broker, ...]:
        return metadata_of(front.view, TOPIC).segments[self.segment_id].replica_set
