"""Our own search of FenceCore: `python -m bench.ours 2 2 2` prints its counts as JSON."""

import argparse
import json

from checker.models.fencecore import fencecore
from checker.search.explore import FIRST_STATES, Options, search


def main() -> None:
    """Search one size, with every law judged and traces kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs=3, type=int, metavar="F S B")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--symmetry", action="store_true")
    parser.add_argument("--reduction", action="store_true")
    given = parser.parse_args()
    options = Options(
        engine="compiled",
        workers=given.workers,
        plain_states=FIRST_STATES,
        symmetry=given.symmetry,
        reduction=given.reduction,
    )
    report = search(fencecore(*given.size), options=options)
    print(
        json.dumps(
            {
                "states": report.states,
                "transitions": report.transitions,
                "depth": report.depth,
                "verdict": report.verdict,
                "engine": report.engine,
            }
        )
    )


if __name__ == "__main__":
    main()
