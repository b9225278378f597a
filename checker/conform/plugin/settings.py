"""What a run of pytest is asked to judge: options, ini file and configuration file in one."""

import os
import shlex
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest

from checker.commands.conform.adapters import command_of, reached
from checker.commands.conform.configuration import read
from checker.commands.conform.selection import profiles_named, selected
from checker.commands.exits import CommandError
from checker.conform.known import Known, KnownError, read_known, unmatched
from checker.conform.messages import Level, Limits
from checker.conform.plugin import CONFIG
from checker.conform.running import Connect
from checker.conform.scenarios import Scenario
from checker.conform.suite import shipped


@dataclass(frozen=True, slots=True)
class Settings:
    """An adapter, and how it is judged. The names are those of the options of `conform run`."""

    argv: tuple[str, ...] = ()
    address: str | None = None
    tcp: bool = False
    profiles: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    walks: int = 3
    seed: int = 0
    level: Level | None = None
    known_path: Path | None = None
    start_ms: int = Limits().start_ms
    turn_ms: int = Limits().turn_ms

    @property
    def limits(self) -> Limits:
        """How long it may take."""
        return replace(Limits(), start_ms=self.start_ms, turn_ms=self.turn_ms)

    @property
    def command(self) -> str:
        """How `conform run` is told of the adapter."""
        return command_of(self.argv, self.address, tcp=self.tcp, reference=False)

    def connect(self) -> Connect:
        """What starts the adapter. Raises CommandError where none is named, or two are."""
        return reached(self.argv, self.address, self.limits, tcp=self.tcp, reference=False)

    def scenarios(self) -> list[Scenario]:
        """What is played. Raises CommandError where that is nothing."""
        names = profiles_named(self.profiles)
        found = selected(names, self.only, (), self.walks, self.seed)
        if not found:
            said = ", ".join([*self.profiles, *self.only])
            raise CommandError(f"no scenario is selected by {said}")
        return found

    def known(self) -> dict[str, Known]:
        """The known failures by scenario. Raises CommandError."""
        if self.known_path is None:
            return {}
        try:
            known = read_known(self.known_path)
        except KnownError as error:
            raise CommandError(str(error)) from None
        names = {one.id for one in shipped()}
        left = [one for one in unmatched(known, names) if not one.id.startswith("walk-")]
        if left:
            raise CommandError(
                f"no scenario is called {left[0].id!r}, which {self.known_path} names"
            )
        return {each.id: each for each in known}


def config_paths(config: pytest.Config, *, is_adapter_named: bool) -> list[Path]:
    """The configuration files of a run: of its arguments, its options, and its ini file.

    The one that stands where the run was started counts where an adapter is named and no file.
    """
    start = config.invocation_params.dir
    found = [each for each in arguments(config) if each.name == CONFIG]
    option, line = config.getoption("conform_config"), config.getini("conform_config")
    if option or line:
        found.append(absolute(start / option if option else config.rootpath / line))
    default = start / CONFIG
    if is_adapter_named and not found and default.exists():
        found.append(absolute(default))
    return list(dict.fromkeys(found))


def arguments(config: pytest.Config) -> list[Path]:
    """The files and folders among the arguments."""
    start = config.invocation_params.dir
    return [absolute(start / each.partition("::")[0]) for each in config.args]


def absolute(path: Path) -> Path:
    """A path as pytest writes it: whole, with its links left alone."""
    return Path(os.path.abspath(path))  # noqa: PTH100 # resolve follows links


def adapter_named(config: pytest.Config) -> tuple[str, ...]:
    """The command of the adapter that an option names, else that of the ini file."""
    said = config.getoption("conform_adapter") or config.getini("conform_adapter")
    try:
        return tuple(shlex.split(said or ""))
    except ValueError as error:
        raise CommandError(f"the adapter's command {said!r} cannot be read: {error}") from None


def settings_of(path: Path | None, adapter: tuple[str, ...]) -> Settings:
    """The settings of a file, with the adapter that is named in place of its own.

    Raises CommandError.
    """
    found: dict[str, Any] = {} if path is None else read(path)
    if adapter:
        found = {**found, "argv": adapter, "address": None}
    wanted = {each.name for each in fields(Settings)}
    return Settings(**{name: each for name, each in found.items() if name in wanted})
