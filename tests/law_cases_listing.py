"""Cases for the laws of ranges, placing and healing, made by hand."""

from collections.abc import Iterator
from dataclasses import replace

from immutables import Map

from spec.laws import healing, placing, ranges
from spec.truth import Asking, Copy, Delivered, Shard, Wish
from spec.vocabulary import (
    Attributes,
    Broker,
    ByteSize,
    Count,
    Offset,
    Position,
    Range,
    RangeId,
    Sequence,
    State,
    VnodeId,
)
from tests.law_cases import (
    CHILD,
    CLOSED,
    FIRST,
    HEAD,
    HERE,
    LATER,
    NEXT,
    OPEN,
    SECOND,
    SEEN,
    TOPIC,
    A,
    B,
    C,
    Case,
    record,
    tell,
)

ONE, DONE = ((FIRST, OPEN),), ((FIRST, CLOSED),)
BOTH = (*DONE, (SECOND, NEXT))
LOG = Copy(Offset(0), (record(0), record(1), record(2)), (Offset(3), ByteSize(30)))
SHORT = replace(LOG, records=LOG.records[:1])
WISH = Wish((A, B, C), 2, None, Map[Broker, Attributes](), 2, is_hard=True)
RETIRED = Range(Position(0), Position(4), 4, State.SEALED)


def of_ranges() -> Iterator[Case]:
    """What the control plane lists of a range."""
    yield from tell(
        ranges.the_segments_of_a_range_tile_its_offsets,
        holds=[(BOTH,), (((SECOND, NEXT),),)],
        broken=[
            (((FIRST, NEXT),),),
            ((*DONE, (SECOND, replace(NEXT, start_offset=Offset(4)))),),
        ],
    )
    yield from tell(
        ranges.a_new_segment_begins_where_the_sealed_ones_end,
        holds=[(DONE, BOTH), ((), ((SECOND, NEXT),))],
        broken=[(DONE, (*DONE, (SECOND, OPEN)))],
    )
    law = ranges.a_seal_that_comes_second_moves_nothing
    yield from tell(
        law,
        holds=[((), FIRST, ONE), (ONE, FIRST, DONE), (DONE, FIRST, DONE)],
        broken=[(DONE, FIRST, ONE)],
    )
    longer = ((FIRST, replace(CLOSED, length=Count(4))),)
    yield from tell(
        ranges.a_recorded_length_is_final,
        holds=[(ONE, DONE), (DONE, ()), (DONE, DONE)],
        broken=[(DONE, ONE), (DONE, longer)],
    )


def of_retired_ranges() -> Iterator[Case]:
    """What is listed of ranges that are retired, of ancestors, and of what is removed."""
    active = replace(RETIRED, state=State.ACTIVE)
    yield from tell(
        ranges.a_retired_range_has_no_head,
        holds=[(active, ONE), (RETIRED, DONE)],
        broken=[(RETIRED, ONE)],
    )
    last = RangeId(TOPIC, Sequence(2))
    child, twice = replace(active, parents=(HERE,)), replace(active, parents=(HERE, HERE))
    yield from tell(
        ranges.an_ancestor_is_listed_once_and_after_its_own,
        holds=[
            (((HERE, RETIRED), (CHILD, child), (last, replace(active, parents=(HERE, CHILD)))),)
        ],
        broken=[
            (((HERE, RETIRED), (CHILD, twice)),),
            (((HERE, RETIRED), (CHILD, child), (last, replace(active, parents=(CHILD, HERE)))),),
        ],
    )
    vnode = VnodeId("v")
    gone = Map({vnode: Shard(Map(), Map({HERE: active}), Map(), Map())})
    held = Map({vnode: Shard(Map(), Map({HERE: active}), Map({FIRST: OPEN}), Map())})
    sealed = Map({vnode: Shard(Map(), Map({HERE: active}), Map({FIRST: CLOSED}), Map())})
    none = Map({vnode: Shard(Map(), Map(), Map(), Map())})
    yield from tell(
        ranges.only_a_sealed_segment_is_removed,
        holds=[(held, held), (sealed, gone), (held, none)],
        broken=[(held, gone)],
    )


def of_placing() -> Iterator[Case]:
    """Where copies are kept."""
    where = Map({A: Map({"rack": "1"}), B: Map({"rack": "1"}), C: Map({"rack": "2"})})
    racked = replace(WISH, attributes=where, spread_by="rack")
    yield from tell(
        placing.what_the_membership_says_is_taken_over,
        holds=[(None, None, WISH), ((A, B, C), None, WISH), (None, where, racked)],
        broken=[((A, B), None, WISH), (None, where, WISH)],
    )
    yield from tell(
        placing.a_new_segment_is_placed_on_brokers_that_are_there,
        holds=[((A, B), WISH)],
        broken=[((), WISH), ((A, B), replace(WISH, brokers=(A,)))],
    )
    yield from tell(
        placing.a_new_segment_has_the_replicas_asked_for_or_all_there_are,
        holds=[((A, B), WISH), ((A,), replace(WISH, brokers=(A,)))],
        broken=[((A, A), WISH), ((A,), WISH), ((A, B, C), WISH)],
    )
    yield from tell(
        placing.a_hard_policy_places_nothing_thinly,
        holds=[
            ((A, C), racked),
            ((A, B), replace(racked, is_hard=False)),
            ((A, B), replace(racked, min_domains=None)),
        ],
        broken=[((A, B), racked)],
    )


def of_failovers() -> Iterator[Case]:
    """What a failover may fence and seal."""
    asking = Asking(FIRST, (A, B), (), ((A, Offset(3)), (B, Offset(2))))
    alone = replace(asking, asked=(A,), ends=((A, Offset(3)),))
    lower = replace(asking, ends=((A, Offset(2)), (B, Offset(2))))
    yield from tell(
        healing.a_failover_fences_no_minority,
        holds=[((), alone), (ONE, asking)],
        broken=[(ONE, alone)],
    )
    law = healing.a_failover_seals_only_what_a_majority_answered
    yield from tell(
        law,
        holds=[(ONE, asking, DONE), (ONE, alone, ONE)],
        broken=[(ONE, alone, DONE), (ONE, replace(asking, failed=(B,)), DONE)],
    )
    for law in (
        healing.a_failover_seals_at_the_highest_end,
        healing.a_failover_puts_the_holder_first,
    ):
        yield from tell(
            law,
            holds=[(ONE, asking, DONE), (ONE, lower, ()), (ONE, lower, ONE), (DONE, lower, DONE)],
            broken=[(ONE, lower, DONE)],
        )
    yield from tell(
        healing.an_orphaned_fence_is_sealed_where_it_ends,
        holds=[
            (ONE, FIRST, Offset(3), DONE),
            (ONE, FIRST, Offset(2), ()),
            (ONE, FIRST, Offset(2), ONE),
        ],
        broken=[(ONE, FIRST, Offset(2), DONE)],
    )


def of_copies() -> Iterator[Case]:
    """Which copies are named, cut and removed."""
    law = healing.a_sealed_segment_is_led_by_a_copy_that_holds_it
    yield from tell(
        law,
        holds=[
            (OPEN, ()),
            (replace(CLOSED, replica_set=()), ()),
            (CLOSED, ((A, LOG),)),
        ],
        broken=[(CLOSED, ((A, SHORT),)), (CLOSED, ((B, LOG),))],
    )
    yield from tell(
        healing.a_cut_copy_ends_at_the_edge,
        holds=[(DONE, FIRST, LOG)],
        broken=[
            ((), FIRST, LOG),
            (DONE, FIRST, replace(LOG, answered=None)),
            (DONE, FIRST, SHORT),
        ],
    )
    yield from tell(
        healing.a_new_replica_is_named_only_once_it_is_copied,
        holds=[
            ((), FIRST, (), A),
            (ONE, FIRST, (), A),
            (DONE, FIRST, (), C),
            (DONE, FIRST, ((A, LOG),), A),
        ],
        broken=[(DONE, FIRST, ((A, SHORT),), A)],
    )


def of_read_copies() -> Iterator[Case]:
    """What is delivered from a copy, and where the next batch goes."""
    yield from tell(
        healing.no_copy_goes_that_the_control_plane_names,
        holds=[((), FIRST, A), (DONE, FIRST, C)],
        broken=[(DONE, FIRST, A)],
    )
    yield from tell(
        healing.only_sealed_segments_are_removed,
        holds=[(DONE, ()), (ONE, ONE)],
        broken=[(ONE, ())],
    )
    there, beyond = Delivered(FIRST, record(2)), Delivered(FIRST, record(3))
    nowhere = Delivered(FIRST, replace(record(2), offset=None))
    yield from tell(
        healing.a_delivered_record_lies_below_the_edge,
        holds=[((), beyond), (ONE, beyond), (DONE, there), (DONE, nowhere)],
        broken=[(DONE, beyond)],
    )
    moved = ((FIRST, replace(OPEN, replica_set=(A, C))),)
    sealed = ((FIRST, replace(CLOSED, replica_set=(A, C))),)
    busy = replace(SEEN, head=HEAD, listing=ONE)
    yield from tell(
        healing.the_next_batch_goes_to_the_replicas_on_record,
        holds=[
            (FIRST, busy),
            (FIRST, replace(busy, head=None)),
            (FIRST, replace(busy, listing=())),
            (FIRST, replace(busy, head=LATER, listing=moved)),
            (FIRST, replace(busy, listing=sealed)),
        ],
        broken=[(FIRST, replace(busy, listing=moved))],
    )


CASES = (
    *of_ranges(),
    *of_retired_ranges(),
    *of_placing(),
    *of_failovers(),
    *of_copies(),
    *of_read_copies(),
)
