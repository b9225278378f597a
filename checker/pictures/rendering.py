"""DOT laid out as SVG that can be read in light, in the dark and on paper."""

import re
import sys
from html import escape
from pathlib import Path
from subprocess import run

from checker.pictures.dots import Drawing

WHEEL = "graphviz-pure"
PROGRAMS = (str(Path(sys.executable).parent / WHEEL), WHEEL, "dot")
"""What lays graphs out: the wheel beside this Python or elsewhere, then Graphviz's program."""
STYLE = """<style>
svg { color: #1a1a1a; }
@media (prefers-color-scheme: dark) { svg { color: #eee; background: #161616; } }
@media print { svg { color: #000; background: #fff; } }
text { fill: currentColor; font-family: sans-serif; }
</style>"""


class NoRendererError(Exception):
    """Nothing here lays graphs out: the message says what is missing."""


def rendered(drawing: Drawing, programs: tuple[str, ...] = PROGRAMS) -> str:
    """A drawing as SVG, with its words in it."""
    for program in programs:
        try:
            found = run(  # noqa: S603 - a program of the list above
                [program, "-Tsvg"], input=drawing.dot, capture_output=True, text=True, check=False
            )
        except FileNotFoundError:
            continue
        assert found.returncode == 0, f"{drawing.name} is DOT: {found.stderr}"
        return dressed(found.stdout, drawing)
    raise NoRendererError(
        "pictures cannot be laid out: neither graphviz-pure nor dot is found; install the wheel "
        "graphviz-pure, or Graphviz"
    )


def dressed(svg: str, drawing: Drawing) -> str:
    """The SVG in the colours of its reader, as wide as there is room, with a text alternative.

    Its mark says what it was laid out from: programs differ in where they put things.
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'(stroke|fill)="black"', r'\1="currentColor"', svg)
    svg = re.sub(
        r'<svg width="(\d+)pt" height="\d+pt"',
        r'<svg width="100%" style="max-width:\1pt;min-width:min(\1pt,34rem)"',
        svg,
    )
    svg = re.sub(r' font-family="[^"]*"', "", svg)
    # Pictures stand together on a page: what has a name in one of them has it in no other.
    svg = re.sub(r"<title>[^<]*</title>|</?a\b[^>]*>", "", svg)
    svg = re.sub(r' id="[^"]*"', "", svg)
    words = (
        f"<title>{escape(drawing.title)}</title><desc>{escape(drawing.description)}</desc>{STYLE}"
    )
    end = svg.index(">") + 1
    return svg[: end - 1] + f' role="img" data-drawn="{drawing.mark}">' + words + svg[end:]
