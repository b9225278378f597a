"""The work as it is handed out: a name goes in, what came of it comes back as plain data."""

from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from checker.differences import differences
from checker.differences import shown as words
from checker.prove.claims import excluding
from checker.prove.drawing import Given, drawing
from checker.prove.exporting import Scripts
from checker.prove.measuring import Run, measuring
from checker.prove.obligations import obligations
from checker.prove.proving import Judged, Refuted, Stage, Worked, again, work
from checker.prove.readers import Told
from checker.search.model import Parts
from checker.world.sharing.glance import glance
from checker.world.sharing.parts import Copies
from checker.world.sharing.rules import REFERENCE, Rules
from spec.vocabulary import Record

Plain = dict[str, object]
"""What can be written as JSON."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be proved, and within what."""

    segments: int = 3
    timeout: float = 300.0
    """Seconds of a processor for each obligation, and seconds for each question to the solver."""
    laws: frozenset[str] | None = None
    """None for all of them."""
    without: frozenset[str] = frozenset()
    """The laws that states need not fulfil, and that are not asked for."""
    scripts: str | None = None
    """A folder for the questions to the solver; None where nobody wants them."""

    def is_about(self, law: str) -> bool:
        """Whether a law is asked for."""
        return law not in self.without and (self.laws is None or law in self.laws)

    def as_plain(self) -> Plain:
        """The same as plain data."""
        laws = None if self.laws is None else sorted(self.laws)
        return {**asdict(self), "laws": laws, "without": sorted(self.without)}


def asked_in(given: Mapping[str, Any]) -> Asked:
    """What was asked, from plain data."""
    laws = None if given["laws"] is None else frozenset(given["laws"])
    return Asked(**{**given, "laws": laws, "without": frozenset(given["without"])})


def run(name: str, asked: Asked, rules: Rules = REFERENCE) -> Plain:
    """Work on one obligation."""
    stage = obligations(rules, asked.segments, asked.without)[name]
    hear = None if asked.scripts is None else Scripts(Path(asked.scripts), name).hear
    return as_plain(stage, work(name, stage, asked.is_about, asked.timeout, hear))


def as_plain(stage: Stage, worked: Worked) -> Plain:
    """What came of an obligation."""
    return {
        "step": worked.name,
        "shapes": worked.shapes,
        "paths": worked.paths,
        "seconds": round(worked.seconds, 3),
        "drawing": round(worked.drawing, 3),
        "unknown": worked.unknown,
        "laws": [_law(stage, worked, judged) for judged in worked.laws.values()],
    }


def _law(stage: Stage, worked: Worked, judged: Judged) -> Plain:
    unknown = judged.unknown or worked.unknown
    verdict = judged.verdict
    if verdict == "proved" and unknown is not None:
        verdict = "unknown"
    return {
        "law": judged.law,
        "clause": judged.clause,
        "verdict": verdict,
        "paths": judged.paths,
        "seconds": round(judged.seconds, 3),
        "unknown": unknown if verdict == "unknown" else None,
        "refuted": None if judged.refuted is None else told(stage, judged.refuted, judged.law),
    }


def told(stage: Stage, refuted: Refuted, law: str) -> Plain:
    """A refuted step on plain integers: its label, the state before, what it changes."""
    taken = again(stage, refuted, law)
    with measuring(), drawing(Given(refuted.values, refuted.picks)):
        before, after = shown(taken.before), shown(taken.after)
        excluded_by = excluding(taken.before)
    changes = [
        f"{each.path.strip('[]')}: {words(each.before)} -> {words(each.after)}"
        for each in differences(before, after)
    ]
    return {
        "label": taken.label,
        "before": in_lines(before),
        "changes": changes,
        "after": in_lines(after),
        "excluded_by": list(excluded_by),
        "picks": dict(refuted.picks),
        "values": dict(refuted.values),
    }


def shown(parts: Parts) -> dict[str, object]:
    """A state in a few words for each part."""
    told: dict[str, object] = {
        name: value.words() for name, value in parts.items() if isinstance(value, Told)
    }
    known = {name: _counted(value) for name, value in parts.items() if name != "faults"}
    return told or dict(glance(known))


def in_lines(state: Mapping[str, object]) -> list[str]:
    """A line for each part."""
    return [f"{name}: {words(said)}" for name, said in state.items()]


def _counted(value: Hashable) -> Hashable:
    """The same copies with a word in the place of records that are so many."""
    if not isinstance(value, Copies):
        return value
    logs = (value.primary, value.majority)
    return Copies(*(replace(log, records=_in_words(log.records)) for log in logs))


def _in_words(records: tuple[Record, ...]) -> tuple[Record, ...]:
    count = sum(each.count for each in records if isinstance(each, Run))
    said = f"{count} record{'' if count == 1 else 's'}".encode()
    return (Record(key=None, value=said),) if count else ()
