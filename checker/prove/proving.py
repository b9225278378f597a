"""One step of the world, from every state that fulfils the laws: whether it keeps them.

The argument. Let the laws be those of `spec.laws` and `spec.laws.supporting`. If they hold
initially, and each step leads from any state that fulfils them all to one that does, they hold
in every state of every run, however long. Each law speaks of a few parts: of the listing of the
control plane, of one frontend beside it, of the copies of one segment, of one message, of two
batches. A step writes a few parts and leaves all others as they are. So for each step it is
enough to look at the parts it reads and writes, with the listing, and besides at

- any one part that it does not touch where a law ties that part to one it writes: another batch
  or fence beside copies that change (drawn as `beside`), and any frontend, message, read or view
  beside a listing that changes. What ties those to the listing survives every change by which
  the listing only grows; that each step lets it only grow is a law, and that such growth keeps
  the ties is the obligation `growth` (see `environment`);
- nothing else: a law whose parts are all as they were holds as it did.

Nothing bounds how many frontends, batches and messages there are, and integers are unknown
throughout. What is bounded is the number of segments of the range. A step that would list one
more leaves the bound and is cut; so are the steps that the world does not have.

A state is drawn as some shape with unknown integers (`shapes`), the step is the world's own and
runs the reference; each comparison forks. Where a path ends, each law is asked in turn: it runs
on the same unknowns, and if it is false on any way through it, the solver has integers for it.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from checker.prove.casting import CASTS, Casting, Parts, with_any_batch
from checker.prove.claims import Claim, number_claims, state_claims, step_claims
from checker.prove.drawing import Draw, Given, drawing
from checker.prove.measuring import measuring
from checker.prove.paths import Explorer
from checker.prove.shapes import Cast
from checker.prove.solving import Hearer, Solver, UndecidedError
from checker.search.model import Model, Outcome, Step
from checker.search.model import Parts as AnyParts
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.roll import world
from checker.world.sharing.rules import Rules
from reference.producing import encoded_size
from spec.vocabulary import ByteSize


@dataclass(frozen=True, slots=True)
class Taken:
    """One way in which a step went, and what is claimed of it."""

    label: str
    before: AnyParts
    after: AnyParts
    claims: tuple[Claim, ...]


Casts = Callable[[Draw], Cast]
"""How states are drawn: how large, and which laws they fulfil."""
Stage = Callable[[Draw], Iterable[Taken]]
"""Draws a state, takes a step, and answers what came of it; nothing where it cannot be taken."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """Integers with which a law does not hold after a step."""

    picks: Mapping[str, int]
    values: Mapping[str, int]


@dataclass(slots=True)
class Judged:
    """What came of one law."""

    law: str
    clause: str
    paths: int = 0
    seconds: float = 0.0
    refuted: Refuted | None = None
    unknown: str | None = None

    @property
    def verdict(self) -> str:
        """`proved`, `refuted` or `unknown`."""
        if self.refuted is not None:
            return "refuted"
        return "proved" if self.unknown is None else "unknown"


@dataclass(slots=True)
class Worked:
    """What came of one step."""

    name: str
    shapes: int = 0
    paths: int = 0
    seconds: float = 0.0
    unknown: str | None = None
    laws: dict[str, Judged] = field(default_factory=dict)

    @property
    def drawing(self) -> float:
        """Seconds in which shapes were drawn and the step was taken, for all laws at once."""
        return max(0.0, self.seconds - sum(law.seconds for law in self.laws.values()))


def bounds_for(segments: int) -> Bounds:
    """The world whose steps are proved: every step that it has, with every fault."""
    return Bounds(
        batches=((1,), (1,)),
        segments=segments,
        refreshes=(1, 0),
        sweepers=("f1",),
        faults=1,
    )


def model_for(rules: Rules, segments: int) -> Model:
    """That world, run by these rules. Nobody keeps a journal: see what is cut."""
    return world("prove", bounds_for(segments), rules)


def steps_of(model: Model) -> tuple[Step, ...]:
    """The steps of the first frontend, and those of nobody; what the second does is the same."""
    return tuple(
        step
        for step in model.steps
        if not any(part.startswith("f2") for part in step.reads) and step.rule_name in CASTS
    )


def stage_of(model: Model, step: Step, cast: Casts) -> Stage:
    """Take one step of a world from any state that fulfils the laws."""

    def stage(draw: Draw) -> Iterable[Taken]:
        casting = Casting(cast(draw), step)
        if not CASTS[step.rule_name](casting):
            return
        taken, size = step, ByteSize(0)
        if step.rule_name in {"plan", "open", "open unheard"}:
            batch = casting.cast.run("batch")
            taken, size = with_any_batch(step, (batch,)), encoded_size(batch)
        before = dict(casting.parts)
        for outcome in taken.rule(*(before[part] for part in step.reads)):
            after = _after(before, step, outcome)
            claims = (
                *step_claims(step, model.step_laws, before, after),
                *number_claims(step, before, after, size),
                *state_claims(step, before, after),
            )
            yield Taken(outcome.label, before, after, claims)

    return stage


def _after(before: Parts, step: Step, outcome: Outcome) -> Parts:
    return before | dict(zip(step.writes, outcome.values, strict=True))


def work(
    name: str,
    stage: Stage,
    is_about: Callable[[str], bool] = lambda _law: True,
    timeout: float = 300.0,
    hear: Hearer | None = None,
) -> Worked:
    """Judge every law, or those that it is about, on every path of a stage."""
    worked = Worked(name)
    explorer = Explorer(Solver(timeout, hear))
    started = time.perf_counter()
    shapes: set[frozenset[tuple[str, int]]] = set()
    with measuring():
        paths = explorer.paths(lambda: tuple(stage(explorer)))
        try:
            for path in paths:
                worked.paths += 1
                shapes.add(frozenset(path.picks.items()))
                for claim in (each for taken in path.outcome for each in taken.claims):
                    if is_about(claim.law):
                        judged = worked.laws.setdefault(claim.law, Judged(claim.law, claim.clause))
                        _judge(explorer, claim, judged, path.picks)
        except UndecidedError as error:
            worked.unknown = str(error)
        finally:
            paths.close()
    worked.shapes = len(shapes)
    worked.seconds = time.perf_counter() - started
    return worked


def _judge(explorer: Explorer, claim: Claim, judged: Judged, picks: Mapping[str, int]) -> None:
    if judged.refuted is not None:
        return
    judged.paths += 1
    started = time.perf_counter()
    try:
        for branch in explorer.branches(claim.holds):
            if not branch.outcome:
                judged.refuted = Refuted({**picks, **branch.picks}, branch.witness)
                break
    except UndecidedError as error:
        judged.unknown = str(error)
    judged.seconds += time.perf_counter() - started


def again(stage: Stage, refuted: Refuted, law: str) -> Taken:
    """Take a refuted step once more on plain integers, and see that the law is false of it."""
    draw = Given(refuted.values, refuted.picks)
    with measuring(), drawing(draw):
        for taken in stage(draw):
            if not all(claim.holds() for claim in taken.claims if claim.law == law):
                return taken
    raise AssertionError(f"{law} holds of the integers with which it was refuted")
