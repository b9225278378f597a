"""Our own search of FenceCore: `python -m bench.ours 2 2 2` prints its counts as JSON."""

import argparse
import json

from checker.models.fencecore import fencecore
from checker.search.plain import search


def main() -> None:
    """Search one size, with every law judged and traces kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs=3, type=int, metavar="F S B")
    frontends, segments, batches = parser.parse_args().size
    report = search(fencecore(frontends, segments, batches))
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
