"""Each law notices a change that nothing else notices, or the list says why it stays."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from checker.citing import laws_written
from checker.commands.apart import MEASURE, PROVED, TEMPTING, apart
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.explaining import laws
from checker.prove.known import law_names
from checker.world.alone.changes import changes
from checker.world.alone.listing import PAGE, Entry, entries, problems, to_list, written
from checker.world.alone.trying import Tried, first_of_each, found, tried
from checker.world.findings import FINDINGS

SMALL = 2_000
"""Worlds of fewer states are tried at each run of the tests; the command tries all."""
SAMPLE = [each for each in entries().values() if 0 < each.states < SMALL]


def listed(law: str) -> Entry:
    """What is listed for a law."""
    return entries()[law]


def test_every_law_has_a_change_or_a_reason() -> None:
    assert list(problems()) == []


def test_every_other_law_stands_apart_by_a_rule() -> None:
    """What only looks true, what the prover alone asks, and the laws of FenceCore."""
    standing = {each.law: each.why for each in apart()}
    broken = {finding.law for finding in FINDINGS}

    assert not standing.keys() & entries().keys()
    assert set(laws_written()) | laws().keys() == standing.keys() | entries().keys()
    assert Counter(standing.values()) == {TEMPTING: 13, PROVED: 28, MEASURE: 8}
    assert {law for law, why in standing.items() if why == TEMPTING} <= broken
    assert {law for law, why in standing.items() if why == PROVED} <= set(law_names())


def test_the_command_says_why_a_law_stands_apart(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["defects", "--only", "a_refresh_never_takes_the_view_back"])

    said = capsys.readouterr().out
    assert code == Exit.OK
    assert said.startswith(f"apart, for {TEMPTING}:\n  a_refresh_never_takes_the_view_back: ")
    assert said.endswith(
        "0 laws: 0 notice a change alone, 0 stay for a reason, and 1 other apart\n"
    )


def test_the_page_is_as_it_is_written() -> None:
    in_order = [listed(law.name) for law in to_list()]

    assert PAGE.read_text("utf-8") == written(in_order)


@pytest.mark.parametrize("entry", SAMPLE, ids=lambda entry: entry.law)
def test_a_law_alone_notices_its_change(entry: Entry) -> None:
    assert list(tried(entry).problems()) == []


def test_most_laws_notice_something_alone() -> None:
    stays = [each for each in entries().values() if each.stays]

    assert len(stays) * 3 < len(entries())


def test_a_reason_says_more_than_a_word() -> None:
    assert [each.law for each in entries().values() if each.stays and len(each.stays) < 40] == []


def test_a_change_that_is_noticed_twice_shows_nothing() -> None:
    """D50 takes a record in a retired range, and the control plane lists a head of it."""
    assert found(changes()["D50"], "split") is None


def test_an_entry_that_is_wrong_is_told() -> None:
    entry = Entry("a_restart_keeps_nothing", "D116", "recover", 1)
    good = Tried(entry, falls=True, others=None, states=1, is_whole=True)
    where = "a_restart_keeps_nothing: D116 in recover"

    wrong = [
        replace(good, falls=False),
        replace(good, others="a_law"),
        replace(good, is_whole=False),
        replace(good, states=2),
    ]

    assert list(good.problems()) == []
    assert [list(each.problems()) for each in wrong] == [
        [f"{where} is not noticed any more"],
        [f"{where} is noticed by a_law too"],
        [f"{where} has more than 2,000,000 states"],
        [f"{where} has 2 states, and 1 are listed"],
    ]


def test_a_defect_is_taken_before_what_has_no_number_and_a_small_world_first() -> None:
    nameless, large, small = (
        Entry("a_law", "short_words", "read", 5),
        Entry("a_law", "D09", "roll", 9),
        Entry("a_law", "D10", "batches", 7),
    )

    assert first_of_each([nameless, large, small]) == {"a_law": small}


def test_the_command_tries_the_change_of_a_law(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["defects", "--only", SAMPLE[0].law])

    said = capsys.readouterr().out
    assert code == Exit.OK
    assert f"{SAMPLE[0].change} in {SAMPLE[0].scope}: " in said
    assert said.endswith("1 law: 1 notice a change alone, 0 stay for a reason\n")


def test_the_command_says_why_a_law_stays(capsys: pytest.CaptureFixture[str]) -> None:
    staying = next(each for each in entries().values() if each.stays)

    code = run(["defects", "--only", staying.law, "--format", "json"])

    (row,) = json.loads(capsys.readouterr().out)["only"]
    assert code == Exit.OK
    assert (row["change"], row["stays"], row["problems"]) == (None, staying.stays, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "a_law_of_nobody"], "there is no law 'a_law_of_nobody'"),
        (
            ["--only", "--strength"],
            "--only, --look and --negated stand without --strength and --out",
        ),
        (["--look", "D09"], "--look looks at every law: leave out D09"),
    ],
)
def test_a_wrong_call_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["defects", *arguments])

    assert code == Exit.USAGE
    assert said in capsys.readouterr().err
