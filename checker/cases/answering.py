"""What the effects of a step answer where that is not the truth.

By kind of effect stands one answer for each such effect, or a list with one for each in turn.
"""

from collections.abc import Mapping
from dataclasses import replace

from checker.nearest import unknown
from checker.replay.faults import KINDS, Fault, Kind
from checker.replay.terms import MalformedError, Term, fields, flag, text, whole

LOST: Term = {"error": "timeout"}
WORDS: Mapping[str, Fault | None] = {
    "ok": None,
    "lost": Fault(LOST),
    "unanswered": Fault(LOST, is_applied=True),
    "eof": Fault("eof"),
    "empty": Fault({"ok": []}),
}
"""`ok`: it happens and says so. `lost`: it does not happen, and no answer comes. `unanswered`: it
happens, and no answer comes."""
SHAPES = ("error", "sealed", "offset", "reply")
BESIDES = ("done", "tag")
"""`done`: it happens all the same. `tag`: only a command of this word is answered so."""


def faults_of(answers: Mapping[str, Term]) -> dict[Kind, tuple[Fault, ...]]:
    """The faults that a step's answers stand for."""
    for key in answers:
        if key not in KINDS:
            raise MalformedError(unknown("kind of effect called", key, KINDS))
    return {kind: tuple(each(kind, answers[kind])) for kind in KINDS if kind in answers}


def each(kind: Kind, term: Term) -> list[Fault]:
    """The faults of one kind of effect."""
    if not isinstance(term, list):
        found = answer(kind, term)
        return [] if found is None else [found]
    answered = [(at, answer(kind, one)) for at, one in enumerate(term)]
    return [replace(one, at=at) for at, one in answered if one is not None]


def answer(kind: Kind, term: Term) -> Fault | None:
    """One answer; none for the truth."""
    if isinstance(term, str):
        if term not in WORDS:
            raise MalformedError(unknown(f"answer to {kind} called", term, (*WORDS, *SHAPES)))
        return WORDS[term]
    given = fields(term, f"answers.{kind}")
    for key in given:
        if key not in {*SHAPES, *BESIDES}:
            raise MalformedError(unknown(f"answer to {kind} called", key, (*SHAPES, *BESIDES)))
    shapes = [key for key in SHAPES if key in given]
    if len(shapes) != 1:
        raise MalformedError(f"answers.{kind} needs one of {', '.join(SHAPES)}")
    shape, value = shapes[0], given[shapes[0]]
    tag = text(given["tag"], f"answers.{kind}.tag") if "tag" in given else None
    is_done = flag(given.get("done", shape == "offset"), f"answers.{kind}.done")
    return Fault(shaped(kind, shape, value), tag=tag, is_applied=is_done)


def shaped(kind: Kind, shape: str, value: Term) -> Term:
    """What an effect answers, as a recording writes it."""
    match shape:
        case "error":
            return {"error": value}
        case "sealed":
            return {"error": ["sealed", whole(value, f"answers.{kind}")]}
        case "offset":
            return {"ok": whole(value, f"answers.{kind}")}
        case _:
            return value


def script_of(faults: Mapping[Kind, tuple[Fault, ...]]) -> dict[str, Term]:
    """The same faults as a recording scripts them. It has room for one of each kind."""
    script: dict[str, Term] = {}
    for kind, several in faults.items():
        if len(several) > 1:
            raise MalformedError(f"a recording scripts one answer to {kind} in a call, not more")
        for one in several:
            script[kind] = scripted(one)
    return script


def scripted(fault: Fault) -> Term:
    """One fault as a recording writes it."""
    match fault.answer:
        case "eof":
            written: dict[str, Term] = {"eof": True}
        case {"error": str() | list() as reason}:
            written = {"error": reason}
        case other:
            written = {"reply": other}
    if fault.at is not None:
        written["at"] = fault.at
    if fault.tag is not None:
        written["tag"] = fault.tag
    if fault.is_applied:
        written["applied"] = True
    return written
