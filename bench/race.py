"""Race every checker that has FenceCore, in turn, on this machine.

`python -m bench.race --sizes 2,2,2 2,3,2` builds the entrants in a temporary folder, runs them one
at a time in rounds, holds their counts to the known ones and prints one table for each size.
Seconds are the wall time of whole processes, without what translating and compiling a model took.
It exits with 1 where an entrant's counts are wrong; one that cannot run here has a line that says
why, and is no error.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.peers import pythons, rumur, spin, tlc
from bench.peers.entrant import OURS, Entrant
from bench.peers.fencecore import Size
from bench.peers.figures import Counts, disagreement
from bench.peers.measuring import FailedError, OverrunError, Run, run
from bench.peers.table import shown
from bench.peers.workshop import MissingError, Ready, Workshop

PEERS = (*spin.ENTRANTS, *rumur.ENTRANTS, *tlc.ENTRANTS, *pythons.ENTRANTS)
COMMAND = f"{sys.executable} -m bench.ours {{F}} {{S}} {{B}}"


@dataclass(frozen=True, slots=True)
class Rules:
    """How a race is run."""

    runs: int
    """Runs of each entrant."""
    long: float
    """Seconds: an entrant that took longer is not run again."""
    limit: float
    """Seconds after which a run is stopped."""


@dataclass(slots=True)
class Lane:
    """One entrant at one size, and what it did so far."""

    entrant: Entrant
    ready: Ready | None = None
    runs: list[Run] = field(default_factory=list)
    counts: Counts | None = None
    note: str | None = None
    """Why it did not run, or did not end."""
    overran: float | None = None
    """The seconds within which it did not end."""
    wrong: str | None = None
    """What it should not have answered."""

    def seconds(self) -> float | None:
        """Answer the median of its runs."""
        return statistics.median(run.seconds for run in self.runs) if self.runs else None

    def cpu_seconds(self) -> float | None:
        """Answer the median of the times it spent on a core."""
        return statistics.median(run.cpu_seconds for run in self.runs) if self.runs else None

    def peak_bytes(self) -> int | None:
        """Answer the median of its peaks."""
        return int(statistics.median(run.peak_bytes for run in self.runs)) if self.runs else None


def prepare(lane: Lane, workshop: Workshop, size: Size) -> None:
    """Build an entrant, or note why it cannot run."""
    try:
        lane.ready = lane.entrant.prepare(workshop, size)
    except MissingError as reason:
        lane.note = f"missing: {reason}"


def drive(lane: Lane, size: Size, limit: float, caches: Path) -> None:
    """Run an entrant once more; what it keeps between runs is kept in `caches`."""
    if lane.ready is None or lane.note or lane.wrong:
        return
    kept = {"XDG_CACHE_HOME": str(caches), "NUMBA_CACHE_DIR": str(caches / "numba")}
    try:
        ended = run(lane.ready.command, lane.ready.folder, limit, kept)
        lane.counts = lane.ready.counts(ended.output)
    except OverrunError as reason:
        lane.note, lane.overran = str(reason), limit
    except FailedError as reason:
        lane.wrong = f"failed: {reason}"
    else:
        lane.runs.append(ended)
        lane.wrong = None if lane.entrant.is_reduced else disagreement(size, lane.counts)


def race(size: Size, entrants: Sequence[Entrant], workshop: Workshop, rules: Rules) -> list[Lane]:
    """Run all entrants in turn, round by round, so that a slow minute meets every one of them."""
    lanes = [Lane(entrant) for entrant in entrants]
    for lane in lanes:
        prepare(lane, workshop, size)
    caches = Path(tempfile.mkdtemp(dir=workshop.root))
    first = next((Lane(lane.entrant, lane.ready) for lane in lanes if lane.entrant.is_ours), None)
    if first is not None:
        first.entrant = first.entrant.renamed("first run")
        drive(first, size, rules.limit, caches)
    for number in range(rules.runs):
        for lane in lanes:
            seconds = lane.seconds()
            if seconds is None or seconds <= rules.long:
                _tell(f"{_words(size)}: {lane.entrant.title}, run {number + 1}")
                drive(lane, size, rules.limit, caches)
    return [*([first] if first else []), *lanes]


def strangers(lanes: Sequence[Lane]) -> list[str]:
    """Say which entrants answered wrong counts, or others than the first of them."""
    said = [f"{lane.entrant.title}: {lane.wrong}" for lane in lanes if lane.wrong]
    whole = [lane for lane in lanes if not lane.entrant.is_reduced]
    answered = [(lane.entrant.title, lane.counts) for lane in whole if lane.counts]
    for title, counts in answered[1:]:
        leader, first = answered[0]
        if counts[:2] != first[:2]:
            said.append(f"{title} found {counts[:2]}, {leader} {first[:2]}")
    return said


def row(lane: Lane, ours: float | None) -> dict[str, object]:
    """Answer the figures of an entrant by the names of the columns."""
    seconds = lane.seconds()
    note = lane.note or lane.wrong
    if lane.overran and ours:
        note = f"{note}: more than {lane.overran / ours:.1f} times ours"
    line: dict[str, object] = {"name": lane.entrant.title, "note": note}
    if seconds is None or lane.counts is None or lane.ready is None:
        return line
    return line | {
        "states": lane.counts.states,
        "transitions": lane.counts.transitions,
        "depth": lane.counts.depth,
        "seconds": seconds,
        "cpu s": lane.cpu_seconds(),
        "states/s": lane.counts.states / seconds,
        "peak MB": (lane.peak_bytes() or 0) / 1e6,
        "to ours": seconds / ours if ours else None,
        "runs": len(lane.runs),
        "build s": lane.ready.build_seconds,
    }


def machine() -> str:
    """Name what the figures were measured on."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def main() -> int:
    """Race as the command line says; answer 1 where counts differ."""
    given = _arguments()
    entrants = [pythons.ours(given.ours), *pythons.ours_reduced(COMMAND), *PEERS]
    chosen = [one for one in entrants if not given.only or one.name in given.only]
    rules = Rules(given.runs, given.long, given.limit)
    report, said = [], []
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder), may_install=not given.no_install)
        for size in given.sizes:
            lanes = race(size, chosen, workshop, rules)
            said += [f"{_words(size)}: {wrong}" for wrong in strangers(lanes)]
            rows = [row(lane, _our_seconds(lanes)) for lane in lanes]
            print(shown(f"FenceCore {_words(size)}, on {machine()}", rows), flush=True)
            report.append({"size": size[:3], "lines": rows})
    if given.json:
        text = json.dumps({"machine": machine(), "races": report}, indent=1)
        given.json.write_text(text + "\n")
    for wrong in said:
        print(f"WRONG: {wrong}", file=sys.stderr)
    return 1 if said else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.race", description=__doc__)
    sizes = [Size(2, 2, 2), Size(2, 3, 2)]
    parser.add_argument("--sizes", nargs="+", type=_size, default=sizes, metavar="F,S,B")
    reduced = [entrant.name for entrant in pythons.ours_reduced(COMMAND)]
    names = [OURS, *reduced, *(peer.name for peer in PEERS)]
    parser.add_argument("--only", nargs="+", choices=names, help="leave the others out")
    parser.add_argument("--runs", type=int, default=3, help="the median counts (3)")
    parser.add_argument("--ours", default=COMMAND, metavar="CMD", help="{F} {S} {B}: the size")
    parser.add_argument("--limit", type=float, default=600, help="seconds a run may take (600)")
    parser.add_argument("--long", type=float, default=60, help="slower ones run once (60 s)")
    parser.add_argument("--no-install", action="store_true", help="install no Debian package")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser.parse_args()


def _size(text: str) -> Size:
    try:
        frontends, segments, batches = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: three numbers, as in 2,2,1") from None
    return Size(frontends, segments, batches)


def _words(size: Size) -> str:
    return " ".join(str(number) for number in size[:3])


def _our_seconds(lanes: Sequence[Lane]) -> float | None:
    return next((lane.seconds() for lane in lanes if lane.entrant.is_ours), None)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
