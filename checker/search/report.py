"""What a search answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from checker.search.model import Parts

Verdict = Literal["holds", "broken", "unfinished"]


@dataclass(frozen=True, slots=True)
class LawReport:
    """What the search found of one law."""

    name: str
    clause: str
    sentence: str
    verdict: Verdict
    """`unfinished` where the search ended before every state was judged."""
    cases: int | None = None
    """How many cases it judged, all different: values of the parts that it reads, or steps with the
    values that they read. None where nobody counts them."""
    met: int | None = None
    """How many of these cases fulfil its premise, or in how many states it is due if it is a goal;
    none where nobody counts them, or where a law is broken."""
    is_all: bool = True
    """Whether those are all; else there are so many at least."""


@dataclass(frozen=True, slots=True)
class GoalReport:
    """Whether some state reaches a goal."""

    name: str
    reached: bool
    states: int | None = None
    """How many states reach it; none where nobody counts them."""
    is_all: bool = True
    """Whether those are all that were searched; else there are so many at least."""


Felt = Literal["hit", "not hit", "always", "unknown"]


@dataclass(frozen=True, slots=True)
class BoundReport:
    """What makes the model finite, and whether that was felt."""

    name: str
    text: str
    felt: Felt
    """`hit` where some state would go on but for the bound; `always` where it is what the model is
    made of; `unknown` where no state hit it, and not all were searched."""


@dataclass(frozen=True, slots=True)
class Move:
    """One step of a trace, as it happened."""

    step: str
    label: str
    parts: Parts
    """Every part after the step."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A way from the initial state to a broken law, confirmed by the rules themselves.

    It is a shortest one, but for progress goals, where the way is short and goes round.
    """

    initial: Parts
    moves: tuple[Move, ...]
    law: LawReport
    loop: int | None = None
    """How many moves lead to the state from which the others go round for ever."""
    remark: str = ""
    """How it goes on after the last move, where the law alone does not say it."""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one search."""

    model: str
    verdict: Verdict
    states: int
    """Distinct states, the initial one included."""
    transitions: int
    """Enabled outcomes summed over the distinct states, self-loops and duplicates included."""
    depth: int
    """The longest of the shortest ways, in steps; the initial state has 0."""
    seconds: float
    laws: tuple[LawReport, ...]
    goals: tuple[GoalReport, ...]
    dead_rules: tuple[str, ...]
    """Rules that never fired though the model expects them to."""
    woken_rules: tuple[str, ...]
    """Rules that fired though the model expects them not to."""
    bounds: tuple[BoundReport, ...]
    rule_calls: int
    """How often a Python rule ran."""
    engine: str
    stopped_by: str | None = None
    """What ended an unfinished search: `max_states`, `max_seconds`, `memory`, `disk` or
    `interrupt`."""
    trace: Trace | None = None
    is_reduced: bool = False
    """Whether some states stood for others, so that the counts are not those of the whole."""

    @property
    def failures(self) -> tuple[str, ...]:
        """What makes the model fail, one sentence each, laws first."""
        said = [f"{law.sentence} ({law.clause})" for law in self.laws if law.verdict == "broken"]
        if self.verdict == "unfinished" or said:
            return tuple(said)
        said += [
            f"the goal {goal.name} is never reached" for goal in self.goals if not goal.reached
        ]
        said += [f"the rule {name} never fires" for name in self.dead_rules]
        said += [f"the rule {name} fires, and is declared dead" for name in self.woken_rules]
        return tuple(said)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running search has come."""

    model: str
    layer: int
    states: int
    transitions: int
    frontier: int
    """States of the layer that is being expanded."""
    rule_calls: int
    lookups: int
    """How often a learned table was asked."""
    misses: int
    """How often it did not know."""
    seconds: float

    @property
    def hit_share(self) -> float:
        """The share of look-ups that the tables could answer."""
        return 1 - self.misses / self.lookups if self.lookups else 0.0


ProgressFun = Callable[[Progress], None]
