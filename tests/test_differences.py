"""Differences between values, and how values are shown."""

from dataclasses import dataclass
from typing import NamedTuple

from immutables import Map

from checker.differences import ABSENT, Difference, differences, shown
from reference.hashing import position_of


class Edge(NamedTuple):
    """A named tuple to look into."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """A dataclass to look into."""

    edges: tuple[Edge, ...]
    owners: Map[str, frozenset[str]]


def test_equal_values_do_not_differ() -> None:
    assert differences(Ledger((), Map()), Ledger((), Map())) == ()


def test_a_difference_is_named_by_its_whole_path() -> None:
    before = Ledger((Edge(0, 1), Edge(1, 2)), Map({"t": frozenset({"a"}), "u": frozenset()}))
    after = Ledger((Edge(0, 1), Edge(1, 5)), Map({"t": frozenset({"b"}), "v": frozenset()}))

    found = differences(before, after)

    assert found == (
        Difference("edges[1].end", 2, 5),
        Difference("owners[t][a]", "a", ABSENT),
        Difference("owners[t][b]", ABSENT, "b"),
        Difference("owners[u]", frozenset(), ABSENT),
        Difference("owners[v]", ABSENT, frozenset()),
    )


def test_a_longer_tuple_differs_where_the_shorter_ends() -> None:
    assert differences((1,), (1, 2), "cp") == (Difference("cp[1]", ABSENT, 2),)


def test_values_of_two_kinds_differ_as_a_whole() -> None:
    assert differences(1, True, "x") == (Difference("x", 1, True),)
    assert differences(Edge(0, 1), (0, 1), "x") == (Difference("x", Edge(0, 1), (0, 1)),)


def test_a_value_is_shown_the_same_whatever_the_order_it_was_built_in() -> None:
    ledger = Ledger((Edge(0, 1),), Map({"u": frozenset({"b", "a"}), "t": frozenset()}))

    assert shown(ledger) == "Ledger(edges=(Edge(start=0, end=1)), owners={t: {}, u: {a, b}})"
    assert shown([None, "x", 2]) == "[none, x, 2]"


def test_a_function_is_shown_by_its_name_and_not_by_its_place_in_memory() -> None:
    """Or else a checkpoint would be of other rules in the next process."""
    assert shown((position_of, len)) == "(position_of, len)"
