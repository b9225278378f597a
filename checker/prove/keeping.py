"""What was proved before, as long as nothing has changed that it depends on.

A result is kept under a hash of the functions, laws and steps that were run, of the prover, the
solver and Python, and of what was asked. Only what was decided is kept: a solver that gave up may
not do so tomorrow. A damaged file is none, and a folder that cannot be written to costs time and
nothing else.
"""

import hashlib
import json
import platform
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import reference
import spec
from checker import prove, world
from checker.prove.tasks import Asked, Plain
from checker.search.machinecode import cache_folder

ROOTS = (spec, reference, world, prove)
"""The packages in which all stands that a result depends on."""


def kept(name: str, asked: Asked, defect: str | None) -> Plain | None:
    """What came of an obligation before; none where that is not known."""
    with suppress(OSError, ValueError):
        told, _, text = _place(name, asked, defect).read_text("utf-8").partition("\n")
        if told == _sum(text):
            found: Plain = json.loads(text)
            return found
    return None


def keep(name: str, asked: Asked, defect: str | None, result: Plain) -> None:
    """Keep what came of an obligation, if all of it was decided."""
    if result["unknown"] is not None or any(law["verdict"] == "unknown" for law in _laws(result)):
        return
    place = _place(name, asked, defect)
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = place.with_suffix(".new")
        text = json.dumps(result)
        fresh.write_text(f"{_sum(text)}\n{text}", "utf-8")
        fresh.replace(place)


def _sum(text: str) -> str:
    """A file that was damaged says something else than it began with."""
    return hashlib.sha256(text.encode()).hexdigest()


def _laws(result: Plain) -> Iterable[Plain]:
    laws = result["laws"]
    assert isinstance(laws, list), "a result lists its laws"
    return laws


def _place(name: str, asked: Asked, defect: str | None) -> Path:
    plain = asked.as_plain()
    what = {word: plain[word] for word in ("segments", "laws", "without")}
    words = json.dumps([name, what, defect, sources()])
    digest = hashlib.sha256(words.encode()).hexdigest()[:32]
    return cache_folder() / "proofs" / f"{digest}.json"


@cache
def sources() -> str:
    """A hash of every module that a result depends on, and of what runs it."""
    digest = hashlib.sha256()
    for root in ROOTS:
        for path in sorted(Path(root.__path__[0]).rglob("*.py")):
            digest.update(path.read_bytes())
    digest.update(f"{platform.python_version()} {version('z3-solver')}".encode())
    return digest.hexdigest()
