"""The replay of files and folders: every call judged, every difference explained or not."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from checker.replay.clauses import clause_of
from checker.replay.comparing import Difference
from checker.replay.deviations import Deviations, known_deviations
from checker.replay.judging import Seen, judge
from checker.replay.machine import machine
from checker.replay.result import CallDifference, Complaint, KnownDeviation, ReplayResult
from checker.replay.terms import MalformedError
from checker.replay.trace import Call, Header, Trace
from checker.search.pausing import collector_paused

Progress = Callable[[int, int], None]
"""Called after each file with the files done and the files in all."""

SUFFIX = ".jsonl"


@dataclass(slots=True)
class Tally:
    """What was found so far."""

    deviations: Deviations
    files: int = 0
    calls: int = 0
    agree: int = 0
    differences: list[CallDifference] = field(default_factory=list)
    known: list[KnownDeviation] = field(default_factory=list)
    stale: list[Complaint] = field(default_factory=list)
    malformed: list[Complaint] = field(default_factory=list)
    interrupted: bool = False

    def result(self) -> ReplayResult:
        """All of it."""
        return ReplayResult(
            files=self.files,
            calls=self.calls,
            agree=self.agree,
            known_deviations=len(self.known),
            unexplained=len(self.differences),
            differences=tuple(self.differences),
            known=tuple(self.known),
            stale=tuple(self.stale),
            malformed=tuple(self.malformed),
            interrupted=self.interrupted,
        )


def replay_paths(
    paths: Iterable[str | Path],
    progress: Progress | None = None,
    deviations: Deviations | None = None,
) -> ReplayResult:
    """Replay recordings: files, and folders with all the `.jsonl` files below them.

    Nothing raises: what cannot be read is in `malformed`, and the other files are judged all the
    same. An interrupt from the keyboard ends it with what was judged until then, `interrupted`.
    `deviations` is the table of known deviations, by default the one that ships.
    """
    tally = Tally(known_deviations() if deviations is None else deviations)
    tally.stale += [Complaint(file, None, reason) for file, reason in tally.deviations.faults()]
    try:
        with collector_paused():
            replay_all(traces(paths, tally), tally, progress)
    except KeyboardInterrupt:
        tally.interrupted = True
    return tally.result()


def replay_all(found: list[Path], tally: Tally, progress: Progress | None) -> None:
    """Replay file by file."""
    for done, path in enumerate(found, 1):
        replay_file(path, tally)
        if progress is not None:
            progress(done, len(found))


def traces(paths: Iterable[str | Path], tally: Tally) -> list[Path]:
    """The files to replay, each once, those of a folder in ascending order."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        try:
            below = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        except OSError as error:
            tally.malformed.append(Complaint(str(path), None, why(error)))
            continue
        if not below:
            reason = f"no {SUFFIX} file in this folder: nothing to replay"
            tally.malformed.append(Complaint(str(path), None, reason))
        found.update(dict.fromkeys(below))
    return list(found)


def replay_file(path: Path, tally: Tally) -> None:
    """Replay one recording, up to the first line that cannot be read."""
    tally.files += 1
    if path.exists() and not path.is_file():
        tally.malformed.append(Complaint(str(path), None, "not a regular file"))
        return
    trace = Trace(path)
    try:
        replay_trace(trace, tally)
    except MalformedError as error:
        tally.malformed.append(Complaint(str(path), trace.line, str(error)))
    except OSError as error:
        tally.malformed.append(Complaint(str(path), None, why(error)))


def replay_trace(trace: Trace, tally: Tally) -> None:
    """Judge call by call. What the table covers and was not seen is stale at the end."""
    header = trace.header()
    running, seen = machine(header), Seen()
    stem = trace.path.stem
    table = tally.deviations.by_call() if is_covered(header, stem, tally.deviations) else {}
    expected = {n for file, n in table if file == stem}
    for call in trace.calls():
        places = judge(running, call, seen)
        tally.calls += 1
        expected.discard(call.n)
        differs = differing(trace, header, call, places) if places else None
        covering = table.get((stem, call.n))
        if covering is not None and covering.explains(differs):
            kind = covering.kind
            tally.known.append(KnownDeviation(str(trace.path), call.n, kind.name, kind.clause))
            continue
        if covering is not None:
            reason = f"deviation {covering.kind.name} covers call {call.n}, which does not show it"
            tally.stale.append(Complaint(str(trace.path), call.line, reason))
        if differs is None:
            tally.agree += 1
        else:
            tally.differences.append(differs)
    for n in sorted(expected):
        reason = f"a deviation covers call {n}, which is not there"
        tally.stale.append(Complaint(str(trace.path), None, reason))


def is_covered(header: Header, stem: str, deviations: Deviations) -> bool:
    """Whether the table is about this recording."""
    return header.implementation == deviations.implementation and stem in deviations.recordings


def differing(
    trace: Trace, header: Header, call: Call, places: tuple[Difference, ...]
) -> CallDifference:
    """A call that differs, with the clause that its first difference is about."""
    return CallDifference(
        file=str(trace.path),
        line=call.line,
        n=call.n,
        frontend=call.frontend,
        call=call.call,
        clause=clause_of(call, places[0], header.mode),
        places=places,
    )


def why(error: OSError) -> str:
    """Why a file cannot be read, in words."""
    return error.strerror or str(error)
