"""What comes of the remedies of findings, for `malachi-model findings --remedies`."""

from collections.abc import Sequence
from dataclasses import dataclass

from checker.commands.exits import Exit
from checker.commands.output import complain, counted, say
from checker.commands.sideways import side_by_side, watched
from checker.search.stopping import REQUEST
from checker.world.closing import Closed, try_remedy, worlds_of
from checker.world.kinds import Finding


@dataclass(frozen=True, slots=True)
class Tries:
    """The remedies that were tried, each in one world or in several."""

    closed: tuple[tuple[Finding, Closed], ...]
    untried: tuple[str, ...]
    """Which were not before an interrupt, as `F2 in roll`."""

    @property
    def exit(self) -> Exit:
        """What it means for the exit code."""
        if any(each.problems for _, each in self.closed):
            return Exit.BROKEN
        return Exit.UNFINISHED if self.untried else Exit.OK


def try_all(chosen: Sequence[Finding]) -> Tries:
    """Try each remedy in each of its worlds, on two cores, until somebody interrupts."""
    tasks = [(finding, scope) for finding in chosen for scope in worlds_of(finding)]
    with REQUEST:
        tried = list(watched(side_by_side(_tried, tasks, workers=2), len(tasks)))
    found = {index: closed for index, closed in tried if closed is not None}
    untried = tuple(
        f"{finding.name} in {scope}"
        for index, (finding, scope) in enumerate(tasks)
        if index not in found
    )
    if untried:
        complain(f"interrupted: {', '.join(untried)} not searched")
    return Tries(tuple((tasks[index][0], found[index]) for index in sorted(found)), untried)


def _tried(task: tuple[Finding, str]) -> Closed | None:
    return try_remedy(*task)


def write_text(tries: Tries) -> None:
    """A line for each remedy and each world, and what a remedy costs."""
    told: set[str] = set()
    for finding, closed in tries.closed:
        if finding.name not in told and finding.remedy is not None:
            told.add(finding.name)
            say(f"{finding.name} {finding.title}  closed by: {finding.remedy.rule}")
            for each in finding.remedy.gives_up:
                say(f"  it breaks {each.law}: {each.reason}")
            for each in finding.remedy.leaves:
                say(f"  it leaves {each.law} broken: {each.reason}")
        end = "as declared" if not closed.problems else "NOT AS DECLARED"
        say(f"  {closed.scope}: {counted(closed.states, 'state')}, {end}")
        for problem in closed.problems:
            say(f"    {problem}")
    bad = sum(bool(each.problems) for _, each in tries.closed)
    said = f"remedies of {counted(len(told), 'finding')}"
    say(f"{said}, {counted(len(tries.closed), 'world')} searched, {bad} not as declared")


def as_json(tries: Tries) -> dict[str, object]:
    """The same for programs."""
    return {
        "remedies": [
            {
                "name": finding.name,
                "title": finding.title,
                "rule": "" if finding.remedy is None else finding.remedy.rule,
                "scope": closed.scope,
                "states": closed.states,
                "falls": sorted(
                    finding.remedy.falling_in(closed.scope, finding.scope)
                    if finding.remedy is not None
                    else ()
                ),
                "problems": list(closed.problems),
            }
            for finding, closed in tries.closed
        ],
        "untried": list(tries.untried),
    }
