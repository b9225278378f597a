"""A run as a whole: what every report tells."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from checker.commands.exits import Exit, worst
from checker.conform.claiming import claimed
from checker.conform.known import Weighed
from checker.conform.outcomes import OUTCOMES, Outcome

UNDETERMINED: frozenset[Outcome] = frozenset({"unsupported", "inconclusive"})


@dataclass(frozen=True, slots=True)
class Summary:
    """All results of a run, weighed against the known failures."""

    implementation: str
    level: str
    """At which it was judged."""
    command: str
    """How to see it again, without the selection of scenarios."""
    weighed: tuple[Weighed, ...]
    is_whole: bool = True
    """False where the run was interrupted."""
    left_out: tuple[str, ...] = ()
    """Scenarios that need the hash of the source, where the adapter has another."""
    exhausted: tuple[str, ...] = ()
    """Of each scope that is to be exhausted, how many of its transitions are cases."""

    @property
    def claim(self) -> str:
        """What was shown, and whether that is all of the scenarios of its profiles."""
        results = [each.result for each in self.weighed]
        shown = ((each.level, each.lacks or each.scenario.spoken_for) for each in results)
        return claimed(shown, {*self.left_out, *(each.scenario.id for each in results)})

    @property
    def counts(self) -> Mapping[str, int]:
        """Results by outcome, in the order of the design."""
        found = Counter(each.result.outcome for each in self.weighed)
        return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}

    @property
    def known(self) -> int:
        """Failures that were known."""
        return sum(each.known is not None and each.is_expected for each in self.weighed)

    @property
    def calls(self) -> int:
        """Calls that were made, each scenario counted once."""
        return sum(each.result.calls for each in self.weighed)

    @property
    def exit(self) -> Exit:
        """The exit code for it."""
        codes = [exit_of(each) for each in self.weighed]
        if not self.weighed:
            codes.append(Exit.NOTHING)
        if not self.is_whole:
            codes.append(Exit.UNFINISHED)
        return worst(codes)


def exit_of(weighed: Weighed) -> Exit:
    """The exit code for one result."""
    if weighed.is_expected:
        return Exit.OK
    return Exit.UNDETERMINED if weighed.result.outcome in UNDETERMINED else Exit.BROKEN


def counted_line(summary: Summary) -> str:
    """`3 scenarios, 40 calls: 2 pass, 1 fail/state, 1 known`."""
    said = ", ".join(f"{count:,} {outcome}" for outcome, count in summary.counts.items())
    known = f", {summary.known:,} known" if summary.known else ""
    return f"{len(summary.weighed):,} scenarios, {summary.calls:,} calls: {said or 'none'}{known}"


def reproduction(command: str, weighed: Weighed) -> str:
    """The command that shows one result again, from how the adapter was named."""
    return f"malachi-model conform run --only {weighed.result.scenario.id} {command}"
