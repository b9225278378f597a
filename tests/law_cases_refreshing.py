"""Cases for the laws of refreshing, made by hand."""

from collections.abc import Iterator
from dataclasses import replace

from immutables import Map

from spec.commands import CommitOffset, Positions, RegisterSegment, SealSegment
from spec.laws import refreshing
from spec.replies import NoBrokers, Ok
from spec.truth import Asked, Catalog, Known, Shard, Viewed
from spec.vocabulary import (
    ByteSize,
    Count,
    Cursor,
    Group,
    Head,
    Millis,
    Offset,
    Position,
    Range,
    RangeId,
    Sequence,
    Topic,
    TopicName,
    VnodeId,
)
from tests.law_cases import (
    CLOSED,
    FIRST,
    HEAD,
    HERE,
    LATER,
    NEXT,
    OPEN,
    POSITIONS,
    SEEN,
    TOPIC,
    A,
    B,
    Case,
    tell,
)

ONE, SEALED = ((FIRST, OPEN),), ((FIRST, CLOSED),)
VNODE = VnodeId("v")
NOTHING = Shard(Map(), Map(), Map(), Map())
UNKNOWN = replace(SEEN, is_recovered=False)
KEY = (Group("g"), TOPIC)
Committed = Map[tuple[Group, TopicName], Positions]


def catalog(shard: Shard) -> Catalog:
    """What is listed of the one vnode."""
    return Map({VNODE: shard})


def of_ends() -> Iterator[Case]:
    """What a recovery makes of an end."""
    yield from tell(
        refreshing.a_recovery_only_raises,
        holds=[(SEEN, SEEN)],
        broken=[
            (SEEN, replace(SEEN, counter=Offset(2))),
            (replace(SEEN, sequence=Sequence(1)), SEEN),
        ],
    )
    never = replace(UNKNOWN, counter=None)
    yield from tell(
        refreshing.an_unknown_end_is_admitted,
        holds=[(never, never), (SEEN, SEEN)],
        broken=[(never, replace(never, is_recovered=True)), (never, UNKNOWN)],
    )


def of_views() -> Iterator[Case]:
    """What a refresh brings into the view of one range."""
    seal = SealSegment(FIRST, Count(3), ByteSize(30), Millis(0))
    register = RegisterSegment(HERE, FIRST, (A, B), Offset(0))
    listed = replace(SEEN, listing=ONE, journal=(seal,))
    law = refreshing.a_refresh_replays_what_was_commanded_since_the_read
    yield from tell(
        law,
        holds=[
            (ONE, SEEN, listed),
            ((), listed, listed),
            (ONE, listed, replace(SEEN, listing=SEALED)),
            (ONE, replace(SEEN, journal=(register,)), SEEN),
        ],
        broken=[(ONE, listed, listed), ((), replace(SEEN, journal=(register,)), SEEN)],
    )
    view, done = replace(SEEN, listing=ONE), replace(SEEN, listing=SEALED)
    moved = ((FIRST, replace(OPEN, replica_set=(B, A))),)
    yield from tell(
        refreshing.a_view_holds_only_what_the_control_plane_said,
        holds=[
            (view, ONE),
            (view, SEALED),
            (done, SEALED),
            (view, ((FIRST, replace(CLOSED, replica_set=(B, A))),)),
        ],
        broken=[
            (view, ()),
            (view, ((FIRST, NEXT),)),
            (view, moved),
            (done, ((FIRST, replace(CLOSED, length=Count(4))),)),
        ],
    )


def of_old_views() -> Iterator[Case]:
    """Where a view stands that was read before."""
    view, done = replace(SEEN, listing=ONE), replace(SEEN, listing=SEALED)
    high = replace(done, counter=Offset(9))
    yield from tell(
        refreshing.a_recovered_frontend_stands_at_the_edge,
        holds=[
            (done,),
            (replace(high, head=LATER),),
            (replace(high, listing=()),),
            (replace(high, listing=ONE),),
            (replace(high, sequence=Sequence(2)),),
        ],
        broken=[(high,), (replace(high, sequence=Sequence(1)),)],
    )
    yield from tell(
        refreshing.a_refresh_never_takes_the_view_back,
        holds=[(view, view), (view, done), (done, done)],
        broken=[(done, view), (view, SEEN)],
    )


def of_catalogs() -> Iterator[Case]:
    """What a refresh brings into the whole view."""
    full = replace(NOTHING, topics=Map({TOPIC: Topic(4)}))
    seal = SealSegment(FIRST, Count(3), ByteSize(30), Millis(0))
    held, bare = Known(catalog(full), Map(), ()), Known(catalog(NOTHING), Map(), ())
    read = Viewed(catalog(NOTHING), frozenset(), ())
    unread = Viewed(catalog(NOTHING), frozenset({VNODE}), ())
    yield from tell(
        refreshing.a_refresh_with_nothing_to_replay_holds_what_it_read,
        holds=[
            (held, read, bare),
            (held, unread, held),
            (replace(held, journal=(seal,)), read, held),
        ],
        broken=[(held, read, held), (held, unread, bare)],
    )
    yield from tell(
        refreshing.a_refresh_holds_what_it_read_but_for_later_commands,
        holds=[(read, bare), (unread, held), (replace(read, since=(seal,)), held)],
        broken=[(read, held)],
    )


def of_positions() -> Iterator[Case]:
    """Which positions a view holds."""
    full = replace(NOTHING, topics=Map({TOPIC: Topic(4)}))
    bare = Known(catalog(NOTHING), Map(), ())
    kept: Committed = Map({KEY: POSITIONS})
    low: Positions = Map({HERE: Cursor(0, Offset(0))})
    back: Committed = Map({KEY: low})
    asked = Viewed(catalog(replace(NOTHING, committed=kept)), frozenset(), ())
    yield from tell(
        refreshing.a_refresh_moves_no_position_back,
        holds=[(asked, Known(catalog(replace(NOTHING, committed=kept)), Map(), ()))],
        broken=[
            (asked, bare),
            (asked, Known(catalog(replace(NOTHING, committed=back)), Map(), ())),
        ],
    )
    alive: Map[RangeId, Range] = Map({HERE: Range(Position(0), Position(4), 4)})
    old = catalog(replace(NOTHING, committed=kept))
    new = replace(full, ranges=alive, committed=kept)
    yield from tell(
        refreshing.a_new_topic_has_no_positions,
        holds=[
            (catalog(new), catalog(new)),
            (old, catalog(replace(new, topics=Map()))),
            (old, catalog(replace(new, ranges=Map()))),
        ],
        broken=[(old, catalog(new))],
    )


def of_commands() -> Iterator[Case]:
    """What a command leaves in a view, in a journal and in the heads."""
    full = catalog(replace(NOTHING, topics=Map({TOPIC: Topic(4)})))
    commit = CommitOffset(Group("g"), TOPIC, POSITIONS)
    refused = Asked(((commit, NoBrokers()),), NoBrokers(), (commit,))
    done = Asked(((commit, Ok()),), Ok(), (commit,))
    bare, changed = Known(catalog(NOTHING), Map(), ()), Known(full, Map(), ())
    yield from tell(
        refreshing.a_refused_command_leaves_the_view,
        holds=[(bare, refused, bare), (bare, done, changed)],
        broken=[(bare, refused, changed)],
    )
    here: Map[RangeId, Head] = Map({HERE: HEAD})
    moved: Map[RangeId, Head] = Map({HERE: replace(HEAD, replica_set=(B, A))})
    before, after = replace(bare, heads=here), replace(bare, heads=moved)
    yield from tell(
        refreshing.a_command_that_did_not_take_moves_no_head,
        holds=[(before, refused, before), (before, done, after)],
        broken=[(before, refused, after)],
    )
    none = replace(bare, journal=None)
    yield from tell(
        refreshing.the_journal_takes_what_changed_the_view,
        holds=[(none, done, none), (bare, done, replace(bare, journal=(commit,)))],
        broken=[(none, done, bare), (bare, done, none), (bare, done, bare)],
    )


CASES = (
    *of_ends(),
    *of_views(),
    *of_old_views(),
    *of_catalogs(),
    *of_positions(),
    *of_commands(),
)
