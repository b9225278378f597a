"""Run every function of the source on drawn integers, beside its paths on unknown ones.

    python -m bench.paths [INPUTS] [SCENE...]

With 10,000 inputs for each scene, as unless it is told otherwise, this takes some minutes.
"""

import random
import sys
import time

from checker.prove.exploring import Difference, difference, explored
from checker.prove.scenes.every import SCENES
from checker.prove.scenes.scene import Scene

INPUTS = 10_000
SEED = 1


def compared(scene: Scene, inputs: int) -> Difference | None:
    """The first difference of one scene; none where the two runs agree on all inputs."""
    started = time.perf_counter()
    found = explored(scene)
    source = random.Random(SEED)  # noqa: S311 - the same tomorrow
    met = None
    for _ in range(inputs):
        met = difference(scene, found, source)
        if met is not None:
            break
    paths = sum(len(each) for each in found.values())
    verdict = "agrees" if met is None else f"departs: {met.why}"
    seconds = time.perf_counter() - started
    print(f"{scene.name:<32} {paths:>5} paths {inputs:>7,} inputs {seconds:>6.1f} s  {verdict}")
    return met


def main(arguments: list[str]) -> int:
    """Compare the scenes that are named, or all."""
    inputs = int(arguments[0]) if arguments else INPUTS
    names = set(arguments[1:])
    chosen = [scene for scene in SCENES if not names or scene.name in names]
    met = [compared(scene, inputs) for scene in chosen]
    return 1 if any(met) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
