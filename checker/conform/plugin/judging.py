"""Scenarios as items of pytest, judged as `conform run` does, and told in the same words.

PYTEST_DONT_REWRITE: no assertion here is one of a test.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from checker.commands.exits import CommandError
from checker.conform.claiming import claimed
from checker.conform.known import Known, Weighed, weigh
from checker.conform.messages import Welcome
from checker.conform.plugin.settings import (
    Settings,
    adapter_named,
    arguments,
    config_paths,
    settings_of,
)
from checker.conform.reports.terminal import told_whole
from checker.conform.running import Bench, is_out_of_reach, level_of, run_one
from checker.conform.scenarios import Scenario
from checker.conform.transports.channel import ChannelError
from checker.conform.transports.stdio import StartError

NODE = "conform"
"""What stands before a scenario's id where no configuration file is collected."""
ID, JUDGED = "conform_id", "conform_judged"
LEVEL, PROFILES = "conform_level", "conform_profiles"
"""Properties of an item's report; other processes read them, and JUnit files hold them."""

PATHS = pytest.StashKey[list[Path]]()
"""The configuration files that are collected."""


class Departure(Exception):  # noqa: N818 # what departs is the broker's mistake, not one of ours
    """A result that is not as expected; its text is the one of the terminal report."""


class Judge:
    """One adapter in this process, started when the first scenario is played."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._known: dict[str, Known] = settings.known()
        self._bench = Bench(settings.connect(), settings.limits)
        self._trouble = ""

    def welcome(self) -> Welcome:
        """Who answers. Where nobody does, it is not tried again."""
        if not self._trouble:
            try:
                return self._bench.welcome()
            except StartError as error:
                self._trouble = str(error)
            except ChannelError as error:
                said = self._bench.complaints().decode(errors="replace").strip()
                after = f", after it wrote {said[-200:]!r}" if said else ""
                self._trouble = f"{error.outcome}: the adapter {error}{after}"
            self._bench.close()
        raise Departure(self._trouble)

    def judge(self, scenario: Scenario) -> tuple[Weighed, str]:
        """Play one scenario; what came of it, and at which level it was judged."""
        welcome = self.welcome()
        if is_out_of_reach(welcome, scenario):
            pytest.skip("topics are routed by another hash there")
        level = level_of(welcome, self.settings.level)
        result = run_one(self._bench, scenario, level)
        weighed = weigh(result, self._known, datetime.now(UTC).date())
        return weighed, f"{welcome.implementation}, judged at {level}"

    def close(self) -> None:
        """End the adapter."""
        self._bench.close()


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, scenario: Scenario, judge: Judge, **given: Any) -> None:  # noqa: ANN401 # pytest's own
        super().__init__(**given)
        self.scenario = scenario
        self.judge = judge
        self.extra_keyword_matches |= {*scenario.clauses, *scenario.spoken_for}

    def runtest(self) -> None:
        """Play it."""
        self.user_properties.append((ID, self.scenario.id))
        weighed, judged = self.judge.judge(self.scenario)
        self.user_properties += [
            (LEVEL, weighed.result.level or ""),
            (PROFILES, "+".join(self.scenario.spoken_for)),
            (JUDGED, judged),
        ]
        if not weighed.is_expected:
            raise Departure("\n".join(told_whole(weighed, self.judge.settings.command)))
        if weighed.known is not None:
            pytest.xfail(f"known: {weighed.known.reason} ({weighed.known.issue})")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401 # pytest's own
        """What departs, without a trace of our own code."""
        if isinstance(excinfo.value, Departure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """What stands above a failure."""
        return self.path, None, f"{NODE}: {self.scenario.id}"


class ConformFile(pytest.File):
    """A configuration file: its adapter, and the scenarios that it selects."""

    def collect(self) -> Iterator[ScenarioItem]:
        """An item for each scenario."""
        try:
            settings = settings_of(self.path, adapter_named(self.config))
            yield from items_of(self, settings)
        except CommandError as error:
            raise self.CollectError(str(error)) from None


class ConformNode(pytest.Collector):
    """An adapter that is named without a file."""

    def collect(self) -> Iterator[ScenarioItem]:
        """An item for each scenario."""
        yield from items_of(self, settings_of(None, adapter_named(self.config)))


def items_of(parent: pytest.Collector, settings: Settings) -> Iterator[ScenarioItem]:
    """The items of an adapter, which is ended when pytest is."""
    judge = Judge(settings)
    parent.config.add_cleanup(judge.close)
    for scenario in settings.scenarios():
        yield ScenarioItem.from_parent(parent, name=scenario.id, scenario=scenario, judge=judge)


def pytest_configure(config: pytest.Config) -> None:
    """See before anything runs that there is something to judge, and have its files collected."""
    try:
        adapter = adapter_named(config)
        paths = config_paths(config, is_adapter_named=bool(adapter))
        files: list[Path | None] = [*paths] or [None]
        for path in files:
            see_that_it_runs(settings_of(path, adapter))
    except CommandError as error:
        raise pytest.UsageError(f"conform: {error}") from None
    config.stash[PATHS] = paths
    config.args += [str(each) for each in paths if each not in arguments(config)]


def see_that_it_runs(settings: Settings) -> None:
    """Raise CommandError where no adapter, no scenario or no program is there."""
    settings.connect()
    settings.scenarios()
    settings.known()
    if settings.argv and which(settings.argv[0]) is None:
        raise CommandError(f"{settings.argv[0]!r} cannot be started: there is no such program")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ConformFile | None:
    """Collect a configuration file that was asked for; one that is only there is left alone."""
    if file_path in parent.config.stash[PATHS]:
        return ConformFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the scenarios of an adapter that is named without a file, before any is left out."""
    if not config.stash[PATHS]:
        items.extend(ConformNode.from_parent(session, name=NODE, nodeid=NODE).collect())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was shown, from what all processes judged."""
    reports = [each for found in terminalreporter.stats.values() for each in found]
    ended = [dict(each.user_properties) for each in reports if is_ended(each)]
    judged = [each for each in ended if JUDGED in each]
    left_out = {each[ID] for each in ended if JUDGED not in each}
    for name in sorted({each[JUDGED] for each in judged}):
        own = [each for each in judged if each[JUDGED] == name]
        shown = [(each[LEVEL] or None, each[PROFILES].split("+")) for each in own]
        seen = left_out.union(each[ID] for each in own)
        terminalreporter.write_line(f"{name}; claim: {claimed(shown, seen)}")


def is_ended(report: object) -> bool:
    """Whether a report is that of a scenario that was played, or cannot be."""
    return (
        isinstance(report, pytest.TestReport)
        and report.when == "call"
        and ID in dict(report.user_properties)
    )
