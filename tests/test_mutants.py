"""Mutants: which there are, what type checker and journal keep, and what a run comes to."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.mutants import exit_of, write_text
from checker.commands.schema import schema_text
from checker.mutants import running
from checker.mutants.journal import Journal, JournalError
from checker.mutants.page import Page
from checker.mutants.running import ROOT, Sites, is_importable, is_named
from checker.mutants.sites import Mutant, mutants_of, sampled
from checker.mutants.survivors import Survivor, misnamed, survivors
from checker.mutants.typed import NoTypesError, well_typed
from checker.mutants.verdicts import Result, as_json
from reference import rolling

ALL = mutants_of(ROOT / "reference")

CHANGES = {
    "comparison_changed": ("a < b", {"a <= b", "a >= b"}),
    "connective_swapped": ("a and (b or c)", {"(a or (b or c))", "a and ((b and c))"}),
    "operand_dropped": ("a and b", {"(a)", "(b)"}),
    "not_dropped": ("not a", {" a"}),
    "condition_negated": ("b if a else c", {"b if not a else c"}),
    "branch_taken": ("a if b < c else c", {"(a)", "(c)"}),
    "filter_dropped": ("[x for x in a if x]", {"[x for x in a ]"}),
    "sum_changed": ("(a + b) * c", {"(a - b) * c", "((a)) * c", "(a + b) + c", "((a + b))"}),
    "off_by_one": ("Offset(a * 2)", {"Offset(a * 3)", "Offset(a * 1)", "Offset((a * 2) + 1)"}),
    "last_for_first": ("a[0]", {"a[-1]"}),
    "word_changed": ("f(a, strict=True)", {"f(a, strict=False)"}),
    "min_for_max": ("min(a)", {"max(a)"}),
    "order_reversed": ("sorted(x for x in a)", {"sorted((x for x in a), reverse=True)"}),
    "field_not_updated": ("replace(a, x=b, y=c)", {"replace(a, y=c)", "replace(a, x=b)"}),
    "union_dropped": ("(*a, b)", {"(b,)", "(*a,)"}),
    "argument_swapped": ("f(a, b)", {"f(b, a)"}),
    "wrong_parameter": ("b", {"a", "c"}),
    "stale_value": ("g(b)", {"a"}),
    "wrong_member": ("State.ACTIVE", {"State.SEALED"}),
    "repeats_kept": ("sorted(set(b))", {"sorted((b))"}),
    "wrong_reply": ("replies.NoSuchTopic()", {"replies.NoVnode()"}),
}
"""For each operator that changes an expression: one, and all that it is changed into."""


def page(folder: Path, source: str) -> Page:
    """A module of a house of its own."""
    path = folder / "reference" / "some.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(source, "utf-8")
    return Page("some", path)


def changed(folder: Path, source: str, operator: str) -> set[str]:
    """What an operator makes of a module."""
    made = mutants_of(page(folder, source).path.parent)
    return {mutant.source for mutant in made if mutant.name.split(":")[2] == operator}


def mutant_named(name: str) -> Mutant:
    """A mutant of the reference."""
    (found,) = (mutant for mutant in ALL if mutant.name == name)
    return found


@pytest.mark.parametrize("operator", CHANGES)
def test_an_operator_changes_an_expression_into_these_and_no_others(
    operator: str, tmp_path: Path
) -> None:
    written, others = CHANGES[operator]
    source = "def f(a: int, b: int, c: int) -> int:\n    return {}\n"

    made = changed(tmp_path, source.format(written), operator)

    assert made == {source.format(other) for other in others}


def test_a_guard_a_step_and_a_condition_are_left_out(tmp_path: Path) -> None:
    source = "def f(a: list) -> None:\n    if a:\n        return\n    a.append(1)\n"

    assert changed(tmp_path, source, "guard_dropped") == {
        "def f(a: list) -> None:\n    pass\n    a.append(1)\n"
    }
    assert changed(tmp_path, source, "step_dropped") == {
        "def f(a: list) -> None:\n    if a:\n        return\n    pass\n"
    }


CASES = """def f(a: int) -> int:
    match a:
        case 1 | 2:
            return 7
        case b:
            return b
"""


def test_a_case_does_what_the_one_before_it_does_or_takes_over_what_it_takes(
    tmp_path: Path,
) -> None:
    assert changed(tmp_path, CASES, "case_as_before") == {CASES.replace("return b", "return 7")}
    assert changed(tmp_path, CASES, "alternative_moved") == {
        CASES.replace("1 | 2", kept).replace("case b", f"case {moved} | b")
        for kept, moved in (("1", "2"), ("2", "1"))
    }


def test_a_case_does_nothing_with_names_that_it_does_not_know(tmp_path: Path) -> None:
    source = CASES.replace("1 | 2", "[c]").replace("return 7", "return c")

    assert changed(tmp_path, source, "case_as_before") == set()


def test_constants_and_defaults_change_too(tmp_path: Path) -> None:
    source = "MOST = 3\n\n\ndef f(a: int = 0) -> int:\n    return a\n"

    assert changed(tmp_path, source, "off_by_one") == {
        source.replace("3", "4"),
        source.replace("3", "2"),
        source.replace("0", "1"),
    }


def test_no_annotation_decorator_or_docstring_changes(tmp_path: Path) -> None:
    source = '@cache(maxsize=1)\ndef f(a: "x < 1") -> "y < 1":\n    """1 < 2."""\n    return a\n'

    assert mutants_of(page(tmp_path, source).path.parent) == ()


def test_names_are_unique_and_each_is_another_program() -> None:
    names = {mutant.name for mutant in ALL}
    sources = {(mutant.page.name, mutant.source) for mutant in ALL}

    assert len(names) == len(sources) == len(ALL)


def test_a_sample_of_some_keeps_the_others_when_one_is_gone() -> None:
    some = sampled(ALL, 300, seed=0)

    without = sampled([mutant for mutant in ALL if mutant != some[0]], 299, seed=0)

    assert without == some[1:]
    assert sampled(ALL, 300, seed=1) != some


def test_a_mutant_is_asked_for_by_its_name_or_how_it_begins() -> None:
    mutant = mutant_named("rolling:owe_roll:guard_dropped:1")

    assert all(is_named(mutant, [name]) for name in ("rolling", "rolling:owe_roll", mutant.name))
    assert not is_named(mutant, ["roll"])


def test_what_the_type_checker_refuses_is_no_mutant(tmp_path: Path) -> None:
    source = "def f(a: int, b: str) -> int:\n    return a + len(b)\n\n\nSOME = f(1, '')\n"
    made = mutants_of(page(tmp_path, source).path.parent)
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "nothing.py").touch()
    (tmp_path / "pyproject.toml").write_text("[tool.mypy]\nstrict = true\n", "utf-8")

    passed = well_typed(made, tmp_path)

    refused = [mutant.source for mutant in made if mutant.name not in passed]
    assert refused
    assert all("f('', 1)" in each or "len(a)" in each for each in refused)
    assert any("a - len(b)" in mutant.source for mutant in made if mutant.name in passed)


def test_a_complaint_about_the_unchanged_reference_is_no_verdict(tmp_path: Path) -> None:
    made = mutants_of(page(tmp_path, "def f(a: int) -> str:\n    return a + 1\n").path.parent)
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "nothing.py").touch()
    (tmp_path / "pyproject.toml").write_text("", "utf-8")

    with pytest.raises(NoTypesError, match="about what is not mutated"):
        well_typed(made, tmp_path)


def test_a_constant_that_breaks_its_module_does_not_import(tmp_path: Path) -> None:
    made = mutants_of(page(tmp_path, "FIRST = (2,)[0]\n").path.parent)

    assert {mutant.change.split()[-1]: is_importable(mutant) for mutant in made} == {
        "(3,)[0]": True,
        "(1,)[0]": True,
        "(2,)[1]": False,
    }


def test_each_listed_survivor_is_a_mutant_of_the_reference_with_a_reason() -> None:
    assert misnamed(survivors(), ALL) == []
    assert [each.name for each in survivors() if len(each.reason) < 20] == []


def test_a_journal_goes_on_behind_its_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    kept = Journal(path, "these", resume=False)
    kept.keep("tried", {"name": "a"})
    with path.open("a", encoding="utf-8") as stream:
        stream.write('["tried", {"name": "b"')

    again = Journal(path, "these", resume=True)
    again.keep("tried", {"name": "c"})

    assert Journal(path, "these", resume=True).of("tried") == [{"name": "a"}, {"name": "c"}]


def test_a_journal_of_other_sources_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path / "journal", "these", resume=False)

    with pytest.raises(JournalError, match="of other sources"):
        Journal(tmp_path / "journal", "those", resume=True)


KILLED = mutant_named("rolling:owe_roll:guard_dropped:1")
SURVIVES = mutant_named("rolling:_is_open:sum_changed:1")
RAISES = mutant_named("rolling:_clear_roll:guard_dropped:1")
ENTRIES: Mapping[str, Mapping[str, object]] = {
    KILLED.name: {"verdict": "killed", "by": "a test", "how": "assertion"},
    SURVIVES.name: {"verdict": "survived", "by": None, "how": None},
    RAISES.name: {"verdict": "raised", "by": "a test", "how": "exception"},
}
LISTED = Survivor(SURVIVES.name, SURVIVES.change, "nobody sees it")
SITES = Sites((KILLED, SURVIVES, RAISES), frozenset(), (KILLED, SURVIVES, RAISES))
RESULT = Result(SITES, ENTRIES, (LISTED,), is_whole=True)


def test_what_only_raises_counts_in_no_share() -> None:
    assert RESULT.share() == 0.5
    assert RESULT.problems() == ["the share is 50.0%, less than 95%"]


def test_the_share_of_mutants_that_somebody_named_is_not_judged() -> None:
    assert replace(RESULT, has_share=False).problems() == []


def test_a_survivor_that_is_not_listed_fails_a_run() -> None:
    result = replace(RESULT, listed=())

    assert f"survives and is not listed: {SURVIVES.name}" in result.problems()
    assert exit_of(result) is Exit.BROKEN


def test_a_listed_survivor_that_is_noticed_fails_a_run() -> None:
    listed = Survivor(KILLED.name, KILLED.change, "nobody sees it")

    problems = replace(RESULT, listed=(LISTED, listed)).problems()

    assert f"listed and noticed by a test: {KILLED.name}" in problems


def test_a_listed_survivor_that_changed_fails_a_run() -> None:
    problems = replace(RESULT, listed=(replace(LISTED, change="a => b"),)).problems()

    assert f"listed and no mutant, or another by now: {SURVIVES.name}" in problems


def test_a_run_of_tests_alone_fails_for_no_survivor() -> None:
    result = replace(RESULT, listed=(), is_whole=False)

    assert exit_of(result) is Exit.OK


def test_a_run_that_did_not_come_to_all_is_unfinished() -> None:
    known = {name: entry for name, entry in ENTRIES.items() if name != KILLED.name}

    result = replace(RESULT, found=known)

    assert result.untried == [KILLED]
    assert exit_of(result) is Exit.UNFINISHED


def test_nothing_chosen_is_nothing_selected() -> None:
    assert exit_of(Result(Sites((), frozenset(), ()), {}, (), is_whole=True)) is Exit.NOTHING


def test_a_run_says_which_survived_and_the_share_of_each_module(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_text(RESULT)

    said = capsys.readouterr().out
    assert f"{SURVIVES.name}  reference/rolling.py:{SURVIVES.line}" in said
    assert "nobody sees it" in said
    assert "rolling              1         1       1   50.0%" in said
    assert "killed: 1 by assertion" in said


def test_the_json_of_a_run_keeps_to_its_schema() -> None:
    report = {"schema": "malachi-model/mutants/1", **as_json(RESULT, 0, RESULT.problems())}

    jsonschema.validate(json.loads(json.dumps(report)), json.loads(schema_text("mutants")))
    assert (report["killed"], report["survived"], report["raised"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rolling:record_seel"], "did you mean"),
        (["--resume"], "name its file by --journal"),
        (["--sample", "0"], "0 is not in the range"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["mutants", *arguments])

    assert code == Exit.USAGE
    assert said in capsys.readouterr().err


def test_without_a_checkout_the_command_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checker.commands.mutants.ROOT", tmp_path)

    code = run(["mutants"])

    assert code == Exit.USAGE
    assert "mutants need the tests of a checkout" in capsys.readouterr().err


def test_a_mutant_is_judged_by_the_most_specific_tests_that_it_can_afford() -> None:
    mutant = mutant_named("rolling:_is_open:comparison_changed:1")
    probe = ("rolling", mutant.line)
    entries = [("broad", 1.0, 9), ("narrow", 1.0, 1), ("long", 99.0, 1), ("quick", 0.1, 2)]
    reaches = running.by_probe(
        [
            {"name": name, "seconds": seconds, "reached": [probe] + [("rolling", 0)] * more}
            for name, seconds, more in entries
        ]
    )

    judges = running.reaching(mutant, reaches)

    assert [judge.name for judge in judges] == ["quick", "narrow", "broad", "long"]
    assert [judge.name for judge in running.affordable(judges)] == ["quick", "narrow", "broad"]


def test_a_constant_is_judged_by_all_that_reach_its_module() -> None:
    mutant = mutant_named("vnodes:constants:off_by_one:1")
    reaches = running.by_probe(
        [
            {"name": "here", "seconds": 1.0, "reached": [("vnodes", 66)]},
            {"name": "elsewhere", "seconds": 1.0, "reached": [("rolling", 66)]},
        ]
    )

    assert [judge.name for judge in running.reaching(mutant, reaches)] == ["here"]


def test_the_files_that_judge_speak_of_the_reference() -> None:
    files = running.judging_files(ROOT)

    assert "tests/test_rolling.py" in files
    assert not [name for name in files if "test_mutants" in name or "test_search" in name]
    assert rolling.__name__ == "reference.rolling"


def test_the_mutants_of_a_function_are_listed_with_their_changes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(["mutants", "rolling:_is_open", "--list"])

    lines = capsys.readouterr().out.splitlines()
    assert code == Exit.OK
    assert (
        "rolling:_is_open:comparison_changed:1  return now - fencing.sent_at < window"
        " => return now - fencing.sent_at <= window" in lines
    )
    assert all(line.startswith("rolling:_is_open:") for line in lines)
