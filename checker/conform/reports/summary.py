"""A run as a whole: what every report tells."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from checker.commands.exits import Exit, worst
from checker.conform.claiming import claimed
from checker.conform.exhaustive import Exhaustive
from checker.conform.known import Weighed
from checker.conform.messages import LEVELS
from checker.conform.operations import PROFILES
from checker.conform.outcomes import OUTCOMES, Outcome
from checker.conform.running import heights

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
    exhausted: tuple[Exhaustive, ...] = ()
    """Each scope that is to be exhausted, with its transitions that are no cases."""
    unplayed: int = 0
    """Scenarios that had no turn before the run was interrupted."""

    @property
    def interruption(self) -> str:
        """`interrupted after 66 of 91 scenarios`; nothing where the run is whole."""
        if self.is_whole:
            return ""
        played = len(self.weighed)
        return f"interrupted after {played:,} of {played + self.unplayed:,} scenarios"

    @property
    def claim(self) -> str:
        """What was shown, and whether that is all of the scenarios of its profiles."""
        results = [each.result for each in self.weighed]
        shown = ((each.level, each.lacks or each.scenario.spoken_for) for each in results)
        seen = {*self.left_out, *(each.scenario.id for each in results)}
        return claimed(shown, seen, is_whole=self.is_whole)

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


def profile_lines(summary: Summary) -> Iterator[str]:
    """`core     L3    61 pass`: the level that was shown of each profile, and what came of it.

    A scenario counts for every profile that it speaks for.
    """
    counts: dict[str, Counter[str]] = {}
    shown = []
    for each in summary.weighed:
        result = each.result
        profiles = result.lacks or result.scenario.spoken_for
        shown.append((result.level, profiles))
        for profile in profiles:
            counts.setdefault(profile, Counter())[result.outcome] += 1
    reached = heights(shown)
    for profile in PROFILES:
        if profile in counts:
            level = LEVELS[reached[profile]] if reached[profile] >= 0 else "none"
            found = counts[profile]
            said = ", ".join(f"{found[one]:,} {one}" for one in OUTCOMES if found[one])
            yield f"{profile:<8} {level:<4} {said}"


def reproduction(command: str, weighed: Weighed) -> str:
    """The command that shows one result again, from how the adapter was named."""
    return f"malachi-model conform run --only {weighed.result.scenario.id} {command}"
