"""Scenes as SVG: participants as columns, lost messages drawn as lost, the law at the end."""

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

from checker.scene import Event, Scene

COLUMN, MARGIN, LINE, TOP = 170, 90, 15, 46
LEAST = 544
"""Narrower than this a picture is moved about: made smaller, it could not be read."""
LETTERS = 27
"""So many letters of a message stand in a line between two columns."""
STYLE = """
svg { color: #1a1a1a; background: #fff; }
@media (prefers-color-scheme: dark) { svg { color: #eee; background: #161616; } }
@media print { svg { color: #000; background: #fff; } }
text { fill: currentColor; font: 12px sans-serif; }
line, rect, path { stroke: currentColor; fill: none; }
.life { stroke-opacity: .35; }
.answers { stroke-dasharray: 6 3; }
.loses { stroke-dasharray: 2 3; }
.law { stroke-width: 2; }
.law-text { font-weight: bold; }
"""


def sequence_svg(scene: Scene, title: str, notes: Sequence[str]) -> str:
    """The picture of a scene. Its description tells each step in words."""
    places = {name: MARGIN + COLUMN * at for at, name in enumerate(scene.participants)}
    body: list[str] = []
    y = TOP + 24
    for event in (each for events in scene.events for each in events):
        drawn, y = row(event, places, y)
        body += drawn
    end, y = ending(notes, places, y)
    width = max(2 * MARGIN + COLUMN * max(0, len(places) - 1), 400)
    told = " ".join(said(event) for events in scene.events for event in events)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}"',
        f'width="100%" style="max-width:{width}px;min-width:{min(width, LEAST)}px"',
        'role="img" aria-labelledby="t d">',
        f'<title id="t">{escape(title)}</title>',
        f'<desc id="d">{escape(told)} {escape("; ".join(notes))}</desc>',
        f"<style>{STYLE}</style>",
        '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8"',
        ' markerHeight="8" orient="auto-start-reverse">',
        '<path d="M0 0 L8 4 L0 8"/></marker></defs>',
        *(heading(name, x, y) for name, x in places.items()),
        *body,
        *end,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def said(event: Event) -> str:
    """An event in words."""
    to = "" if event.sender == event.receiver else f" to {event.receiver}"
    lost = " (lost)" if event.kind == "loses" else ""
    return f"{event.sender}{to}: {event.text}{lost}."


def heading(name: str, x: int, bottom: int) -> str:
    """The head of a column, and its line."""
    return (
        f'<text x="{x}" y="{TOP - 18}" text-anchor="middle" font-weight="bold">{escape(name)}'
        f'</text><line class="life" x1="{x}" y1="{TOP - 8}" x2="{x}" y2="{bottom - 30}"/>'
    )


def row(event: Event, places: dict[str, int], y: int) -> tuple[list[str], int]:
    """An event, and where the next one begins."""
    start, end = places[event.sender], places[event.receiver]
    is_here = start == end
    letters = LETTERS * max(1, abs(end - start) // COLUMN)
    lines = wrap(event.text, letters) or [""]
    middle = (start + end) // 2
    drawn = list(text_lines(lines, middle, y))
    y += LINE * len(lines)
    if is_here:
        drawn.append(f'<path d="M{start - 6} {y - 4} h12"/>')
    elif event.kind == "loses":
        stop = start + (end - start) * 3 // 4
        drawn.append(f'<line class="loses" x1="{start}" y1="{y}" x2="{stop}" y2="{y}"/>')
        drawn.append(f'<path d="M{stop - 5} {y - 5} l10 10 m0 -10 l-10 10"/>')
    else:
        kind = event.kind
        drawn.append(
            f'<line class="{kind}" x1="{start}" y1="{y}" x2="{end}" y2="{y}" marker-end="url(#a)"/>'
        )
    return drawn, y + 22


def text_lines(lines: Sequence[str], x: int, y: int) -> Iterator[str]:
    """Lines below one another."""
    for at, line in enumerate(lines):
        yield f'<text x="{x}" y="{y + at * LINE}" text-anchor="middle">{escape(line)}</text>'


def ending(notes: Sequence[str], places: dict[str, int], y: int) -> tuple[list[str], int]:
    """What the law says, over all the columns."""
    width = max(COLUMN * max(0, len(places) - 1) + MARGIN, 2 * MARGIN)
    left = MARGIN // 2
    lines = [line for note in notes for line in wrap(note, max(24, width // 7))]
    box = (
        f'<rect class="law" x="{left}" y="{y}" width="{width}" height="{LINE * len(lines) + 14}"/>'
    )
    texts = [
        f'<text class="law-text" x="{left + 8}" y="{y + LINE * (at + 1)}">{escape(line)}</text>'
        for at, line in enumerate(lines)
    ]
    return [box, *texts], y + LINE * len(lines) + 40
