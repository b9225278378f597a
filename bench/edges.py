"""Write the calls at the edges of the conditions of a frontend's functions, one a line.

python -m bench.edges > checker/conform/edges.jsonl

The prover's cases give integers to scenes. Here each scene is run on them, and the function of a
frontend that it calls is noted with its state, its arguments, and what its commands were answered.
Scenes of reads, and of batches of unknown size, are left out: what they draw has no form on the
wire.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from checker.conform.calls.table import OPERATIONS
from checker.conform.edges import read, term_of
from checker.conform.learning import Listener, Transition
from checker.conform.lines import text_of
from checker.prove.boundaries import Case, called
from checker.prove.scenes.every import SCENES
from checker.replay.terms import MalformedError
from reference import healing, producing, ranges, refreshing, rolling
from reference.frontend import Frontend

BOUNDARIES = Path(__file__).resolve().parent.parent / "tests" / "data" / "boundaries.json"
FUNCTIONS: tuple[tuple[ModuleType, str, str], ...] = (
    *((ranges, name, name) for name in ("split_range", "delete_segment")),
    (producing, "adopt_offsets", "adopt_offsets"),
    (rolling, "is_awaiting_fence", "awaiting_fence"),
    *(
        (rolling, name, name)
        for name in (
            "active_roll",
            "due_rolls",
            "request_rolls",
            "fences_to_send",
            "range_awaiting_fence",
            "forget_fence",
            "record_fence",
            "record_seal",
            "forget_sealed",
        )
    ),
    *(
        (refreshing, name, name)
        for name in (
            "drop_stale_active_segments",
            "replay_journal",
            "seed_range_state",
            "seed_unrecovered_range",
        )
    ),
    *((healing, name, name) for name in ("apply_heal", "apply_heal_reply")),
)
"""The functions that are noted, each with its call."""


@contextmanager
def noting(found: dict[Transition, None]) -> Iterator[None]:
    """Note the outermost call of each function."""
    kept = [(module, name, getattr(module, name)) for module, name, _ in FUNCTIONS]
    for (module, name, function), (_, _, op) in zip(kept, FUNCTIONS, strict=True):
        setattr(module, name, noted(found, op, function))
    try:
        yield
    finally:
        for module, name, function in kept:
            setattr(module, name, function)


def noted(
    found: dict[Transition, None], op: str, function: Callable[..., Any]
) -> Callable[..., Any]:
    """A function that is noted, with what its commands were answered."""
    names = tuple(OPERATIONS[op].arguments)

    def outer(front: Frontend, *given: Any) -> Any:  # noqa: ANN401 # any function
        args = [tuple(each) if isinstance(each, list) else each for each in given[: len(names)]]
        listener = Listener(*given[len(names) :] or (None,))
        if len(given) > len(names):
            given = (*given[: len(names)], listener.command)
        answered = function(front, *given)
        pairs = tuple(zip(names, args, strict=True))
        found.setdefault(Transition(op, front, pairs, listener.heard, front))
        return answered

    return outer


def edges() -> Iterator[str]:
    """Every case whose call has a form on the wire, as its line."""
    scenes = {scene.name: scene for scene in SCENES}
    lines: dict[str, None] = {}
    for name, why, picks, values in json.loads(BOUNDARIES.read_text("utf-8")):
        found: dict[Transition, None] = {}
        with noting(found):
            called(scenes[name], Case(name, why, picks, values))
        for one in found:
            try:
                line = text_of(term_of(one)).decode()
                if read(line) == one:
                    lines.setdefault(line)
            except (TypeError, AttributeError, MalformedError):
                print(f"left out: {name}, {why}", file=sys.stderr)
    yield from lines


def main() -> None:
    """Write the cases."""
    for line in edges():
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
