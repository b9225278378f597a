"""Run every function of the source on drawn integers, beside its paths on unknown ones.

    python -m bench.paths [INPUTS] [SCENE...]

With 10,000 inputs for each scene, as unless it is told otherwise, and on two processors, this
takes some minutes.
"""

import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from checker.prove.drawing import ExcludedError, Random
from checker.prove.exploring import Difference, departure, explored
from checker.prove.measuring import measuring
from checker.prove.scenes.every import SCENES

INPUTS = 10_000
PROCESSES = 2
SEED = 1


@dataclass(frozen=True, slots=True)
class Compared:
    """One scene."""

    name: str
    paths: int
    inputs: int
    seconds: float
    """Of a processor."""
    met: Difference | None
    """The first difference; none where the two runs agree on all inputs."""

    def line(self) -> str:
        """Tell of it, for people."""
        verdict = "agrees" if self.met is None else f"departs: {self.met.why}"
        return (
            f"{self.name:<32} {self.paths:>5} paths {self.inputs:>7,} inputs"
            f" {self.seconds:>6.1f} s  {verdict}"
        )


def compared(inputs: int, name: str) -> Compared:
    """Compare one scene."""
    started = time.process_time()
    scene = next(each for each in SCENES if each.name == name)
    found = explored(scene)
    source = random.Random(SEED)  # noqa: S311 - the same tomorrow
    met, count = None, 0
    with measuring():
        while met is None and count < inputs:
            # Some draws are none that the scene speaks of: they are no inputs.
            with suppress(ExcludedError):
                met = departure(scene, found, Random(source))
                count += 1
    paths = sum(len(each) for each in found.values())
    return Compared(name, paths, count, time.process_time() - started, met)


def main(arguments: Sequence[str]) -> int:
    """Compare the scenes that are named, or all."""
    inputs = int(arguments[0]) if arguments else INPUTS
    names = set(arguments[1:])
    chosen = [scene.name for scene in SCENES if not names or scene.name in names]
    started, seconds, departing = time.perf_counter(), 0.0, 0
    with ProcessPoolExecutor(PROCESSES) as pool:
        for each in pool.map(partial(compared, inputs), chosen):
            print(each.line(), flush=True)
            seconds += each.seconds
            departing += each.met is not None
    wall = time.perf_counter() - started
    print(
        f"{len(chosen)} scenes, {departing} depart, {seconds:.0f} s of a processor in {wall:.0f} s"
    )
    return 1 if departing or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
