"""The pictures of the counterexamples, as they are committed and as they would be made."""

from pathlib import Path

from checker.explaining import Explanation
from checker.pictures.stories import story_of
from checker.search.report import Trace

FOLDER = Path(__file__).resolve().parent.parent / "diagrams"


def stale_pictures(found: Explanation, trace: Trace) -> list[str]:
    """The committed pictures of a counterexample that are not those of this trace."""
    story = story_of(found, trace)
    made = {f"{found.name}.mmd": story.told.diagram, f"{found.name}.svg": story.svg}
    return [name for name, text in made.items() if committed(name) != text]


def committed(name: str) -> str:
    """A committed picture; nothing where there is none."""
    page = FOLDER / name
    return page.read_text("utf-8") if page.is_file() else ""
