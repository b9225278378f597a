"""The list of laws, each with a change that it alone notices, or with the reason why it stays."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from checker.explaining import KnownLaw, laws
from checker.world.alone.changes import changes
from checker.world.scopes import scope_named

PAGE = Path(__file__).with_name("laws.toml")
HEAD = """\
# For each law that judges a world: a change of the machine that it alone notices, with all other
# laws of that world in force, and how many states the world has without it; or why the law stays
# although none is known. `malachi-model defects --only` tries each again, `--look` writes the list.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One law."""

    law: str
    change: str = ""
    """The name of the change that nothing else notices; empty where none is known."""
    scope: str = ""
    """The world that it is put into."""
    states: int = 0
    """How many states that world has, with the change and without the law."""
    stays: str = ""
    """Why the law stays all the same."""


@cache
def entries() -> Mapping[str, Entry]:
    """All that are listed, by law."""
    text = files("checker.world.alone").joinpath("laws.toml").read_text("utf-8")
    found = [Entry(**each) for each in tomllib.loads(text).get("law", [])]
    assert len({each.law for each in found}) == len(found), "a law is listed once"
    return {each.law: each for each in found}


def to_list() -> tuple[KnownLaw, ...]:
    """The laws that judge a world of ours, in the order of their clauses.

    FenceCore is the measure of other checkers, and what only looks true judges findings alone.
    """
    judging = [each for each in laws().values() if any(map(is_ours, each.scopes))]
    return tuple(
        sorted(judging, key=lambda law: (law.clause.split("-")[0], _number(law), law.name))
    )


def written(found: Iterable[Entry]) -> str:
    """The list as the text of its page."""
    lines = [HEAD.rstrip()]
    for each in found:
        lines += ["", "[[law]]", f'law = "{each.law}"']
        if each.stays:
            lines.append(f"stays = {_quoted(each.stays)}")
        else:
            lines += [f'change = "{each.change}"', f'scope = "{each.scope}"']
            lines.append(f"states = {each.states}")
    return "\n".join(lines) + "\n"


def problems() -> Iterator[str]:
    """What is wrong with the list, without running anything."""
    known = {each.name for each in to_list()}
    for law in sorted(known - entries().keys()):
        yield f"{law} is not listed"
    for law in sorted(entries().keys() - known):
        yield f"{law} is listed, and judges no world"
    for each in entries().values():
        if bool(each.change) == bool(each.stays):
            yield f"{each.law}: either a change or a reason is listed"
        elif each.change and each.change not in changes():
            yield f"{each.law}: {each.change} is no change"
        elif each.change and scope_named(each.scope) is None:
            yield f"{each.law}: {each.scope} is no world"


def is_ours(scope: str) -> bool:
    """Whether a world is one of the broker's."""
    return not scope.startswith("fencecore")


def _number(law: KnownLaw) -> int:
    return int(law.clause.split("-")[1])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
