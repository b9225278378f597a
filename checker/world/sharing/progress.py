"""What the world comes to in the end, whatever else happens meanwhile."""

from dataclasses import replace

from checker.search.model import Model, ProgressGoal
from checker.world.sharing.bounds import Bounds
from reference.frontend import Frontend

FAIR = frozenset({"fence", "close", "record", "wait"})
"""What is not put off for ever: an owed fence is sent, a fence that came is answered, an answer
that came is recorded, a window passes. Losing and failing is never owed to anybody."""


def with_progress(model: Model, bounds: Bounds) -> Model:
    """Answer a world that is also judged on what it comes to in the end."""
    goals = tuple(goal for name in bounds.frontends for goal in _settling(name))
    return replace(model, progress=(*model.progress, *goals), fair=model.fair | FAIR)


def owes_nothing(front: Frontend) -> bool:
    """[ROL-38] Every roll that was owed is sealed or cleared."""
    return not front.rolling


def _settling(name: str) -> tuple[ProgressGoal, ProgressGoal]:
    possible = ProgressGoal(
        f"an_owed_roll_of_{name}_can_still_be_settled",
        "ROL-38",
        f"Whatever was lost, some way leads to where {name} owes no roll.",
        "possible",
        (name,),
        owes_nothing,
    )
    inevitable = replace(
        possible,
        name=f"an_owed_roll_of_{name}_is_settled_at_last",
        sentence=f"{name} owes no roll for ever.",
        kind="inevitable",
    )
    return possible, inevitable
