"""`malachi-model defects --negated`: each law turned round, and how soon it falls."""

from collections.abc import Sequence
from dataclasses import dataclass

from checker.commands.exits import Exit, unknown_name
from checker.commands.output import Format, complain, counted, say, write_json
from checker.commands.sideways import side_by_side, watched
from checker.search.stopping import REQUEST
from checker.world.negating import Turned, to_turn, turned_round


@dataclass(frozen=True, slots=True)
class Fell:
    """What came of one law that was turned round."""

    law: str
    scope: str
    steps: int | None
    """How many steps led to where it fell; none where it did not."""
    states: int

    @property
    def words(self) -> str:
        """The same, in words."""
        if self.steps is None:
            return f"NOT CAUGHT in {self.scope}"
        return f"{counted(self.steps, 'step')}, {counted(self.states, 'state')} in {self.scope}"

    def as_json(self) -> dict[str, object]:
        """The same, for machines."""
        return {"law": self.law, "scope": self.scope, "steps": self.steps, "states": self.states}


def show_negated(names: Sequence[str], form: Format) -> Exit:
    """Turn these laws round, or all of the default worlds, and see each fall."""
    chosen = _chosen(names)
    with REQUEST:
        fallen = [one for _, one in watched(side_by_side(_fell, chosen, workers=2), len(chosen))]
    fallen.sort(key=lambda each: each.law)
    unsearched = sorted({each.law for each in chosen} - {each.law for each in fallen})
    standing = [each.law for each in fallen if each.steps is None]
    if unsearched:
        complain(f"interrupted: {', '.join(unsearched)} not searched")
    if form == "json":
        content = {"defects": [], "survivors": standing, "unsearched": unsearched}
        write_json("defects", content | {"negated": [each.as_json() for each in fallen]})
    else:
        for each in fallen:
            say(f"{each.law}: {each.words}")
        say(f"{counted(len(fallen), 'law')} turned round, {len(standing)} not caught")
    if standing:
        return Exit.BROKEN
    return Exit.UNFINISHED if unsearched else Exit.OK


def _fell(turned: Turned) -> Fell:
    report = turned_round(turned)
    steps = None if report.trace is None else len(report.trace.moves)
    return Fell(turned.law, turned.scope.name, steps, report.states)


def _chosen(names: Sequence[str]) -> list[Turned]:
    known = {each.law: each for each in to_turn()}
    for name in names:
        if name not in known:
            raise unknown_name("law", name, list(known), "malachi-model defects --negated")
    return [known[name] for name in dict.fromkeys(names)] if names else list(known.values())
