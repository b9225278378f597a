"""What becomes of a batch that is held behind its own frontend's fence, once faults stop."""

from dataclasses import replace

from checker.search.model import Model, ProgressGoal
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.parts import Batch, Held

FAIR = frozenset({"close", "record", "wait", "plan", "open", "hold"})
"""What is not put off for ever: a fence that came is answered, an answer that came is recorded, a
window passes, and a held batch is planned again or failed as soon as it may be."""


def with_answers(model: Model, bounds: Bounds) -> Model:
    """Answer a world that is also judged on whether each held batch is answered."""
    goal = ProgressGoal(
        "no_batch_is_held_for_ever",
        "ROL-42",
        "It is planned again or failed once its fence is answered or its window ends. (P4)",
        "inevitable",
        tuple(f"{name}.{number}" for name, number, _ in bounds.slots()),
        is_nothing_held,
    )
    return replace(model, progress=(*model.progress, goal), fair=model.fair | FAIR)


def is_nothing_held(*slots: Batch) -> bool:
    """[ROL-42] Every batch is on its way, or its client was told. A batch is held once."""
    return not any(isinstance(slot, Held) for slot in slots)
