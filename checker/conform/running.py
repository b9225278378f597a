"""Scenarios against an adapter: each with its outcome, at the highest level that it passes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from checker.conform.calls.table import OPERATIONS
from checker.conform.messages import LEVELS, Level, Limits, Welcome
from checker.conform.operations import PROFILES, Profile
from checker.conform.oracles import Knowledge
from checker.conform.outcomes import Finding, Outcome
from checker.conform.recorder import Line, Recorder
from checker.conform.scenarios import Scenario
from checker.conform.session import Session, greet
from checker.conform.shrinking import Shrinker
from checker.conform.steps import Step
from checker.conform.transports.channel import Channel, ChannelError
from checker.conform.transports.stdio import StartError

Connect = Callable[[], Channel]
"""Starts an adapter, or connects to one."""
LOWER: dict[Outcome, Level] = {"fail/state": "L2", "fail/effect": "L1", "fail/reply": "L0"}
"""The level that is tried where a scenario fails in this way."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one scenario."""

    scenario: Scenario
    outcome: Outcome
    level: Level | None
    """The highest level at which it passes; none where there is none."""
    calls: int
    finding: Finding | None = None
    steps: tuple[Step, ...] = ()
    """The run that fails, as small as it got."""
    lacks: tuple[Profile, ...] = ()
    """The profiles of the calls that the adapter does not have, where it is unsupported."""
    missing: tuple[str, ...] = ()
    """Those calls."""
    note: str = ""
    """Why it is unsupported, or how it is flaky."""
    complaints: bytes = b""
    """What the adapter last wrote on standard error, where it went away."""
    lines: tuple[Line, ...] = ()
    """What passed, where it was to be kept."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one run."""

    finding: Finding | None
    calls: int
    complaints: bytes = b""
    lines: tuple[Line, ...] = ()


@dataclass(slots=True)
class Bench:
    """One adapter, started anew where it went away."""

    connect: Connect
    limits: Limits
    keep_lines: bool = False
    restarts: int = 0
    _channel: Channel | None = None
    _welcome: Welcome | None = None
    _knowledge: Knowledge | None = None
    """What the adapter that runs now has said of its hash."""
    _left_behind: bytes = b""
    """What the adapter that went away had last written on standard error."""

    def welcome(self) -> Welcome:
        """Who answers. Raises ChannelError."""
        return self._greeted()[1]

    def play(self, scenario: Scenario, steps: tuple[Step, ...], level: Level) -> Played:
        """Play steps, and start the adapter anew before, where it had gone away."""
        try:
            channel, welcome = self._greeted()
        except ChannelError as error:
            return Played(Finding(error.outcome, 0, "", "", str(error)), 0, self.complaints())
        except StartError as error:
            # It could be started before: it went away, and cannot be called back.
            return Played(Finding("error/exit", 0, "", "", str(error)), 0)
        recorder = Recorder(channel) if self.keep_lines else None
        session = Session(recorder or channel, welcome, scenario.world, level, self._knowledge)
        finding = session.run(steps)
        complaints = b""
        if finding is not None and finding.outcome.startswith("error/"):
            complaints = self._drop()
        return Played(finding, session.calls, complaints, tuple(recorder.lines if recorder else ()))

    def complaints(self) -> bytes:
        """The last that the adapter wrote on standard error, or the one before, if it is gone."""
        return self._left_behind if self._channel is None else self._channel.complaints()

    def close(self) -> None:
        """End the adapter."""
        self._drop()

    def _greeted(self) -> tuple[Channel, Welcome]:
        if self._channel is None:
            if self.restarts > self.limits.restarts:
                said = f"the adapter went away {self.restarts} times"
                raise ChannelError("error/exit", said)
            self.restarts += 1
            self._channel = self.connect()
            try:
                self._welcome = greet(self._channel, self.limits)
            except ChannelError:
                # Who was not greeted is not played with.
                self._drop()
                raise
            self._knowledge = Knowledge(self._welcome.capabilities)
        assert self._welcome is not None
        return self._channel, self._welcome

    def _drop(self) -> bytes:
        """End the adapter; what it last complained of."""
        channel, self._channel = self._channel, None
        if channel is None:
            return b""
        self._left_behind = channel.complaints()
        channel.close()
        return self._left_behind


def run_all(
    bench: Bench, scenarios: Iterable[Scenario], level: Level, *, shrink: bool = True
) -> Iterator[Result]:
    """Each scenario in turn."""
    for scenario in scenarios:
        yield run_one(bench, scenario, level, shrink=shrink)


def run_one(bench: Bench, scenario: Scenario, level: Level, *, shrink: bool = True) -> Result:
    """Play a scenario, see a failure twice, and make it small."""
    try:
        lack = lacking(bench.welcome(), scenario)
    except (ChannelError, StartError):
        lack = ""
    if lack:
        missing = tuple(sorted(scenario.ops - bench.welcome().ops))
        lacks = tuple(sorted({OPERATIONS[op].profile for op in missing}))
        return Result(scenario, "unsupported", None, 0, lacks=lacks, missing=missing, note=lack)
    first = bench.play(scenario, scenario.steps, level)
    if first.finding is None:
        return Result(scenario, "pass", level, first.calls, lines=first.lines)
    again = bench.play(scenario, scenario.steps, level)
    if signature(again) != signature(first):
        note = f"once {signature(first) or 'pass'}, then {signature(again) or 'pass'}"
        return Result(scenario, "flaky", None, first.calls, first.finding, note=note)
    small = made_small(bench, scenario, first.finding, level) if shrink else scenario.steps
    shown = bench.play(scenario, small, level)
    finding = shown.finding or first.finding
    return Result(
        scenario,
        finding.outcome,
        passed_level(bench, scenario, finding.outcome),
        first.calls,
        finding,
        small,
        complaints=first.complaints,
        lines=shown.lines,
    )


def signature(played: Played) -> str:
    """What makes two failures the same; nothing where there is none."""
    return "" if played.finding is None else played.finding.signature


def made_small(
    bench: Bench, scenario: Scenario, finding: Finding, level: Level
) -> tuple[Step, ...]:
    """The smallest run that fails alike. One that ends the adapter is left as it is."""
    if finding.outcome.startswith("error/"):
        return scenario.steps[: finding.step + 1]

    def fails(steps: tuple[Step, ...]) -> bool:
        return signature(bench.play(scenario, steps, level)) == finding.signature

    return Shrinker(fails).shrink(scenario.steps[: finding.step + 1])


def passed_level(bench: Bench, scenario: Scenario, outcome: Outcome) -> Level | None:
    """The highest level below that it passes."""
    while outcome in LOWER:
        level = LOWER[outcome]
        if level == "L0":
            return "L0"
        finding = bench.play(scenario, scenario.steps, level).finding
        if finding is None:
            return level
        if finding.outcome == outcome:
            return None
        outcome = finding.outcome
    return None


def lacking(welcome: Welcome, scenario: Scenario) -> str:
    """What an adapter lacks for a scenario; nothing where it can be played."""
    missing = sorted(scenario.ops - welcome.ops)
    if missing:
        return f"it does not have {', '.join(missing)}"
    if scenario.brokers > max(1, welcome.capabilities.brokers):
        return f"it has room for {welcome.capabilities.brokers} broker, and {scenario.brokers} play"
    return ""


def is_out_of_reach(welcome: Welcome, scenario: Scenario) -> bool:
    """Whether topics are routed by a hash that the adapter does not share.

    Who brings a hash of its own is not asked where topics live, and so always has one vnode.
    """
    has_routes = len(scenario.world.authority.ring) != 1
    return has_routes and welcome.capabilities.position == "oracle"


def level_of(welcome: Welcome, wanted: Level | None) -> Level:
    """The level to judge at: what was asked for, else what the adapter says of itself."""
    return welcome.level if wanted is None else wanted


def claim(results: Iterable[Result]) -> str:
    """What was shown, by profile: `L3 core+plan; L2 roll`. Computed, never declared.

    What is unsupported speaks against the profiles whose calls are lacking, and no others.
    """
    return claim_of((each.level, each.lacks or each.scenario.spoken_for) for each in results)


def claim_of(shown: Iterable[tuple[str | None, Sequence[str]]]) -> str:
    """The claim of levels that were passed, each with the profiles that it is counted for."""
    reached = heights(shown)
    said = []
    for height in range(len(LEVELS) - 1, -1, -1):
        names = [one for one in PROFILES if reached.get(one) == height]
        if names:
            said.append(f"{LEVELS[height]} {'+'.join(names)}")
    return "; ".join(said) or "nothing"


def heights(shown: Iterable[tuple[str | None, Sequence[str]]]) -> dict[str, int]:
    """The lowest place among the levels of what counts for each profile; -1 where one is none."""
    reached: dict[str, int] = {}
    for level, profiles in shown:
        height = next((at for at, one in enumerate(LEVELS) if one == level), -1)
        for profile in profiles:
            reached[profile] = min(reached.get(profile, len(LEVELS)), height)
    return reached
