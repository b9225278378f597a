"""How a case ends, and what is said of the first message that the reference does not allow."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from checker.differences import Difference, differences, shown
from spec.clauses import sentence_of

Outcome = Literal[
    "pass",
    "fail/reply",
    "fail/effect",
    "fail/state",
    "fail/crash",
    "unsupported",
    "error/exit",
    "error/timeout",
    "error/protocol",
    "flaky",
    "inconclusive",
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
PLACES = 12
"""So many differences are told one by one."""
ALLOWED = 6
"""So many allowed messages are told whole."""
WIDTH = 400


@dataclass(frozen=True, slots=True)
class Finding:
    """The first message that is not allowed, and what would have been."""

    outcome: Outcome
    step: int
    """Index of the step in the run."""
    broker: str
    op: str
    text: str
    """What happened, in a line."""
    clause: str = ""
    observed: object = None
    allowed: tuple[object, ...] = ()
    places: tuple[Difference, ...] = ()
    """Where the observed differs from the nearest allowed."""
    messages: int = 0
    """Messages exchanged until then."""

    @property
    def signature(self) -> str:
        """What makes it the same mistake: outcome, call and place, without ids and numbers."""
        return " ".join(part for part in (self.outcome, self.op, place_of(self.places)) if part)

    def lines(self) -> Iterator[str]:
        """All of it, for people."""
        where = self.op or "the conversation"
        yield f"{self.outcome} at step {self.step + 1}, {where}: {self.text}"
        if self.clause:
            yield f"  {self.clause}: {sentence_of(self.clause)}"
        if self.outcome == "fail/state":
            yield f"  states allowed here: {len(self.allowed)}; from the nearest it differs in"
        else:
            yield from self._messages()
        for place in self.places[:PLACES]:
            yield f"  {place.path}: {brief(place.before)} is allowed, {brief(place.after)} came"
        if len(self.places) > PLACES:
            yield f"  and {len(self.places) - PLACES} more places"

    def _messages(self) -> Iterator[str]:
        if self.observed is not None:
            yield f"  observed: {brief(self.observed)}"
        for number, each in enumerate(self.allowed[:ALLOWED], 1):
            yield f"  allowed {number} of {len(self.allowed)}: {brief(each)}"


def brief(value: object) -> str:
    """A value in one line that is not too long."""
    text = shown(value)
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def place_of(places: tuple[Difference, ...]) -> str:
    """The first place, without what stands in brackets."""
    if not places:
        return ""
    kept, depth = [], 0
    for character in places[0].path:
        depth += character == "["
        if depth == 0:
            kept.append(character)
        depth -= character == "]"
    return "".join(kept)


def nearest(allowed: Iterable[object], observed: object, path: str) -> tuple[Difference, ...]:
    """Where what was observed differs from the allowed one that it differs from least."""
    found = [differences(each, observed, path) for each in allowed]
    return min(found, key=len, default=())
