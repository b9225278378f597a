"""What there is to know of a law, a defect or a finding, gathered from where it stands."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from inspect import getsourcefile, getsourcelines, unwrap
from pathlib import Path

from checker.citing import Place, first_words, keeping, laws_written, place_of_law
from checker.search.model import Law, Model, ProgressGoal, StepLaw
from checker.world.binding import in_words
from checker.world.defects import DEFECTS, defect_named
from checker.world.findings import FINDINGS, finding_named
from checker.world.idling import why_idle
from checker.world.kinds import Defect, Finding, Remedy
from checker.world.scopes import SCOPES, scope_named
from spec.clauses import Clause, clauses, page, sentence_of
from spec.premises import premises

ROW = re.compile(r"^\| ([SP]\d+) \| (.+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class KnownLaw:
    """A law that some world is judged by."""

    name: str
    clause: str
    sentence: str
    scopes: tuple[str, ...]
    """The worlds that it judges."""
    at: Place | None = None
    """Where it stands, where that is beside its worlds and not in `spec.laws`."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One law, defect or finding."""

    kind: str
    """`law`, `defect` or `finding`."""
    name: str
    title: str
    words: str
    """What it is, in a sentence."""
    law: KnownLaw
    facts: tuple[tuple[str, str], ...] = ()
    """What else is said of it, by a word each."""
    changed: tuple[Place, ...] = ()
    """The functions that the change puts in place of others."""
    shown_by: Defect | Finding | None = None
    """Whose counterexample tells the story; none where no named one breaks the law."""

    @property
    def clause(self) -> Clause | None:
        """The clause that the law keeps."""
        return next((each for each in clauses() if each.id == self.law.clause), None)

    @property
    def properties(self) -> tuple[tuple[str, str], ...]:
        """The properties that the clause follows from, each with its sentence."""
        known, clause = properties(), self.clause
        named = () if clause is None else clause.properties
        return tuple((each, known[each]) for each in named if each in known)

    @property
    def code(self) -> tuple[Place, ...]:
        """The functions that keep the clause: the reference's, or else the callers'."""
        return keeping(self.law.clause)

    @property
    def law_at(self) -> Place | None:
        """Where the law stands."""
        return place_of_law(self.law.name) or self.law.at


def explanation_of(name: str) -> Explanation | None:
    """What there is to know of a name; none for one that nobody knows."""
    defect, finding = defect_named(name), finding_named(name)
    if defect is not None:
        return of_defect(defect)
    if finding is not None:
        return of_finding(finding)
    if name in laws():
        return of_law(laws()[name])
    return of_proved_law(proved_alone()[name]) if name in proved_alone() else None


def known_names() -> Iterator[str]:
    """Every name that can be explained."""
    named: list[Defect | Finding] = [*DEFECTS, *FINDINGS]
    for each in named:
        yield each.name
        yield each.title
    yield from laws()
    yield from proved_alone()


def laws_about(name: str) -> tuple[str, ...]:
    """The laws that judge a clause, or the clauses that a property stands behind."""
    wanted = name.upper()
    ids = {each.id for each in clauses() if wanted == each.id or wanted in each.properties}
    judged = tuple(law.name for law in laws().values() if law.clause in ids)
    return judged or tuple(law.name for law in proved_alone().values() if law.clause in ids)


def of_defect(defect: Defect) -> Explanation:
    """What there is to know of a defect."""
    return Explanation(
        kind="defect",
        name=defect.name,
        title=defect.title,
        words=defect.change,
        law=laws()[defect.caught_by],
        changed=tuple(changes_of(defect)),
        shown_by=defect,
    )


def of_finding(finding: Finding) -> Explanation:
    """What there is to know of a finding."""
    return Explanation(
        kind="finding",
        name=finding.name,
        title=finding.title,
        words=finding.meaning,
        law=laws()[finding.law],
        facts=tuple(facts_of(finding)),
        shown_by=finding,
    )


def facts_of(finding: Finding) -> Iterator[tuple[str, str]]:
    """What is said of a finding, by a word each."""
    yield "mode", finding.mode
    if finding.seen_as:
        yield "seen as", finding.seen_as
    yield from (("assumes", each) for each in finding.assumes)
    if finding.remedy is not None:
        yield from closing_facts(finding.remedy)
    yield from grounds_of(finding)


def grounds_of(finding: Finding) -> Iterator[tuple[str, str]]:
    """What permits each step of a finding."""
    for number, ground in enumerate(finding.grounds(), 1):
        said = [f"{each}: {sentence_of(each)}" for each in ground.clauses]
        said += [f"assumed: {each}" for each in ground.assumed]
        yield f"step {number}", "; ".join(said)


def closing_facts(remedy: Remedy) -> Iterator[tuple[str, str]]:
    """What closes a finding, and at what price."""
    yield "closed by", remedy.rule
    for clause in remedy.amends:
        yield "which changes", f"{clause}: {sentence_of(clause)}"
    for each in remedy.gives_up:
        yield "which breaks", f"{each.law}: {each.reason}"
    for each in remedy.leaves:
        yield "which leaves", f"{each.law} broken: {each.reason}"


def of_law(law: KnownLaw) -> Explanation:
    """What there is to know of a law: the story is that of the shortest change that breaks it."""
    defects = sorted((d for d in DEFECTS if d.caught_by == law.name), key=lambda d: d.steps)
    breakers: list[Defect | Finding] = list(defects)
    breakers += [each for each in FINDINGS if each.law == law.name]
    facts = [("judges", ", ".join(law.scopes) or "findings alone")]
    facts += [*speaking_facts(law), proof_of(law.name)]
    facts += [("broken by", f"{each.name} {each.title}") for each in breakers]
    return Explanation(
        kind="law",
        name=law.name,
        title="",
        words=law.sentence,
        law=law,
        facts=tuple(facts),
        changed=tuple(changes_of(defects[0])) if defects else (),
        shown_by=next(iter(breakers), None),
    )


def of_proved_law(law: KnownLaw) -> Explanation:
    """What there is to know of a law that judges no world."""
    facts = (("judges", "no world: nothing searches it, and prove alone judges it"),)
    return Explanation(
        kind="law",
        name=law.name,
        title="",
        words=law.sentence,
        law=law,
        facts=(*facts, proof_of(law.name)),
    )


def speaking_facts(law: KnownLaw) -> Iterator[tuple[str, str]]:
    """When a law speaks, and in which of its default worlds it never does."""
    premise = premises().get(law.name)
    if premise is not None:
        yield "speaks", f"where {premise.words}" if premise.words else "of every case it is shown"
    idle: dict[str, list[str]] = {}
    for scope in law.scopes:
        reason = why_idle(scope, law.name)
        if reason:
            idle.setdefault(reason, []).append(scope)
    yield from (("is idle in", f"{', '.join(scopes)}: {said}") for said, scopes in idle.items())


def proof_of(law: str) -> tuple[str, str]:
    """Whether a law is proved as well as searched, as a fact."""
    from checker.prove.known import law_names  # noqa: PLC0415 - the solver is slow to import

    if law in law_names():
        return "proved", f"for every integer: malachi-model prove {law}"
    return "not proved", "it is searched alone, within the bounds of these worlds"


@cache
def laws() -> Mapping[str, KnownLaw]:
    """Every law that judges a world, by name; those that only look true judge findings alone."""
    found: dict[str, KnownLaw] = {}
    for scope in SCOPES:
        for law in judging(scope.build()):
            known = found.get(law.name)
            scopes = (*(known.scopes if known else ()), scope.name)
            at = place_of(judge_of(law))
            found[law.name] = KnownLaw(law.name, law.clause, law.sentence, scopes, at)
    for finding in FINDINGS:
        for law in judging(finding.build()):
            at = place_of(judge_of(law))
            found.setdefault(law.name, KnownLaw(law.name, law.clause, law.sentence, (), at))
    return found


def judge_of(law: Law | StepLaw | ProgressGoal) -> Callable[..., object]:
    """What answers whether a law holds, or whether a goal is reached."""
    return law.reached if isinstance(law, ProgressGoal) else law.holds


@cache
def proved_alone() -> Mapping[str, KnownLaw]:
    """The laws that judge no world, by name: those that the prover alone is asked about."""
    from checker.prove.known import clause_of_law, law_names  # noqa: PLC0415 - slow to import

    names = (name for name in laws_written() if name in law_names() and name not in laws())
    return {name: KnownLaw(name, clause_of_law(name), in_words(name), ()) for name in names}


def judging(model: Model) -> tuple[Law | StepLaw | ProgressGoal, ...]:
    """All that a world is judged by and that has a name."""
    return (*model.laws, *model.step_laws, *model.progress)


def properties() -> Mapping[str, str]:
    """The sentence of each property."""
    return dict(ROW.findall(page("properties")))


def changes_of(defect: Defect) -> Iterator[Place]:
    """The functions that a defect puts in place of others, by comparing its rules."""
    scope = scope_named(defect.scope)
    plain = {} if scope is None else dict(rules_in(scope.build()))
    for key, function in rules_in(defect.build()):
        if plain.get(key) != function:
            place = place_of(function)
            if place is not None:
                yield place


def rules_in(model: Model) -> Iterator[tuple[str, Callable[..., object]]]:
    """The functions that the steps of a world run, by the names of the rules."""
    known: set[str] = set()
    for step in model.steps:
        owner = getattr(step.rule, "__self__", step.rule)
        rules = getattr(owner, "rules", None)
        if not is_dataclass(rules):
            continue
        for name, function in functions_in(rules):
            if name not in known:
                known.add(name)
                yield name, function


def functions_in(rules: object) -> Iterator[tuple[str, Callable[..., object]]]:
    """The functions that a value of rules holds, those of rules inside it included."""
    for each in fields(rules) if is_dataclass(rules) else ():
        value = getattr(rules, each.name)
        if callable(value):
            yield each.name, value
        else:
            yield from functions_in(value)


def place_of(function: Callable[..., object]) -> Place | None:
    """Where a function stands; none where it has no page."""
    plain = unwrap(function)
    file = getsourcefile(plain) if callable(plain) and hasattr(plain, "__code__") else None
    if file is None:
        return None
    module = plain.__module__.split(".")
    shown = "/".join([*module[:-1], Path(file).name])
    return Place(shown, getsourcelines(plain)[1], plain.__name__, first_words(plain.__doc__ or ""))
