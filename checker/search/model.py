"""What a search is given: parts, steps, laws and goals.

A state is a vector of *parts*; a *step* is a rule for concrete participants. It declares the
parts that it reads and writes, is called with the values it reads, and answers all outcomes.
Part values are immutable and hash by content; rules and laws are pure functions.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Parts = Mapping[str, Hashable]
"""The values of some or all parts of a state, by name."""


class Outcome(NamedTuple):
    """One way in which a step can end."""

    label: str
    """A phrase: `f1's batch reaches s0 and takes offset 0`."""
    values: tuple[Hashable, ...]
    """The new values of the parts that the step writes, in the order it declares them."""


Rule = Callable[..., Sequence[Outcome]]
"""Takes the values of the parts read, in order; answers no outcome where it is not enabled."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What must hold for a step to be possible at all, told from a few small parts."""

    reads: tuple[str, ...]
    """Some of the parts that the step reads."""
    holds: Callable[..., bool]
    """Takes their values, in order. Where it answers no, the rule would answer no outcome, and is
    not run: it saves time, and changes nothing."""


@dataclass(frozen=True, slots=True)
class Step:
    """A rule for concrete participants."""

    name: str
    """`f1 plans a batch`; each name stands once in a model."""
    rule_name: str
    """The rule it is an instance of: `plan`. A rule whose steps never fire is dead."""
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    rule: Rule
    guard: Guard | None = None
    """What spares the rule values that it has no outcome for; the search, the audit and the plain
    count of a model hold it to the rule."""


@dataclass(frozen=True, slots=True)
class Law:
    """What holds in every reachable state."""

    name: str
    """The sentence, as the name of a function: `no_two_heads_share_a_range`."""
    clause: str
    sentence: str
    reads: tuple[str, ...]
    holds: Callable[..., bool]
    """Takes the values of the parts read, in order."""
    speaks: Callable[..., bool] | None = None
    """Takes the same values: whether they fulfil the premise of the law, so that it could fail at
    all; where they do not, it holds. None where nobody has said when it speaks."""


@dataclass(frozen=True, slots=True)
class StepLaw:
    """What holds of every step: judged on the values it read and those it wrote.

    It is judged once for each distinct (step, values read), so it costs next to nothing.
    """

    name: str
    clause: str
    sentence: str
    rule_names: frozenset[str]
    """The rules it judges; empty for all of them."""
    holds: Callable[[Step, Parts, Parts], bool]
    """Takes the step, its read parts before, and its read and written parts after."""
    speaks: Callable[[Step, Parts, Parts], bool] | None = None
    """Takes the same: whether the step fulfils the premise of the law. None where nobody said."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What must be reached in some state, so that no law holds idly."""

    name: str
    reads: tuple[str, ...]
    reached: Callable[..., bool]


@dataclass(frozen=True, slots=True)
class Limit:
    """How a bound is felt: the states in which the world would go on but for it."""

    bound: str
    """Its name in `Model.bounds`. Several limits may speak of one bound, and any of them hits it;
    a bound without a limit is felt always: so many participants, no restarts."""
    reads: tuple[str, ...]
    is_hit: Callable[..., bool]
    """Takes the values of the parts read, in order; asked until some state hits the bound."""


@dataclass(frozen=True, slots=True)
class ProgressGoal:
    """What must stay possible, or must come: judged on the graph of all reachable states."""

    name: str
    clause: str
    sentence: str
    kind: Literal["possible", "inevitable"]
    """`possible`: from each state some way leads to the goal. `inevitable`: each run that is fair
    to the steps named in `Model.fair` comes to the goal, again and again."""
    reads: tuple[str, ...]
    reached: Callable[..., bool]
    """Takes the values of the parts read, in order."""
    owed: Callable[..., bool] | None = None
    """Takes the same values: the states in which the goal is due; None where it always is."""


@dataclass(frozen=True, slots=True)
class Accepting:
    """The states in which a world may come to rest; in any other, some step must lead out."""

    clause: str
    sentence: str
    reads: tuple[str, ...]
    accepts: Callable[..., bool]
    """Takes the values of the parts read, in order."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """An exchange of participants, or of values, that changes nothing but names."""

    name: str
    """`f0 and f1 change places`."""
    parts: Mapping[str, str]
    """Where the value of a part goes; a part not named stays where it is."""
    steps: Mapping[str, str]
    """Which step does for the one what a step does for the other; one not named is its own."""
    renamed: Callable[[str, Hashable], Hashable]
    """Takes a part and its value; answers the value with the names in it exchanged. Symmetries one
    after the other that come to the same for parts, steps and names come to the same for values."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What becomes of each name that stands in values alone, as that of a batch or a colour; one
    not named stays. Tells exchanges apart that move the same parts and steps."""


@dataclass(frozen=True, slots=True)
class Model:
    """A finite world."""

    name: str
    initial: Parts
    """Every part, by name, with its first value. Their order is the order of a state."""
    steps: tuple[Step, ...]
    laws: tuple[Law, ...] = ()
    step_laws: tuple[StepLaw, ...] = ()
    goals: tuple[Goal, ...] = ()
    bounds: Mapping[str, str] = field(default_factory=dict)
    """What makes it finite, in words, by the name of the bound."""
    limits: tuple[Limit, ...] = ()
    """Where these bounds are felt."""
    expected_dead: frozenset[str] = frozenset()
    """Rule names that never fire in this model, and are meant not to."""
    progress: tuple[ProgressGoal, ...] = ()
    fair: frozenset[str] = frozenset()
    """Names of steps, or of rules for each of their steps, that may not be put off for ever: one
    that can change the state from some point on without a break is taken at last."""
    accepting: Accepting | None = None
    """Where the world may rest; None where dead ends are not looked for."""
    symmetries: tuple[Symmetry, ...] = ()
    """Exchanges of which all others are made up. They are used only where it is asked for, and
    held to the rules then."""
