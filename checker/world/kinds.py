"""What the worlds offer: scopes to search, defects to catch, findings to keep."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from checker.search.explore import PLAIN_STATES
from checker.search.model import Model, Parts


class Level(StrEnum):
    """How long somebody is willing to wait."""

    QUICK = "quick"
    """The default check: seconds."""
    DEEP = "deep"
    """Minutes, on every night."""
    EXHAUSTIVE = "exhaustive"
    """As long as it takes."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a world is, to the state."""

    states: int
    transitions: int
    depth: int


@dataclass(frozen=True, slots=True)
class Scope:
    """A world with a name and a reason."""

    name: str
    sentence: str
    """What it is for."""
    build: Callable[[], Model]
    size: Size | None = None
    """What a whole search has to count; none where nobody has searched it whole."""
    level: Level | None = None
    """The shortest check that searches it; none where it is searched by its name alone."""
    show: Callable[[Parts], Parts] = dict
    """How a state is shown to people."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """For each bound the defect, finding or law that would go unnoticed if it were smaller."""

    roles: Mapping[str, str] = field(default_factory=dict)
    """What parts are in a sequence diagram, where their values do not tell: `frontend`, `plane`,
    `store`, `coordinator` or `budget`."""

    @property
    def is_small(self) -> bool:
        """Whether it is known to be searched in plain Python, and so on one core."""
        return self.size is not None and self.size.states < PLAIN_STATES

    def is_searched_at(self, level: Level) -> bool:
        """Whether a check of this level searches it."""
        levels = tuple(Level)
        return self.level is not None and levels.index(self.level) <= levels.index(level)


@dataclass(frozen=True, slots=True)
class Defect:
    """One small change of the machine or of a caller, and the law that notices it."""

    name: str
    """`D09`."""
    title: str
    """`SEAL-KEEPS-MAX`."""
    change: str
    """What is changed, in words."""
    caught_by: str
    """The name of the law."""
    scope: str
    """The scope whose world it is searched in."""
    steps: int
    """The length of the shortest trace."""
    build: Callable[[], Model]
    """The world with the change in it."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """A law that a remedy does not keep."""

    law: str
    """The name of the law."""
    reason: str
    """Why that is the price, or what else breaks it."""
    scope: str = ""
    """The world in which it falls, where that is not the finding's own."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """The smallest rule that closes a finding: an overlay on the reference, off by default."""

    rule: str
    """The rule, in a sentence."""
    build: Callable[[str], Model]
    """The world of a scope with the rule in it, judged by all that judges it without the rule,
    and by the law of the finding, which holds there."""
    states: int
    """How many states the finding's own world has with it."""
    without: Callable[[str], Model]
    """The same world without the rule, judged by the same laws."""
    amends: tuple[str, ...] = ()
    """The clauses whose sentences are no longer true with the rule."""
    elsewhere: tuple[str, ...] = ()
    """The other scopes that the rule was tried in: it breaks nothing there either."""
    gives_up: tuple[Fallen, ...] = ()
    """The laws that hold without the rule and fall with it."""
    leaves: tuple[Fallen, ...] = ()
    """The laws that fall without the rule as well, and that it does not mend."""

    def falling_in(self, scope: str, own: str) -> frozenset[str]:
        """The laws that are known to fall in a scope, of which one is the finding's own."""
        known = (*self.gives_up, *self.leaves)
        return frozenset(each.law for each in known if (each.scope or own) == scope)


@dataclass(frozen=True, slots=True)
class Ground:
    """What permits one step of a finding."""

    clauses: tuple[str, ...]
    """Their ids."""
    assumed: tuple[str, ...]
    """What no clause says, in words."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One law that the documented protocol itself does not keep, and what that means."""

    name: str
    """`F1`."""
    title: str
    """`REFUSED-REGISTRATION-REPLAYED`."""
    meaning: str
    """What goes wrong, in words."""
    law: str
    """The name of the law that is broken."""
    scope: str
    """The scope whose world it is searched in."""
    steps: int
    """The length of the shortest trace."""
    build: Callable[[], Model]
    """The world, with the laws that it is judged by."""
    mode: str = "authoritative"
    """How commands are applied: `authoritative` or `raft`."""
    seen_as: str = ""
    """How a user would see it."""
    permitted_by: tuple[str, ...] = ()
    """For each step of the trace the clauses that permit it, as `RNG-10 RFR-6`, and as `#1` the
    first thing that is assumed, where it rests on that."""
    assumes: tuple[str, ...] = ()
    """What its steps take for granted and no clause says."""
    remedy: Remedy | None = None

    def grounds(self) -> tuple[Ground, ...]:
        """What each step rests on."""
        return tuple(
            Ground(
                tuple(each for each in said.split() if not each.startswith("#")),
                tuple(
                    self.assumes[int(each[1:]) - 1] for each in said.split() if each.startswith("#")
                ),
            )
            for said in self.permitted_by
        )
