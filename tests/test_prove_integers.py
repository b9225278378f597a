"""Integers that nobody knows: what they answer, and what they refuse by name."""

import random

import pytest

from checker.prove.drawing import ExcludedError, Given
from checker.prove.integers import NotSymbolicError, unknown, value_of
from checker.prove.measuring import Blob, measured, measuring, run_of
from checker.prove.paths import Explorer
from checker.prove.solving import Solver, UndecidedError, outside, shared
from checker.world.sharing.parts import BROKERS, RANGE, TOPIC, record_of, segment_of
from reference import placing, store, vnodes
from reference.controlplane import merge_ranges
from reference.producing import RECORD_OVERHEAD, produce_plan
from reference.store import Log
from spec.commands import CreateTopic, MergeRanges
from spec.replies import Appended
from spec.vocabulary import Offset, Position, Range, RangeId, Sequence, Topic


def test_a_sum_keeps_its_unknowns_apart_and_its_constants_together() -> None:
    one, other = unknown("one"), unknown("other")

    total = 3 + one + other - 5 - one - one

    assert f"{total}" == "-one + other - 2"
    assert value_of(total, {"one": 4, "other": 9}) == 3


def test_what_cancels_out_is_a_plain_integer() -> None:
    one = unknown("one")

    assert type(one - one + 7) is int


def test_a_comparison_takes_both_ways_where_both_are_open() -> None:
    explorer = Explorer()

    found = [path.outcome for path in explorer.paths(lambda: explorer.integer("n") < 3)]

    assert sorted(found) == [False, True]


def test_a_comparison_takes_one_way_where_the_other_is_shut() -> None:
    explorer = Explorer()

    found = [path.outcome for path in explorer.paths(lambda: explorer.integer("n", 3) < 3)]

    assert found == [False]


def test_what_two_conditions_leave_open_is_for_the_solver_to_say() -> None:
    explorer = Explorer()

    def run() -> bool:
        one, other = explorer.integer("one"), explorer.integer("other")
        return one + 1 < other and other + 1 < one

    assert [path.outcome for path in explorer.paths(run)] == [False, False]


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "==", "!="])
def test_a_path_is_for_the_integers_that_its_witness_says(sign: str) -> None:
    explorer = Explorer()

    def run() -> bool:
        numbers = {"one": explorer.integer("one"), "other": explorer.integer("other")}
        return bool(eval(f"2 * one - 3 {sign} other + 1", numbers))  # noqa: S307 - of this test

    for path in explorer.paths(run):
        numbers = {"one": 0, "other": 0, **path.witness}
        assert eval(f"2 * one - 3 {sign} other + 1", numbers) is path.outcome  # noqa: S307


def test_the_largest_of_three_is_found_on_every_path() -> None:
    explorer = Explorer()

    def run() -> int:
        return max(explorer.integer(name) for name in "abc")

    for path in explorer.paths(run):
        values = {name: path.witness.get(name, 0) for name in "abc"}
        assert value_of(path.outcome, values) == max(values.values())


def test_sorting_works_by_comparisons() -> None:
    explorer = Explorer()

    found = list(explorer.paths(lambda: sorted(explorer.integer(name) for name in "abc")))

    assert len({tuple(map(str, path.outcome)) for path in found}) == 6


def test_half_of_an_unknown_is_exact() -> None:
    explorer = Explorer()

    def run() -> tuple[int, int]:
        number = explorer.integer("n", 0)
        return number, number // 2

    for path in explorer.paths(run):
        number, half = (value_of(each, path.witness) for each in path.outcome)
        assert half == number // 2


def test_an_assumption_leaves_out_what_it_does_not_hold_of() -> None:
    explorer = Explorer()

    def run() -> bool:
        one, other = explorer.integer("one"), explorer.integer("other")
        explorer.assume(lambda: one > other or one < other - 5)
        return one == other

    assert [path.outcome for path in explorer.paths(run)] == [False]


def test_an_assumption_that_cannot_hold_ends_the_path() -> None:
    explorer = Explorer()

    def run() -> None:
        number = explorer.integer("n", 1)
        explorer.assume(lambda: number < 1)

    assert list(explorer.paths(run)) == []


def test_listed_values_that_an_assumption_rules_out_are_refused() -> None:
    with pytest.raises(ExcludedError):
        Given({"n": 1}, {}).assume(lambda: False)


def test_conditions_that_leave_integers_out_or_share_some_are_told() -> None:
    explorer = Explorer()
    low, high = explorer.paths(lambda: explorer.integer("n") < 3)

    assert outside((), [low.condition, high.condition]) is None
    assert outside((), [low.condition]) is not None
    assert shared((), [low.condition, high.condition]) is None
    assert shared((), [low.condition, high.condition, low.condition]) == (0, 2)


def test_a_solver_that_gives_up_decides_nothing() -> None:
    explorer = Explorer(Solver(timeout=0.001))

    def run() -> bool:
        numbers = [explorer.integer(f"n{number}", 0) for number in range(40)]
        weights = random.Random(1)
        sums = [sum(number * weights.randrange(100) for number in numbers) for _ in range(4)]
        return all(number <= 1 for number in numbers) and all(total == 990 for total in sums)

    with pytest.raises(UndecidedError):
        list(explorer.paths(run))


def test_the_time_ends_the_drawing_of_shapes_of_which_none_is_any_good() -> None:
    explorer = Explorer(Solver(timeout=0.05))
    drawn = []

    def run() -> None:
        drawn.append([explorer.pick(f"p{number}", range(9)) for number in range(9)])
        raise ExcludedError("no such shape is spoken of")

    with pytest.raises(UndecidedError, match="the time is used up"):
        list(explorer.paths(run))
    assert drawn


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        ("hash", lambda number: {number}),
        ("hash", lambda number: {number: 1}),
        ("index", lambda number: "abc"[number]),
        ("slice", lambda number: "abc"[:number]),
        ("count", range),
        ("int", int),
        ("float", float),
        ("bits", lambda number: number ^ 1),
        ("bits", lambda number: 1 << number),
        ("divides", lambda number: number % 2),
        ("product", lambda number: number * number),
        ("positive constant", lambda number: number // 0),
    ],
)
def test_what_needs_the_value_is_refused_by_name(what: str, asked: object) -> None:
    assert callable(asked)

    with pytest.raises(NotSymbolicError, match=what):
        asked(unknown("n") + 1)


def test_a_comparison_outside_of_any_exploration_is_refused() -> None:
    with pytest.raises(NotSymbolicError, match="where nobody explores"):
        bool(unknown("n") < 3)


def test_a_keyspace_of_unknown_size_is_refused_and_not_taken_for_a_wrong_one() -> None:
    explorer = Explorer()

    def run() -> object:
        return vnodes.command(vnodes.single(), CreateTopic(TOPIC, explorer.integer("bits", 1)))

    with pytest.raises(NotSymbolicError, match="bits"):
        list(explorer.paths(run))


def test_buddies_are_a_matter_of_bits_and_refused() -> None:
    explorer = Explorer()
    metadata = next(iter(vnodes.single().vnodes.values()))

    def run() -> object:
        block = Range(Position(explorer.integer("a")), Position(explorer.integer("b")), 4)
        second = RangeId(TOPIC, Sequence(1))
        known = type(metadata)(
            metadata.topics.set(TOPIC, Topic(4)),
            metadata.ranges.set(RANGE, block).set(second, block),
        )
        return merge_ranges(known, MergeRanges(RANGE, second))

    with pytest.raises(NotSymbolicError, match="bits"):
        list(explorer.paths(run))


def test_an_unknown_number_of_replicas_is_refused() -> None:
    explorer = Explorer()

    def run() -> object:
        return placing.place(segment_of(0), BROKERS, explorer.integer("factor", 1))

    with pytest.raises(NotSymbolicError, match="slice"):
        list(explorer.paths(run))


def test_a_run_counts_as_so_many_records_wherever_the_reference_counts() -> None:
    three = tuple(record_of("f1", 1, number) for number in (1, 2, 3))
    size = store.byte_size(Log(Offset(0), three))

    with measuring():
        one = run_of(3, size, RECORD_OVERHEAD)
        longer, answer = store.append(Log(Offset(4)), (one,))
        closed = store.fence(longer)

    assert answer == Appended(Offset(6))
    assert closed[1:] == store.fence(store.append(Log(Offset(4)), three)[0])[1:]


def test_outside_of_a_measured_block_nothing_has_changed() -> None:
    with measuring():
        assert "len" in vars(store)

    assert "len" not in vars(store)
    assert measured([1, 2]) == 2
    assert measured(Blob(7)) == 7
    assert produce_plan.__globals__.get("len") is None
