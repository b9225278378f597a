"""Do searches that leave states out agree with whole ones? `python -m bench.agreement`.

Every listed scope up to a size, and every named defect, is searched whole, with partial order
reduction, and up to symmetry where its model declares any. The verdicts must be the same, and for
what holds the goals too; a broken law must be shown. It prints a line for each model, with the
share of its states that was left, and exits with 1 where two searches disagree. A model with
progress goals is refused by both, and says so.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from checker.search.explore import Options, search
from checker.search.model import Model
from checker.search.report import Report
from checker.world.defects import DEFECTS
from checker.world.scopes import SCOPES

WAYS = {"reduced": Options(reduction=True), "symmetric": Options(symmetry=True)}


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of one model."""

    name: str
    whole: Report
    others: dict[str, Report]
    """By way to leave states out; a way that the model does not allow is missing."""

    def disagreements(self) -> Iterator[str]:
        """Say where a search that leaves states out comes to something else."""
        for way, report in self.others.items():
            if verdict(report) != verdict(self.whole):
                yield f"{self.name}: {verdict(report)} {way}, {verdict(self.whole)} whole"
            elif report.trace is None and reached(report) != reached(self.whole):
                yield f"{self.name}: other goals are reached {way} than whole"

    def line(self) -> str:
        """Tell of the sizes, for people."""
        shares = [
            f"{way} {report.states / self.whole.states:.0%}" for way, report in self.others.items()
        ]
        said = ", ".join(shares) or "judged on its progress: nothing may be left out"
        return f"{self.name:<28} {verdict(self.whole):<10} {self.whole.states:>9,} states, {said}"


def verdict(report: Report) -> str:
    """Answer what came of the laws: a search that leaves states out calls no rule dead."""
    if report.trace is not None:
        return "broken"
    return "unfinished" if report.stopped_by else "holds"


def reached(report: Report) -> list[bool]:
    """Answer which goals some state reaches; in how many states is another matter."""
    return [goal.reached for goal in report.goals]


def compared(name: str, model: Model) -> Compared:
    """Search a model in every way that it allows."""
    others = {}
    if not model.progress and model.accepting is None:
        ways = [way for way in WAYS if way != "symmetric" or model.symmetries]
        others = {way: search(model, options=WAYS[way]) for way in ways}
    return Compared(name, search(model), others)


def models(most: int) -> Iterator[tuple[str, Model]]:
    """Answer the scopes of at most so many states, and all defects."""
    for scope in SCOPES:
        if scope.size is not None and scope.size.states <= most:
            yield scope.name, scope.build()
    for defect in DEFECTS:
        yield f"defect {defect.name}", defect.build()


def main() -> int:
    """Compare all models; answer 1 where any searches disagree."""
    parser = argparse.ArgumentParser(prog="python -m bench.agreement", description=__doc__)
    parser.add_argument("--most", type=int, default=60_000, help="states of a scope (60,000)")
    disagreements: list[str] = []
    for name, model in models(parser.parse_args().most):
        found = compared(name, model)
        print(found.line(), flush=True)
        disagreements += found.disagreements()
    for each in disagreements:
        print(f"WRONG: {each}", file=sys.stderr)
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
