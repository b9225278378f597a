"""Every clause has code, a test and something that breaks it, and nothing is cited in vain."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.ties import breaking
from checker.ties.gathering import ROOT, NoCheckoutError, by_code, by_tests
from checker.ties.table import Row, holes, rows, uncovered, unwritten
from checker.ties.writing import as_html, as_json, as_markdown, as_text
from spec.clauses import clauses


@pytest.fixture(scope="module")
def table() -> tuple[Row, ...]:
    """The whole table."""
    return rows()


def test_no_clause_stands_alone(table: tuple[Row, ...]) -> None:
    """Each is kept, shown and broken, and nothing is cited in vain."""
    missing = holes(table)

    assert not missing, "\n".join(missing)


def test_a_clause_that_loses_its_code_its_tests_or_its_breakers_is_named(
    table: tuple[Row, ...],
) -> None:
    for row in table[::12]:
        bare = replace(row, code=(), tests=(), defects=(), mutant=None)

        assert list(bare.holes()) == [
            f"{row.clause.id}: no code cites it",
            f"{row.clause.id}: no test cites it",
            f"{row.clause.id}: no defect and no listed mutant breaks it",
        ]


def test_an_id_that_is_cited_and_not_written_is_named(table: tuple[Row, ...]) -> None:
    cited = {"ROL-7": "reference/rolling.py"}

    assert list(unwritten(cited, {"ROL-7"})) == []
    assert list(unwritten(cited, set())) == [
        "ROL-7: cited in reference/rolling.py, and written in no chapter"
    ]
    assert {row.clause.id for row in table} == {clause.id for clause in clauses()}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("function", "record_seal"),
        ("property", "S6"),
        ("command", "seal_segment"),
        ("reply", "already_sealed"),
    ],
)
def test_a_name_that_no_clause_speaks_of_is_named(kind: str, name: str) -> None:
    told = tuple(
        replace(
            each,
            functions=tuple(one for one in each.functions if one != name),
            properties=tuple(one for one in each.properties if one != name),
            commands=tuple(one for one in each.commands if one != name),
            replies=tuple(one for one in each.replies if one != name),
        )
        for each in clauses()
    )

    assert list(uncovered(told)) == [f"{name}: no clause speaks of this {kind}"]


def test_a_page_that_loses_a_citation_leaves_a_hole(tmp_path: Path) -> None:
    page = tmp_path / "reference" / "rolling.py"
    page.parent.mkdir()
    page.write_text('"""A page."""\n\n\ndef go() -> None:\n    """[ROL-7, ROL-8] Go."""\n')

    assert [place.text() for place in by_code(tmp_path)["ROL-7"]] == ["reference/rolling.py:4: go"]
    assert "ROL-9" not in by_code(tmp_path)


@pytest.mark.parametrize("page", ["goals.py", "progress.py", "mischief.py", "mutations.py"])
def test_what_judges_or_misbehaves_keeps_no_clause(page: str, tmp_path: Path) -> None:
    world = tmp_path / "checker" / "world" / "sharing"
    world.mkdir(parents=True)
    (world / page).write_text('def judge():\n    """[ROL-7] Judge."""\n')
    (world / "rules.py").write_text(
        'def go():\n    """[ROL-8] Go."""\n\n\ndef mend():\n    """[ROL-9] An overlay: mend."""\n'
    )

    assert list(by_code(tmp_path)) == ["ROL-8"]


def test_only_tests_show_a_clause(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    text = 'def test_it():\n    """[ROL-7] It."""\n\n\ndef arranged():\n    """[ROL-8]"""\n'
    (tmp_path / "tests" / "test_it.py").write_text(text)

    assert list(by_tests(tmp_path)) == ["ROL-7"]


def test_what_is_listed_is_read_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "breaking.toml"
    path.write_text(breaking.written(breaking.listed()))

    assert path.read_text() == (ROOT / "checker/ties/breaking.toml").read_text()


def test_a_listed_mutant_makes_the_test_of_its_clause_fail() -> None:
    quick = [each for each in breaking.listed() if "test_ranges.py" in each.test][::6]

    assert quick
    assert [each.clause for each, is_noticed in breaking.noticed(quick, 1) if not is_noticed] == []


def test_without_a_checkout_the_table_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(NoCheckoutError, match="needs a checkout"):
        rows(tmp_path)


def test_the_table_has_four_forms(table: tuple[Row, ...]) -> None:
    few = table[:3]
    schema = json.loads(schema_text("trace"))

    jsonschema.validate({"schema": "malachi-model/trace/1", **as_json(table, ())}, schema)
    for form in (as_text, as_markdown, as_html):
        for row in few:
            assert row.clause.id in form(few, ["RNG-1: a hole"])
            assert row.code[0].file in form(few, ())
        assert "a hole" in form(few, ["RNG-1: a hole"])


def test_a_form_of_the_table_is_no_form_of_a_chapter(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["spec", "rolling", "--format", "html"]) == Exit.USAGE
    assert "--trace" in capsys.readouterr().err


def test_the_command_finds_no_hole(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["spec", "--trace"]) == Exit.OK
    assert "; 0 holes" in capsys.readouterr().out


def test_the_command_shows_the_clauses_that_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["spec", "--trace", "ROL-7"]) == Exit.OK
    assert "forget_sealed" in capsys.readouterr().out
