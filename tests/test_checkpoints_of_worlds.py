"""A checkpoint of a world goes on in another process."""

import os
import subprocess
import sys

HASHES = """
from checker.search.fingerprints import rules_hash
from checker.world.scopes import SCOPES
for scope in SCOPES:
    print(scope.name, rules_hash(scope.build()))
"""


def hashes(seed: str) -> str:
    """The hash of the rules of every scope, told by a new process."""
    command = [sys.executable, "-c", HASHES]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_the_rules_of_every_world_have_one_hash_in_every_process() -> None:
    assert hashes("1") == hashes("2")
