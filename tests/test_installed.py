"""Away from a checkout, as a wheel is installed, the commands work or say what they need."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from checker.commands.exits import Exit
from checker.ties.gathering import ROOT

PACKAGES = ("spec", "reference", "checker")
"""What is in a wheel."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages alone, with no tests beside them."""
    there = tmp_path_factory.mktemp("installed")
    for name in PACKAGES:
        copytree(ROOT / name, there / name, ignore=ignore_patterns("__pycache__"))
    return there


def told(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What a command comes to there."""
    return subprocess.run(
        [sys.executable, "-m", "checker", *words],
        cwd=installed,
        env=os.environ | {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("spec", "ROL-7"), "Sit down behind a seal"),
        (("explain", "D02"), "sequenceDiagram"),
    ],
)
def test_what_reads_and_searches_needs_no_checkout(
    words: tuple[str, ...], said: str, installed: Path
) -> None:
    ended = told(installed, *words)

    assert (ended.returncode, ended.stderr) == (Exit.OK, "")
    assert said in ended.stdout


@pytest.mark.parametrize(
    "words", [("spec", "--trace"), ("spec", "--break", "ROL-7"), ("draw",), ("site", "made")]
)
def test_what_needs_a_checkout_says_so_in_one_line(words: tuple[str, ...], installed: Path) -> None:
    ended = told(installed, *words)

    assert (ended.returncode, ended.stdout) == (Exit.USAGE, "")
    assert ended.stderr == (
        f"malachi-model: {' '.join(words[: 1 + (words[0] == 'spec')])} needs a checkout: "
        f"there are no tests in {installed}\n"
    )
