"""What a whole check also searches: the defects that must be caught, the findings still there."""

from collections.abc import Sequence
from dataclasses import dataclass

from checker.commands import defects, findings
from checker.commands.exits import Exit
from checker.commands.output import counted, say
from checker.commands.pinned import Searched, row, settle_pinned
from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS


@dataclass(frozen=True, slots=True)
class Expected:
    """The searches whose outcome is known, and what came of them."""

    defects: Searched
    findings: Searched

    @property
    def exits(self) -> tuple[Exit, Exit]:
        """What they mean for the exit code."""
        return self.defects.exit, self.findings.exit

    def as_json(self) -> dict[str, object]:
        """What they add to the report of a check."""
        return {
            "defects": [row(each) | {"trace": None} for each in self.defects.caught],
            "findings": [row(each) | {"trace": None} for each in self.findings.caught],
        }

    def write_text(self) -> None:
        """A line for each kind, and one for whatever is not as it is pinned."""
        _write("defect", self.defects, "caught", "a survivor", "survivors")
        _write("finding", self.findings, "still there", "gone", "gone")


def search_expected() -> Expected:
    """Search every defect and every finding."""
    caught = settle_pinned([defects.pin_of(each) for each in DEFECTS])
    if caught.unsearched:
        return Expected(caught, Searched((), tuple(each.name for each in FINDINGS)))
    return Expected(caught, settle_pinned([findings.pin_of(each) for each in FINDINGS]))


def _write(kind: str, searched: Searched, good: str, one_missed: str, missed: str) -> None:
    count, names = len(searched.caught), searched.missed
    end = f"all {good}" if not names else f"{', '.join(names)} {_of(names, one_missed, missed)}"
    say(f"{kind}s: {counted(count, kind)} searched, {end}")
    for each in searched.caught:
        if each.problem is not None:
            say(f"  {each.problem}")
    if searched.unsearched:
        say(f"  {counted(len(searched.unsearched), kind)} not searched")


def _of(names: Sequence[str], one: str, more: str) -> str:
    return one if len(names) == 1 else more
