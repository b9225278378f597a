"""Runs in this process: the reference fits, and whoever departs is named at the first message."""

from dataclasses import replace

import pytest

from checker.conform.calls.table import OPERATIONS
from checker.conform.effects import CommandEffect, ReplicateEffect
from checker.conform.operations import Answered, Arguments, Effects, Operation
from checker.conform.serving import ReferenceAdapter, reference_adapter
from checker.conform.steps import Append, Call, Fence, Remember, Step, Tell, ViewOf
from checker.conform.world import MODES, Fault, Mode
from reference.frontend import Frontend
from spec.commands import SplitRange
from spec.replies import Appended, Failed, Ok, Produced, Refusal
from spec.vocabulary import Offset, RangeId, Record, SegmentId, Sequence, TopicName
from tests.conforming import created, judged, opened, produced

ROOT = RangeId(TopicName("t"), Sequence(0))
FIRST = SegmentId(ROOT, Sequence(0))


def with_call(name: str, **changed: object) -> ReferenceAdapter:
    """The reference with one call exchanged."""
    operation = replace(OPERATIONS[name], **changed)  # type: ignore[arg-type] # by the caller
    return reference_adapter({**OPERATIONS, name: operation}, "changed")


STEPS: tuple[Step, ...] = (
    opened(),
    Call("f1", "journal"),
    created(),
    produced(b"a", b"b"),
    Call("f1", "split_range", {"range": ROOT}),
    Fence(FIRST, Offset(0)),
    produced(b"a"),
    Call("f1", "read", {"range": ROOT, "offset": 0, "max": 5}),
    Call("f1", "take_journal"),
)


@pytest.mark.parametrize("mode", MODES)
def test_the_reference_fits_itself_in_every_mode(mode: Mode) -> None:
    assert judged(*STEPS, mode=mode) is None


def test_a_wrong_reply_is_named_with_the_allowed_one_and_its_clause() -> None:
    def nothing(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
        return front, ()

    found = judged(
        opened(),
        created(),
        Call("f1", "active_range_ids", {"topic": "t"}),
        adapter=with_call("active_range_ids", run=nothing),
    )

    assert found is not None
    assert (found.outcome, found.op, found.step) == ("fail/reply", "active_range_ids", 2)
    assert found.clause == "RNG-38"
    assert found.allowed == ((ROOT,),)
    assert [place.path for place in found.places] == ["reply[0]"]


def test_a_wrong_effect_is_named_before_the_reply() -> None:
    def late(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        return OPERATIONS["produce"].run(
            replace(front, sequences=front.sequences.set(ROOT, Sequence(7))), args, effects
        )

    found = judged(opened(), created(), produced(b"a"), adapter=with_call("produce", run=late))

    assert found is not None
    assert (found.outcome, found.clause) == ("fail/effect", "PRD-10")
    assert isinstance(found.observed, CommandEffect)
    assert found.places[0].path == "effect.command.segment_id.seq"


def test_a_reply_that_comes_before_its_effects_is_a_missing_effect() -> None:
    def early(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
        return front, Produced(())

    found = judged(opened(), created(), produced(b"a"), adapter=with_call("produce", run=early))

    assert found is not None
    assert found.outcome == "fail/effect"
    assert isinstance(found.allowed[0], CommandEffect)


def test_a_wrong_state_is_named_by_its_part() -> None:
    def careless(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        changed, reply = OPERATIONS["produce"].run(front, args, effects)
        return replace(changed, offsets=front.offsets), reply

    adapter = with_call("produce", run=careless)
    found = judged(opened(), created(), produced(b"a"), adapter=adapter)

    assert found is not None
    assert (found.outcome, found.clause) == ("fail/state", "PRD-19")
    assert found.places[0].path.startswith("state.offsets")


def test_a_wrong_state_is_not_looked_at_below_l3() -> None:
    def careless(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        changed, reply = OPERATIONS["produce"].run(front, args, effects)
        return replace(changed, journal=()), reply

    adapter = with_call("produce", run=careless)

    assert judged(opened(), created(), produced(b"a"), adapter=adapter, level="L2") is None


def test_a_wrong_effect_is_not_judged_at_l1() -> None:
    def elsewhere(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        return OPERATIONS["produce"].run(
            replace(front, options=replace(front.options, replication_factor=1)), args, effects
        )

    adapter = with_call("produce", run=elsewhere)

    assert judged(opened(), created(), produced(b"a"), adapter=adapter, level="L1") is None
    assert judged(opened(), created(), produced(b"a"), adapter=adapter, level="L2") is not None


def test_the_ranges_of_a_produce_may_come_in_any_order() -> None:
    """[PRD-7] The protocol leaves to a broker what the reference does in ascending order."""
    operation = OPERATIONS["produce"]
    assert operation.grouped is not None
    run_groups, route = operation.grouped.run, operation.grouped.route

    def backwards(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        groups = route(front, args)
        if isinstance(groups, Refusal):
            return front, groups
        return run_groups(front, groups[::-1], effects)

    adapter = with_call("produce", run=backwards)
    steps = (
        opened(),
        created(),
        Call("f1", "split_range", {"range": ROOT}),
        replace(produced(b"a", b"b", b"c", b"d"), faults=(Fault("replicate", 1, Failed("no")),)),
        produced(b"a", b"b"),
    )

    assert judged(*steps, adapter=adapter) is None


def test_a_lost_answer_keeps_the_view_and_may_have_been_applied() -> None:
    lost = replace(created(), faults=(Fault("command", 0, Failed("timeout"), is_applied=True),))

    assert judged(opened(), lost, created(), produced(b"a")) is None


def test_another_writer_moves_the_offsets_that_a_produce_is_answered() -> None:
    others = Append(FIRST, Offset(0), (Record(b"z", b"z"),))
    steps = (opened(), created(), produced(b"a"), others, produced(b"a"))

    assert judged(*steps) is None


def test_an_older_read_of_the_control_plane_can_be_installed() -> None:
    steps = (
        opened(),
        created(),
        Remember("old"),
        produced(b"a"),
        Call("f1", "put_cache", {"view": ViewOf("old"), "unreachable": ()}),
        Call("f1", "metadata"),
    )

    assert judged(*steps) is None


def test_somebody_else_may_command_the_control_plane() -> None:
    steps = (opened(), created(), Tell(SplitRange(ROOT)), produced(b"a"))

    assert judged(*steps, mode="raft") is None


def test_two_brokers_share_the_control_plane_and_the_stores() -> None:
    steps = (
        opened("f1"),
        opened("f2"),
        created(),
        Call("f2", "put_cache", {"view": ViewOf(), "unreachable": ()}),
        produced(b"a"),
        produced(b"b", broker="f2"),
        produced(b"c"),
    )

    assert judged(*steps) is None


def test_options_outside_their_domain_may_be_refused_by_a_crash() -> None:
    """[PLC-2] A language without refusals raises."""
    empty = opened(brokers=())

    assert judged(empty, opened()) is None


def test_another_offset_in_an_answer_is_adopted() -> None:
    """[PRD-23] The primary's word counts."""
    moved = replace(produced(b"a"), faults=(Fault("replicate", 0, Appended(Offset(41)), True),))

    assert judged(opened(), created(), moved, produced(b"a")) is None


def test_a_finding_tells_all_of_it_in_lines() -> None:
    def early(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
        return front, Ok()

    operation: Operation = OPERATIONS["adopt_offsets"]
    arguments = {"range": ROOT, "segment": FIRST, "last": 9}
    adapter = with_call("adopt_offsets", run=early)
    steps = (opened(), created(), produced(b"a"), Call("f1", operation.name, arguments))

    found = judged(*steps, adapter=adapter)

    assert found is not None
    assert "\n".join(found.lines()).startswith(
        "fail/state at step 4, adopt_offsets: shows a state that is not allowed\n  PRD-23: "
    )
    assert found.signature == "fail/state adopt_offsets state.offsets"


def test_an_effect_that_nobody_asked_for_is_shown_beside_the_reply_that_was_due() -> None:
    def twice(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        OPERATIONS["produce"].run(front, args, effects)
        return OPERATIONS["produce"].run(front, args, effects)

    first = (opened(), created(), produced(b"a"))
    found = judged(*first, produced(b"b"), adapter=with_call("produce", run=twice))

    assert found is not None
    assert found.outcome == "fail/effect"
    assert isinstance(found.observed, CommandEffect | ReplicateEffect)
    assert isinstance(found.allowed[0], Produced)
