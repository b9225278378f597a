"""Where the reports of a conformance run go: each to a file of its own."""

from pathlib import Path

import pytest

from checker.commands.exits import Exit
from checker.commands.main import run

ONLY = "core-a-keyspace-*"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("--events", "zz"), ("--junit", "zz")),
        (("--transcript", "zz"), ("--html", "there/../zz")),
        (("--markdown", "zz"), ("--sarif", "linked")),
        (("--junit", "zz"), ("--save", "zz")),
        (("--known", "known"), ("--events", "known")),
        (("--known", "known"), ("--sarif", "hard")),
    ],
)
def test_two_reports_to_one_file_are_refused_before_the_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    first: tuple[str, str],
    second: tuple[str, str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "linked").symlink_to("zz")
    (tmp_path / "known").write_text("kept")
    (tmp_path / "hard").hardlink_to("known")
    (tmp_path / "there").mkdir()

    code = run(["conform", "run", "--only", ONLY, *first, *second, "--reference"])

    told = capsys.readouterr()
    assert code == Exit.USAGE
    assert told.out == ""
    said = f"{first[0]} and {second[0]} name one file, {second[1]}: give each"
    assert told.err == f"malachi-model: {said} its own\n"
    assert not (tmp_path / "zz").exists()
    assert (tmp_path / "known").read_text() == "kept"


def test_two_reports_to_what_keeps_nothing_are_two(capsys: pytest.CaptureFixture[str]) -> None:
    reports = ("--events", "/dev/null", "--junit", "/dev/null")

    assert run(["conform", "run", "--only", ONLY, *reports, "--reference"]) == Exit.OK
    assert capsys.readouterr().err == ""
