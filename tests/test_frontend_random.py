"""One frontend under random calls, beside a plain model; and what a refresh brings back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from immutables import Map

from reference.commanding import in_memory
from reference.frontend import Frontend
from reference.healing import apply_heal
from reference.producing import adopt_offsets, produce_plan
from reference.ranges import (
    bind_topic_policy,
    commit_offset,
    create_topic,
    delete_segment,
    metadata,
    split_range,
)
from reference.refreshing import (
    drop_stale_active_segments,
    journal,
    put_cache,
    replay_journal,
    seed_range_state,
    seed_unrecovered_range,
    take_journal,
)
from reference.rolling import (
    fences_to_send,
    forget_sealed,
    record_fence,
    record_seal,
    request_rolls,
)
from spec.commands import CommittedPosition, SealSegment
from spec.vocabulary import (
    ByteSize,
    Count,
    Cursor,
    Group,
    Millis,
    Offset,
    PolicyName,
    Sequence,
    State,
    TopicName,
)
from tests.oracles.counter import Counter
from tests.oracles.values import (
    NOW,
    ROOT,
    TOPIC,
    ControlPlane,
    batch,
    frontend,
    roll_of,
    segment_of,
)

CALLS = (
    *(["plan"] * 3),
    *(["seal", "fence", "adopt", "refuse", "roll"] * 2),
    *("heal", "seed", "probe", "send", "seal_elsewhere"),
)
calls = st.lists(
    st.tuples(st.sampled_from(CALLS), st.integers(0, 4), st.integers(0, 9)), max_size=40
)


def call(  # noqa: PLR0911 # one case for each call
    front: Frontend, counter: Counter, name: str, seq: int, number: int
) -> Frontend:
    """Make one call, and tell the model."""
    end = Offset(counter.starts.get(seq, 0) + number)
    match name:
        case "plan":
            counter.plan(1 + number % 3)
            return produce_plan(front, TOPIC, batch(1 + number % 3), in_memory)[0]
        case "adopt":
            counter.adopt(seq, end)
            return adopt_offsets(front, ROOT, segment_of(seq), end)
        case "refuse" | "seal" | "fence" | "heal":
            return close(front, counter, name, seq, number)
        case "seed":
            counter.seed(number, seq)
            return seed_range_state(front, ROOT, Offset(number), Sequence(seq))
        case "probe":
            counter.probe(seq)
            return seed_unrecovered_range(front, ROOT, Sequence(seq))
        case "roll":
            counter.roll()
            return request_rolls(front, sorted(metadata(front).segments.items()))
        case "send":
            return fences_to_send(front, Millis(number), Millis(0))[0]
        case _:
            active = counter.active
            end = Offset(0 if active is None else counter.starts[active] + number)
            counter.seal_elsewhere(end)
            return refreshed(front, number)


def close(front: Frontend, counter: Counter, name: str, seq: int, number: int) -> Frontend:
    """Make one of the calls that say where a segment ends, and tell the model."""
    segment_id = segment_of(seq)
    start = counter.starts.get(seq, 0)
    end = Offset(start + number)
    roll = roll_of(segment_id, start)
    match name:
        case "refuse":
            counter.refuse(seq, end)
            return forget_sealed(front, ROOT, segment_id, end)
        case "seal":
            counter.seal(seq, end)
            return record_seal(front, roll, end, ByteSize(0), NOW, in_memory)[0]
        case "fence":
            counter.fence(seq, end)
            return record_fence(front, roll, end, ByteSize(0), NOW, in_memory)[0]
        case _:
            counter.heal(seq, end)
            seal = SealSegment(segment_id, Count(number), ByteSize(0), NOW)
            return apply_heal(front, [seal], in_memory)


def refreshed(front: Frontend, length: int) -> Frontend:
    """The frontend after somebody else sealed the active segment, and a refresh."""
    view = front.view
    for segment_id, segment in metadata(front).segments.items():
        if segment.state is State.ACTIVE:
            command = SealSegment(segment_id, Count(length), ByteSize(0), NOW)
            view, _ = in_memory(view, command)
    return drop_stale_active_segments(put_cache(front, view))


@settings(max_examples=400)
@given(calls)
def test_the_counter_is_what_a_plain_model_says_after_any_calls(
    made: list[tuple[str, int, int]],
) -> None:
    """[ROL-6, ROL-29, ROL-44, PRD-9, PRD-10, PRD-16, PRD-23, RFR-12, RFR-20, HEA-4, S9, S10]."""
    front, counter = frontend(), Counter()

    for name, seq, number in made:
        front = call(front, counter, name, seq, number)

        head, owed = front.heads.get(ROOT), front.rolling.get(ROOT)
        assert front.offsets.get(ROOT) == counter.value
        assert front.sequences.get(ROOT, 0) == counter.floor
        assert (None if head is None else head.id.seq) == counter.head
        assert (None if owed is None else owed.segment_id.seq) == counter.owed


# Refreshing from an older read.

COMMANDS = ("plan", "plan", "seal", "seal", "delete", "split", "commit", "bind", "create")
orders = st.lists(st.tuples(st.sampled_from(COMMANDS), st.integers(0, 3)), min_size=1, max_size=14)


def order(  # noqa: PLR0911 # one case for each call
    front: Frontend, control: ControlPlane, name: str, number: int
) -> Frontend:
    """One call that sends a command."""
    ranges = sorted(metadata(front).ranges)
    range_id = ranges[number % len(ranges)]
    heads = sorted(front.heads.items())
    match name:
        case "plan":
            return produce_plan(front, TOPIC, batch(1, bytes([number])), control)[0]
        case "seal":
            for _, head in heads[:1]:
                roll = roll_of(head.id, head.start_offset)
                end = front.offsets[head.id.range_id]
                front, _ = record_seal(front, roll, end, ByteSize(number), NOW, control)
            return front
        case "delete":
            sealed = [one for one, segment in metadata(front).segments.items() if segment.length]
            return delete_segment(front, min(sealed), control)[0] if sealed else front
        case "split":
            return split_range(front, range_id, control)[0]
        case "commit":
            at: CommittedPosition = Cursor(0, Offset(len(control.sent)))
            return commit_offset(front, Group("g"), TOPIC, Map({range_id: at}), control)[0]
        case "bind":
            return bind_topic_policy(front, TOPIC, PolicyName(f"p{number}"), control)[0]
        case _:
            return create_topic(front, TopicName(f"n{number}"), 4, control)[0]


@settings(max_examples=300)
@given(orders, st.integers(0, 20))
def test_an_older_read_and_the_journal_make_the_view_with_all_own_commands(
    made: list[tuple[str, int]], pick: int
) -> None:
    """[RFR-1, RFR-3, RFR-6, RFR-8, RFR-9, RFR-10, RFR-33, S21, S31, S35, D34, D35, D36, D37]."""
    control = ControlPlane(clock=None)
    front = journal(frontend())
    reads = [control.view]
    for name, number in made:
        front = order(front, control, name, number)
        reads.append(control.view)
    sent, view = len(control.sent), control.view

    commands, taken = take_journal(front)
    after = replay_journal(put_cache(taken, reads[pick % len(reads)]), commands)

    assert after == replace(front, journal=())
    assert after.view == view
    assert (len(control.sent), control.view) == (sent, view)


@pytest.mark.parametrize("mode", ["authoritative", "raft"])
def test_a_refresh_brings_the_others_work_and_keeps_this_frontends_own(mode: str) -> None:
    """[RFR-1, RFR-3, RFR-8, RNG-42, RNG-43, S21] In each of the shared modes."""
    control = ControlPlane(mode=mode)
    mine, theirs = journal(frontend()), frontend()
    theirs, _ = create_topic(theirs, TopicName("theirs"), 4, control)
    read = control.view
    mine, _ = create_topic(mine, TopicName("mine"), 4, control)

    commands, mine = take_journal(mine)
    mine = replay_journal(put_cache(mine, read), commands)

    assert sorted(metadata(mine).topics) == ["mine", TOPIC, "theirs"]
    assert mine.view == control.view
