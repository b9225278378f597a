"""Where each wrong broker is caught: at the lowest level that shows it, in the fewest calls."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from checker.conform.messages import LEVELS, Level, Limits
from checker.conform.running import Bench, made_small
from checker.conform.scenarios import Scenario
from checker.conform.steps import Call
from checker.conform.transports.inprocess import InProcess
from checker.conform.wrong.brokers import WrongBroker


@dataclass(frozen=True, slots=True)
class Caught:
    """How a wrong broker is caught."""

    level: Level
    scenario: str
    calls: int
    """Made until it was named."""
    shrunk: int = 0
    """Calls of the smallest run that shows the same: none of its steps can be left out."""


def caught(broker: WrongBroker, scenarios: Iterable[Scenario]) -> Caught | None:
    """Where it is caught; none where it survives."""
    adapter = broker.adapter()
    bench = Bench(lambda: InProcess(adapter), Limits())
    telling = [each for each in scenarios if each.ops & broker.calls.keys()]
    for level in LEVELS[1:]:
        found = catching(bench, telling, level)
        first = min(found, key=lambda each: (each.calls, each.scenario), default=None)
        if first is not None:
            scenario = next(each for each in telling if each.id == first.scenario)
            return replace(first, shrunk=shrunk(bench, scenario, level))
    return None


def shrunk(bench: Bench, scenario: Scenario, level: Level) -> int:
    """How many calls are left of a scenario that fails, once it is small."""
    finding = bench.play(scenario, scenario.steps, level).finding
    assert finding is not None
    steps = made_small(bench, scenario, finding, level)
    return sum(isinstance(step, Call) for step in steps)


def catching(bench: Bench, scenarios: Iterable[Scenario], level: Level) -> Iterator[Caught]:
    """Every scenario that catches it at a level."""
    for scenario in scenarios:
        played = bench.play(scenario, scenario.steps, level)
        if played.finding is not None:
            yield Caught(level, scenario.id, played.calls)
