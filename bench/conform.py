"""How fast are brokers judged? Prints calls/s, and who spends the time.

The scenarios that ship and some walks are played against the reference in this process and over
each transport, and against the sample in Python at each level. What an adapter lacks is left out.
The first run is told beside the fastest of all: what the reference does in a state that it was in
before is known by then, as it is while a failing run is made small. Seconds are those of the clock,
so a machine that is busy shows less; what this process computed stands beside them. The wire's
share is the time that is spent waiting for the adapter, its own work included. The rest is the
harness: predicting, judging, and playing the world.

    python -m bench.conform [RUNS]
"""

import gc
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import checker.conform.adapters
from checker.conform.collecting import rarely_collecting
from checker.conform.messages import LEVELS, Level, Limits, Message, Welcome
from checker.conform.operations import PROFILES
from checker.conform.running import Bench, Connect, is_out_of_reach, lacking
from checker.conform.scenarios import Scenario
from checker.conform.serving import reference_adapter
from checker.conform.suite import shipped, walks
from checker.conform.transports.channel import AnswerFun, Channel, Due, DueFun
from checker.conform.transports.inprocess import InProcess
from checker.conform.transports.stdio import Stdio
from checker.conform.transports.tcp import listen

SAMPLE = Path(checker.conform.adapters.__file__).parent / "sample.py"
SERVE = [sys.executable, "-m", "checker.conform"]
LIMITS = Limits(start_ms=120_000, turn_ms=60_000)
RUNS = 3
WALKS = 3


class Timed:
    """A channel that counts the seconds in which nobody but the adapter has to do anything."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._ours = 0.0
        self.seconds = 0.0

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """One turn. What is worked out meanwhile is the harness's time."""
        started, before = time.perf_counter(), self._ours
        received = self._channel.exchange(
            message,
            None if answer is None else self.clocked(answer),
            None if due is None else lambda: self._due(due),
        )
        self.seconds += time.perf_counter() - started - (self._ours - before)
        return received

    def clocked(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose time is the harness's."""

        def run(*args: object) -> object:
            started = time.perf_counter()
            found = function(*args)
            self._ours += time.perf_counter() - started
            return found

        return run

    def _due(self, due: DueFun) -> Due | None:
        found: Due | None = self.clocked(due)()
        return None if found is None else Clocked(found, self)

    def close(self) -> None:
        """End the conversation."""
        self._channel.close()

    def complaints(self) -> bytes:
        """The last of its standard error."""
        return self._channel.complaints()


class Clocked(Due):
    """What is due, of which the harness's part is counted as its own."""

    def __init__(self, due: Due, timed: Timed) -> None:
        super().__init__(due.message)
        self.line = timed.clocked(due.line)  # type: ignore[method-assign] # the same, on the clock
        self.look_ahead = timed.clocked(due.look_ahead)  # type: ignore[method-assign] # the same


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of all scenarios."""

    calls: int
    seconds: float
    computed: float
    """Seconds that this process computed."""

    @property
    def speed(self) -> float:
        """Calls per second."""
        return self.calls / self.seconds


def line(name: str, runs: Sequence[Measured], wire: float) -> str:
    """The runs for people: the first, and the fastest."""
    first, best = runs[0], min(runs, key=lambda each: each.seconds)
    computed = min(each.computed / each.calls for each in runs)
    return (
        f"{name:<26} {best.calls:>6,} calls {best.seconds:>6.2f} s {best.speed:>7,.0f}/s"
        f" (first {first.speed:>7,.0f}/s) computed {computed * 1e6:>4.0f} us/call"
        f" wire {wire:4.0%}, verdict {1 - wire:4.0%}"
    )


def measured(connect: Connect, level: Level, runs: int) -> list[Measured]:
    """Some runs against one adapter."""
    bench = Bench(connect, LIMITS)
    try:
        scenarios = playable(bench.welcome())
        return [run(bench, scenarios, level) for _ in range(runs)]
    finally:
        bench.close()


def share(connect: Connect, level: Level) -> float:
    """The part of a run, the second one, in which the adapter is waited for: a clock takes time."""
    timed = Timed(connect())
    bench = Bench(lambda: timed, LIMITS)
    try:
        scenarios = playable(bench.welcome())
        run(bench, scenarios, level)
        before = timed.seconds
        seconds = run(bench, scenarios, level).seconds
        return (timed.seconds - before) / seconds
    finally:
        bench.close()


def playable(welcome: Welcome) -> list[Scenario]:
    """What an adapter has the calls for."""
    return [
        one
        for one in (*shipped(), *walks(PROFILES, WALKS, 0))
        if not lacking(welcome, one) and not is_out_of_reach(welcome, one)
    ]


def run(bench: Bench, scenarios: Sequence[Scenario], level: Level) -> Measured:
    """Play all scenarios once."""
    calls = 0
    started, computed = time.perf_counter(), time.process_time()
    for scenario in scenarios:
        played = bench.play(scenario, scenario.steps, level)
        assert played.finding is None, (scenario.id, played.finding)
        calls += played.calls
    return Measured(calls, time.perf_counter() - started, time.process_time() - computed)


def subjects() -> list[tuple[str, Callable[[], Channel], Level]]:
    """What is measured: a name, who is spoken to, and the level."""
    adapter = reference_adapter()
    sample = [sys.executable, str(SAMPLE)]
    return [
        ("reference, in process, L3", lambda: InProcess(adapter), "L3"),
        *((f"sample, stdio, {each}", lambda: Stdio(sample, LIMITS), each) for each in LEVELS[1:]),
        ("reference, stdio, L3", lambda: Stdio(SERVE, LIMITS), "L3"),
        ("reference, TCP, L3", lambda: listen([*SERVE, "--tcp"], LIMITS), "L3"),
    ]


def main() -> None:
    """Measure, and print a line for each."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    for name, connect, level in subjects():
        # What one subject leaves behind is not for the next to clear away.
        gc.collect()
        with rarely_collecting():
            print(line(name, measured(connect, level, runs), share(connect, level)), flush=True)


if __name__ == "__main__":
    main()
