"""The work as it is handed out: a name goes in, what came of it comes back as plain data."""

from dataclasses import dataclass

from checker.differences import differences
from checker.prove.drawing import Given, drawing
from checker.prove.measuring import measuring
from checker.prove.obligations import obligations
from checker.prove.proving import Judged, Refuted, Stage, Worked, again, work
from checker.search.model import Parts
from checker.world.sharing.glance import glance
from checker.world.sharing.rules import REFERENCE, Rules

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


def run(name: str, asked: Asked, rules: Rules = REFERENCE) -> Plain:
    """Work on one obligation."""
    stage = obligations(rules, asked.segments)[name]
    return as_plain(stage, work(name, stage, asked.laws, asked.timeout))


def as_plain(stage: Stage, worked: Worked) -> Plain:
    """What came of an obligation."""
    return {
        "step": worked.name,
        "shapes": worked.shapes,
        "paths": worked.paths,
        "seconds": round(worked.seconds, 3),
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
    changes = [
        f"{each.path.strip('[]')}: {each.before} -> {each.after}"
        for each in differences(before, after)
    ]
    return {
        "label": taken.label,
        "before": [f"{name}: {words}" for name, words in before.items()],
        "changes": changes,
        "picks": dict(refuted.picks),
        "values": dict(refuted.values),
    }


def shown(parts: Parts) -> dict[str, object]:
    """A state in a few words for each part."""
    known = {name: value for name, value in parts.items() if name != "faults"}
    return dict(glance(known))
