"""Which mutants a type checker lets pass: the others never come as far as a test.

One run judges them all. Behind each module's own text stands a copy of what a mutant changes, under
a name of its own, so that the line of a complaint says which mutant it is about.
"""

import ast
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from checker.mutants.page import Page
from checker.mutants.sites import Mutant

COMPLAINT = re.compile(r"(.+?):(\d+): error: ")


class NoTypesError(Exception):
    """The type checker is not there, or does not work."""


def well_typed(mutants: Sequence[Mutant], root: Path) -> frozenset[str]:
    """The names of those mutants that mypy finds no fault with.

    Raises NoTypesError where mypy is missing, or complains about the reference itself.
    """
    if find_spec("mypy") is None:
        raise NoTypesError("mypy is not installed: it sorts out what no test need look at")
    by_page: Mapping[Page, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_page[mutant.page].append(mutant)
    with TemporaryDirectory(prefix="malachi-model-types-") as folder:
        house = Path(folder)
        for floor in ("spec", "reference"):
            shutil.copytree(
                root / floor, house / floor, ignore=shutil.ignore_patterns("__pycache__")
            )
        owners: dict[str, dict[int, str]] = {}
        for page, some in by_page.items():
            copy = house / "reference" / page.path.name
            owners[f"reference/{page.path.name}"] = _write_copies(copy, page, some)
        wrong = _complaints(house, root / "pyproject.toml", owners)
    return frozenset(mutant.name for mutant in mutants) - wrong


def _write_copies(copy: Path, page: Page, mutants: Iterable[Mutant]) -> dict[int, str]:
    """Write a module with the changed copies behind it; answer whose each line is."""
    lines = page.source.splitlines()
    owners: dict[int, str] = {}
    for number, mutant in enumerate(mutants):
        changed = renamed(mutant, number).splitlines()
        owners |= {len(lines) + place: mutant.name for place in range(1, len(changed) + 1)}
        lines += changed
    copy.write_text("\n".join(lines) + "\n", "utf-8")
    return owners


def renamed(mutant: Mutant, number: int) -> str:
    """The statement of the module that a mutant changes, changed, under another name."""
    page = mutant.page
    for node in page.tree.body:
        if page.end(node) >= mutant.edit.end:
            break
    first = min([node, *getattr(node, "decorator_list", [])], key=lambda each: each.lineno)
    start = page.source.rfind("\n", 0, page.start(first)) + 1
    length = len(mutant.source) - len(page.source)
    text = mutant.source[start : page.end(node) + length]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return re.sub(
            rf"^(def|class) {node.name}\b", rf"\1 {node.name}__{number}", text, flags=re.MULTILINE
        )
    return re.sub(r"^(\w+)", rf"\1__{number}", text)


def _complaints(house: Path, config: Path, owners: Mapping[str, Mapping[int, str]]) -> set[str]:
    """The names of the mutants that mypy complains about."""
    command = [sys.executable, "-m", "mypy", "--config-file", str(config), "--no-error-summary"]
    command += ["--no-color-output", "--show-absolute-path", "--cache-dir", str(house / "cache")]
    command += ["--no-pretty", "spec", "reference"]
    run = subprocess.run(  # noqa: S603 - this interpreter, and files of this project
        command, cwd=house, capture_output=True, text=True, check=False
    )
    wrong: set[str] = set()
    for line in run.stdout.splitlines():
        found = COMPLAINT.match(line)
        if found is None:
            continue
        path = str(Path(found[1]).relative_to(house.resolve()))
        owner = owners.get(path, {}).get(int(found[2]))
        if owner is None:
            raise NoTypesError(f"mypy complains about what is not mutated: {line}")
        wrong.add(owner)
    if run.returncode not in {0, 1}:
        raise NoTypesError(f"mypy does not run: {(run.stderr or run.stdout).strip()}")
    return wrong
