"""Where a law says nothing, and why: the worlds in which its premise is met by no case."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from checker.search.report import Report
from checker.world.kinds import Level, Scope


@cache
def reasons() -> Mapping[tuple[str, str], str]:
    """By scope and law, why the law is idle there."""
    text = files("checker.world").joinpath("idle.toml").read_text("utf-8")
    found: dict[tuple[str, str], str] = {}
    for each in tomllib.loads(text)["idle"]:
        for pair in ((scope, law) for scope in each["scopes"] for law in each["laws"]):
            assert pair not in found, f"{pair} is listed twice"
            found[pair] = each["reason"]
    return found


def why_idle(scope: str, law: str) -> str:
    """Why a law says nothing in a scope; empty where nobody has said that it does not."""
    return reasons().get((scope, law), "")


def idle_problems(scope: Scope, report: Report) -> Iterator[str]:
    """Which laws are idle in a default world and are not listed, or are listed and speak."""
    if scope.level is not Level.QUICK or report.is_reduced or report.verdict != "holds":
        return
    for law in report.laws:
        is_listed = bool(why_idle(scope.name, law.name))
        if law.met == 0 and not is_listed:
            yield f"the law {law.name} is idle: no case in {scope.name} fulfils its premise"
        if law.met and is_listed:
            yield f"the law {law.name} speaks in {scope.name}, and is listed as idle there"
