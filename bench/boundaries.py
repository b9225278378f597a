"""Write the cases at the edges of every function's conditions, one a line.

python -m bench.boundaries > tests/data/boundaries.json
"""

import json

from checker.prove.boundaries import cases
from checker.prove.exploring import explored
from checker.prove.scenes.every import SCENES


def main() -> None:
    """Write the cases of all scenes."""
    lines = [
        json.dumps([case.scene, case.why, dict(case.picks), dict(sorted(case.values.items()))])
        for scene in SCENES
        for case in cases(scene, explored(scene))
    ]
    print("[\n" + ",\n".join(lines) + "\n]")


if __name__ == "__main__":
    main()
