"""The walk-through for implementers, done as it says: what it shows to type leads to green."""

import re
import shutil
from pathlib import Path

import pytest

import checker.conform
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.skeletons import CONFIG

PAGE = (Path(checker.conform.__file__).parent / "walkthrough.md").read_text("utf-8")
PATIENT = ("--start-ms", "120000", "--turn-ms", "60000")
FOUR = (
    *("--only", "core-a-keyspace-*", "--only", "core-a-topic-needs-*"),
    *("--only", "core-options-*", "--only", "core-a-command-nobody-answered"),
)
"""The scenarios that the page names."""
UNTESTABLE = re.search(r"echo \$\?\n(FILL IN, .*?)3\n```", PAGE, re.DOTALL)
"""What the page shows of a run that could not test all."""
ENDS = """4 scenarios, 21 calls: 4 pass
  core     L1   4 pass
claim: L1 core (of a selection: 4 of the 61 scenarios that ship)
"""


def blocks(language: str) -> list[str]:
    """What the page shows to type in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def between(text: str, begin: str, end: str, new: str) -> str:
    """A text with what stands from one mark to another replaced."""
    before, mark, rest = text.partition(begin)
    _, after, left = rest.partition(end)
    assert mark
    assert after
    return f"{before}{new}{after}{left}"


def initialized(language: str, folder: Path) -> Path:
    """The adapter that `init` writes."""
    assert run(["conform", "init", "--lang", language, str(folder)]) == Exit.OK
    return next(each for each in folder.iterdir() if each.stem == "adapter")


def test_the_page_names_the_scenarios_that_are_run_here() -> None:
    command = re.search(r"\$ malachi-model conform run (--only .*?)\nFILL IN", PAGE, re.DOTALL)

    assert command is not None
    named = command[1].replace("\\\n", " ").replace("'", "").split()
    assert named == list(FOUR)
    assert ENDS in PAGE


def test_what_the_page_says_in_python_leads_to_green(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter = initialized("python", tmp_path)
    calls, name = blocks("python")
    text = between(adapter.read_text("utf-8"), "def open_broker(", "def shown(", f"{calls}\n\n")
    known = '    "create_topic": create_topic,\n'
    adapter.write_text(text.replace(known, known + name), "utf-8")

    there = ("--config", str(tmp_path / CONFIG), "--", "python3", str(adapter))
    code = run(["conform", "run", *PATIENT, *FOUR, *there])

    said = capsys.readouterr().out
    assert code == Exit.OK, said
    assert ENDS in said
    some = ("--only", "core-a-keyspace-*", "--only", "core-a-batch-*")
    assert UNTESTABLE is not None
    assert run(["conform", "run", *PATIENT, *some, *there]) == Exit.UNDETERMINED
    assert capsys.readouterr().out == UNTESTABLE[1]
    assert run(["conform", "run", *PATIENT, *there]) == Exit.BROKEN
    assert capsys.readouterr().out.startswith("core-a-command-nobody-answered-raft: fail/reply")


@pytest.mark.skipif(
    shutil.which("elixir") is None, reason="elixir is not installed: apt-get install elixir"
)
def test_what_the_page_says_in_elixir_leads_to_green(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter = initialized("elixir-port", tmp_path)
    calls, names = blocks("elixir")
    text = adapter.read_text("utf-8")
    text = between(text, "  # FILL IN: open a broker", "  # FILL IN: the state", f"{calls}\n")
    text = text.replace('  def ops, do: ["open", "create_topic"]\n', names)
    adapter.write_text(text, "utf-8")

    code = run(["conform", "run", *PATIENT, *FOUR, "--", "elixir", str(adapter)])

    said = capsys.readouterr().out
    assert code == Exit.OK, said
    assert ENDS in said
