import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import spec.clauses
from spec.clauses import CHAPTERS, Clause, clause_of, clauses, clauses_of, page, sentence_of
from spec.commands import Command, OtherCommand
from spec.replies import Refusal

HOUSE = Path(__file__).parent.parent
PREFIXES = {
    "ranges": "RNG",
    "placing": "PLC",
    "producing": "PRD",
    "rolling": "ROL",
    "refreshing": "RFR",
    "healing": "HEA",
    "reading": "RDG",
}
RETIRED = (("ROL", 45),)
"""Clauses that were taken out; their numbers are never given again."""
CITATION = re.compile(rf"\b(?:{'|'.join(PREFIXES.values())})-\d+\b")
FUNCTIONS = frozenset(
    (
        "active_range_ids",
        "active_roll",
        "adopt_offsets",
        "apply_heal",
        "apply_heal_reply",
        "bind_topic_policy",
        "commit_offset",
        "committed_offsets",
        "create_topic",
        "delete_segment",
        "domain_violations",
        "drop_stale_active_segments",
        "due_rolls",
        "fences_to_send",
        "forget_fence",
        "forget_sealed",
        "is_awaiting_fence",
        "is_unrecovered",
        "journal",
        "merge_ranges",
        "metadata",
        "open",
        "produce",
        "produce_plan",
        "put_cache",
        "range_awaiting_fence",
        "read",
        "read_consume",
        "read_history",
        "record_fence",
        "record_seal",
        "replay_journal",
        "request_rolls",
        "seed_range_state",
        "seed_unrecovered_range",
        "set_broker_attributes",
        "set_brokers",
        "split_range",
        "stream_history",
        "take_journal",
        "topic_policy_name",
        "topics_bound_to",
    )
)
"""Those of a frontend; one of them, domain_violations, has two forms."""
NEIGHBOURS = frozenset(
    (
        "age_rolls",
        "append",
        "failover_candidates",
        "failover_plan",
        "fence",
        "healing_candidates",
        "orphaned_fence_candidates",
        "orphaned_fence_plan",
        "retention_expired",
        "sealed_overrun",
    )
)
"""Those of stores and coordinators."""
PROPERTIES = {f"S{number}" for number in range(1, 39)} | {f"P{number}" for number in range(1, 11)}


def refusal_names(kind: type[Refusal] = Refusal) -> Iterator[str]:
    for refusal in kind.__subclasses__():
        yield refusal.name
        yield from refusal_names(refusal)


def cited_in(folder: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((HOUSE / folder).rglob("*")):
        if path.suffix in {".py", ".json", ".md", ".toml", ".html"}:
            for citation in CITATION.findall(path.read_text(encoding="utf-8")):
                yield citation, path.relative_to(HOUSE)


def test_every_chapter_numbers_its_own_clauses_without_a_gap() -> None:
    for chapter, prefix in PREFIXES.items():
        written = {clause.id for clause in clauses() if clause.chapter == chapter}
        retired = {f"{prefix}-{number}" for kind, number in RETIRED if kind == prefix}

        expected = {f"{prefix}-{number + 1}" for number in range(len(written) + len(retired))}

        assert written == expected - retired


def test_no_id_is_given_twice() -> None:
    counts = Counter(clause.id for clause in clauses())

    assert [clause_id for clause_id, count in counts.items() if count > 1] == []


def test_a_clause_is_one_sentence() -> None:
    ends = {clause.id: re.findall(r"[.!?](?=\s|$)", clause.sentence) for clause in clauses()}

    assert [clause_id for clause_id, found in ends.items() if found != ["."]] == []
    assert [clause.id for clause in clauses() if not clause.sentence.endswith(".")] == []


def test_a_clause_states_and_does_not_demand() -> None:
    demand = re.compile(r"\b(?:must|shall|should|ought)\b")

    assert [clause.id for clause in clauses() if demand.search(clause.sentence)] == []


def test_a_title_is_a_phrase_and_no_sentence() -> None:
    assert [clause.id for clause in clauses() if not re.fullmatch(r".*\w", clause.title)] == []


@pytest.mark.parametrize("folder", ["spec", "reference", "checker", "tests"])
def test_every_clause_that_is_cited_is_written(folder: str) -> None:
    written = {clause.id for clause in clauses()}

    missing = [f"{citation} in {path}" for citation, path in cited_in(folder)]

    assert [place for place in missing if place.split()[0] not in written] == []


def test_a_function_cites_clauses_that_speak_of_it() -> None:
    foreign = [
        f"{clause_id} at {function.name} in {path.name}"
        for path in sorted((HOUSE / "reference").glob("*.py"))
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef) and function.name in FUNCTIONS | NEIGHBOURS
        for clause_id in CITATION.findall(ast.get_docstring(function) or "")
        if function.name not in clause_of(clause_id).functions + clause_of(clause_id).commands
    ]

    assert foreign == []


def test_every_function_of_the_frontend_is_covered() -> None:
    covered = {name for clause in clauses() for name in clause.functions}

    assert sorted(FUNCTIONS - covered) == []
    assert sorted(covered - FUNCTIONS - NEIGHBOURS) == []


def test_every_property_is_covered() -> None:
    covered = {name for clause in clauses() for name in clause.properties}

    assert sorted(PROPERTIES ^ covered) == []


def test_every_property_is_told_once() -> None:
    told = re.findall(r"^\| ([SP]\d+) \| .+\. \|$", page("properties"), re.MULTILINE)

    assert sorted(told) == sorted(PROPERTIES)


def test_every_command_is_covered() -> None:
    covered = {name for clause in clauses() for name in clause.commands}
    tags = {command.tag for command in get_args(Command)} - {OtherCommand.tag}

    assert sorted(tags ^ covered) == []


def test_every_refusal_is_covered() -> None:
    covered = {name for clause in clauses() for name in clause.replies}

    assert sorted(set(refusal_names()) - covered) == []
    assert sorted(covered - set(refusal_names()) - {"eof"}) == []


def test_a_clause_is_read_with_all_its_parts() -> None:
    text = (
        "# A chapter\n\nWords.\n\n### XYZ-1 Do it\n\nIt is\ndone.\n\nFor one.\n\nFor two.\n\n"
        "Functions: read, open. Replies: eof. Properties: S1, P2.\n\n## On\n\n### XYZ-2 No\n\nNo."
    )

    first, second = clauses_of("chapter", text)

    assert first == Clause(
        id="XYZ-1",
        title="Do it",
        sentence="It is done.",
        why="For one.\n\nFor two.",
        functions=("read", "open"),
        commands=(),
        replies=("eof",),
        properties=("S1", "P2"),
        chapter="chapter",
    )
    assert second == Clause("XYZ-2", "No", "No.", "", (), (), (), (), "chapter")


def test_a_message_quotes_a_clause_by_its_id() -> None:
    sentence = sentence_of("ROL-4")

    assert sentence == clause_of("ROL-4").sentence
    assert "begins exactly at the sealed edge" in sentence


def test_an_id_that_is_not_written_is_an_error() -> None:
    with pytest.raises(KeyError):
        sentence_of("ROL-" + "0")


def test_the_chapters_are_read_once() -> None:
    assert clauses() is clauses()
    assert spec.clauses.clause_of("ROL-7") is clause_of("ROL-7")


def test_the_first_page_leads_to_every_chapter() -> None:
    links = re.findall(r"\]\((\w+)\.md\)", page("index"))

    assert [link for link in links if link != "properties"] == list(CHAPTERS)
    assert "properties" in links
