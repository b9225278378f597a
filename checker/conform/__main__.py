"""`python -m checker.conform`: the reference, or a wrong broker, as an adapter and nothing else.

The same as `malachi-model conform serve`, and quicker to start.
"""

import argparse
import sys

from checker.conform.serving import reference_adapter, serve, serve_socket
from checker.conform.wrong.brokers import wrong_broker_named


def main() -> None:
    """Answer until the harness says goodbye."""
    parser = argparse.ArgumentParser(prog="python -m checker.conform")
    parser.add_argument("--tcp", action="store_true")
    parser.add_argument("--wrong", metavar="DEFECT")
    given = parser.parse_args()
    broker = None if given.wrong is None else wrong_broker_named(given.wrong)
    if given.wrong is not None and broker is None:
        parser.error(f"there is no wrong broker {given.wrong}")
    adapter = reference_adapter() if broker is None else broker.adapter()
    if given.tcp:
        serve_socket(adapter)
    else:
        serve(adapter, sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
