"""What the suite covers: clauses, functions, names of errors, and answers of effects.

The clauses are those that scenarios cite. The rest is read off the messages that pass when the
reference plays them, so nothing is taken for covered because its name stands somewhere.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from checker.conform.calls.table import OPERATIONS
from checker.conform.messages import Limits, Message
from checker.conform.nouns import BOOK
from checker.conform.running import Bench
from checker.conform.scenarios import Scenario
from checker.conform.serving import reference_adapter
from checker.conform.transports.inprocess import InProcess
from spec.clauses import clauses

WIDTH = 92


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of one kind is covered."""

    kind: str
    wanted: tuple[str, ...]
    found: frozenset[str]

    @property
    def missing(self) -> tuple[str, ...]:
        """What is not covered, in the order of the document."""
        return tuple(each for each in self.wanted if each not in self.found)

    def lines(self) -> Iterator[str]:
        """`functions: 43 of 43`, and what is missing."""
        yield f"{self.kind}: {len(self.wanted) - len(self.missing)} of {len(self.wanted)}"
        line = ""
        for each in self.missing:
            if line and len(line) + len(each) > WIDTH:
                yield f"  missing: {line}"
                line = ""
            line += f", {each}" if line else each
        if line:
            yield f"  missing: {line}"


def coverage(scenarios: Iterable[Scenario]) -> tuple[Coverage, ...]:
    """Play scenarios against the reference, and look at what passes."""
    played = tuple(scenarios)
    messages = tuple(message for scenario in played for message in passed(scenario))
    cited = frozenset(clause for scenario in played for clause in scenario.clauses)
    ops = frozenset(op for scenario in played for op in scenario.ops)
    return (
        Coverage("clauses", tuple(each.id for each in clauses()), cited),
        Coverage("functions", tuple(OPERATIONS), ops),
        Coverage("errors", tags_of("Refusal"), frozenset(errors(messages))),
        Coverage("answers of effects", tuple(answers_wanted()), frozenset(answers(messages))),
    )


def passed(scenario: Scenario) -> Iterator[Message]:
    """The messages of a scenario."""
    adapter = reference_adapter()
    bench = Bench(lambda: InProcess(adapter), Limits(), keep_lines=True)
    for _, message in bench.play(scenario, scenario.steps, "L2").lines:
        yield message


def tags_of(name: str) -> tuple[str, ...]:
    """The alternatives of a variant of the published schema."""
    definition: Any = BOOK[name]
    return tuple(each["properties"]["tag"]["const"] for each in definition["oneOf"])


def errors(messages: Iterable[Message]) -> Iterator[str]:
    """The names of the errors that calls are answered."""
    for message in messages:
        if message["type"] == "reply" and (name := error_of(message["value"])):
            yield name


def error_of(value: Any) -> str:  # noqa: ANN401 # any reply
    """The name of the error that a reply is; nothing where it is none."""
    is_error = isinstance(value, dict) and value.get("tag") == "error"
    return str(value["value"]["tag"]) if is_error else ""


REPLIES = {"replicate": "ReplicateReply", "read": "ReadReply"}


def answers_wanted() -> Iterator[str]:
    """Every alternative of every effect's answer."""
    yield from (f"command {tag}" for tag in tags_of("CommandReply"))
    yield from (f"view {tag}" for tag in ("keep", "apply", "set"))
    for kind, name in REPLIES.items():
        yield from (f"{kind} {tag}" for tag in tags_of(name))
    yield from ("policy none", "policy some")


def answers(messages: Iterable[Message]) -> Iterator[str]:
    """The alternatives that effects are answered with."""
    kind = ""
    for message in messages:
        if message["type"] == "effect":
            kind = str(message["kind"])
        elif message["type"] == "answer":
            yield from answered(kind, message["value"])


def answered(kind: str, value: Any) -> Iterator[str]:  # noqa: ANN401 # any answer
    """The alternatives of one answer."""
    if kind == "command":
        yield f"command {value['reply']['tag']}"
        yield f"view {value['view']['tag']}"
    else:
        yield f"{kind} {value['tag']}"
