"""`malachi-model spec`: every name of the source leads to its clauses."""

import json
import os
import pty
import subprocess
import sys

import jsonschema
import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.lookup import UnknownNameError, find, find_all, names, properties
from spec.clauses import clause_of, clauses
from spec.replies import Refusal
from tests.test_spec_clauses import FUNCTIONS


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_of_the_source_leads_to_its_clauses(name: str) -> None:
    assert find(name).kind == "function"
    assert find(name.removeprefix("is_") + "?").clauses == find(name).clauses
    assert find(f"{name}/5") == find(f"{name}()") == find(name)


ERRORS = (
    *("already_exists", "already_sealed", "metadata_unavailable", "no_such_range"),
    *("no_such_segment", "no_such_topic", "sealed", "segment_active", "segment_exists"),
    *("segment_overlap", "unroutable"),
)
"""Every error that Malachi.Broker's own documentation names, as it is spelled there."""
OPTIONS = ("min_domains", "replication_factor", "segment_max_bytes", "spread_by")
"""Options that it names."""


def test_the_source_has_forty_three_functions() -> None:
    """One of its names, domain_violations, has two forms."""
    assert len(FUNCTIONS) + 1 == 43


@pytest.mark.parametrize("name", ERRORS)
def test_every_error_of_the_source_leads_to_its_clauses(name: str) -> None:
    assert find(f":{name}").kind == "reply"
    assert find(name).clauses


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_leads_to_the_clauses_in_which_it_stands(name: str) -> None:
    assert all(f"`{name}`" in f"{each.sentence} {each.why}" for each in find(name).clauses)
    assert find(name).clauses


@pytest.mark.parametrize("name", ["view", "head", "counter", "primary", "edge", "end"])
def test_a_noun_of_the_first_page_is_told(name: str) -> None:
    assert f"*{name}*" in find(name).text


@pytest.mark.parametrize("name", sorted({each.name for each in Refusal.__subclasses__()}))
def test_every_word_of_a_refusal_leads_to_its_clauses(name: str) -> None:
    found = find(name)

    assert found.kind in {"reply", "function"}
    assert found.clauses


@pytest.mark.parametrize(
    ("word", "clause"), [("latch", "ROL-1"), ("skip", "RDG-20"), ("Hole", "RDG-4")]
)
def test_any_word_leads_to_the_clauses_that_say_it(word: str, clause: str) -> None:
    found = find(word)

    assert found.kind == "word"
    assert clause in {each.id for each in found.clauses}


@pytest.mark.parametrize("word", ["seals", "sealing", "Seals"])
def test_a_word_is_found_in_any_form_and_the_clauses_that_it_names_come_first(word: str) -> None:
    found = [each.id for each in find(word).clauses]

    titles = ["seal" in clause_of(each).title.lower() for each in found]
    assert found[0] == "RNG-22"
    assert titles == sorted(titles, reverse=True)
    assert len(set(titles)) == 2


def test_several_words_are_looked_for_together_and_the_nearest_comes_first() -> None:
    (found,) = find_all(["sealing", "copies of", "a segment"])

    assert (found.kind, found.name) == ("words", "sealing copies segment")
    assert found.clauses[0].id == "HEA-27"
    for clause in found.clauses:
        text = f"{clause.title} {clause.sentence} {clause.why}".lower()
        assert all(word in text for word in ("seal", "cop", "segment"))


def test_names_among_several_words_stay_names() -> None:
    assert [each.kind for each in find_all(["rolling", "record_seal"])] == ["page", "function"]
    assert [each.kind for each in find_all(["read", "open"])] == ["function", "function"]
    found = find_all(["ROL-7", "latch", "fences"])
    assert [(each.kind, each.name) for each in found] == [
        ("clause", "ROL-7"),
        ("words", "latch fences"),
    ]


def test_a_word_that_no_clause_says_is_named_among_several() -> None:
    with pytest.raises(UnknownNameError, match="there is no name 'xyzzy'"):
        find_all(["seal", "xyzzy"])


def test_every_listed_name_is_found() -> None:
    for name in names():
        assert find(name).name == name


def test_a_property_brings_its_sentence_and_the_clauses_it_follows_from() -> None:
    found = find("s6")

    assert found.text == properties()["S6"]
    assert "ROL-8" in {clause.id for clause in found.clauses}


@pytest.mark.parametrize(
    ("name", "near"),
    [("record_seals", "record_seal"), ("RECORD_SEALS", "record_seal"), ("rol-70", "ROL-7")],
)
def test_a_near_miss_suggests_names(name: str, near: str) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean {near}"):
        find(name)


def test_a_clause_is_shown_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["spec", "rol-7"])

    said = capsys.readouterr().out
    clause = next(each for each in clauses() if each.id == "ROL-7")
    assert code == Exit.OK
    assert f"## ROL-7 {clause.title}\n\n{clause.sentence}\n" in said


def test_a_chapter_in_a_pipe_is_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    run(["spec", "rolling"])

    assert capsys.readouterr().out.startswith("# Rolling\n")


def test_no_name_lists_the_chapters(capsys: pytest.CaptureFixture[str]) -> None:
    run(["spec"])

    assert "- `healing`: " in capsys.readouterr().out


def test_programs_get_what_the_schema_says(capsys: pytest.CaptureFixture[str]) -> None:
    run(["spec", "already_sealed", "P1", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("spec")))
    assert [each["kind"] for each in report["found"]] == ["reply", "property"]


def test_an_unknown_name_exits_2_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["spec", "healin"])

    said = capsys.readouterr()
    assert (code, said.out) == (Exit.USAGE, "")
    assert said.err == (
        "malachi-model: there is no name 'healin': did you mean healing or healing_candidates"
        " or reading?\n"
    )


def test_a_terminal_gets_formatted_text() -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "checker", "spec", "ROL-7"]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"}
    with subprocess.Popen(command, stdout=follower, env=environment) as process:
        os.close(follower)
        said = read_all(leader)

    assert process.returncode == Exit.OK
    assert b"\x1b[" in said
    assert b"## " not in said


def read_all(leader: int) -> bytes:
    """Everything that comes out of a terminal until its other end is closed."""
    said = b""
    try:
        while chunk := os.read(leader, 4096):
            said += chunk
    except OSError:
        pass
    return said
