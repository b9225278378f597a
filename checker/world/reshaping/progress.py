"""What the world comes to in the end: closed heads are recorded, refused splits are repeated."""

from collections.abc import Hashable
from dataclasses import replace

from checker.search.model import Model, ProgressGoal
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.parts import Logs, Reshaping
from checker.world.reshaping.sight import blocks_of, listing_of
from checker.world.sharing.parts import Reading
from reference.vnodes import View
from spec.vocabulary import State

FAIR = frozenset({"heal"})
"""What is not put off for ever: the coordinator's look at the heads."""


def with_progress(model: Model, bounds: Bounds) -> Model:
    """Answer a world that is also judged on what it comes to in the end."""
    works = tuple(f"{name}.work" for name, _ in bounds.reshapers)
    reads = tuple(f"{name}.read" for name, _ in bounds.reshapers)
    recorded = ProgressGoal(
        "a_closed_head_is_recorded_at_last",
        "ROL-39",
        "No store stays fenced under a head that is listed as active.",
        "inevitable",
        ("control", "logs"),
        no_head_is_closed,
    )
    tried = ProgressGoal(
        "a_refused_reshape_can_be_tried_again",
        "RNG-15",
        "Whatever was lost or refused, some way leads from the next try to the children.",
        "possible",
        ("control", *works, *reads),
        is_reshaped,
        may_try_again,
    )
    fair = FAIR if bounds.is_healed else frozenset[str]()
    return replace(model, progress=(*model.progress, recorded, tried), fair=model.fair | fair)


def no_head_is_closed(view: View, logs: Logs) -> bool:
    """[ROL-39] The range takes writes, or is retired."""
    return not any(
        segment.state is State.ACTIVE and (log := logs.get(each)) is not None and log.fenced
        for each, segment in listing_of(view)
    )


def is_reshaped(view: View, *_parts: Hashable) -> bool:
    """[RNG-10] The children took over."""
    return len(blocks_of(view)) > 1


def may_try_again(_view: View, *parts: Hashable) -> bool:
    """[RNG-15] The frontend may look at the control plane once more, and begin once more."""
    tries = sum(part.left for part in parts if isinstance(part, Reshaping))
    reads = sum(part.left for part in parts if isinstance(part, Reading))
    return tries > 0 and reads > 0
