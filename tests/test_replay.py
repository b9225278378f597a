"""The recordings of a broker, replayed: the reference does what they show, or it is argued."""

from pathlib import Path

import pytest

from checker.replay.deviations import Deviations, known_deviations
from checker.replay.replaying import replay_paths
from checker.replay.result import ReplayResult
from spec.clauses import clause_of

TRACES = Path(__file__).parent / "data" / "traces"
NOTHING_KNOWN = Deviations("", {}, ())
MOST_KINDS = 12


@pytest.fixture(scope="module")
def whole() -> ReplayResult:
    """All recordings."""
    return replay_paths([TRACES])


def test_every_recorded_call_agrees_or_is_a_known_deviation(whole: ReplayResult) -> None:
    assert (whole.unexplained, whole.stale, whole.malformed) == (0, (), ())
    assert (whole.files, whole.calls) == (202, 6945)
    assert (whole.agree, whole.known_deviations) == (6878, 67)
    assert (whole.verdict, whole.exit_code) == ("agrees", 0)


def test_every_covered_call_was_met_and_only_they_differ(whole: ReplayResult) -> None:
    covered = sorted(call for call, _ in known_deviations().covered())

    bare = replay_paths({one.file for one in whole.known}, deviations=NOTHING_KNOWN)

    assert sorted((Path(one.file).stem, one.n) for one in whole.known) == covered
    assert sorted((Path(one.file).stem, one.n) for one in bare.differences) == covered


def test_the_table_of_deviations_is_small_and_argued() -> None:
    table = known_deviations()

    assert len(table.kinds) <= MOST_KINDS
    assert not list(table.faults())
    for kind in table.kinds:
        assert clause_of(kind.clause).id == kind.clause
        assert len(kind.reason) > len(kind.name)


def test_the_table_knows_how_many_calls_each_recording_has() -> None:
    calls = {path.stem: path.read_bytes().count(b"\n") - 1 for path in TRACES.rglob("*.jsonl")}

    assert dict(known_deviations().recordings) == calls


def test_a_file_alone_is_judged_as_it_is_in_its_folder() -> None:
    one = replay_paths([TRACES / "random" / "random-019.jsonl"])

    assert (one.files, one.unexplained, one.verdict) == (1, 0, "agrees")
    assert {known.deviation for known in one.known} == {"whole-budget-for-every-read"}


def test_a_file_given_twice_counts_once() -> None:
    path = TRACES / "random" / "random-001.jsonl"

    assert replay_paths([path, path]) == replay_paths([path])


def test_progress_tells_the_files_done_and_the_files_in_all() -> None:
    told: list[tuple[int, int]] = []
    paths = sorted((TRACES / "random").glob("random-00[12].jsonl"))

    replay_paths(paths, progress=lambda done, files: told.append((done, files)))

    assert told == [(1, 2), (2, 2)]
