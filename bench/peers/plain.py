"""The plain loop: breadth first over tuples in a set, as one writes it in ten minutes.

`python -m bench.peers.plain 2 2 1 [--defect] [--invariant AckBelowEnd]` prints what it found.
"""

import argparse
import json
from collections.abc import Collection
from typing import NamedTuple

from bench.peers.fencecore import INVARIANTS, Size, initial, successors


class Found(NamedTuple):
    """What a search answers."""

    states: int
    transitions: int
    depth: int
    """Steps to the farthest state, or to the first one that breaks an invariant."""
    broken: str | None
    """The invariant that does not hold."""


def explore(size: Size, names: Collection[str] = tuple(INVARIANTS)) -> Found:
    """Visit every reachable state, or stop at the first one that breaks a named invariant."""
    invariants = [(name, INVARIANTS[name]) for name in names]
    start = initial(size)
    seen = {start}
    layer = [start]
    transitions, depth = 0, -1
    while layer:
        depth += 1
        reached = []
        for state in layer:
            for name, holds in invariants:
                if not holds(state):
                    return Found(len(seen), transitions, depth, name)
            for _, after in successors(size, state):
                transitions += 1
                if after not in seen:
                    seen.add(after)
                    reached.append(after)
        layer = reached
    return Found(len(seen), transitions, depth, None)


def main() -> None:
    """Search one size and print the result as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs=3, type=int, metavar="F S B")
    parser.add_argument("--defect", action="store_true")
    parser.add_argument("--invariant", action="append", choices=tuple(INVARIANTS))
    given = parser.parse_args()
    frontends, segments, batches = given.size
    size = Size(frontends, segments, batches, given.defect)
    found = explore(size, given.invariant or tuple(INVARIANTS))
    print(json.dumps(found._asdict()))


if __name__ == "__main__":
    main()
