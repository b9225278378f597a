"""Cases for the laws, made by hand: where one holds, and what breaks one conjunct of it alone."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from immutables import Map

from spec.commands import Positions
from spec.laws import placing, producing, ranges, reading, refreshing, rolling
from spec.replies import Appended, InsufficientDomains, NoBrokers, Sealed
from spec.truth import (
    Acknowledged,
    Closing,
    Heard,
    Known,
    Passage,
    Passed,
    Seen,
    Shard,
    Viewed,
    Wish,
)
from spec.vocabulary import (
    Attributes,
    Broker,
    ByteSize,
    Count,
    Cursor,
    Fencing,
    Group,
    Head,
    Millis,
    Offset,
    Origin,
    Page,
    Position,
    Range,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    Skip,
    Source,
    State,
    Topic,
    TopicName,
    VnodeId,
)

TOPIC = TopicName("t")
HERE, CHILD = RangeId(TOPIC, Sequence(0)), RangeId(TOPIC, Sequence(1))
FIRST, SECOND = SegmentId(HERE, Sequence(0)), SegmentId(HERE, Sequence(1))
A, B, C = Broker("a"), Broker("b"), Broker("c")
OPEN = Segment(HERE, (A, B), Offset(0))
CLOSED = replace(OPEN, state=State.SEALED, length=Count(3), byte_size=ByteSize(30))
NEXT = Segment(HERE, (A, B), Offset(3))
HEAD = Head(FIRST, Offset(0), ByteSize(0), (A, B))
LATER = Head(SECOND, Offset(3), ByteSize(0), (A, B))
ROLL = Roll(HERE, FIRST, A, Offset(0))
SEEN = Seen(Offset(3), None, None, None, None, (), (), is_recovered=True)
NOW = Millis(7)
POSITIONS: Positions = Map({HERE: Cursor(0, Offset(1))})


@dataclass(frozen=True, slots=True)
class Case:
    """Values that a law is shown, and what it says of them."""

    law: Callable[..., bool]
    values: tuple[object, ...]
    broken: str
    """What of the conclusion they break; empty where the law holds."""
    named: Mapping[str, bool] = field(default_factory=dict)

    def holds(self, law: Callable[..., bool]) -> bool:
        """What a law, or less of it, says of these values."""
        return law(*self.values, **self.named)


def cases_of(
    law: Callable[..., bool], holds: tuple[object, ...], /, **broken: tuple[object, ...]
) -> Iterator[Case]:
    """One case in which a law holds, and one for each thing that breaks it."""
    yield Case(law, holds, "")
    for what, values in broken.items():
        yield Case(law, values, what)


def tell(
    law: Callable[..., bool],
    *,
    holds: Iterable[tuple[object, ...]],
    broken: Iterable[tuple[object, ...]],
) -> Iterator[Case]:
    """The cases in which a law holds, and then those in which it does not."""
    yield from (Case(law, values, "") for values in holds)
    yield from (Case(law, values, f"broken {place}") for place, values in enumerate(broken))


def record(offset: int, value: bytes = b"v") -> Record:
    """A record where it was placed."""
    return Record(None, value, offset=Offset(offset))


def of_placing() -> Iterator[Case]:
    """The refusal names how many domains there are, and how many were asked for."""
    wish = Wish((A, B, C), 3, None, Map[Broker, Attributes](), 4, is_hard=True)
    law = placing.a_placement_is_refused_only_where_domains_are_missing
    yield from cases_of(
        law,
        (InsufficientDomains(3, 4), wish),
        covered=(InsufficientDomains(2, 4), wish),
        required=(InsufficientDomains(3, 5), wish),
        missing=(InsufficientDomains(3, 3), replace(wish, min_domains=3)),
    )
    yield Case(law, (NoBrokers(), wish), "")


def of_producing() -> Iterator[Case]:
    """An answer is acknowledged at the offsets that it names."""
    heard = Heard(FIRST, (record(3), record(4)), Appended(Offset(4)))
    told = Acknowledged(FIRST, Offset(3), Offset(4), heard.records)
    law = producing.an_answered_batch_is_acknowledged_where_it_stands
    yield from cases_of(
        law,
        (heard, told),
        first=(heard, replace(told, first=Offset(2))),
        last=(heard, replace(told, last=Offset(5))),
        nothing=(heard, None),
        refused=(replace(heard, reply=Sealed(Offset(3))), told),
    )
    yield Case(law, (replace(heard, reply=Sealed(Offset(3))), None), "")


def of_ranges() -> Iterator[Case]:
    """A range keeps its keys and its ancestors, and stays retired."""
    block = Range(Position(0), Position(2), 4, State.SEALED, (HERE,))
    before = ((CHILD, block),)
    law = ranges.a_range_that_was_listed_keeps_its_block
    yield from cases_of(
        law,
        (before, before),
        gone=(before, ()),
        start=(before, ((CHILD, replace(block, key_start=Position(1))),)),
        end=(before, ((CHILD, replace(block, key_end=Position(3))),)),
        parents=(before, ((CHILD, replace(block, parents=())),)),
        state=(before, ((CHILD, replace(block, state=State.ACTIVE)),)),
    )
    alive = ((CHILD, replace(block, state=State.ACTIVE)),)
    yield Case(law, (alive, alive), "")
    yield Case(law, (alive, before), "")


def of_refreshing() -> Iterator[Case]:
    """What a refresh and a mute primary leave as it was."""
    busy = replace(SEEN, head=HEAD, listing=((FIRST, OPEN),))
    done = replace(SEEN, listing=((FIRST, CLOSED),))
    law = refreshing.no_sealed_head_survives_a_refresh
    yield from cases_of(
        law,
        (busy, busy),
        head=(busy, replace(busy, head=None)),
        counter=(busy, replace(busy, counter=Offset(4))),
        stale=(busy, replace(done, head=HEAD)),
        edge=(busy, replace(done, counter=Offset(4))),
        new=(SEEN, busy),
    )
    yield Case(law, (replace(busy, counter=Offset(5)), done), "")
    yield Case(law, (replace(busy, listing=()), replace(busy, listing=())), "")
    yield Case(law, (SEEN, SEEN), "")
    law = refreshing.a_known_end_survives_a_mute_primary
    unknown = replace(SEEN, is_recovered=False)
    yield from cases_of(
        law,
        (SEEN, SEEN),
        recovered=(SEEN, unknown),
        counter=(SEEN, replace(SEEN, counter=Offset(2))),
    )
    yield Case(law, (unknown, unknown), "")
    yield Case(law, (replace(SEEN, counter=None), unknown), "")
    yield from of_unread()


def of_unread() -> Iterator[Case]:
    """A vnode that did not answer keeps its topics and its groups."""
    key = (Group("g"), TOPIC)
    shard = Shard(Map({TOPIC: Topic(4)}), Map(), Map(), Map({key: POSITIONS}))
    vnode = VnodeId("v")

    def known(held: Shard) -> Known:
        return Known(Map({vnode: held}), Map(), ())

    read = Viewed(Map(), frozenset({vnode}), ())
    yield from cases_of(
        refreshing.an_unread_vnode_keeps_what_was_held,
        (known(shard), read, known(shard)),
        topics=(known(shard), read, known(replace(shard, topics=Map()))),
        committed=(known(shard), read, known(replace(shard, committed=Map()))),
    )


def of_rolling() -> Iterator[Case]:
    """A lost race and a sent fence."""
    closing = Closing(FIRST, Offset(0), Offset(3), ByteSize(30))
    recorded = ((FIRST, CLOSED),)
    before = replace(SEEN, head=HEAD, counter=Offset(5), listing=((FIRST, OPEN),))
    after = replace(SEEN, listing=recorded)
    law = rolling.a_conflict_takes_the_length_on_record
    yield from cases_of(
        law,
        (recorded, closing, before, after),
        counter=(recorded, closing, before, replace(after, counter=Offset(5))),
        head=(recorded, closing, before, replace(after, head=HEAD)),
        owed=(recorded, closing, before, replace(after, owed=ROLL)),
    )
    yield Case(law, ((), closing, before, before), "")
    yield Case(law, (before.listing, closing, before, before), "")
    yield Case(law, (recorded, closing, replace(before, listing=recorded), before), "")
    sent = replace(SEEN, owed=replace(ROLL, fence_sent_at=NOW), awaited=Fencing(FIRST, NOW))
    yield from cases_of(
        rolling.a_sent_fence_is_marked,
        (sent, NOW),
        owed=(replace(sent, owed=None), NOW),
        marked=(replace(sent, owed=ROLL), NOW),
        awaited=(replace(sent, awaited=None), NOW),
        segment=(replace(sent, awaited=Fencing(SECOND, NOW)), NOW),
    )


def of_reading() -> Iterator[Case]:
    """Skips are in order, not empty, and cover nothing that is stored."""
    stored = Passed(0, record(4), is_stored=True, is_in_slice=True, is_known=True)
    gone = Skip(HERE, HERE, Offset(0), Count(2), Origin.START, Source.SELF)
    later = replace(gone, from_offset=Offset(3), offsets=Count(1))

    def page(*skips: Skip) -> tuple[Passage]:
        shown = Page((), Cursor(0, Offset(5)), skips)
        return (Passage((HERE,), "start", Count(9), shown, (stored,)),)

    law = reading.a_skip_covers_nothing_that_is_stored
    yield from cases_of(
        law,
        page(gone, later),
        order=page(later, gone),
        empty=page(gone, replace(later, offsets=Count(0))),
        covers=page(gone, replace(later, offsets=Count(2))),
    )
    yield Case(law, page(replace(gone, from_offset=Offset(5), offsets=None)), "")


CASES = (
    *of_placing(),
    *of_producing(),
    *of_ranges(),
    *of_refreshing(),
    *of_rolling(),
    *of_reading(),
)
