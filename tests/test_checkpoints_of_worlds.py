"""A checkpoint of a world goes on in another process."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from checker.world.scopes import scope_named

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


RUN = """
import sys
from pathlib import Path
from checker.search.checkpoints import Keeper
from checker.search.explore import Options, search
from checker.world.scopes import scope_named

def keep_and_tell(*given):
    keep(*given)
    print("kept", flush=True)

keep, Keeper.keep = Keeper.keep, keep_and_tell
options = Options(
    engine="compiled", plain_states=2_500, checkpoint=Path(sys.argv[1]), checkpoint_seconds=0.0,
    resume=True,
)
report = search(scope_named(sys.argv[2]).build(), options=options)
print(report.states, report.transitions, report.depth, report.verdict)
"""


def run_and_kill(folder: Path, scope: str, draw: random.Random) -> str:
    """Run a search in a process of its own, kill it at some moment, and answer its last line."""
    command = [sys.executable, "-c", RUN, str(folder), scope]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        said = "".join(running.stdout.readline() for _ in range(draw.randint(1, 6)))
        time.sleep(draw.uniform(0.0, 0.05))
        running.send_signal(signal.SIGKILL)
        return (said + running.stdout.read()).splitlines()[-1]


@pytest.mark.slow
def test_a_world_that_is_killed_twenty_times_counts_the_same(tmp_path: Path) -> None:
    scope, kills = "race", 20
    draw = random.Random(21)
    found = scope_named(scope)
    assert found is not None
    assert found.size is not None
    whole = f"{found.size.states} {found.size.transitions} {found.size.depth} holds"

    killed = searches = 0
    while killed < kills:
        last = run_and_kill(tmp_path / str(searches), scope, draw)
        is_over = last != "kept"
        assert not is_over or last == whole
        killed += not is_over
        searches += is_over
    command = [sys.executable, "-c", RUN, str(tmp_path / str(searches)), scope]
    done = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert done.splitlines()[-1] == whole
