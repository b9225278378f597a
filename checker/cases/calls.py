"""Runs a case whose steps are calls of frontends, and messages between them and the stores."""

from collections.abc import Iterator, Mapping

from checker.cases.answering import faults_of
from checker.cases.calling import IMPLEMENTATION, Called, Caller
from checker.cases.kinds import CallCase, CallStep, MessageStep
from checker.cases.messages import Messages
from checker.cases.parsing import StepError, only
from checker.cases.places import term_at
from checker.cases.result import Broken, CaseResult, Departure, Taken
from checker.nearest import unknown
from checker.replay.clauses import clause_of
from checker.replay.comparing import Difference, differences
from checker.replay.recorded import STATE_FIELDS
from checker.replay.result import abridged
from checker.replay.terms import MalformedError, Term, fields, items, text
from checker.replay.trace import METADATA_FIELDS, Call, Header
from reference.controlplane import segments_of
from reference.vnodes import View, merged
from spec.laws import ranges
from spec.replies import Failed, Refusal
from spec.truth import Listing

Law = tuple[str, str, str]
"""Name, clause and sentence."""
TILE: Law = (
    "the_segments_of_a_range_tile_its_offsets",
    "ROL-4",
    "The segments of a range tile its offsets.",
)
HEAD: Law = ("a_range_has_at_most_one_head", "RNG-2", "A range has at most one head.")
FINAL: Law = ("a_recorded_length_is_final", "RNG-19", "A recorded length is final.")
ERRORS = (
    *sorted(each.name for each in Refusal.__subclasses__() if each is not Failed),
    *("no_quorum", "timeout", "unreachable"),
)
"""What a call may answer as an error, beside what a case has its effects answer."""


def run_calls(case: CallCase) -> CaseResult:
    """Make the calls of a case, one after the other, and judge the control plane on the way.

    Raises MalformedError for a call that cannot be made.
    """
    return begun(case).result()


def begun(case: CallCase) -> "Run":
    """A run of a case that has made no call yet. Raises MalformedError for an unknown law."""
    names = [law[0] for law in (TILE, HEAD, FINAL)]
    if case.breaks is not None and case.breaks.law not in names:
        raise MalformedError(unknown("law of calls named", case.breaks.law, names))
    return Run(case)


class Run:
    """One run of a case."""

    def __init__(self, case: CallCase) -> None:
        plane = case.plane
        self.case = case
        self.caller = Caller(
            Header(
                case.heading.name, IMPLEMENTATION, plane.mode, plane.vnodes, dict(plane.policies)
            )
        )
        self.kept: dict[str, Called] = {}
        self.messages = Messages(self.caller)
        self.names = sorted({step.frontend for step in case.steps if isinstance(step, CallStep)})
        self.states = [self.state()]
        """Whatever there is, before the first step and after each."""
        self.taken: list[Taken] = []
        self.departures: list[Departure] = []
        self.broken: tuple[Broken, ...] = ()

    def result(self) -> CaseResult:
        """Take every step, and answer what came of it."""
        for number, step in enumerate(self.case.steps, 1):
            before = self.caller.machine.world.authority
            shown = self.shown()
            try:
                made = self.take(step)
                self.compare(number, step, made)
            except MalformedError as error:
                raise StepError(number, str(error)) from None
            changed = differences("", shown, self.shown())
            said = tuple(
                f"{one.path}: {abridged(one.expected)} -> {abridged(one.observed)}"
                for one in changed
            )
            self.taken.append(Taken(self.phrase(step, made), said))
            self.states.append(self.state())
            if not self.broken:
                after = self.caller.machine.world.authority
                self.broken = tuple(judged(number, before, after))
        return CaseResult(self.case, tuple(self.taken), tuple(self.departures), self.broken)

    def calls(self) -> list[Called]:
        """Take every step and compare nothing; what was called."""
        for number, step in enumerate(self.case.steps, 1):
            try:
                self.take(step)
            except MalformedError as error:
                raise StepError(number, str(error)) from None
        return self.caller.called

    def take(self, step: CallStep | MessageStep) -> Called | None:
        """Take one step; none where nothing was called."""
        if isinstance(step, MessageStep):
            return self.messages.take(step)
        args = {key: self.resolved(value) for key, value in step.args.items()}
        made = self.caller.call(step.frontend, step.call, args, faults_of(step.answers))
        if step.keep is not None:
            if step.keep in self.kept:
                raise MalformedError(f"keep is {step.keep!r}, and an earlier step has that name")
            self.kept[step.keep] = made
            self.messages.keep(step.keep, made)
        return made

    def resolved(self, term: Term) -> Term:
        """An argument in which references to kept replies are those replies."""
        match term:
            case {"from": str(name), **rest} if rest.keys() <= {"at"}:
                if name not in self.kept:
                    raise MalformedError(unknown("kept reply called", name, self.kept))
                path = text(fields(term, "a reference").get("at", ""), "at")
                is_there, found = term_at(self.kept[name].reply, path)
                if not is_there:
                    raise MalformedError(f"the reply {name!r} has nothing at {path!r}")
                return found
            case dict():
                return {key: self.resolved(each) for key, each in term.items()}
            case list():
                return [self.resolved(each) for each in term]
            case _:
                return term

    def state(self) -> dict[str, object]:
        """Everything there is; a frontend is none before it is opened."""
        machine = self.caller.machine
        fronts: dict[str, object] = {name: machine.frontends.get(name) for name in self.names}
        return fronts | {"plane": machine.world.authority, "store": machine.world.store}

    def shown(self) -> dict[str, Term]:
        """Everything there is, as a recording shows it."""
        machine = self.caller.machine
        fronts: dict[str, Term] = {
            name: machine.shown.state(front) for name, front in sorted(machine.frontends.items())
        }
        fronts["plane"] = machine.shown.view(machine.world.authority)
        fronts["store"] = machine.shown.store(machine.world.store)
        return fronts

    def phrase(self, step: CallStep | MessageStep, made: Called | None) -> str:
        """A step in a few words."""
        if isinstance(step, MessageStep) and made is None:
            return f"{step.verb} {step.message}"
        assert made is not None, "a call was made"
        said = f"{made.frontend} calls {made.call}: {abridged(made.reply, 120)}"
        return f"{step.verb} {step.message}: {said}" if isinstance(step, MessageStep) else said

    def compare(self, number: int, step: CallStep | MessageStep, made: Called | None) -> None:
        """Hold what was answered, and what is there, against what is expected."""
        if made is None:
            if step.expected:
                raise MalformedError("nothing is called here, so nothing can be expected")
            return
        self.refuse_unknown_error(step.expected.get("reply"), made)
        for found in expected_differences(step.expected, made):
            clause = clause_of(as_recorded(made), found, self.case.plane.mode)
            self.departures.append(
                Departure(
                    number,
                    f"{made.frontend} calls {made.call}",
                    found.path,
                    abridged(found.expected),
                    abridged(found.observed),
                    clause,
                )
            )

    def refuse_unknown_error(self, expected: Term, made: Called) -> None:
        """Refuse to expect an error that nothing answers, neither the machine nor the case."""
        match expected:
            case {"error": str(name)} | {"error": [str(name), *_]} if expected != made.reply:
                known = {*ERRORS, *(each for step in self.case.steps for each in errors_in(step))}
                if name not in known:
                    raise MalformedError(unknown("error called", name, sorted(known)))
            case _:
                pass


def errors_in(step: CallStep | MessageStep) -> Iterator[str]:
    """The errors that a step has its effects answer."""
    for several in faults_of(step.answers).values():
        for one in several:
            match one.answer:
                case {"error": str(name)} | {"error": [str(name), *_]}:
                    yield name
                case _:
                    pass


def expected_differences(expected: Mapping[str, Term], made: Called) -> Iterator[Difference]:
    """Every place in which a call is not as expected, with what was expected and what came."""
    if "reply" in expected:
        yield from differences("reply", expected["reply"], made.reply)
    if "effects" in expected:
        yield from effects_differing(items(expected["effects"], "effects"), made.effects)
    for key, there, known in (
        ("state", made.state, sorted(STATE_FIELDS)),
        ("plane", made.plane, sorted(METADATA_FIELDS)),
        ("store", {"store": made.store}, ["store"]),
    ):
        for path, value in fields(expected.get(key, {}), key).items():
            yield from place_differing(key, path, value, there, known)


def place_differing(
    key: str, path: str, value: Term, there: Term, known: list[str]
) -> Iterator[Difference]:
    """How one place differs. Its path begins with a name that there is."""
    at = f"store{path}" if key == "store" else path
    root = at.partition(".")[0].partition("[")[0]
    if root not in known:
        raise MalformedError(unknown(f"part of {key} called", root, known))
    is_there, found = term_at(there, at)
    under = {"state": f"state.{path}", "plane": f"authority.{path}", "store": at}[key]
    if not is_there:
        yield Difference(under, value, "(absent)")
    else:
        yield from differences(under, value, found)


def effects_differing(expected: list[Term], there: list[Term]) -> Iterator[Difference]:
    """How the effects differ; what an expected one does not say may be anything."""
    if len(expected) != len(there):
        kinds: list[Term] = [fields(one, "an effect").get("kind") for one in there]
        yield Difference("effects", [fields(one, "effect").get("kind") for one in expected], kinds)
        return
    for at, (one, other) in enumerate(zip(expected, there, strict=True)):
        said = fields(one, "an effect")
        only(said, ("kind", "request", "reply"), "an effect")
        for name, value in said.items():
            yield from differences(f"effects[{at}].{name}", value, fields(other, "effect")[name])


def as_recorded(made: Called) -> Call:
    """The same call as the line of a recording."""
    effects = [fields(one, "effect") for one in made.effects]
    return Call(
        line=0,
        n=0,
        frontend=made.frontend,
        call=made.call,
        args=made.args,
        reply=made.reply,
        effects=effects,
        state=None,
        authority=None,
        store=None,
        has_flags=False,
    )


def judged(number: int, before: View, after: View) -> Iterator[Broken]:
    """The laws of the control plane that a step breaks, for each range."""
    held, now = listings(before), listings(after)
    for range_id, listing in sorted(now.items()):
        if not all(map(ranges.the_segments_of_a_range_tile_its_offsets, rows_of(listing))):
            yield Broken(number, *TILE)
        if not ranges.a_range_has_at_most_one_head(listing):
            yield Broken(number, *HEAD)
        if not ranges.a_recorded_length_is_final(held.get(range_id, ()), listing):
            yield Broken(number, *FINAL)


def rows_of(listing: Listing) -> list[Listing]:
    """The segments whose numbers follow each other: between them one was removed, or none made."""
    rows: list[Listing] = []
    for entry in listing:
        if rows and rows[-1][-1][0].seq + 1 == entry[0].seq:
            rows[-1] = (*rows[-1], entry)
        else:
            rows.append((entry,))
    return rows


def listings(view: View) -> dict[object, Listing]:
    """By range, its segments as the control plane lists them."""
    metadata = merged(view)
    return {range_id: segments_of(metadata, range_id) for range_id in metadata.ranges}
