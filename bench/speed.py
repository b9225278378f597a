"""How fast are replay and the plain search? Prints calls/s and states/s of this machine.

Each is run three times on one core and the fastest run counts. Seconds are processor seconds of
this process, so that what else the machine does weighs little. `make bench` runs it first.
"""

import time
from collections.abc import Callable
from pathlib import Path

from checker.replay.replaying import replay_paths
from checker.search.plain import search
from checker.world.scopes import Scope, scope_named

RECORDINGS = Path(__file__).resolve().parent.parent / "tests" / "data" / "traces"
RUNS = 3
SCOPES = ("roll", "fencecore-2-2-1")


def fastest(work: Callable[[], int]) -> tuple[int, float]:
    """How much was done, and the processor seconds of the fastest of some runs."""
    seconds = []
    done = 0
    for _ in range(RUNS):
        start = time.process_time()
        done = work()
        seconds.append(time.process_time() - start)
    return done, min(seconds)


def replayed() -> int:
    """Calls of all recordings, replayed and judged."""
    return replay_paths([RECORDINGS]).calls


def searched(scope: Scope) -> Callable[[], int]:
    """States of a scope, searched by the plain engine with empty tables."""
    return lambda: search(scope.build()).states


def main() -> None:
    """Measure, and print a line for each."""
    calls, seconds = fastest(replayed)
    print(
        f"replay                  {calls:>9,} calls   {seconds:6.2f} s {calls / seconds:>9,.0f}/s"
    )
    for scope in filter(None, map(scope_named, SCOPES)):
        states, seconds = fastest(searched(scope))
        speed = states / seconds
        print(f"plain {scope.name:<17} {states:>9,} states  {seconds:6.2f} s {speed:>9,.0f}/s")


if __name__ == "__main__":
    main()
