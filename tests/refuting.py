"""The first integers with which a law is false, among states of some shapes."""

from collections.abc import Mapping, Sequence

from checker.prove.drawing import Draw, Value
from checker.prove.measuring import measuring
from checker.prove.paths import Explorer
from checker.prove.proving import Refuted, Stage


class Narrowed:
    """Draws what another does, but for some shapes that are picked already."""

    def __init__(self, draw: Draw, picks: Mapping[str, int]) -> None:
        self.draw = draw
        self.picks = picks
        self.integer = draw.integer
        self.assume = draw.assume
        self.once = draw.once

    def pick(self, name: str, options: Sequence[Value]) -> Value:
        """One of these shapes."""
        return options[self.picks[name]] if name in self.picks else self.draw.pick(name, options)


def refuted(stage: Stage, law: str, picks: Mapping[str, int]) -> Refuted:
    """The first integers with which a law is false, among some shapes."""
    explorer = Explorer()
    with measuring():
        paths = explorer.paths(lambda: tuple(stage(Narrowed(explorer, picks))))
        for path in paths:
            claims = (each for taken in path.outcome for each in taken.claims)
            for claim in (each for each in claims if each.law == law):
                for branch in explorer.branches(claim.holds):
                    if not branch.outcome:
                        paths.close()
                        return Refuted({**path.picks, **branch.picks, **picks}, branch.witness)
    raise AssertionError(f"{law} is proved")
