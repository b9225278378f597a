"""Where clauses are cited: in code that keeps them, laws that judge them, tests that show them."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from checker.citing import Place, first_words, is_keeper

ROOT = Path(__file__).resolve().parent.parent.parent
ID = re.compile(r"\b(?:RNG|PLC|PRD|ROL|RFR|HEA|RDG)-\d+\b")
KEEPS = re.compile(r"# Keeps ([^:\n]*)")
FOLDERS = ("spec", "reference", "checker", "tests")

Cited = Mapping[str, tuple[Place, ...]]
"""For each id the places that cite it, in the order of their pages."""


class NoCheckoutError(Exception):
    """The tests are not here: this is an installed package, and no checkout."""


def is_checkout(root: Path = ROOT) -> bool:
    """Whether the tests lie beside the packages."""
    return (root / "tests" / "test_house.py").is_file()


def needs_checkout(what: str, root: Path = ROOT) -> None:
    """Raise where there is no checkout, and say what needs one."""
    if not is_checkout(root):
        raise NoCheckoutError(f"{what} needs a checkout: there are no tests in {root}")


def by_code(root: Path = ROOT) -> Cited:
    """The functions that keep each clause: the reference's first, then those of the worlds."""
    pages = (*pages_of(root, "reference"), *pages_of(root, "checker/world"))
    return only(is_keeper, gathered(root, pages))


def by_laws(root: Path = ROOT) -> Cited:
    """The laws of the chapters that judge each clause."""
    return gathered(root, pages_of(root, "spec/laws"))


def by_tests(root: Path = ROOT) -> Cited:
    """The tests that show each clause."""
    return only(is_test, gathered(root, pages_of(root, "tests")))


def is_test(place: Place) -> bool:
    """Whether pytest runs a function."""
    return place.function.startswith("test_")


def only(wanted: Callable[[Place], bool], cited: Cited) -> Cited:
    """Some of the places, and the ids that are left."""
    kept = {each: tuple(filter(wanted, places)) for each, places in cited.items()}
    return {each: places for each, places in kept.items() if places}


def pages_of(root: Path, folder: str) -> tuple[Path, ...]:
    """The modules of a folder, by name."""
    return tuple(sorted((root / folder).rglob("*.py")))


def gathered(root: Path, pages: tuple[Path, ...]) -> Cited:
    """The places of some pages, by the ids that they cite."""
    found: defaultdict[str, list[Place]] = defaultdict(list)
    for page in pages:
        for place, ids in citations(page, page.relative_to(root).as_posix()):
            for each in ids:
                found[each].append(place)
    return {each: tuple(places) for each, places in found.items()}


@cache
def citations(page: Path, shown: str) -> tuple[tuple[Place, tuple[str, ...]], ...]:
    """Each function, class and page that cites clauses, with their ids."""
    return tuple((place, ids) for place, ids in _citing(page.read_text("utf-8"), shown) if ids)


def _citing(source: str, shown: str) -> Iterator[tuple[Place, tuple[str, ...]]]:
    lines, tree = source.splitlines(), ast.parse(source)
    doc = ast.get_docstring(tree) or ""
    yield Place(shown, 1, Path(shown).stem, first_words(doc)), _ids(doc)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            doc = ast.get_docstring(node) or ""
            kept = "" if isinstance(node, ast.ClassDef) else _kept(lines, node)
            yield Place(shown, node.lineno, node.name, first_words(doc)), _ids(f"{doc} {kept}")


def _kept(lines: list[str], node: ast.FunctionDef) -> str:
    body = "\n".join(lines[node.lineno - 1 : node.end_lineno])
    return " ".join(KEEPS.findall(body))


def _ids(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ID.findall(text)))


def cited_anywhere(root: Path = ROOT) -> Mapping[str, str]:
    """Every id that is cited in the house, with a page that does so."""
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for page in sorted((root / folder).rglob("*")):
            if page.suffix in {".py", ".json", ".md", ".toml", ".html"}:
                for each in ID.findall(page.read_text("utf-8")):
                    found.setdefault(each, page.relative_to(root).as_posix())
    return found
