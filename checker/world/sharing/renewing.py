"""What a frontend that is behind comes to in the end, once faults stop.

A stale head is left, and a range whose end is not known becomes readable.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace

from checker.search.model import Model, ProgressGoal
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.parts import RANGE, TOPIC, Answered, Batch, Reading
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.replies import Appended
from spec.truth import Acknowledged
from spec.vocabulary import SegmentId, State

FAIR = frozenset({"read", "install", "recover", "hear"})
"""What is not put off for ever: a frontend reads the control plane, installs what it read,
recovers, and hears the answers that came."""


def with_renewal(model: Model, bounds: Bounds) -> Model:
    """Answer a world that is also judged on whether frontends that are behind catch up."""
    goals = [
        *(goal for name in bounds.readers for goal in _catching_up(name)),
        *(_hearing(name, slot) for name, slot in _slots(bounds)),
    ]
    fair = FAIR & {step.rule_name for step in model.steps}
    return replace(model, progress=(*model.progress, *goals), fair=model.fair | fair)


def is_on_an_open_head(front: Frontend, view: View, _reading: Reading) -> bool:
    """[RFR-30] The frontend caches no head that the control plane has sealed."""
    head = front.heads.get(RANGE)
    segment = None if head is None else metadata_of(view, TOPIC).segments.get(head.id)
    return segment is None or segment.state is State.ACTIVE


def may_read_anew(front: Frontend, _view: View, reading: Reading) -> bool:
    """[RFR-30] A refresh is still to come that begins now or later."""
    return RANGE in front.heads and reading.left > 0


def is_recovered(front: Frontend, *_parts: Hashable) -> bool:
    """[RFR-32] The range can be read."""
    return RANGE not in front.unrecovered


def may_recover(_front: Frontend, reading: Reading, faults: int) -> bool:
    """[RFR-32] A recovery is still to come, and no primary is mute any more."""
    return faults == 0 and reading.left > 0


def is_answered(front: Frontend, slot: Batch, _faults: int) -> bool:
    """[RFR-32] The range can be read, or the answer was not for its head any more."""
    head = front.heads.get(RANGE)
    return RANGE not in front.unrecovered or head is None or head.id != _segment_of(slot)


def is_sure_to_be_heard(front: Frontend, slot: Batch, faults: int) -> bool:
    """[RFR-32] The answer to a batch is there, and nothing is lost any more."""
    head = front.heads.get(RANGE)
    is_there = isinstance(slot, Answered) and isinstance(slot.reply, Appended)
    return faults == 0 and is_there and head is not None and head.id == _segment_of(slot)


def _segment_of(slot: Batch) -> SegmentId | None:
    match slot:
        case Answered(dispatch):
            return dispatch.segment_id
        case Acknowledged(segment_id):
            return segment_id
        case _:
            return None


def _slots(bounds: Bounds) -> list[tuple[str, str]]:
    return [(name, f"{name}.{number}") for name, number, _ in bounds.slots()]


def _catching_up(name: str) -> tuple[ProgressGoal, ProgressGoal]:
    left = _inevitable(
        f"{name}_leaves_a_stale_head_at_last",
        "RFR-30",
        f"{name} does not go on with a sealed head for ever, while it refreshes. (P3)",
        (name, "control", f"{name}.read"),
        is_on_an_open_head,
        may_read_anew,
    )
    read = _inevitable(
        f"{name}_can_read_its_range_at_last",
        "RFR-32",
        f"A range of {name} is not unreadable for ever, while it recovers. (P6)",
        (name, f"{name}.read", "faults"),
        is_recovered,
        may_recover,
    )
    return left, read


def _hearing(name: str, slot: str) -> ProgressGoal:
    return _inevitable(
        f"an_answer_to_{slot}_makes_the_range_readable_at_last",
        "RFR-32",
        f"A range of {name} does not stay unreadable behind a produce that was answered. (P6)",
        (name, slot, "faults"),
        is_answered,
        is_sure_to_be_heard,
    )


def _inevitable(
    name: str,
    clause: str,
    sentence: str,
    reads: tuple[str, ...],
    reached: Callable[..., bool],
    owed: Callable[..., bool] | None,
) -> ProgressGoal:
    return ProgressGoal(
        name.replace(".", "_"), clause, sentence, "inevitable", reads, reached, owed
    )
