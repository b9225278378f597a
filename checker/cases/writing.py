"""Cases as text: the same case is the same text, and reads back as itself."""

import json
import re
from collections.abc import Iterator, Mapping

from checker.cases.kinds import FORMAT, CallStep, Case, MessageStep, WorldCase, WorldStep
from checker.replay.terms import Term

BARE = re.compile(r"[A-Za-z0-9_-]+")


def written(case: Case) -> str:
    """A case as the text of a file."""
    return "\n".join(_lines(case)) + "\n"


def _lines(case: Case) -> Iterator[str]:
    heading = case.heading
    yield f"format = {inline(FORMAT)}"
    yield f"name = {inline(heading.name)}"
    if heading.about:
        yield f"about = {inline(heading.about)}"
    if heading.clauses:
        yield f"clauses = {inline(list(heading.clauses))}"
    yield ""
    yield from _table("world" if isinstance(case, WorldCase) else "plane", _setting(case))
    if case.breaks is not None:
        said: dict[str, Term] = {"law": case.breaks.law, "step": case.breaks.step}
        if case.breaks.loop is not None:
            said["loop"] = case.breaks.loop
        yield ""
        yield from _table("breaks", said)
    if not case.steps:
        yield ""
        yield "steps = []"
    for step in case.steps:
        yield ""
        yield from _step(step)


def _setting(case: Case) -> dict[str, Term]:
    if isinstance(case, WorldCase):
        world = case.world
        named: dict[str, Term] = {
            "scope": world.scope,
            "defect": world.defect,
            "finding": world.finding,
            "remedy": world.remedy,
        }
        return {key: value for key, value in named.items() if value is not None}
    plane: dict[str, Term] = {"mode": case.plane.mode}
    if case.plane.vnodes is not None:
        plane["vnodes"] = [[vnode, token] for vnode, token in case.plane.vnodes]
    if case.plane.policies:
        plane["policies"] = {
            name: {"spread_by": policy.spread_by} for name, policy in case.plane.policies.items()
        }
    return plane


def _table(name: str, content: Mapping[str, Term]) -> Iterator[str]:
    yield f"[{name}]"
    for key, value in content.items():
        yield f"{as_key(key)} = {inline(value)}"


def _step(step: WorldStep | CallStep | MessageStep) -> Iterator[str]:
    yield "[[steps]]"
    match step:
        case WorldStep():
            yield f"step = {inline(step.step)}"
            if step.outcome is not None:
                yield f"outcome = {inline(step.outcome)}"
            if step.state:
                yield from _table("steps.state", step.state)
        case CallStep():
            yield f"frontend = {inline(step.frontend)}"
            yield f"call = {inline(step.call)}"
            if step.args:
                yield f"args = {inline(dict(step.args))}"
            if step.keep is not None:
                yield f"keep = {inline(step.keep)}"
            yield from _expected(step)
        case MessageStep():
            yield f"{step.verb} = {inline(step.message)}"
            if step.item:
                yield f"item = {step.item}"
            if step.now:
                yield f"now = {step.now}"
            yield from _expected(step)


def _expected(step: CallStep | MessageStep) -> Iterator[str]:
    if step.answers:
        yield f"answers = {inline(dict(step.answers))}"
    tables = [key for key in ("state", "plane", "store") if step.expected.get(key)]
    for key, value in step.expected.items():
        if key not in tables:
            yield f"{key} = {inline(value)}"
    for key in tables:
        value = step.expected[key]
        assert isinstance(value, dict), "a state is expected by path"
        yield from _table(f"steps.{key}", value)


def inline(term: Term) -> str:
    """A value on one line."""
    match term:
        case None:
            return "{none = true}"
        case bool():
            return "true" if term else "false"
        case int():
            return str(term)
        case str():
            return quoted(term)
        case list():
            return f"[{', '.join(map(inline, term))}]"
        case dict():
            pairs = (f"{as_key(key)} = {inline(value)}" for key, value in term.items())
            return "{" + ", ".join(pairs) + "}"


def quoted(text: str) -> str:
    """A string; what JSON does not escape and TOML wants escaped is escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def as_key(name: str) -> str:
    """A key, in quotes where it needs them."""
    return name if BARE.fullmatch(name) else quoted(name)
