"""Where entrants are got ready: the programs they need, and folders to build in."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.peers.fencecore import Size
from bench.peers.figures import Counts

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


class MissingError(Exception):
    """An entrant cannot run here; the text says why, and what would help."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An entrant that has only to be started."""

    command: tuple[str, ...]
    folder: Path
    counts: Callable[[str], Counts]
    """Reads what the command printed; raises FailedError where that is no whole, clean search."""
    build_seconds: float = 0.0
    """What translating and compiling took, which is no part of a run."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """A temporary folder, and whether programs may be installed."""

    root: Path
    may_install: bool

    def folder(self, name: str) -> Path:
        """Make a folder, or answer it as it was left."""
        folder = self.root / name
        folder.mkdir(exist_ok=True)
        return folder

    def require(self, program: str, package: str, *, installs: bool = True) -> None:
        """See to it that a program can be started; it is in the named Debian package."""
        if shutil.which(program):
            return
        may = installs and self.may_install and os.geteuid() == 0 and shutil.which("apt-get")
        if may and self._install(package) and shutil.which(program):
            return
        raise MissingError(f"{program} is not installed; on Debian: apt-get install {package}")

    def pip(self, *arguments: str) -> None:
        """Let pip fetch something."""
        told = (sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments)
        ended = subprocess.run(told, capture_output=True, text=True, check=False)
        if ended.returncode:
            last = (ended.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise MissingError(f"pip {' '.join(arguments)}: {last}")

    @staticmethod
    def _install(package: str) -> bool:
        install = ("apt-get", "install", "--yes", "--no-install-recommends", package)
        for told in (install, ("apt-get", "update"), install):
            ended = subprocess.run(told, capture_output=True, check=False)
            if told is install and ended.returncode == 0:
                return True
        return False


def build(folder: Path, *commands: Sequence[str]) -> float:
    """Run the commands one after the other and answer the seconds they took."""
    begun = time.perf_counter()
    for command in commands:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise MissingError(f"{' '.join(command)}: {(ended.stdout + ended.stderr)[-1000:]}")
    return time.perf_counter() - begun


def constants(size: Size) -> dict[str, int]:
    """Name the constants as the models name them."""
    return {
        "F": size.frontends,
        "S": size.segments,
        "B": size.batches,
        "DEFECT": int(size.defect),
    }
