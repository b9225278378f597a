"""A case: one run, step by step, with what has to come of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from checker.replay.terms import Term
from checker.replay.trace import Mode
from spec.vocabulary import PolicyName, TopicPolicy, VnodeId

FORMAT = "malachi-case/1"


@dataclass(frozen=True, slots=True)
class Heading:
    """What every case says of itself."""

    name: str
    about: str = ""
    """In a sentence, what it shows."""
    clauses: tuple[str, ...] = ()
    """The clauses it is about."""


@dataclass(frozen=True, slots=True)
class World:
    """Which world the steps are taken in."""

    scope: str
    defect: str | None = None
    """The defect that is in it."""
    finding: str | None = None
    """The finding by whose law it is judged."""
    remedy: str | None = None
    """The finding whose remedy is in it."""


@dataclass(frozen=True, slots=True)
class Breaks:
    """Which law has to break, and where."""

    law: str
    step: int
    """The number of the step that breaks it, from 1."""
    loop: int | None = None
    """Of what never comes about: how many steps lead to where the others go round for ever."""


@dataclass(frozen=True, slots=True)
class WorldStep:
    """One step of a world."""

    step: str
    outcome: str | None = None
    """Its label; needed where the step can end in more than one way."""
    state: Mapping[str, Term] = field(default_factory=dict)
    """What is expected afterwards, by path."""


@dataclass(frozen=True, slots=True)
class WorldCase:
    """A run of a world that has a name."""

    heading: Heading
    world: World
    steps: tuple[WorldStep, ...]
    breaks: Breaks | None = None


@dataclass(frozen=True, slots=True)
class Plane:
    """What all frontends share at first."""

    mode: Mode
    vnodes: tuple[tuple[VnodeId, int], ...] | None = None
    """Each vnode with its token; none for the one vnode that owns everything."""
    policies: Mapping[PolicyName, TopicPolicy] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallStep:
    """One call of a function by its source name."""

    frontend: str
    call: str
    args: Mapping[str, Term] = field(default_factory=dict)
    answers: Mapping[str, Term] = field(default_factory=dict)
    """What its effects answer, by kind of effect, where that is not the truth."""
    keep: str | None = None
    """The name under which the reply is kept: for later arguments, or as messages to deliver."""
    expected: Mapping[str, Term] = field(default_factory=dict)
    """`reply`, `effects`, and by path `state`, `plane` and `store`."""


Verb = Literal["deliver", "lose", "hear"]
VERBS: tuple[Verb, ...] = ("deliver", "lose", "hear")


@dataclass(frozen=True, slots=True)
class MessageStep:
    """What becomes of a batch or a fence that was kept."""

    verb: Verb
    """`deliver` brings it to its store, `hear` brings the answer back, `lose` loses either."""
    message: str
    item: int = 0
    """Which of the messages that were kept under this name."""
    now: int = 0
    """The time at which an answer to a fence is recorded."""
    answers: Mapping[str, Term] = field(default_factory=dict)
    expected: Mapping[str, Term] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallCase:
    """A run of frontends over one control plane and one set of stores."""

    heading: Heading
    plane: Plane
    steps: tuple[CallStep | MessageStep, ...]
    breaks: Breaks | None = None


Case = WorldCase | CallCase
