"""A scene as a sequence diagram in Mermaid."""

import re
from collections.abc import Iterator, Sequence

from checker.scene import Event, Scene

ARROWS = {"says": "->>", "answers": "-->>", "loses": "--x"}
END = re.compile(r"\bend\b", re.IGNORECASE)


def sequence_diagram(scene: Scene, notes: Sequence[str]) -> str:
    """The diagram: a column for each participant, and at last the notes over all of them."""
    return "\n".join(_lines(scene, notes)) + "\n"


def _lines(scene: Scene, notes: Sequence[str]) -> Iterator[str]:
    ids = {name: f"p{number}" for number, name in enumerate(scene.participants, 1)}
    yield "sequenceDiagram"
    for name, short in ids.items():
        yield f"    participant {short} as {safe(name)}"
    for events in scene.events:
        for event in events:
            yield f"    {_line(event, ids)}"
    over = ",".join(dict.fromkeys([*ids.values()][:1] + [*ids.values()][-1:]))
    for note in notes if over else ():
        yield f"    Note over {over}: {safe(note)}"


def _line(event: Event, ids: dict[str, str]) -> str:
    sender, receiver = ids[event.sender], ids[event.receiver]
    if event.kind == "does":
        over = sender if sender == receiver else f"{sender},{receiver}"
        return f"Note over {over}: {safe(event.text)}"
    return f"{sender}{ARROWS[event.kind]}{receiver}: {safe(event.text)}"


def safe(text: str) -> str:
    """A text in which no character and no word has a meaning of its own."""
    plain = text.replace("#", "#35;").replace(";", "#59;").replace("#35#59;", "#35;")
    return END.sub(lambda word: f'"{word[0]}"', " ".join(plain.split()))
