"""A process that proves: names come in, one a line, and what came of each goes out.

It is started by `running`, and ends when nobody writes to it any more.
"""

import json
import signal
import sys

from checker.prove.named import rules_of
from checker.prove.tasks import asked_in, run


def main(arguments: list[str]) -> None:
    """Work on each name that is read."""
    # An interrupt is for whoever started this, also where somebody sends it to this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    given = json.loads(arguments[0])
    asked = asked_in(given["asked"])
    rules = rules_of(given["defect"])
    for line in sys.stdin:
        sys.stdout.write(json.dumps(run(line.strip(), asked, rules)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
