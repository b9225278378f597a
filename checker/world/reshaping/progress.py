"""What the world comes to in the end: closed heads are recorded, refused splits are repeated."""

from collections.abc import Hashable
from dataclasses import replace

from checker.search.model import Model, ProgressGoal
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.parts import Logs, Reshaping
from checker.world.reshaping.sight import blocks_of, listing_of
from checker.world.sharing.parts import Answered, Reading, Sent
from reference.frontend import Frontend
from reference.vnodes import View
from spec.vocabulary import State

FAIR = frozenset({"heal"})
"""What is not put off for ever: the coordinator's look at the heads."""
RESHAPING = frozenset({"look", "close", "record", "reshape"})
"""And by who tries: to look for the head, to close it, to record its end and to reshape."""


def with_progress(model: Model, bounds: Bounds) -> Model:
    """Answer a world that is also judged on what it comes to in the end."""
    works = tuple(f"{name}.work" for name, _ in bounds.reshapers)
    reads = tuple(f"{name}.read" for name, _ in bounds.reshapers)
    slots = tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
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
    done = ProgressGoal(
        "a_reshape_that_nobody_disturbs_is_done_at_last",
        "RNG-15",
        "Who tries again with a view that is up to date, when nobody writes any more and nothing"
        " fails, gets the children. (P9)",
        "inevitable",
        ("control", *works, *bounds.readers, *slots, "faults"),
        is_reshaped,
        is_undisturbed,
    )
    fair = RESHAPING | (FAIR if bounds.is_healed else frozenset[str]())
    goals = (recorded, tried, done)
    return replace(model, progress=(*model.progress, *goals), fair=model.fair | fair)


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


def is_undisturbed(view: View, *parts: Hashable) -> bool:
    """[RNG-15] A try is left and none under way, and only who reshapes has anything to do."""
    faults = parts[-1]
    works = [part for part in parts if isinstance(part, Reshaping)]
    is_free = all(work.left > 0 and not work.is_under_way for work in works)
    is_fresh = all(part.view == view for part in parts if isinstance(part, Frontend))
    is_quiet = not any(part is None or isinstance(part, Sent | Answered) for part in parts)
    return faults == 0 and is_free and is_fresh and is_quiet
