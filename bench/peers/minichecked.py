"""FenceCore for minicheck: its own loop and its own invariants over the rules in plain Python.

`python -m bench.peers.minichecked 2 2 1 [--defect]`, where minicheck can be imported, prints what
it found. minicheck does not count transitions, so they are counted as it asks for successors.
"""

import argparse
import importlib
import json
from typing import Any

from bench.peers.fencecore import INVARIANTS, Size, State, Successors, initial, successors

BEYOND_ANY_SIZE = 10**9
"""minicheck gives up at 200,000 states unless it is told to go on."""


def explore(size: Size) -> dict[str, object]:
    """Let minicheck look at every reachable state."""
    minicheck: Any = importlib.import_module("minicheck")
    transitions = 0

    def follow(state: State) -> Successors:
        nonlocal transitions
        found = successors(size, state)
        transitions += len(found)
        return found

    protocol = minicheck.Protocol(
        name="fencecore",
        candidate=False,
        fields=State._fields,
        initial=initial(size),
        transitions=follow,
        invariants={
            name: lambda parts, holds=holds: holds(State(**parts))
            for name, holds in INVARIANTS.items()
        },
    )
    answer = minicheck.check_safety(protocol, max_states=BEYOND_ANY_SIZE)
    broken = [name for name, found in answer["properties"].items() if found["holds"] is False]
    return {
        "states": answer["reachable_states"],
        "transitions": transitions,
        "broken": broken,
        "exhaustive": answer["exhaustive"],
    }


def main() -> None:
    """Search one size and print the result as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs=3, type=int, metavar="F S B")
    parser.add_argument("--defect", action="store_true")
    given = parser.parse_args()
    frontends, segments, batches = given.size
    print(json.dumps(explore(Size(frontends, segments, batches, given.defect))))


if __name__ == "__main__":
    main()
