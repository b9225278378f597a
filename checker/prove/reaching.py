"""Whether a run from the start comes to break a law that some step does not keep.

A refuted step says that a law is false after it, from a state that fulfils all laws: not that any
run comes to that state. The search looks for such a run, in the world whose steps are proved and
in the smaller ones beside it. What it does not find may be out of reach: then a law is missing
that excludes the state, and which of the known ones do is told.

Small batches come first, since their runs are short to read. What they do not come to is searched
for once more with unknown integers, so that a law which only large numbers break is reached too.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from checker.prove.claims import is_kept, number_claims, state_claims
from checker.prove.integers import NotSymbolicError
from checker.prove.known import clause_of_law
from checker.prove.proving import bounds_for
from checker.search.explore import Options, search
from checker.search.model import Law, Model, Parts, Step, StepLaw
from checker.search.plain import Limits
from checker.search.report import Trace
from checker.symbolic.results import search_all_integers
from checker.world.binding import in_words
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.parts import Sent
from checker.world.sharing.roll import world
from checker.world.sharing.rules import Rules
from checker.world.sharing.scopes import BOUNDS
from reference.frontend import Frontend
from reference.producing import encoded_size
from spec.vocabulary import ByteSize

MOST_STATES = 20_000
"""So many states of each world are searched for all laws together."""
MOST_SYMBOLIC = 2_000
"""So many states of each world whose integers are unknown, at most."""
OF_JOURNALS = frozenset({"a_refresh_replays_what_was_commanded_since_the_read"})
"""The laws for which frontends keep a journal."""
STEPS_ONLY = frozenset(
    {
        "a_batch_is_planned_below_the_counter",
        "a_full_head_owes_a_roll",
        "a_listing_only_grows",
        "a_plan_tallies_what_it_sends",
        "a_recorded_seal_has_the_bytes_of_the_answer",
    }
)
"""Supporting laws of a step, not of a state."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What the search found of some laws."""

    traces: Mapping[str, Trace]
    """By law: a shortest run to where it breaks."""
    worlds: tuple[tuple[str, int], ...]
    """The worlds that were searched, and how many states of each in the longest search."""
    numbers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By law: the integers of its run, where it was found with unknown ones."""


class _Reaching:
    """Searches that are under way."""

    def __init__(self, rules: Rules, laws: Collection[str]) -> None:
        self.rules = rules
        self.left = set(laws)
        self.traces: dict[str, Trace] = {}
        self.numbers: dict[str, Mapping[str, int]] = {}
        self.worlds: list[tuple[str, int]] = []

    def look(self, name: str, bounds: Bounds, most: int) -> None:
        """Search a world of small batches for each law that is left."""
        states = 0
        for group in (self.left - OF_JOURNALS, self.left & OF_JOURNALS):
            while group:
                model = judged(name, bounds, self.rules, group)
                report = search(model, max_states=most, options=Options(engine="plain"))
                states = max(states, report.states)
                if report.trace is None:
                    break
                group.remove(self._found(report.trace))
        if states:
            self.worlds.append((name, states))

    def look_again(self, name: str, bounds: Bounds, most: int) -> None:
        """Search the same world with batches of any size, if its rules can be run on them."""
        states = 0
        with suppress(NotSymbolicError):
            while self.left - OF_JOURNALS:
                model = judged(name, bounds, self.rules, self.left - OF_JOURNALS)
                found = search_all_integers(model, Limits(max_states=most))
                states = max(states, found.report.states)
                if found.report.trace is None:
                    break
                self.numbers[self._found(found.report.trace)] = found.numbers
        if states:
            self.worlds.append((f"{name} with unknown integers", states))

    def _found(self, trace: Trace) -> str:
        self.traces[trace.law.name] = trace
        self.left.remove(trace.law.name)
        return trace.law.name


def reach(rules: Rules, laws: Collection[str], segments: int, most: int = MOST_STATES) -> Reach:
    """Search for a run that breaks each of these laws."""
    reaching = _Reaching(rules, laws)
    worlds = tuple(bounds_by_name(segments))
    for name, bounds in worlds:
        reaching.look(name, bounds, most)
    for name, bounds in worlds:
        reaching.look_again(name, bounds, min(most, MOST_SYMBOLIC))
    return Reach(reaching.traces, tuple(reaching.worlds), reaching.numbers)


def bounds_by_name(segments: int) -> Iterator[tuple[str, Bounds]]:
    """The worlds to search: the smaller ones first, and the one whose steps are proved."""
    names = ("faults", "roll", "race", "age")
    yield from ((name, BOUNDS[name]) for name in names)
    yield "prove", bounds_for(segments)


def judged(name: str, bounds: Bounds, rules: Rules, laws: Collection[str]) -> Model:
    """A world judged by these laws alone; nobody keeps a journal, unless they are about one."""
    model = world(name, bounds, rules)
    parts = dict(model.initial)
    if not OF_JOURNALS.issuperset(laws):
        parts = {name: _without_journal(value) for name, value in parts.items()}
    own = {law.name for law in model.laws} | {law.name for law in model.step_laws}
    every = [law for law in sorted(laws) if law not in own]
    names = tuple(parts)
    return replace(
        model,
        initial=parts,
        laws=(
            *(law for law in model.laws if law.name in laws),
            *(_law(each, names) for each in every if each not in STEPS_ONLY),
        ),
        step_laws=(
            *(law for law in model.step_laws if law.name in laws),
            *(_step_law(each) for each in every if each in STEPS_ONLY),
        ),
        goals=(),
        limits=(),
    )


def _without_journal(value: Hashable) -> Hashable:
    return replace(value, journal=None) if isinstance(value, Frontend) else value


def _law(name: str, parts: tuple[str, ...]) -> Law:
    def holds(*values: Hashable) -> bool:
        return is_kept(name, dict(zip(parts, values, strict=True)))

    return Law(name, clause_of_law(name), in_words(name), parts, holds)


def _step_law(name: str) -> StepLaw:
    rules = {"plan", "open", "record", "record unheard", "fail over"}
    holds = partial(_holds_of_step, name)
    return StepLaw(name, clause_of_law(name), in_words(name), frozenset(rules), holds)


def _holds_of_step(law: str, step: Step, before: Parts, after: Parts) -> bool:
    claims = [*number_claims(step, before, after, _size(step, after))]
    if "control" in step.writes:
        claims += state_claims(step, before, after)
    return all(each.holds() for each in claims if each.law == law)


def _size(step: Step, after: Parts) -> ByteSize:
    sent = [value for name in step.writes if isinstance(value := after[name], Sent)]
    return ByteSize(sum(encoded_size(each) for each in sent[0].dispatch.records) if sent else 0)
