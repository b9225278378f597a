"""The control plane where two topics, ranges or vnodes meet: what one must not do to the other."""

from immutables import Map

from reference.controlplane import (
    Metadata,
    active_segment,
    apply,
    segments_of,
)
from reference.vnodes import (
    View,
    begin_vnode_split,
    command,
    merged,
    metadata_of,
    retain,
    sharded,
    single,
    topics_moving,
)
from spec.commands import (
    BeginMigration,
    Command,
    CreateTopic,
    DeleteTopic,
    ExtractTopic,
    RegisterSegment,
    SealSegment,
)
from spec.replies import Created, Exported, Ok
from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Millis,
    Offset,
    RangeId,
    SegmentId,
    Sequence,
    TopicName,
    VnodeId,
)

HERE, THERE = RangeId(TopicName("t"), Sequence(0)), RangeId(TopicName("u"), Sequence(0))
V0, V1 = VnodeId("v0"), VnodeId("v1")
LAST = (1 << 32) - 1


def after(*told: Command) -> Metadata:
    """What one vnode knows after commands that all take."""
    metadata = Metadata()
    for one in told:
        metadata, reply = apply(metadata, one)
        assert isinstance(reply, Ok | Created), (one, reply)
    return metadata


def registered(range_id: RangeId, segment_id: SegmentId) -> RegisterSegment:
    """A registration on one broker."""
    return RegisterSegment(range_id, segment_id, (Broker("b1"),), Offset(0))


BOTH = (CreateTopic(HERE.topic, 4), CreateTopic(THERE.topic, 4))
STRANGE = SegmentId(THERE, Sequence(7))
"""An id that names another range than the one that it is registered under."""


def test_a_segment_belongs_to_the_range_that_registered_it_whatever_its_id_says() -> None:
    """[RNG-2, RNG-17] The frontend names the id; the range is what the command is about."""
    metadata = after(*BOTH, registered(HERE, STRANGE))
    segment = metadata.segments[STRANGE]

    assert segments_of(metadata, HERE) == ((STRANGE, segment),)
    assert segments_of(metadata, THERE) == ()
    assert active_segment(metadata, HERE) == (STRANGE, segment)
    assert active_segment(metadata, THERE) is None


def test_a_topic_is_removed_with_the_segments_of_its_ranges_whatever_their_ids_say() -> None:
    """[RNG-23] The other topic keeps its own."""
    metadata = after(
        *BOTH, registered(HERE, STRANGE), registered(THERE, SegmentId(THERE, Sequence(0)))
    )

    here, _ = apply(metadata, DeleteTopic(HERE.topic))
    there, _ = apply(metadata, DeleteTopic(THERE.topic))

    assert set(here.segments) == {SegmentId(THERE, Sequence(0))}
    assert set(there.segments) == {STRANGE}


def test_a_topic_is_taken_out_with_its_own_segments_alone() -> None:
    """[RNG-36] What another topic lists stays, and does not travel."""
    mine, other = SegmentId(HERE, Sequence(0)), SegmentId(THERE, Sequence(0))
    metadata = after(*BOTH, registered(HERE, mine), registered(THERE, other))
    strange = after(*BOTH, registered(HERE, STRANGE))

    kept, answer = apply(metadata, ExtractTopic(HERE.topic))
    _, moved = apply(strange, ExtractTopic(HERE.topic))

    assert isinstance(answer, Exported)
    assert answer.topic is not None
    assert (set(answer.topic.segments), set(kept.segments)) == ({mine}, {other})
    assert isinstance(moved, Exported)
    assert moved.topic is not None
    assert set(moved.topic.segments) == {STRANGE}


def test_a_segment_of_a_topic_that_stays_is_sealed_while_another_topic_moves() -> None:
    """[RNG-34] A migration holds up its own topic and no other."""
    mine = SegmentId(HERE, Sequence(0))
    metadata = after(*BOTH, registered(HERE, mine), BeginMigration(THERE.topic))

    _, reply = apply(metadata, SealSegment(mine, Count(0), ByteSize(0), Millis(0)))

    assert reply == Ok()


def test_a_ring_has_2_to_the_32_places_where_nobody_says() -> None:
    """[RNG-30] As many as the hash has values."""
    assert single().ring_bits == sharded([(V0, 0)]).ring_bits == 32


def test_a_vnode_that_was_not_held_before_is_taken_as_it_was_read() -> None:
    """[RFR-2, S21] There is nothing to keep of it, and it is no error."""
    new = sharded([(V0, 5), (V1, LAST)])

    assert retain(new, sharded([(V0, 5)]), [V1]) == new


def test_a_view_with_something_kept_has_the_ring_that_was_read() -> None:
    """[RFR-2] What is kept is a vnode's metadata, not where it stood."""
    held = after(CreateTopic(HERE.topic, 4))
    old = View(((LAST, V0),), Map({V0: held}))
    new = sharded([(V0, 5), (V1, LAST)])

    kept = retain(new, old, [V0])

    assert (kept.ring, kept.vnodes[V0]) == (new.ring, held)


def several() -> View:
    """Some topics on one vnode at the end of the ring."""
    view = sharded([(V0, LAST)])
    for number in range(4):
        view, _ = command(view, CreateTopic(TopicName(f"topic-{number}"), 1))
    return view


def test_topics_that_move_are_listed_in_ascending_order_and_all_of_them_are_held() -> None:
    """[RNG-44] A vnode that takes over the whole ring but one place takes over every topic."""
    view = several()
    names = sorted(merged(view).topics)

    assert topics_moving(view, V1, LAST - 1) == tuple((name, V0) for name in names)
    assert metadata_of(begin_vnode_split(view, V1, LAST - 1), names[0]).migrating == set(names)
