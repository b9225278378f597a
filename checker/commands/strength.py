"""Which way to look at the machine catches a defect: the search, the prover, or both."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from checker.commands.output import counted, say
from checker.commands.pinned import Caught
from checker.prove.strength import KNOWN, Refutation, refuted

Strength = Literal["both", "search only", "prover only", "neither"]
ORDER: tuple[Strength, ...] = ("both", "search only", "prover only", "neither")


@dataclass(frozen=True, slots=True)
class Compared:
    """One defect."""

    caught: Caught
    refutation: Refutation | None
    """Where the prover refutes it."""

    @property
    def name(self) -> str:
        """`D09`."""
        return self.caught.pin.name

    @property
    def strength(self) -> Strength:
        """Who catches it."""
        if self.caught.caught_by is None:
            return "neither" if self.refutation is None else "prover only"
        return "search only" if self.refutation is None else "both"

    @property
    def is_weaker(self) -> bool:
        """Whether the prover does not refute what it is known to refute."""
        return self.name in KNOWN and self.refutation is None

    @property
    def words(self) -> str:
        """By what the prover refutes it, or why it does not."""
        if self.refutation is not None:
            return f"{self.refutation.law} at {self.refutation.step}"
        if self.is_weaker:
            known = KNOWN[self.name]
            return f"NOT REFUTED any more: {known.law} at {known.step}"
        return "it changes nothing that is proved"

    def as_json(self) -> dict[str, object]:
        """The same, for machines."""
        found = self.refutation
        step, law = (None, None) if found is None else (found.step, found.law)
        return {"name": self.name, "caught": self.strength, "step": step, "law": law}


def strength_of(caught: Caught) -> Compared:
    """Ask the prover too what it finds of a defect that was searched for."""
    return Compared(caught, refuted(caught.pin.name))


def write_strengths(compared: Sequence[Compared]) -> None:
    """A row for each, and how many there are of each kind."""
    width = max((len(each.caught.pin.title) for each in compared), default=0)
    for each in compared:
        end = "nothing" if each.caught.caught_by is None else each.caught.caught_by
        say(f"{each.name} {each.caught.pin.title:<{width}}  {each.strength}")
        say(f"  search: {end}")
        say(f"  prover: {each.words}")
    counts = Counter(each.strength for each in compared)
    said = ", ".join(f"{counts[strength]} {strength}" for strength in ORDER)
    say(f"{counted(len(compared), 'defect')}: {said}")
