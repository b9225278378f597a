"""How fast are brokers judged? Prints calls/s, and who spends the time.

The scenarios that ship and some walks are played against the reference in this process and over
each transport, and against the sample in Python at each level. What an adapter lacks is left out.
Each is run several times and the fastest run counts; seconds are those of the clock, so a machine
that is busy shows less. The wire's share is all that is spent between a message and its answer, the
adapter's own work included; the rest is the harness: predicting, judging, and playing the world.

    python -m bench.conform [RUNS]
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import checker.conform.adapters
from checker.conform.collecting import rarely_collecting
from checker.conform.messages import LEVELS, Level, Limits, Message, Welcome
from checker.conform.operations import PROFILES
from checker.conform.running import Bench, Connect, is_out_of_reach, lacking
from checker.conform.scenarios import Scenario
from checker.conform.serving import reference_adapter
from checker.conform.suite import shipped, walks
from checker.conform.transports.channel import AnswerFun, Channel, DueFun
from checker.conform.transports.inprocess import InProcess
from checker.conform.transports.stdio import Stdio
from checker.conform.transports.tcp import listen

SAMPLE = Path(checker.conform.adapters.__file__).parent / "sample.py"
SERVE = [sys.executable, "-m", "checker.conform"]
LIMITS = Limits(start_ms=120_000, turn_ms=60_000)
RUNS = 3
WALKS = 3


@dataclass(slots=True)
class Timed:
    """A channel that counts the seconds between a message and its answer."""

    channel: Channel
    seconds: float = 0.0

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """One turn. What is asked back meanwhile is the harness's time."""
        ours = 0.0

        def answered(effect: Message) -> Message:
            nonlocal ours
            started = time.perf_counter()
            assert answer is not None
            found = answer(effect)
            ours += time.perf_counter() - started
            return found

        started = time.perf_counter()
        received = self.channel.exchange(message, None if answer is None else answered, due)
        self.seconds += time.perf_counter() - started - ours
        return received

    def close(self) -> None:
        """End the conversation."""
        self.channel.close()

    def complaints(self) -> bytes:
        """The last of its standard error."""
        return self.channel.complaints()


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of all scenarios."""

    calls: int
    seconds: float
    wire: float

    def line(self, name: str) -> str:
        """The run for people."""
        share = self.wire / self.seconds
        return (
            f"{name:<28} {self.calls:>6,} calls {self.seconds:>7.2f} s"
            f" {self.calls / self.seconds:>8,.0f}/s  wire {share:4.0%}, verdict {1 - share:4.0%}"
        )


def fastest(connect: Connect, level: Level, runs: int) -> Measured:
    """The fastest of some runs against one adapter."""
    timed: list[Timed] = []

    def connected() -> Channel:
        timed.append(Timed(connect()))
        return timed[-1]

    bench = Bench(connected, LIMITS)
    try:
        scenarios = playable(bench.welcome())
        return min(
            (run(bench, timed[-1], scenarios, level) for _ in range(runs)),
            key=lambda each: each.seconds,
        )
    finally:
        bench.close()


def playable(welcome: Welcome) -> list[Scenario]:
    """What an adapter has the calls for."""
    return [
        one
        for one in (*shipped(), *walks(PROFILES, WALKS, 0))
        if not lacking(welcome, one) and not is_out_of_reach(welcome, one)
    ]


def run(bench: Bench, timed: Timed, scenarios: Sequence[Scenario], level: Level) -> Measured:
    """Play all scenarios once."""
    calls, before, started = 0, timed.seconds, time.perf_counter()
    for scenario in scenarios:
        played = bench.play(scenario, scenario.steps, level)
        assert played.finding is None, (scenario.id, played.finding)
        calls += played.calls
    return Measured(calls, time.perf_counter() - started, timed.seconds - before)


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
    with rarely_collecting():
        for name, connect, level in subjects():
            print(fastest(connect, level, runs).line(name), flush=True)


if __name__ == "__main__":
    main()
