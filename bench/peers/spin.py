"""SPIN: exact searches of fencecore.pml, each with the options that serve it best."""

import re
from functools import partial

from bench.peers.entrant import Entrant
from bench.peers.fencecore import Size
from bench.peers.figures import FIGURES, Counts
from bench.peers.measuring import FailedError
from bench.peers.workshop import HERE, Ready, Workshop, build, constants

# Safety only, and no partial order reduction: one process in one loop leaves none to find.
# States are stored as they are: neither hashed to a few bits nor compressed.
EXACT = ("-O3", "-march=native", "-DSAFETY", "-DNOREDUCE", "-DNOCOMP", "-DNOFAIR", "-DMEMLIM=20000")
DEEP_ENOUGH = "-m100000"
"""Some hundred steps are needed; a search that meets its bound is refused below."""


def counts(output: str) -> Counts:
    """Read the counts of a whole search without errors.

    What pan calls transitions are the states stored and the states matched; the initial state is
    stored without a transition, so one is taken off.
    """
    if "max search depth too small" in output or not re.search(r"errors: 0\b", output):
        raise FailedError(output)
    stored = re.search(r"(\d+) states, stored", output)
    followed = re.search(r"(\d+) transitions", output)
    if stored is None or followed is None:
        raise FailedError(output)
    return Counts(int(stored[1]), int(followed[1]) - 1)


def _prepare(options: tuple[str, ...], name: str, workshop: Workshop, size: Size) -> Ready:
    workshop.require("spin", "spin")
    workshop.require("cc", "gcc")
    folder = workshop.folder(f"{name}-{size.frontends}-{size.segments}-{size.batches}")
    chosen = [f"-D{key}={value}" for key, value in constants(size).items()]
    seconds = build(
        folder,
        ("spin", "-a", *chosen, str(HERE / "fencecore.pml")),
        ("cc", "-w", *EXACT, *options, "-o", "pan", "pan.c", "-lpthread"),
    )
    return Ready((str(folder / "pan"), DEEP_ENOUGH, _slots(size)), folder, counts, seconds)


def _slots(size: Size) -> str:
    # The hash table does not grow. Half as many slots again as states are the fewest that cost no
    # time; more of them only cost memory.
    states = FIGURES[size].states if size in FIGURES else 1 << 23
    return f"-w{max(20, (states * 3 // 2).bit_length())}"


def _entrant(name: str, title: str, *options: str) -> Entrant:
    return Entrant(name, title, partial(_prepare, options, name))


ENTRANTS = (
    _entrant("spin", "SPIN, depth first"),
    _entrant("spin-two", "SPIN, depth first, 2 cores", "-DNCORE=2", "-DVMAX=128"),
    _entrant("spin-breadth", "SPIN, breadth first", "-DBFS"),
)
