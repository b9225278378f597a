"""The named scenarios together: each clause, each reply and each answer of an effect is in one."""

from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from checker.cases.parsing import parse
from checker.conform.messages import Limits
from checker.conform.recorder import Line
from checker.conform.running import Bench
from checker.conform.serving import reference_adapter
from checker.conform.suite import SUFFIX, shipped
from checker.conform.transports.inprocess import InProcess
from checker.conform.unobserved import entries, unobserved_clauses, unobserved_replies
from spec import replies
from spec.clauses import clauses
from spec.replies import RangeSealed, Refusal

IDS = Path(__file__).parent / "data" / "scenario_ids.txt"
WAYS = {
    *(f"command {way}" for way in ("ok", "created", "unexpected", "failed")),
    *(f"view {way}" for way in ("keep", "apply", "set")),
    *(f"replicate {way}" for way in ("ok", "sealed", "failed")),
    *(f"read {way}" for way in ("ok", "empty", "eof", "failed")),
    *(f"policy {way}" for way in ("some", "none")),
}
"""How an effect may be answered."""


@cache
def said() -> tuple[Line, ...]:
    """All that passes between the harness and the reference in all scenarios."""
    adapter = reference_adapter()
    bench = Bench(lambda: InProcess(adapter), Limits(), keep_lines=True)
    played = [bench.play(each, each.steps, "L3") for each in shipped()]
    assert [each.finding for each in played if each.finding is not None] == []
    return tuple(line for each in played for line in each.lines)


def word(value: Any) -> str:  # noqa: ANN401 # any value of the wire
    """What an answer says in a word: its tag, or that of its error."""
    if value["tag"] == "error":
        return str(value["value"]["tag"])
    return "empty" if value == {"tag": "ok", "value": []} else str(value["tag"])


def answers() -> Counter[str]:
    """How often each kind of effect was answered in each way."""
    found: Counter[str] = Counter()
    kind = ""
    for _, message in said():
        if message["type"] == "effect":
            kind = str(message["kind"])
        elif message["type"] == "answer":
            value: Any = message["value"]
            if kind == "command":
                found[f"view {value['view']['tag']}"] += 1
                value = value["reply"]
            found[f"{kind} {word(value)}"] += 1
    return found


def test_each_clause_has_a_scenario_or_a_reason_to_have_none() -> None:
    cited = {clause for scenario in shipped() for clause in scenario.clauses}
    listed = set(unobserved_clauses())

    assert cited | listed == {clause.id for clause in clauses()}
    assert not cited & listed


def test_each_reply_is_answered_in_a_scenario_or_has_a_reason_not_to_be() -> None:
    every = {
        "range_sealed" if kind is RangeSealed else kind.name
        for kind in vars(replies).values()
        if isinstance(kind, type) and issubclass(kind, Refusal) and kind is not Refusal
    }
    answered = {
        word(message["value"])
        for _, message in said()
        if message["type"] == "reply"
        and isinstance(message["value"], dict)
        and message["value"].get("tag") == "error"
    }
    listed = set(unobserved_replies())

    assert answered | listed == every
    assert not answered & listed


def test_no_reason_stands_twice_or_says_nothing() -> None:
    found = entries()

    assert len(found["clause"]) == len(unobserved_clauses())
    assert len(found["reply"]) == len(unobserved_replies())
    assert all(each["reason"] for each in (*found["clause"], *found["reply"]))


@pytest.mark.parametrize("way", sorted(WAYS))
def test_each_kind_of_effect_is_answered_in_each_way(way: str) -> None:
    assert answers()[way] > 0


def test_a_scenario_is_called_as_its_file_is_and_an_id_stays_for_good() -> None:
    entries = [each for each in files("checker.conform.suites").iterdir() if SUFFIX in each.name]

    named = {each.name: parse(each.read_text("utf-8")).heading.name for each in entries}

    assert {f"{name}{SUFFIX}" for name in named.values()} == set(named)
    assert sorted(named.values()) == IDS.read_text("utf-8").split()
