"""The pages of the site, written from the chapters, the table of ties, and the searches."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from checker.explaining import Explanation
from checker.lookup import PAGES, names
from checker.lookup import find as find_name
from checker.pictures.dots import drawings
from checker.pictures.rendering import rendered
from checker.pictures.stories import Story, everything, stories
from checker.site.tables import TableRow, deviations, findings, listed_names, scopes, ties
from checker.ties.gathering import ID
from checker.ties.table import Row, rows
from checker.ties.writing import HEAD
from spec.clauses import clause_of, page

MENU = (
    *((name, name.capitalize()) for name in PAGES if name != "index"),
    ("trace", "Traceability"),
    ("scopes", "Scopes"),
    ("findings", "Findings"),
    ("deviations", "Deviations"),
    ("pictures", "Pictures"),
    ("names", "All names"),
)
SECTIONS = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
HEADING = re.compile(r"### ([A-Z]{3}-\d+) .*\n")
LINK = re.compile(r"\]\((\w+)\.md\)")
STATIC = ("style.css", "script.js")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a page; of a clause, with what it is tied to."""

    html: Markup
    row: Row | None = None


class Site:
    """Writes pages into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.frames = Environment(
            loader=PackageLoader("checker.site", "pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
        )
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        self.menu = (("index", "Start"), *MENU)

    def write(self, frame: str, name: str, title: str, **content: object) -> None:
        """Write one page."""
        made = self.frames.get_template(frame).render(
            title=title, here=name, menu=self.menu, **content
        )
        (self.folder / f"{name}.html").write_text(made, "utf-8")

    def html(self, text: str) -> Markup:
        """Markdown as HTML, in which each id leads to its clause."""
        made = self.markdown.render(LINK.sub(r"](\1.html)", text))
        return Markup(ID.sub(linked, made))  # noqa: S704 - the library escapes what it renders

    def pieces(self, text: str, table: dict[str, Row]) -> Iterator[Piece]:
        """The stretches of a page."""
        for section in SECTIONS.split(text):
            heading = HEADING.match(section)
            if heading is None:
                yield Piece(self.html(section))
            else:
                yield Piece(self.html(section[heading.end() :]), table[heading[1]])


def linked(found: re.Match[str]) -> str:
    """A link to a clause."""
    clause = clause_of(found[0])
    return f'<a href="{clause.chapter}.html#{clause.id}">{clause.id}</a>'


def build(
    folder: Path,
    chosen: Sequence[Explanation] | None = None,
    show: Callable[[str], None] | None = None,
) -> int:
    """Write the whole site, and answer how many pages it has."""
    folder.mkdir(parents=True, exist_ok=True)
    tell = show or quiet
    site, all_rows = Site(folder), rows()
    told = everything() if chosen is None else chosen
    titles = {each.name: each.title for each in told}
    table = {row.clause.id: row for row in all_rows}
    for name in PAGES:
        tell(name)
        content = list(site.pieces(page(name), table))
        site.write("chapter.html", name, name.capitalize(), pieces=content, told=titles)
    for story in stories(told):
        tell(story.pin.name)
        write_story(site, story)
    write_tables(site, all_rows, titles)
    pictures = [
        {
            "name": each.name,
            "title": each.title,
            "svg": Markup(rendered(each)),  # noqa: S704 - made here, from escaped words
            "words": each.description,
        }
        for each in drawings()
    ]
    site.write("pictures.html", "pictures", "Pictures", pictures=pictures)
    for name in STATIC:
        text = files("checker.site").joinpath("pages", name).read_text("utf-8")
        (folder / name).write_text(text, "utf-8")
    entries = json.dumps(list(index(titles)), ensure_ascii=True)
    (folder / "index.js").write_text(f"window.INDEX = {entries};\n", "utf-8")
    return len(list(folder.glob("*.html")))


def quiet(_name: str) -> None:
    """Tell nobody how far it is."""


def write_story(site: Site, story: Story) -> None:
    """The page of a counterexample."""
    svg = Markup(story.svg)  # noqa: S704 - made here, from escaped words
    title = f"{story.pin.name} {story.pin.title}"
    clause = story.found.clause
    site.write("story.html", story.pin.name, title, story=story, svg=svg, clause=clause)


def write_tables(site: Site, all_rows: Sequence[Row], titles: dict[str, str]) -> None:
    """The pages that are one table each."""

    def write(
        name: str, title: str, words: str, head: Sequence[str], body: Iterator[TableRow]
    ) -> None:
        site.write("table.html", name, title, words=words, head=head, rows=list(body))

    words = "Each clause, with the code, tests and laws that cite it and what breaks it."
    write("trace", "Traceability", words, HEAD, ties(all_rows))
    words = "The searched worlds, each with the exact size that a whole search must count."
    head = ("scope", "what it is for", "states", "transitions", "depth", "verdict")
    write("scopes", "Scopes", words, head, scopes())
    words = "Where the documented protocol itself breaks a law, or is less than it seems."
    head = ("finding", "what happens", "mode", "law", "steps", "closed by")
    write("findings", "Findings", words, head, findings(titles))
    words = "Where the recorded broker departs from its source."
    write("deviations", "Deviations", words, ("name", "clause", "why", "calls"), deviations())
    words = "Every clause, function, command, word of a reply and property."
    write("names", "All names", words, ("name", "clauses"), listed_names())


def index(titles: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """What the search finds: a name, words, and where it leads."""
    for name in names():
        found = find_name(name)
        if found.kind == "page":
            yield name, "", f"{name}.html"
        elif found.kind == "clause":
            clause = found.clauses[0]
            yield name, clause.title, f"{clause.chapter}.html#{clause.id}"
        else:
            yield name, found.kind, f"names.html#{name}"
    for name, title in titles.items():
        yield name, title, f"{name}.html"
