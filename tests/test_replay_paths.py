"""What is replayed when a path is given, and what is kept when it is interrupted."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from checker.commands.main import run
from checker.replay import replaying
from checker.replay.judging import judge
from checker.replay.paths import recordings
from checker.replay.replaying import replay_paths
from tests.recordings import TRACES, lines_of, path_of, put, written

RANDOM = TRACES / "random"
GOOD = path_of("188")


def copied(*paths: Path) -> None:
    """A recording at each of these paths."""
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(GOOD, path)


def test_a_folder_that_cannot_be_read_is_named_and_the_rest_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(tmp_path / "a.jsonl", tmp_path / "shut" / "b.jsonl", tmp_path / "u" / "c.jsonl")
    entries = Path.iterdir

    def iterdir(folder: Path) -> Iterator[Path]:
        if folder.name == "shut":
            raise PermissionError(13, "Permission denied")
        return entries(folder)

    monkeypatch.setattr(Path, "iterdir", iterdir)

    result = replay_paths([tmp_path])

    [complaint] = result.malformed
    assert complaint.text() == f"{tmp_path / 'shut'}: Permission denied"
    assert (result.files, result.verdict, result.exit_code) == (2, "malformed", 2)


def test_links_to_folders_are_followed_and_no_folder_is_entered_twice(tmp_path: Path) -> None:
    copied(tmp_path / "far" / "a.jsonl", tmp_path / "near" / "b.jsonl")
    (tmp_path / "near" / "link").symlink_to(tmp_path / "far")
    (tmp_path / "far" / "back").symlink_to(tmp_path / "near")

    found = recordings(tmp_path / "near")

    assert found.files == [tmp_path / "near" / "b.jsonl", tmp_path / "near" / "link" / "a.jsonl"]
    assert (found.malformed, found.unselected) == ([], [])


def test_a_recording_that_is_a_link_to_itself_is_named(tmp_path: Path) -> None:
    copied(tmp_path / "a.jsonl")
    (tmp_path / "loop.jsonl").symlink_to(tmp_path / "loop.jsonl")

    result = replay_paths(tmp_path)

    [complaint] = result.malformed
    assert complaint.text() == f"{tmp_path / 'loop.jsonl'}: Too many levels of symbolic links"
    assert result.agree > 0


def test_a_folder_named_as_a_recording_is_a_folder(tmp_path: Path) -> None:
    copied(tmp_path / "d.jsonl" / "a.jsonl")

    for given in (tmp_path, tmp_path / "d.jsonl"):
        assert recordings(given).files == [tmp_path / "d.jsonl" / "a.jsonl"]


def test_a_file_counts_once_by_whatever_name_it_is_reached(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    copied(path, tmp_path / "d" / "b.jsonl")
    (tmp_path / "c.jsonl").symlink_to(path)

    found = recordings([path, tmp_path / "d" / ".." / "a.jsonl", tmp_path / "c.jsonl"])

    assert found.files == [path]


def test_one_path_is_no_list_of_letters() -> None:
    assert replay_paths(str(GOOD)) == replay_paths(GOOD) == replay_paths([GOOD])


@pytest.mark.parametrize("what", [b"a.jsonl", None, 7, [None], [b"a.jsonl"], ["a", 7]])
def test_what_is_no_path_is_a_type_error(what: object) -> None:
    with pytest.raises(TypeError, match=r"^a recording is given as str or Path, not as "):
        replay_paths(what)  # type: ignore[arg-type] # that is the point


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", '"": an empty path names no file'),
        ("a\0b", "a\\x00b: a path holds no NUL character"),
        ("\ud800", "\\ud800: a path with half a surrogate pair names no file"),
        ("a" * 5000, f"{'a' * 5000}: File name too long"),
    ],
)
def test_a_path_that_no_file_can_have_is_named(path: str, said: str) -> None:
    result = replay_paths([path, GOOD])

    assert [one.text() for one in result.malformed] == [said]
    assert (result.exit_code, result.agree) == (2, len(lines_of("188")) - 1)


def test_a_folder_without_recordings_is_named_and_nothing_is_selected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for paths in ([tmp_path], [GOOD, tmp_path]):
        assert replay_paths(paths).verdict == "empty"

    code = run(["replay", str(tmp_path)])

    said = f"malachi-model: {tmp_path}: no .jsonl file in this folder: nothing to replay\n"
    assert (code, capsys.readouterr().err) == (5, said)


def test_an_interrupt_between_files_keeps_what_was_judged() -> None:
    def interrupt(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    result = replay_paths([RANDOM], interrupt)

    assert (result.files, result.calls, result.agree + result.known_deviations) == (2, 171, 171)
    assert (result.interrupted, result.verdict, result.exit_code) == (True, "unfinished", 4)
    assert result.as_json()["interrupted"] is True


def test_an_interrupt_within_a_file_keeps_its_calls_and_finds_no_entry_stale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = iter([judge, judge, judge])

    def interrupted(*args: object) -> object:
        for real in turns:
            return real(*args)  # type: ignore[arg-type] # passed on
        raise KeyboardInterrupt

    monkeypatch.setattr(replaying, "judge", interrupted)

    result = replay_paths([path_of("066")])

    assert (result.files, result.calls, result.stale) == (1, 3, ())
    assert result.verdict == "unfinished"


def test_a_difference_weighs_more_than_an_interrupt(tmp_path: Path) -> None:
    lines = lines_of("189")
    put("reply", 7)(lines[1])

    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    result = replay_paths([written(tmp_path, lines)], interrupt)

    assert (result.interrupted, result.verdict, result.exit_code) == (True, "differs", 1)
