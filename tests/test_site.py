"""The site: every link leads somewhere, nothing comes from outside, and it works by keyboard."""

import os
import re
import shutil
import subprocess
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path

import pytest

from checker.explaining import of_defect
from checker.site.building import build
from checker.ties.gathering import ROOT
from checker.world.defects import DEFECTS
from spec.clauses import clauses

MOST_BYTES = 5_000_000
CHROMIUM = shutil.which("chromium")
NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")


class Page(HTMLParser):
    """What a page says about itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.tags: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        given = {name: value or "" for name, value in attrs}
        self.tags[tag].append(given)
        if "id" in given and not {"t", "d", "a"} & {given["id"]}:
            self.ids.append(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in {"link", "script", "img"}:
            self.loaded += [given[name] for name in ("src", "href") if name in given]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with one counterexample."""
    made = tmp_path_factory.mktemp("site")
    build(made, [of_defect(each) for each in DEFECTS if each.name == "D02"])
    return made


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, Page]:
    """Its pages."""
    return {path.name: Page(path.read_text()) for path in sorted(folder.glob("*.html"))}


def test_every_link_leads_to_a_place(pages: dict[str, Page]) -> None:
    broken = []
    for name, page in pages.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            there = pages.get(target or name)
            if there is None or (anchor and anchor not in [*there.ids, "content"]):
                broken.append(f"{name}: {link}")

    assert broken == []


def test_no_place_has_two_names_alike(pages: dict[str, Page]) -> None:
    doubled = [name for name, page in pages.items() if len(page.ids) != len(set(page.ids))]

    assert doubled == []


def test_every_clause_has_an_anchor_in_its_chapter(pages: dict[str, Page]) -> None:
    missing = [c.id for c in clauses() if c.id not in pages[f"{c.chapter}.html"].ids]

    assert missing == []


def test_nothing_is_loaded_from_outside(folder: Path, pages: dict[str, Page]) -> None:
    loaded = {each for page in pages.values() for each in page.loaded}

    assert loaded == {"data:,", "style.css", "index.js", "script.js"}
    assert not re.search(r"url\(|@import", (folder / "style.css").read_text())
    assert sum(path.stat().st_size for path in folder.glob("*.*")) < MOST_BYTES


def test_a_page_has_landmarks_one_heading_and_a_language(pages: dict[str, Page]) -> None:
    for page in pages.values():
        assert [each["lang"] for each in page.tags["html"]] == ["en"]
        assert len(page.tags["main"]) == len(page.tags["header"]) == len(page.tags["h1"]) == 1
        assert all("aria-label" in each for each in page.tags["nav"])


def test_all_steps_are_there_without_scripts(folder: Path, pages: dict[str, Page]) -> None:
    """A step shows all of its state, and what it changed is marked in it."""
    text = (folder / "D02.html").read_text()
    first, last = text.index("f1 opens s0"), text.index("f1 takes 1 for the end of s0")

    assert '<th scope="row">f1 counter</th><td><mark>1</mark></td>' in text[first:last]
    assert '<th scope="row">f1 counter</th><td>1</td>' in text[last:]
    assert "What no step changes" in text[last:]

    assert "f1 takes 1 for the end of s0" in text
    assert pages["D02.html"].tags["mark"]
    assert not any("hidden" in each for each in pages["D02.html"].tags["li"])


def test_a_step_has_its_number_also_while_the_others_are_hidden(pages: dict[str, Page]) -> None:
    numbers = [each["value"] for each in pages["D02.html"].tags["li"] if "value" in each]

    assert numbers == ["0", "1", "2", "3"]


def test_every_cell_of_a_table_says_what_stands_in_it(pages: dict[str, Page]) -> None:
    """On a phone there is no head above it."""
    for name in ("trace", "scopes", "findings", "deviations", "names"):
        page = pages[f"{name}.html"]

        assert page.tags["td"]
        assert all(each["data-label"] for each in page.tags["td"])


def test_the_tests_of_its_chapter_stand_first_beside_a_clause(folder: Path) -> None:
    text = (folder / "rolling.html").read_text()
    beside = text[text.index('id="ROL-6"') :]

    assert re.findall(r"tests/test_\w+\.py", beside)[0] == "tests/test_rolling.py"


def luminance(colour: str) -> float:
    """How bright a colour is, as WCAG reckons."""
    long = colour if len(colour) == 7 else "#" + "".join(2 * each for each in colour[1:])
    parts = [int(long[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    line = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]


def test_text_stands_out_in_light_and_in_the_dark(folder: Path) -> None:
    style = (folder / "style.css").read_text()
    for theme in re.findall(r":root \{([^}]*)\}", style):
        colours = dict(re.findall(r"--([\w-]+): (#\w+)", theme))
        for ink, paper in (
            ("ink", "paper"),
            ("dim", "paper"),
            ("link", "paper"),
            ("bad", "paper"),
            ("mark-ink", "mark"),
        ):
            dark, light = sorted((luminance(colours[ink]), luminance(colours[paper])))

            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, theme)


def after_scripts(page: Path, script: str) -> str:
    """A page as it stands after a script, and what the console said."""
    assert CHROMIUM is not None
    trial = page.with_name(f"trial-{page.name}")
    late = f"<script>addEventListener('load', () => {{ {script} }})</script></body>"
    trial.write_text(page.read_text().replace("</body>", late))
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    flags += [f"--user-data-dir={page.parent / 'profile'}", "--dump-dom"]
    flags += ["--allow-file-access-from-files"]
    told = subprocess.run(
        [CHROMIUM, *flags, trial.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=os.environ,
    )
    trial.unlink()
    assert "CONSOLE" not in told.stderr
    return told.stdout


@NEEDS_CHROMIUM
def test_no_page_makes_a_browser_complain_or_is_wider_than_a_phone(
    folder: Path, pages: dict[str, Page]
) -> None:
    """Tables become lists; what is wider, a picture, is moved about inside its own frame."""
    every = folder / "every.html"
    frames = (f'<iframe src="{name}" width="390"></iframe>' for name in pages)
    every.write_text(f"<!doctype html><body>{''.join(frames)}</body>")
    measure = (
        "for (const each of document.querySelectorAll('iframe')) {"
        " const page = each.contentDocument.documentElement;"
        " const lists = [...page.querySelectorAll('.list')];"
        " const isCut = lists.some((list) => list.scrollWidth > list.parentElement.clientWidth);"
        " each.title = page.scrollWidth > 390 || isCut ? 'too wide' : 'it fits'; }"
    )

    shown = after_scripts(every, measure)
    every.unlink()

    unfit = re.findall(r'<iframe src="([\w.]+)" width="390" title="too wide">', shown)
    assert (unfit, shown.count('title="it fits"')) == ([], len(pages))


@NEEDS_CHROMIUM
def test_a_counterexample_is_stepped_through_by_keyboard(folder: Path) -> None:
    press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));"

    shown = after_scripts(folder / "D02.html", press * 3)

    assert "Step 3 of 3" in shown


@NEEDS_CHROMIUM
def test_the_search_finds_a_clause_in_one_step(folder: Path) -> None:
    write = "const w = document.getElementById('wanted'); w.value = 'ROL-7';"

    shown = after_scripts(folder / "index.html", write + "w.dispatchEvent(new Event('input'));")

    assert re.search(r'<ul id="hits"[^>]*><li><a href="rolling.html#ROL-7">', shown)


def test_the_site_ships_with_the_package() -> None:
    assert (ROOT / "checker" / "site" / "pages" / "frame.html").is_file()
