"""The entrants in Python: minicheck, the plain loop, and whatever command stands for us."""

import json
import re
import shlex
import sys
from functools import partial

from bench.peers.entrant import OURS, Entrant
from bench.peers.fencecore import Size
from bench.peers.figures import Counts
from bench.peers.measuring import FailedError
from bench.peers.workshop import ROOT, MissingError, Ready, Workshop

MINICHECK = "minicheck==0.4.0"


def counts(output: str) -> Counts:
    """Read a JSON object, alone or as the last line; `states` and `transitions` are a must."""
    for text in (output, *reversed(output.strip().splitlines())):
        try:
            found = json.loads(text)
        except ValueError:
            continue
        if isinstance(found, dict) and {"states", "transitions"} <= found.keys():
            return _clean(found, output)
    raise FailedError(f"no JSON with states and transitions: {output[-2000:]}")


def _clean(found: dict[str, object], output: str) -> Counts:
    verdict = found.get("verdict", "holds")
    if found.get("broken") or found.get("exhaustive") is False or verdict != "holds":
        raise FailedError(f"not a whole search that holds: {output[-2000:]}")
    depth = found.get("depth")
    return Counts(
        int(str(found["states"])),
        int(str(found["transitions"])),
        None if depth is None else int(str(depth)),
    )


def _size_words(size: Size) -> tuple[str, ...]:
    return (str(size.frontends), str(size.segments), str(size.batches))


def _plain(_workshop: Workshop, size: Size) -> Ready:
    command = (sys.executable, "-m", "bench.peers.plain", *_size_words(size))
    return Ready(command, ROOT, counts)


def _minicheck(workshop: Workshop, size: Size) -> Ready:
    packages = workshop.folder("minicheck")
    if not (packages / "minicheck").exists():
        workshop.pip("install", "--quiet", "--no-deps", "--target", str(packages), MINICHECK)
    start = (
        "import runpy, sys; sys.path.insert(0, sys.argv.pop(1));"
        "runpy.run_module('bench.peers.minichecked', run_name='__main__')"
    )
    return Ready((sys.executable, "-c", start, str(packages), *_size_words(size)), ROOT, counts)


def ours(template: str) -> Entrant:
    """Make an entrant of a command in which {F}, {S} and {B} stand for the size."""
    return Entrant(OURS, "malachi-model", partial(_ours, template))


def ours_reduced(template: str) -> tuple[Entrant, ...]:
    """Make entrants of the same command with each of our ways to leave states out."""
    return tuple(
        Entrant(f"{OURS} {way}", title, partial(_ours, f"{template} --{way}"), is_reduced=True)
        for way, title in (
            ("symmetry", "malachi-model, up to symmetry"),
            ("reduction", "malachi-model, reduced"),
        )
    )


def _ours(template: str, _workshop: Workshop, size: Size) -> Ready:
    unknown = set(re.findall(r"{(\w+)}", template)) - {"F", "S", "B"}
    if unknown:
        raise MissingError(f"{{{unknown.pop()}}} in {template}: only F, S and B are known")
    frontends, segments, batches = _size_words(size)
    words = shlex.split(template)
    filled = (word.format(F=frontends, S=segments, B=batches) for word in words)
    return Ready(tuple(filled), ROOT, counts)


ENTRANTS = (
    Entrant("minicheck", "minicheck", _minicheck),
    Entrant("plain", "plain Python loop", _plain),
)
