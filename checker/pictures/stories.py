"""The shortest counterexample of each defect and finding: told in rows, and drawn in columns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from checker.commands.defects import pin_of as pin_of_defect
from checker.commands.explain import told_of
from checker.commands.findings import pin_of as pin_of_finding
from checker.commands.pinned import Pin, scope_of
from checker.commands.telling import Told
from checker.explaining import Explanation, of_defect, of_finding
from checker.pictures.sequences import sequence_svg
from checker.scene import scene_of
from checker.search.explore import search
from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS
from checker.world.kinds import Defect


@dataclass(frozen=True, slots=True)
class Story:
    """One of them."""

    pin: Pin
    found: Explanation
    told: Told
    svg: str


def everything() -> tuple[Explanation, ...]:
    """All that has a story."""
    return (*map(of_defect, DEFECTS), *map(of_finding, FINDINGS))


def stories(chosen: Iterable[Explanation]) -> Iterator[Story]:
    """Search each of them, and tell what was found."""
    for found in chosen:
        by = found.shown_by
        assert by is not None, "a defect or a finding shows itself"
        pin = pin_of_defect(by) if isinstance(by, Defect) else pin_of_finding(by)
        trace = search(pin.build()).trace
        assert trace is not None, f"{pin.name} is pinned to a trace"
        told = told_of(found, pin, trace)
        notes = [f"Breaks {trace.law.name} [{trace.law.clause}]: {trace.law.sentence}"]
        notes += [] if trace.loop is None else [f"From step {trace.loop + 1} on it goes round."]
        scene = scene_of(pin.build(), trace, scope_of(pin).roles)
        yield Story(pin, found, told, sequence_svg(scene, f"{pin.name} {pin.title}", notes))
