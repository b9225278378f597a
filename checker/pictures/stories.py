"""The shortest counterexample of each defect and finding: told in rows, and drawn in columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from checker.commands.explain import pin_of, told_of
from checker.commands.pinned import Pin, scope_of
from checker.commands.reports import shown_by
from checker.commands.sideways import side_by_side
from checker.commands.telling import Told
from checker.explaining import Explanation, of_defect, of_finding
from checker.pictures.boards import Boards, boards_of
from checker.pictures.sequences import sequence_svg
from checker.scene import scene_of
from checker.search.explore import search
from checker.search.report import Trace
from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS


@dataclass(frozen=True, slots=True)
class Story:
    """One of them."""

    found: Explanation
    told: Told
    svg: str
    boards: Boards

    @property
    def pin(self) -> Pin:
        """What was searched."""
        return pinned(self.found)


def everything() -> tuple[Explanation, ...]:
    """All that has a story."""
    return (*map(of_defect, DEFECTS), *map(of_finding, FINDINGS))


def stories(chosen: Sequence[Explanation], workers: int = 2) -> Iterator[Story]:
    """Search each of them, on two cores, and tell what was found, in the order in which it came."""
    for index, (told, svg, boards) in side_by_side(_searched, chosen, workers):
        yield Story(chosen[index], told, svg, boards)


def _searched(found: Explanation) -> tuple[Told, str, Boards]:
    trace = search(pinned(found).build()).trace
    assert trace is not None, f"{found.name} is pinned to a trace"
    story = story_of(found, trace)
    return story.told, story.svg, story.boards


def story_of(found: Explanation, trace: Trace) -> Story:
    """The story of a trace that is known."""
    pin = pinned(found)
    notes = [f"Breaks {trace.law.name} [{trace.law.clause}]: {trace.law.sentence}"]
    notes += [] if trace.loop is None else [f"From step {trace.loop + 1} on it goes round."]
    scope = scope_of(pin)
    svg = sequence_svg(scene_of(pin.build(), trace, scope.roles), f"{pin.name} {pin.title}", notes)
    return Story(found, told_of(found, pin, trace), svg, boards_of(shown_by(scope, trace)))


def pinned(found: Explanation) -> Pin:
    """What is searched for a story."""
    pin = pin_of(found)
    assert pin is not None, f"{found.name} shows itself"
    return pin
