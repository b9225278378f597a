"""What no scenario can show of an adapter: clauses and replies, each with its reason."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

FILE = "unobserved.toml"


@cache
def unobserved_clauses() -> Mapping[str, str]:
    """The reason for each clause, by id: it speaks of callers, stores or coordinators."""
    return {each["id"]: each["reason"] for each in entries()["clause"]}


@cache
def unobserved_replies() -> Mapping[str, str]:
    """The reason for each reply, by its name: no call can be answered with it."""
    return {each["name"]: each["reason"] for each in entries()["reply"]}


def entries() -> Mapping[str, list[dict[str, str]]]:
    """The file as it stands."""
    return tomllib.loads(files("checker.conform").joinpath(FILE).read_text("utf-8"))
