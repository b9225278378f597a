"""The pages of the site, written from the chapters, the table of ties, and the searches."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from checker.citing import Place
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
from spec.clauses import clauses, page

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
PART = re.compile(r"## (.*)\n")
BREAKS = re.compile(r"(?<=\w_)(?=\w)|(?<=[/,:=])(?=[^\W\d])")
"""Where long names may go on in the next line."""
LINK = re.compile(r"\]\((\w+)\.md\)")
TAKEN = {
    "index": "life-of-segment",
    "ranges": "lineage",
    "rolling": "life-of-roll",
    "refreshing": "life-of-view",
}
"""The picture that a chapter begins with."""
EMPTY = Markup()
STATIC = ("style.css", "script.js")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a page; of a clause its sentence, its reason, and what it is tied to."""

    html: Markup
    row: Row | None = None
    why: Markup = EMPTY
    part: str = ""
    """The heading of a part of the chapter."""

    @property
    def anchor(self) -> str:
        """Where a heading is linked to."""
        return "-".join(re.findall(r"\w+", self.part.lower()))

    @property
    def tests(self) -> tuple[Place, ...]:
        """The tests of a clause, those of its chapter first."""
        if self.row is None:
            return ()
        own = f"tests/test_{self.row.clause.chapter}"
        return tuple(sorted(self.row.tests, key=lambda place: not place.file.startswith(own)))

    @property
    def names(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What a clause speaks of, by kind."""
        if self.row is not None:
            clause = self.row.clause
            for kind in ("functions", "commands", "replies", "properties"):
                if getattr(clause, kind):
                    yield kind.capitalize(), getattr(clause, kind)


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph on a page."""

    name: str
    title: str
    svg: Markup
    words: str


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
        self.frames.filters["linked"] = lambda text: links(broken(text))
        self.frames.filters["broken"] = broken
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
        return links(Markup(made))  # noqa: S704 - the library escapes what it renders

    def pieces(self, text: str, table: dict[str, Row]) -> Iterator[Piece]:
        """The stretches of a page."""
        for section in filter(None, SECTIONS.split(text)):
            heading, part = HEADING.match(section), PART.match(section)
            if heading is not None:
                row = table[heading[1]]
                yield Piece(self.html(row.clause.sentence), row, self.html(row.clause.why))
            elif part is not None:
                yield Piece(self.html(section[part.end() :]), part=part[1])
            else:
                yield Piece(self.html(section))


def broken(text: str) -> Markup:
    """A text whose long names may be broken where their words end."""
    return Markup(BREAKS.sub("<wbr>", str(escape(text))))  # noqa: S704 - what is not markup is escaped


def links(text: str) -> Markup:
    """A text in which each id leads to its clause."""
    return Markup(ID.sub(link, str(escape(text))))  # noqa: S704 - what is not markup is escaped


def link(found: re.Match[str]) -> str:
    """A link to a clause; an id that stands in an example only leads nowhere."""
    chapter = chapters().get(found[0])
    if chapter is None:
        return found[0]
    return f'<a class="id" href="{chapter}.html#{found[0]}">{found[0]}</a>'


@cache
def chapters() -> dict[str, str]:
    """Where each clause stands."""
    return {clause.id: clause.chapter for clause in clauses()}


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
    tell("pictures")
    pictures = {each.name: each for each in taken()}
    site.write("pictures.html", "pictures", "Pictures", pictures=pictures.values())
    for name in PAGES:
        tell(name)
        content = list(site.pieces(page(name), table))
        picture = pictures.get(TAKEN.get(name, ""))
        title = "Start" if name == "index" else name.capitalize()
        site.write("chapter.html", name, title, pieces=content, told=titles, picture=picture)
    for story in stories(told):
        tell(story.pin.name)
        write_story(site, story)
    write_tables(site, all_rows, titles)
    for name in STATIC:
        text = files("checker.site").joinpath("pages", name).read_text("utf-8")
        (folder / name).write_text(text, "utf-8")
    entries = json.dumps(list(index(titles)), ensure_ascii=True)
    (folder / "index.js").write_text(f"window.INDEX = {entries};\n", "utf-8")
    return len(list(folder.glob("*.html")))


def taken() -> Iterator[Picture]:
    """The graphs."""
    for each in drawings():
        svg = Markup(rendered(each))  # noqa: S704 - made here, from escaped words
        yield Picture(each.name, each.title, svg, each.description)


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
