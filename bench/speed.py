"""How fast are replay and search? Prints calls/s and states/s of this machine.

Each is run three times and the fastest run counts. Seconds of replay and of the plain search are
processor seconds of this process, so that what else the machine does weighs little. The search in
machine code keeps two cores busy, so its seconds are those of the clock; machine code is on disk
by its second run. `make bench` runs this first.
"""

import time
from collections.abc import Callable
from pathlib import Path

from checker.replay.replaying import replay_paths
from checker.search import explore
from checker.search.plain import search
from checker.world.kinds import Scope
from checker.world.scopes import scope_named

RECORDINGS = Path(__file__).resolve().parent.parent / "tests" / "data" / "traces"
RUNS = 3
SCOPES = ("roll", "fencecore-2-2-1")
LARGE_SCOPES = ("roll", "roll:faults=2", "fencecore-2-2-2")


def fastest(
    work: Callable[[], int], clock: Callable[[], float] = time.process_time
) -> tuple[int, float]:
    """How much was done, and the seconds of the fastest of some runs."""
    seconds = []
    done = 0
    for _ in range(RUNS):
        start = clock()
        done = work()
        seconds.append(clock() - start)
    return done, min(seconds)


def replayed() -> int:
    """Calls of all recordings, replayed and judged."""
    return replay_paths([RECORDINGS]).calls


def searched(scope: Scope) -> Callable[[], int]:
    """States of a scope, searched by the plain engine with empty tables."""
    return lambda: search(scope.build()).states


def searched_in_machine_code(scope: Scope) -> Callable[[], int]:
    """States of a scope, searched by the compiled engine on two threads with empty tables."""
    options = explore.Options(engine="compiled")
    return lambda: explore.search(scope.build(), options=options).states


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
    for scope in filter(None, map(scope_named, LARGE_SCOPES)):
        states, seconds = fastest(searched_in_machine_code(scope), time.perf_counter)
        speed = states / seconds
        print(f"fast  {scope.name:<17} {states:>9,} states  {seconds:6.2f} s {speed:>9,.0f}/s")


if __name__ == "__main__":
    main()
