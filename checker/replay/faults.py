"""The faults that a recorded call was given: what its effects answer instead of the truth."""

from dataclasses import dataclass
from typing import Literal

from checker.replay.terms import (
    MalformedError,
    Term,
    count,
    field,
    fields,
    flag,
    shown,
    text,
    wrong,
)

Kind = Literal["command", "replicate", "read"]
KINDS: tuple[Kind, ...] = ("command", "replicate", "read")

ANSWERS = ("error", "reply", "eof", "empty")
OPTIONS = frozenset({"at", "tag", "applied", *ANSWERS})


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one kind of effect."""

    answer: Term
    """What the effect answers, as a recording writes it."""
    at: int | None = None
    """Only the effect of this number, from 0 among those of its kind in the call."""
    tag: str | None = None
    """Only a command of this word."""
    is_applied: bool = False
    """Whether it happened all the same, and only its answer was lost."""

    def hits(self, number: int, tag: str | None) -> bool:
        """Whether this effect is the one, or one of those, that it is meant for."""
        return self.at in {None, number} and self.tag in {None, tag}


def faults(term: Term, name: str = "args.fault") -> dict[Kind, tuple[Fault, ...]]:
    """What a call's script says, by kind of effect."""
    script = fields(term, name)
    for key in script:
        if key not in KINDS:
            raise MalformedError(f"{name} names {shown(key)}, which is no kind of effect")
    return {kind: (fault(script[kind], f"{name}.{kind}"),) for kind in KINDS if kind in script}


def fault(term: Term, name: str) -> Fault:
    """A bare reason, or an object that says when and what."""
    if isinstance(term, str):
        return Fault(answer={"error": text(term, name)})
    found = fields(term, name)
    unknown = found.keys() - OPTIONS
    if unknown:
        raise MalformedError(f"{name} has the unknown field {shown(min(unknown))}")
    given = [key for key in ANSWERS if key in found]
    if len(given) != 1:
        raise MalformedError(f"{name} needs one of {', '.join(ANSWERS)}")
    check_answer(given[0], found[given[0]], name)
    answers: dict[str, Term] = {"eof": "eof", "empty": {"ok": []}, "reply": found.get("reply")}
    return Fault(
        answer=answers.get(given[0], {"error": found.get("error")}),
        at=count(field(found, "at", name), f"{name}.at") if "at" in found else None,
        tag=text(field(found, "tag", name), f"{name}.tag") if "tag" in found else None,
        is_applied="applied" in found and flag(found["applied"], f"{name}.applied"),
    )


def check_answer(kind: str, term: Term, name: str) -> None:
    """Refuse a reason that is no word and no word with its facts, and a mark that is not true."""
    if kind == "error" and not isinstance(term, str | list):
        raise wrong(f"{name}.error", "a reason", term)
    if kind in {"eof", "empty"} and term is not True:
        raise wrong(f"{name}.{kind}", "true", term)
