"""The README: what it shows is what the commands print."""

import re
from pathlib import Path

import pytest

from checker.commands.main import COMMANDS, run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("command", "shown"),
    re.findall(r"```console\n\$ malachi-model ([^\n]*)\n(.*?)```", README, re.DOTALL),
)
def test_the_readme_shows_what_the_command_prints(
    command: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(command.split())

    assert shown == capsys.readouterr().out


def test_the_readme_names_every_command() -> None:
    listed = set(re.findall(r"^\| `malachi-model (\w+)", README, re.MULTILINE))

    assert listed == set(COMMANDS)


def test_the_readme_links_only_to_what_is_there() -> None:
    links = [target for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target]

    assert [target for target in links if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("command", ["prove", "site", "draw", "findings", "defects", "mutants"])
def test_what_takes_long_says_how_long_in_its_help_and_in_the_readme(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = README.partition("\nWhat takes long, about, on two cores: ")[2].partition("\n\n")[0]

    run([command, "--help"])

    told = " ".join(capsys.readouterr().out.split())
    assert re.search(r"(about|up to) (half a minute|\d+ (seconds|minutes))", told, re.IGNORECASE)
    assert f"`{command}" in said
