"""Rumur: fencecore.m, with one thread and with two."""

import re
from functools import partial

from bench.peers.entrant import Entrant
from bench.peers.fencecore import Size
from bench.peers.figures import Counts
from bench.peers.measuring import FailedError
from bench.peers.workshop import HERE, MissingError, Ready, Workshop, build, constants


def counts(output: str) -> Counts:
    """Read the counts of a whole search without errors."""
    found = re.search(r"(\d+) states, (\d+) rules fired in", output)
    if found is None or "No error found." not in output:
        raise FailedError(output)
    return Counts(int(found[1]), int(found[2]))


def with_constants(model: str, size: Size) -> str:
    """Answer the model with its constants replaced."""
    for key, value in constants(size).items():
        model, replaced = re.subn(rf"(?m)^  {key}: \d+;", f"  {key}: {value};", model)
        if replaced != 1:
            raise MissingError(f"fencecore.m does not say once what {key} is")
    return model


def _prepare(threads: int, workshop: Workshop, size: Size) -> Ready:
    workshop.require("rumur", "rumur")
    workshop.require("cc", "gcc")
    name = f"rumur-{threads}-{size.frontends}-{size.segments}-{size.batches}"
    folder = workshop.folder(name)
    model = (HERE / "fencecore.m").read_text()
    (folder / "model.m").write_text(with_constants(model, size))
    seconds = build(
        folder,
        (
            *("rumur", "--deadlock-detection", "off", "--threads", str(threads)),
            *("--pack-state", "off", "--output", "verifier.c", "model.m"),
        ),
        (
            *("cc", "-w", "-O3", "-march=native", "-mcx16"),
            *("-o", "verifier", "verifier.c", "-lpthread"),
        ),
    )
    return Ready((str(folder / "verifier"),), folder, counts, seconds)


ENTRANTS = (
    Entrant("rumur", "Rumur, 1 thread", partial(_prepare, 1)),
    Entrant("rumur-two", "Rumur, 2 threads", partial(_prepare, 2)),
)
