"""The replay of files and folders: every call judged, every difference explained or not."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from checker.replay.clauses import clause_of
from checker.replay.comparing import Difference
from checker.replay.deviations import Covering, Deviations, known_deviations
from checker.replay.judging import Seen, judge
from checker.replay.machine import machine
from checker.replay.paths import Paths, recordings, why
from checker.replay.result import CallDifference, Complaint, KnownDeviation, ReplayResult
from checker.replay.terms import MalformedError
from checker.replay.trace import Call, Header, Trace
from checker.search.pausing import collector_paused

Progress = Callable[[int, int], None]
"""Called after each file with the files done and the files in all."""


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
    unselected: list[Complaint] = field(default_factory=list)
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
            unselected=tuple(self.unselected),
            interrupted=self.interrupted,
        )


def replay_paths(
    paths: Paths,
    progress: Progress | None = None,
    deviations: Deviations | None = None,
) -> ReplayResult:
    """Replay recordings: files, and folders with all the `.jsonl` files below them.

    What cannot be read is in `malformed`, and the other files are judged all the same. Raises
    TypeError for what is no path, DeviationsError where the table cannot be read. An interrupt
    from the keyboard ends it with what was judged until then, `interrupted`. `deviations` is the
    table of known deviations, by default the one that ships.
    """
    tally = Tally(known_deviations() if deviations is None else deviations)
    tally.stale += [Complaint(file, None, reason) for file, reason in tally.deviations.faults()]
    try:
        with collector_paused():
            found = recordings(paths)
            tally.malformed += found.malformed
            tally.unselected += found.unselected
            replay_all(found.files, tally, progress)
    except KeyboardInterrupt:
        tally.interrupted = True
    return tally.result()


def replay_all(found: list[Path], tally: Tally, progress: Progress | None) -> None:
    """Replay file by file."""
    for done, path in enumerate(found, 1):
        replay_file(path, tally)
        if progress is not None:
            progress(done, len(found))


def replay_file(path: Path, tally: Tally) -> None:
    """Replay one recording, up to the first line that cannot be read."""
    tally.files += 1
    trace = Trace(path)
    try:
        if path.exists() and not path.is_file():
            tally.malformed.append(Complaint(str(path), None, "not a regular file"))
            return
        replay_trace(trace, tally)
    except MalformedError as error:
        tally.malformed.append(Complaint(str(path), trace.line, str(error)))
    except OSError as error:
        tally.malformed.append(Complaint(str(path), None, why(error)))


def replay_trace(trace: Trace, tally: Tally) -> None:
    """Judge call by call. A recording that the table knows is as long as the table says."""
    header = trace.header()
    running, seen = machine(header), Seen()
    stem = trace.path.stem
    is_known = is_covered(header, stem, tally.deviations)
    table = tally.deviations.by_call() if is_known else {}
    calls = 0
    for call in trace.calls():
        places = judge(running, call, seen)
        calls += 1
        tally.calls += 1
        count_call(trace, call, table.get((stem, call.n)), tally, header, places)
    pinned = tally.deviations.recordings[stem] if is_known else calls
    if calls != pinned:
        tally.malformed.append(Complaint(str(trace.path), None, wrong_length(calls, pinned)))


def count_call(
    trace: Trace,
    call: Call,
    covering: Covering | None,
    tally: Tally,
    header: Header,
    places: tuple[Difference, ...],
) -> None:
    """Count a call where it belongs. What the table covers and does not show it is stale."""
    differs = differing(trace, header, call, places) if places else None
    if covering is not None and covering.explains(differs):
        kind = covering.kind
        tally.known.append(KnownDeviation(str(trace.path), call.n, kind.name, kind.clause))
        return
    if covering is not None:
        reason = f"deviation {covering.kind.name} covers call {call.n}, which does not show it"
        tally.stale.append(Complaint(str(trace.path), call.line, reason))
    if differs is None:
        tally.agree += 1
    else:
        tally.differences.append(differs)


def wrong_length(calls: int, pinned: int) -> str:
    """What is wrong with a recording of another length than the table of deviations pins."""
    if calls < pinned:
        return f"ends after {calls} of {pinned} calls"
    return f"has {calls} calls, and the table of known deviations knows {pinned} of it"


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
