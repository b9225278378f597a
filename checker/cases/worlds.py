"""Runs a case whose steps are those of a world."""

from collections.abc import Iterator, Sequence

from checker.cases.kinds import WorldCase, WorldStep
from checker.cases.parsing import StepError
from checker.cases.places import expected_text, said_at
from checker.cases.result import Broken, CaseResult, Departure, Taken
from checker.cases.stages import Stage, stage_of
from checker.nearest import unknown
from checker.replay.terms import MalformedError
from checker.search.confirming import confirm_dead_end, confirm_lasso, confirm_lost
from checker.search.contract import call
from checker.search.faults import InternalError
from checker.search.model import Law, Model, Outcome, Parts, ProgressGoal, Step, StepLaw
from checker.search.progress import NO_DEAD_END
from checker.search.report import LawReport, Move, Trace
from checker.search.tables import judges_step, run_rule, step_law_holds
from checker.story import changes


def run_world(case: WorldCase, stage: Stage | None = None) -> CaseResult:
    """Take the steps of a case, one after the other, and judge all laws on the way.

    Raises MalformedError for an unknown name and for a step that cannot be taken. The stage is
    the world that the case names, unless another is given.
    """
    return run_of(case, stage).result()


def run_of(case: WorldCase, stage: Stage | None = None) -> "Run":
    """A run of a case that has not begun. Raises MalformedError for an unknown name."""
    found = stage_of(case.world) if stage is None else stage
    known(case, found.model)
    return Run(case, found)


def known(case: WorldCase, model: Model) -> None:
    """Refuse names that the world does not have."""
    steps = [step.name for step in model.steps]
    for number, taken in enumerate(case.steps, 1):
        if taken.step not in steps:
            raise StepError(number, unknown(f"step of {model.name} called", taken.step, steps))
    laws = [law.name for law in lasting(model)]
    if case.breaks is not None and case.breaks.law not in laws:
        raise MalformedError(unknown(f"law of {model.name} called", case.breaks.law, laws))
    if case.breaks is not None and case.breaks.loop is not None:
        goals = [goal.name for goal in model.progress if goal.kind == "inevitable"]
        if case.breaks.law not in goals:
            raise MalformedError(
                f"breaks.loop is of what has to come about, and {case.breaks.law} is a law of what"
                " is there"
            )


def words_of(label: str) -> set[str]:
    """The words of a label. One that shares none with what could come is a slip of the pen."""
    return set(label.lower().split())


def lasting(model: Model) -> list[LawReport]:
    """All that a world is judged by."""
    laws: list[Law | StepLaw | ProgressGoal] = [*model.laws, *model.step_laws, *model.progress]
    judged = [LawReport(law.name, law.clause, law.sentence, "broken") for law in laws]
    if model.accepting is not None:
        rest = model.accepting
        judged.append(LawReport(NO_DEAD_END, rest.clause, rest.sentence, "broken"))
    return judged


class Run:
    """One run of a case."""

    def __init__(self, case: WorldCase, stage: Stage) -> None:
        self.case, self.model, self.show = case, stage.model, stage.show
        self.steps = {step.name: step for step in stage.model.steps}
        self.moves: list[Move] = []
        self.taken: list[Taken] = []
        self.departures: list[Departure] = []
        self.broken: tuple[Broken, ...] = ()

    def result(self) -> CaseResult:
        """Take every step that can be taken, and answer what came of it."""
        self.broken = tuple(self.broken_in(self.model.initial))
        for number, taken in enumerate(self.case.steps, 1):
            if not self.take(number, taken):
                break
        else:
            self.broken = self.broken or tuple(self.never())
        return CaseResult(self.case, tuple(self.taken), tuple(self.departures), self.broken)

    def take(self, number: int, taken: WorldStep) -> bool:
        """Take one step, and say whether the run goes on."""
        step, before = self.steps[taken.step], self.state()
        outcomes = run_rule(step, [before[name] for name in step.reads])
        outcome = self.chosen(number, taken, outcomes)
        if outcome is None:
            return False
        after = {**before, **dict(zip(step.writes, outcome.values, strict=True))}
        self.moves.append(Move(step.name, outcome.label, after))
        self.taken.append(Taken(outcome.label, changes(self.show(before), self.show(after))))
        if not self.broken:
            self.broken = (*self.broken_by(step, before, after), *self.broken_in(after))
        self.compare(number, taken, after)
        return True

    def state(self) -> Parts:
        """Where the run stands."""
        return self.moves[-1].parts if self.moves else self.model.initial

    def chosen(self, number: int, taken: WorldStep, outcomes: Sequence[Outcome]) -> Outcome | None:
        """The outcome that a step is to have; none, and a departure, where it cannot have it."""
        if not outcomes:
            raise StepError(number, f"{taken.step!r} cannot be taken here")
        labels = [outcome.label for outcome in outcomes]
        if taken.outcome is None and len(labels) > 1:
            can = " or ".join(map(repr, labels))
            raise StepError(number, f"{taken.step!r} needs an outcome: {can}")
        if taken.outcome is None or taken.outcome in labels:
            return outcomes[labels.index(taken.outcome or labels[0])]
        if words_of(taken.outcome).isdisjoint(words_of(" ".join([*labels, taken.step]))):
            said = unknown(f"outcome of {taken.step!r} called", taken.outcome, labels)
            raise StepError(number, said)
        got = " or ".join(labels)
        self.departures.append(Departure(number, taken.step, "outcome", taken.outcome, got))
        return None

    def compare(self, number: int, taken: WorldStep, after: Parts) -> None:
        """Hold a state against what is expected of it."""
        shown = self.show(after)
        for path, value in taken.state.items():
            try:
                got, expected = said_at(shown, path), expected_text(value)
            except MalformedError as error:
                raise StepError(number, str(error)) from None
            if got != expected:
                said = self.moves[-1].label
                self.departures.append(Departure(number, said, path, expected, got))

    def broken_in(self, state: Parts) -> Iterator[Broken]:
        """The laws that do not hold in a state."""
        for law in self.model.laws:
            values = (state[name] for name in law.reads)
            if not call(f"the law {law.name}", law.holds, *values):
                yield self.breach(law)

    def broken_by(self, step: Step, before: Parts, after: Parts) -> Iterator[Broken]:
        """The laws that a step does not keep."""
        read = {name: before[name] for name in step.reads}
        touched = {name: after[name] for name in (*step.reads, *step.writes)}
        for law in self.model.step_laws:
            if judges_step(law, step) and not step_law_holds(law, step, read, touched):
                yield self.breach(law)

    def breach(self, law: Law | StepLaw | LawReport) -> Broken:
        """A law that is broken here."""
        return Broken(len(self.moves), law.name, law.clause, law.sentence)

    def trace(self) -> Trace:
        """The moves so far, with the law that the case names, or the one that broke."""
        said = self.case.breaks
        names = [said.law] if said else [each.law for each in self.broken]
        law = next(
            (each for each in lasting(self.model) if each.name in names),
            LawReport("no_law_is_broken", "", "No law is broken.", "holds"),
        )
        loop = None if said is None else said.loop
        return Trace(dict(self.model.initial), tuple(self.moves), law, loop)

    def never(self) -> Iterator[Broken]:
        """What the run never comes to, where that is what the case says."""
        trace = self.trace()
        goal = next((one for one in self.model.progress if one.name == trace.law.name), None)
        rest = self.model.accepting if trace.law.name == NO_DEAD_END else None
        try:
            if goal is not None:
                self.confirm(trace, goal)
            elif rest is not None:
                confirm_dead_end(self.model, trace, rest)
        except InternalError:
            return
        if goal is not None or rest is not None:
            yield self.breach(trace.law)

    def confirm(self, trace: Trace, goal: ProgressGoal) -> None:
        """Hold a run that never comes to a goal to the rules."""
        if goal.kind == "inevitable":
            confirm_lasso(self.model, trace, goal)
        else:
            confirm_lost(self.model, trace, goal)
