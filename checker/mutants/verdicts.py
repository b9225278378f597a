"""What a run of mutants comes to: the share that is noticed, and what is not as it is listed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checker.mutants.running import Sites
from checker.mutants.sites import Mutant
from checker.mutants.survivors import Survivor, misnamed

SHARE = 0.95
"""So large a share of the judged mutants has to be killed."""


@dataclass(frozen=True, slots=True)
class Result:
    """What is known of the chosen mutants."""

    sites: Sites
    found: Mapping[str, Mapping[str, Any]]
    """What came of each that was tried, by name."""
    listed: tuple[Survivor, ...]
    is_whole: bool
    """Whether both tests and scopes judged; only then is a survivor one."""
    has_share: bool = True
    """Whether the share counts: of a few that somebody named it says nothing."""

    @property
    def untried(self) -> list[Mutant]:
        """The chosen ones that the run did not come to."""
        return [mutant for mutant in self.sites.chosen if mutant.name not in self.found]

    def of(self, verdict: str, module: str | None = None) -> list[Mutant]:
        """The chosen ones with a verdict, of one module or of all."""
        return [
            mutant
            for mutant in self.sites.chosen
            if self.found.get(mutant.name, {}).get("verdict") == verdict
            and module in {None, mutant.page.name}
        ]

    def share(self, module: str | None = None) -> float | None:
        """Killed by killed and survived; those that only raise are in neither number."""
        killed, survived = len(self.of("killed", module)), len(self.of("survived", module))
        return killed / (killed + survived) if killed + survived else None

    def modules(self) -> list[str]:
        """The modules of the chosen mutants."""
        return sorted({mutant.page.name for mutant in self.sites.chosen})

    def reasons(self) -> dict[str, str]:
        """The reasons of the listed ones, by name."""
        return {each.name: each.reason for each in self.listed}

    def unlisted(self) -> list[Mutant]:
        """Survivors that nobody gave a reason for."""
        return [mutant for mutant in self.of("survived") if mutant.name not in self.reasons()]

    def problems(self) -> list[str]:
        """What is not as it has to be, a line for each."""
        if not self.is_whole:
            return []
        others = misnamed(self.listed, self.sites.mutants)
        lines = [f"survives and is not listed: {each.name}" for each in self.unlisted()]
        lines += [f"listed and no mutant, or another by now: {name}" for name in others]
        for each in self.listed:
            if each.name in self.sites.refused:
                lines.append(f"listed, and refused by mypy or import: {each.name}")
            entry = self.found.get(each.name)
            if entry is not None and entry["verdict"] != "survived":
                lines.append(f"listed and noticed by {entry['by']}: {each.name}")
        share = self.share()
        if self.has_share and share is not None and share < SHARE and not self.untried:
            lines.append(f"the share is {share:.1%}, less than {SHARE:.0%}")
        return lines

    def ways(self) -> list[tuple[str, int]]:
        """How the killed ones were noticed, the most frequent way first."""
        ways = Counter(self.found[mutant.name]["how"] for mutant in self.of("killed"))
        return sorted(ways.items(), key=lambda pair: (-pair[1], pair[0]))


def as_json(result: Result, seed: int, problems: Sequence[str]) -> dict[str, object]:
    """The JSON report."""
    reasons = result.reasons()
    return {
        "seed": seed,
        "sites": len(result.sites.mutants),
        "refused": len(result.sites.refused),
        "chosen": len(result.sites.chosen),
        "killed": len(result.of("killed")),
        "survived": len(result.of("survived")),
        "raised": len(result.of("raised")),
        "share": result.share(),
        "mutants": [
            {
                "name": mutant.name,
                "line": mutant.line,
                "change": mutant.change,
                "verdict": result.found[mutant.name]["verdict"],
                "by": result.found[mutant.name]["by"],
                "how": result.found[mutant.name]["how"],
                "reason": reasons.get(mutant.name),
            }
            for mutant in result.sites.chosen
            if mutant.name in result.found
        ],
        "untried": [mutant.name for mutant in result.untried],
        "problems": list(problems),
    }
