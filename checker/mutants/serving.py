"""A process that has everything imported and every test collected, and forks for each mutant.

It is asked by lines of JSON on standard input, one after the other, and answers each with a line on
standard output. What a fork does to itself, no other sees.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from checker.mutants.page import pages
from checker.mutants.planting import plant
from checker.mutants.probes import Probing
from checker.mutants.trying import (
    Notice,
    Witness,
    by_scope,
    by_tests,
    first_judgement,
)
from checker.world.kinds import Scope
from checker.world.scopes import scope_named

Request = Mapping[str, Any]
Answer = dict[str, Any]


class Server:
    """A plugin that takes the place of the loop over the tests."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.witness = Witness(root)
        self.items: dict[str, pytest.Item] = {}
        self.requests = os.fdopen(os.dup(0), encoding="utf-8")
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Look for no simpler example where one is found: nobody reads it."""
        from hypothesis import Phase, settings  # noqa: PLC0415 - pytest wants to import it first

        session.config.pluginmanager.register(self.witness)
        settings.register_profile(
            "mutants",
            parent=settings.get_profile("steady"),
            phases=[Phase.explicit, Phase.generate],
            report_multiple_bugs=False,
        )
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Answer until nothing more is asked."""
        self.items = {item.nodeid: item for item in session.items}
        self.say({"tests": list(self.items), "failed": session.testsfailed})
        for line in self.requests:
            self.say(in_a_fork(self.answer, json.loads(line)))
        return True

    def say(self, answer: Answer) -> None:
        """Write one answer."""
        self.answers.write(json.dumps(answer) + "\n")
        self.answers.flush()

    def answer(self, request: Request) -> Answer:
        """Answer one request, in a process of its own."""
        match request:
            case {"probe": list(names)}:
                return self.probed(names)
            case {"search": str(name)}:
                return self.searched(name)
            case _:
                return self.tried(request)

    def probed(self, names: Sequence[str]) -> Answer:
        """Which statements each test runs, how long it takes, and which tests fail."""
        probing = Probing(pages(self.root / "reference"))
        found: list[Answer] = []
        for name in names:
            probing.start()
            self.witness.raised.clear()
            begun = time.process_time()
            runtestprotocol(self.items[name], log=False, nextitem=None)
            seconds = time.process_time() - begun
            failed = bool(self.witness.raised)
            reached = probing.reached()
            found.append({"name": name, "seconds": seconds, "failed": failed, "reached": reached})
        return {"probed": found}

    def searched(self, name: str) -> Answer:
        """Which statements the search of a scope runs, how long it takes, and whether it holds."""
        probing = Probing(pages(self.root / "reference"))
        probing.start()
        begun = time.process_time()
        notice = by_scope(_scope(name), 3600.0)
        seconds = time.process_time() - begun
        entry = {"name": name, "seconds": seconds, "failed": notice is not None}
        return {"probed": [entry | {"reached": probing.reached()}]}

    def tried(self, request: Request) -> Answer:
        """What becomes of one mutant."""
        page = next(p for p in pages(self.root / "reference") if p.name == request["module"])
        try:
            plant(page.name, compile(request["source"], str(page.path), "exec"))
        except Exception as error:  # noqa: BLE001 - whatever the changed module raises
            return {
                "verdict": "unimportable",
                "by": f"{type(error).__name__}: {error}",
                "how": None,
            }
        tests = [(self.items[name], limit) for name, limit in request["tests"]]
        told = by_tests([item for item, _ in tests], [limit for _, limit in tests], self.witness)
        searched = (by_scope(_scope(name), limit) for name, limit in request["scopes"])
        notice = first_judgement(chain(told, (each for each in searched if each is not None)))
        return verdict(notice)


def verdict(notice: Notice | None) -> Answer:
    """What a mutant came to, and who says so."""
    if notice is None:
        return {"verdict": "survived", "by": None, "how": None}
    return {"verdict": "killed" if notice.is_judgement else "raised", **asdict(notice)}


def in_a_fork(action: Callable[[Request], Answer], request: Request) -> Answer:
    """Answer in a process that ends with the answer."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        code = 1
        try:
            with os.fdopen(sink, "w", encoding="utf-8") as stream:
                stream.write(json.dumps(_answered(action, request)))
            code = 0
        finally:
            os._exit(code)
    os.close(sink)
    with os.fdopen(source, encoding="utf-8") as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return (
        dict(json.loads(text)) if text else verdict(Notice("the end of the process", "exception"))
    )


def _answered(action: Callable[[Request], Answer], request: Request) -> Answer:
    try:
        return action(request)
    except Exception as error:  # noqa: BLE001 - whatever it is, somebody has to hear of it
        return {"error": f"{type(error).__name__}: {error}"}


def _scope(name: str) -> Scope:
    scope = scope_named(name)
    assert scope is not None, f"{name} names a scope"
    return scope


def main() -> None:
    """Serve the tests that are named on the command line."""
    server = Server(Path.cwd())
    quiet = ["-p", "no:cacheprovider", "-p", "no:xdist", "--tb=native"]
    sys.exit(pytest.main([*quiet, *sys.argv[1:]], plugins=[server]))


if __name__ == "__main__":
    main()
