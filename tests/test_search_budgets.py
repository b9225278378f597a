"""What a search holds in memory: rows go to files in time, and come back only in portions."""

import errno
import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from checker.search import budgets
from checker.search.budgets import Budget
from checker.search.explore import Options, search
from checker.search.machinecode import machine_for
from checker.search.memory import Block
from checker.search.owners import Owner
from checker.search.packing import PRESENT
from checker.search.plain import search as plain_search
from checker.world.scopes import scope_named


def rows_of(owner: Owner) -> set[tuple[int, ...]]:
    """Answer the rows that an owner holds."""
    return {tuple(owner.row(place)) for place in range(owner.count)}


def taken_in(owner: Owner, size: int | None) -> Owner:
    """Let an owner take in some thousands of rows of two words, many of them twice."""
    draw = random.Random(3)
    for _ in range(4):
        words = [
            word
            for _ in range(2_500)
            for word in (PRESENT | draw.randrange(200), draw.randrange(300))
        ]
        given = Block(len(words))
        given.put(0, words)
        if size is not None:
            owner.take_in_by(size)
        owner.take_in(machine_for(2), (given.address, len(words) // 2))
    return owner


def test_rows_taken_in_by_portions_are_the_same_rows(tmp_path: Path) -> None:
    spilled = Owner(2)
    spilled.spill(tmp_path, "rows")

    whole, portions = taken_in(Owner(2), None), taken_in(spilled, 1 << 12)

    assert whole.count == portions.count > 8_000
    assert rows_of(whole) == rows_of(portions)


def test_rows_go_to_files_before_the_next_growth_would_pass_the_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget, held = Budget(100 << 20, tmp_path), iter([80 << 20, 94 << 20, 60 << 20, 60 << 20])
    monkeypatch.setattr(budgets, "resident", lambda: next(held))

    owners = [Owner(1), Owner(1)]
    first = budget.passed(owners), budget.is_spilled
    second = budget.passed(owners), budget.is_spilled

    assert (first, second) == ((None, False), (None, True))


def test_a_search_stops_where_even_what_is_no_row_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = Budget(100 << 20, tmp_path)
    monkeypatch.setattr(budgets, "resident", lambda: 150 << 20)

    stop = budget.passed([Owner(1), Owner(1)])

    assert stop is not None
    assert stop.reason == "memory"
    assert stop.sentence == "what cannot be kept in files takes 150 MB, and 100 MB are allowed"


def test_a_search_that_changes_its_layout_on_disk_stays_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spilled: list[int] = []
    spill = Budget.spill

    def noted(self: Budget, owners: Sequence[Owner]) -> None:
        spilled.append(len(owners))
        spill(self, owners)

    monkeypatch.setattr(budgets, "resident", lambda: 1 << 30)
    monkeypatch.setattr(Budget, "spill", noted)
    scope = scope_named("roll:batches=1+1,faults=0,segments=2")
    assert scope is not None
    options = Options(engine="compiled", plain_states=20, memory=1 << 30, spill=tmp_path)

    report = search(scope.build(), options=options)

    assert len(spilled) > 1
    assert report.states == plain_search(scope.build()).states
    assert list(tmp_path.iterdir()) == []


def test_new_rows_stay_in_memory_where_the_disk_has_no_room_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int, _start: int, _size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    budget = Budget(1, tmp_path)
    monkeypatch.setattr(os, "posix_fallocate", full)

    owners = budget.new_owners(2, 10_000)

    assert not budget.is_spilled
    assert taken_in(owners[0], None).count > 8_000
