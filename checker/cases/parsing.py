"""The one parser of case files. What it refuses is one line, with the step where there is one.

The text is TOML. A value that is none is written `{none = true}`, since TOML has no word for it.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from checker.cases import kinds
from checker.cases.kinds import Breaks, CallCase, CallStep, Case, Heading, MessageStep, WorldCase
from checker.nearest import unknown
from checker.replay import trace
from checker.replay.calls.table import CALLS
from checker.replay.terms import (
    MalformedError,
    Term,
    count,
    field,
    fields,
    items,
    text,
    whole,
    wrong,
)
from spec.clauses import clauses

MOST_BYTES = 4 << 20
NONE: Term = {"none": True}
"""How a value that is none is written."""
STEPS = re.compile(r"^[ \t]*\[\[[ \t]*steps[ \t]*\]\]", re.MULTILINE)

CASE = ("format", "name", "about", "clauses", "world", "plane", "breaks", "steps")
WORLD = ("scope", "defect", "finding", "remedy")
PLANE = ("mode", "vnodes", "policies")
BREAKS = ("law", "step", "loop")
WORLD_STEP = ("step", "outcome", "state")
EXPECTED = ("reply", "effects", "state", "plane", "store")
CALL_STEP = ("frontend", "call", "args", "answers", "keep", *EXPECTED)
SHARED = ("plane", "store")
MESSAGE_STEP = (*kinds.VERBS, "item", "now", "answers", *EXPECTED)


class CaseError(Exception):
    """A case that cannot be run: one line that says why, and where in the file."""


class StepError(MalformedError):
    """What is wrong with one step."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(f"step {number}: {message}")
        self.number = number


def load(path: Path) -> Case:
    """The case in a file. Raises CaseError, with the path in it, for what is none."""
    try:
        written = read(path)
    except OSError as error:
        raise CaseError(f"{path}: {error.strerror or error}") from None
    except MalformedError as error:
        raise CaseError(f"{path}: {error}") from None
    try:
        return parse(written)
    except MalformedError as error:
        raise CaseError(located(path, written, error)) from None


def located(path: Path, written: str, error: MalformedError) -> str:
    """What is wrong, with the file, and the line of the step where it is known."""
    if isinstance(error, StepError):
        starts = [found.start() for found in STEPS.finditer(written)]
        if error.number <= len(starts):
            line = written.count("\n", 0, starts[error.number - 1]) + 1
            return f"{path}:{line}: {error}"
    return f"{path}: {error}"


def read(path: Path) -> str:
    """The text of a file, within bounds."""
    if path.exists() and not path.is_file():
        raise MalformedError("not a regular file")
    with path.open("rb") as file:
        found = file.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise MalformedError(f"longer than {MOST_BYTES >> 20} MiB")
    try:
        return found.decode()
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8 at byte {error.start}") from None


def parse(written: str) -> Case:
    """The case that a text describes. Raises MalformedError for any other text."""
    return case_of(parsed(written))


def parsed(written: str) -> dict[str, Term]:
    """The TOML of a case as terms."""
    try:
        table = tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        raise MalformedError(f"not TOML: {error}") from None
    except RecursionError:
        raise MalformedError("nested too deep") from None
    except ValueError:
        raise MalformedError("a number has too many digits") from None
    return {key: as_term(value, key) for key, value in table.items()}


def as_term(value: object, name: str) -> Term:
    """A value of TOML; there are no fractions and no dates in a case."""
    match value:
        case bool() | int() | str():
            return value
        case list():
            return [as_term(each, f"{name}[{at}]") for at, each in enumerate(value)]
        case dict():
            return {key: as_term(each, f"{name}.{key}") for key, each in value.items()}
        case _:
            raise MalformedError(f"{name} is {value}: a case has no fractions and no dates")


def plain(term: Term) -> Term:
    """A term in which what is written as none is none."""
    match term:
        case list():
            return [plain(each) for each in term]
        case dict():
            return None if term == NONE else {key: plain(each) for key, each in term.items()}
        case _:
            return term


def case_of(term: dict[str, Term]) -> Case:
    """The case that a parsed text describes."""
    only(term, CASE, "the case")
    if term.get("format") != kinds.FORMAT:
        raise wrong("format", f'"{kinds.FORMAT}"', term.get("format"))
    if ("world" in term) == ("plane" in term):
        raise MalformedError("a case has either a [world] or a [plane]")
    heading = heading_of(term)
    steps = [fields(each, "a step") for each in items(field(term, "steps", ""), "steps")]
    if not steps:
        raise MalformedError("steps is empty: a case has a step at least")
    breaks = breaks_of(fields(term["breaks"], "breaks"), len(steps)) if "breaks" in term else None
    if "world" in term:
        world = world_of(fields(term["world"], "world"))
        taken = tuple(world_step(number, step) for number, step in enumerate(steps, 1))
        return WorldCase(heading, world, taken, breaks)
    plane = plane_of(fields(term["plane"], "plane"))
    called = tuple(call_step(number, step) for number, step in enumerate(steps, 1))
    return CallCase(heading, plane, called, breaks)


def heading_of(term: dict[str, Term]) -> Heading:
    """Name, sentence and clauses."""
    cited = tuple(text(each, "clauses") for each in items(term.get("clauses", []), "clauses"))
    known = {clause.id for clause in clauses()}
    for each in cited:
        if each not in known:
            raise MalformedError(unknown("clause", each, sorted(known)))
    return Heading(
        name=text(field(term, "name", ""), "name"),
        about=text(term.get("about", ""), "about"),
        clauses=cited,
    )


def world_of(term: dict[str, Term]) -> kinds.World:
    """The world by the names of what it is."""
    only(term, WORLD, "world")
    named = {key: text(value, f"world.{key}") for key, value in term.items()}
    if "scope" not in named:
        raise MalformedError("world.scope is missing")
    if len(named) > len(("scope", "change")):
        raise MalformedError("a world has one of defect, finding and remedy")
    return kinds.World(**named)


def breaks_of(term: dict[str, Term], steps: int) -> Breaks:
    """Which law has to break at which of the steps."""
    only(term, BREAKS, "breaks")
    at = count(field(term, "step", "breaks"), "breaks.step")
    if at == 0:
        raise MalformedError("breaks.step is 0, and the first step is 1")
    if at > steps:
        raise MalformedError(f"breaks.step is {at}, and the last step is {steps}")
    loop = count(term["loop"], "breaks.loop") if "loop" in term else None
    if loop is not None and loop > steps:
        raise MalformedError(f"breaks.loop is {loop}, and the last step is {steps}")
    return Breaks(text(field(term, "law", "breaks"), "breaks.law"), at, loop)


def world_step(number: int, term: dict[str, Term]) -> kinds.WorldStep:
    """One step of a world."""
    try:
        only(term, WORLD_STEP, "the step")
        expected = fields(term.get("state", {}), "state")
        return kinds.WorldStep(
            step=text(field(term, "step", ""), "step"),
            outcome=text(term["outcome"], "outcome") if "outcome" in term else None,
            state={path: plain(value) for path, value in expected.items()},
        )
    except MalformedError as error:
        raise StepError(number, str(error)) from None


def plane_of(term: dict[str, Term]) -> kinds.Plane:
    """The control plane that all frontends share."""
    only(term, PLANE, "plane")
    mode = next((each for each in trace.MODES if each == term.get("mode")), None)
    if mode is None:
        raise wrong("plane.mode", "memory, authoritative or raft", term.get("mode"))
    return kinds.Plane(
        mode=mode,
        vnodes=trace.vnodes(term["vnodes"]) if "vnodes" in term else None,
        policies=trace.policies(plain(term.get("policies", {}))),
    )


def call_step(number: int, term: dict[str, Term]) -> CallStep | MessageStep:
    """One call, or what becomes of a message."""
    try:
        verbs = [verb for verb in kinds.VERBS if verb in term]
        return message(term, verbs[0]) if verbs else called(term)
    except MalformedError as error:
        raise StepError(number, str(error)) from None


def message(term: dict[str, Term], verb: kinds.Verb) -> MessageStep:
    """What becomes of a message."""
    only(term, MESSAGE_STEP, "the step")
    twice = [key for key in (*kinds.VERBS, "call") if key in term and key != verb]
    if twice:
        raise MalformedError(f"a step does one thing, and this one has {verb} and {twice[0]}")
    return MessageStep(
        verb=verb,
        message=text(term[verb], verb),
        item=count(term.get("item", 0), "item"),
        now=whole(term.get("now", 0), "now"),
        answers=answers_of(term),
        expected=expected_of(term),
    )


def called(term: dict[str, Term]) -> CallStep:
    """One call."""
    only(term, CALL_STEP, "the step")
    name = text(field(term, "call", ""), "call")
    if name not in CALLS:
        raise MalformedError(unknown("call", name, sorted(CALLS)))
    args = fields(plain(term.get("args", {})), "args")
    known = CALLS[name].known - {"fault"}
    for key in args:
        if key not in known:
            raise MalformedError(unknown(f"argument of {name} called", key, sorted(known)))
    missing = sorted(CALLS[name].required - args.keys())
    if missing:
        raise MalformedError(f"args.{missing[0]} is missing")
    if name == "open" and "reply" not in term and not isinstance(args["brokers"], list):
        said = (
            'a list; where that is meant, say what comes of it: reply = {raise = "ArgumentError"}'
        )
        raise wrong("args.brokers", said, args["brokers"])
    frontend = text(field(term, "frontend", ""), "frontend")
    if frontend in SHARED:
        raise MalformedError(f"no frontend is called {frontend}: all share what has that name")
    return CallStep(
        frontend=frontend,
        call=name,
        args={key: with_keys(key, value) for key, value in args.items()},
        answers=answers_of(term),
        keep=text(term["keep"], "keep") if "keep" in term else None,
        expected=expected_of(term),
    )


def with_keys(name: str, term: Term) -> Term:
    """An argument; a record that is written without a key has none."""
    if name != "records" or not isinstance(term, list):
        return term
    return [{"key": None, **each} if isinstance(each, dict) else each for each in term]


def answers_of(term: dict[str, Term]) -> dict[str, Term]:
    """What the effects of a step answer."""
    return fields(plain(term.get("answers", {})), "answers")


def expected_of(term: dict[str, Term]) -> dict[str, Term]:
    """What is expected of a step."""
    found = {key: plain(term[key]) for key in EXPECTED if key in term}
    for key in ("state", "plane", "store"):
        if key in found:
            fields(found[key], key)
    for each in items(found.get("effects", []), "effects"):
        only(fields(each, "an effect"), ("kind", "request", "reply"), "an effect")
    return found


def only(term: dict[str, Term], known: Iterable[str], name: str) -> None:
    """Refuse keys that the format does not have, and name the nearest that it has."""
    allowed = list(known)
    for key in term:
        if key not in allowed:
            raise MalformedError(unknown(f"key of {name} called", key, allowed))
