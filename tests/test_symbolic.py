"""Searches with unknown integers: one state stands for all batches and bytes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from checker.prove.concrete import concrete
from checker.prove.integers import Atom, NotSymbolicError, Number, deciding, unknown
from checker.search.model import Model
from checker.search.plain import Limits, Search, search
from checker.symbolic.batches import LEAST_BYTES, counted_records
from checker.symbolic.learning import SPELLING
from checker.symbolic.offered import refusal
from checker.symbolic.regions import EVERYWHERE, NOWHERE, Regions
from checker.symbolic.results import search_all_integers
from checker.symbolic.running import on_unknowns
from checker.symbolic.search import Search as SymbolicSearch
from checker.symbolic.worlds import cut_between_batches, world_of
from checker.world.copies import scopes as copies
from checker.world.defects import DEFECTS
from checker.world.recovering import world as recovering
from checker.world.recovering.bounds import Bounds as RestartBounds
from checker.world.scopes import SCOPES, scope_named
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.roll import world
from checker.world.sharing.rules import REFERENCE, Rules
from reference import producing, store
from reference.frontend import Frontend
from reference.store import Log
from spec.vocabulary import ByteSize, Dispatch, Offset

MILLION = 1_000_000
NUMERIC = (
    *("D02", "D03", "D06", "D09", "D10", "D11", "D12", "D13", "D19", "D21"),
    *("D29", "D32", "D41", "D42", "D96"),
    *("D93", "D99", "D116", "D119", "D136"),
)
"""Defects of counters, lengths, places and the ends of copies."""
ONE_SEGMENT = Bounds(batches=((1,), (1,)), segments=1, roll_at=0)


def adopt_below_a_million(
    front: Frontend, dispatch: Dispatch, last: Offset
) -> tuple[Frontend, bool]:
    """A change that no small number shows: an answer from a million on is not adopted."""
    if last >= MILLION:
        return front, True
    return producing.adopt_offsets(front, dispatch.range_id, dispatch.segment_id, last), True


def fence_with_short_bytes(log: Log) -> tuple[Log, Offset, ByteSize]:
    """A change that no small number shows: a size of 32 bits."""
    closed, end, size = store.fence(log)
    return closed, end, ByteSize(min(size, (1 << 32) - 1))


def test_a_rule_that_is_wrong_from_a_million_on_is_found_with_a_million_records() -> None:
    """[PRD-23] The searches on small batches hold, and say nothing of large ones."""
    model = world("million", ONE_SEGMENT, Rules(adopt_answer=adopt_below_a_million))

    small = search(replace(model, goals=(), limits=()))
    found = search_all_integers(model)

    assert [law.name for law in small.laws if law.verdict == "broken"] == []
    assert found.report.trace is not None
    assert found.report.trace.law.name == "an_answer_only_raises_the_counter"
    records = found.numbers["f1.1.records"] + found.numbers["f2.1.records"]
    assert records == MILLION + 1
    assert found.report.trace.moves[-1].label.endswith("ends at 1000000")


def test_a_rule_that_is_wrong_for_four_gigabytes_is_found_with_as_many() -> None:
    """[ROL-1] A second fence answers the bytes of the log, however many these are."""
    bounds = Bounds(batches=((1,), ()), segments=1, roll_at=0, sweepers=("f1", "f2"))
    model = world("bytes", bounds, Rules(fence=fence_with_short_bytes))

    found = search_all_integers(model)

    assert found.report.trace is not None
    assert found.report.trace.law.name == "a_fence_of_a_closed_log_answers_as_the_first"
    assert found.numbers["f1.1.bytes"] == 1 << 32


@pytest.mark.parametrize("name", NUMERIC)
def test_a_numeric_defect_is_caught_by_the_same_law_in_as_many_steps(name: str) -> None:
    """Any number of records includes the one of the explicit search."""
    defect = next(each for each in DEFECTS if each.name == name)

    trace = search_all_integers(defect.build()).report.trace

    assert trace is not None
    assert (trace.law.name, len(trace.moves)) == (defect.caught_by, defect.steps)


def states_of(model: Model, values: dict[str, int]) -> set[tuple[object, ...]]:
    """Every state of a world with these integers, each batch one value."""
    with on_unknowns():
        run = Search(world_of(model).known(values, is_counted=True), Limits())
        run.run()
        return {
            tuple(concrete(value, {}) for value in run.tables.parts_of(row).values())
            for row in run.rows
        }


def states_within(model: Model, values: dict[str, int]) -> set[tuple[object, ...]]:
    """The same out of the states with unknown integers, each where its region has these."""
    chosen = world_of(model)
    with on_unknowns():
        run = SymbolicSearch(chosen.unknown(), Regions(chosen.unknowns.domain()), Limits())
        run.run()
    places = range(len(run.tables.names))
    return {
        tuple(concrete(value, values) for value in run.tables.values_of(places, row))
        for row, region in zip(run.rows, run.inside, strict=True)
        if all(atom.is_true(values) for atom in run.regions.atoms[region])
    }


@pytest.mark.parametrize(
    ("bounds", "numbers"),
    [
        (Bounds(batches=((1,), (1,)), segments=2), (1, 55, 2, 111, 60)),
        (Bounds(batches=((1,), (1,)), segments=2), (7, 400, 7, 401, 1000)),
        (Bounds(batches=((1,), (1,)), segments=2), (3, 200, 1, 56, 200)),
        (Bounds(batches=((1, 1), ()), segments=2), (2, 110, 5, 300, 300)),
    ],
)
def test_states_with_unknown_integers_are_those_with_numbers(
    bounds: Bounds, numbers: tuple[int, ...]
) -> None:
    """For any integers the two searches come to the very same states, none more and none less."""
    model = world("alike", bounds)
    names = [f"{slot}.{each}" for slot in world_of(model).unknowns.slots for each in WORDS]
    values = dict(zip([*names, "segment_max_bytes"], numbers, strict=True))

    states = states_within(model, values)

    assert states == states_of(model, values)
    assert len(states) >= 20


WORDS = ("records", "bytes")


def restarting() -> Model:
    """A frontend restarts while a batch of it is on its way."""
    shared = Bounds(batches=((), (1,)), segments=1, roll_at=0, refreshes=(0, 1), faults=0)
    return recovering.world("alike", RestartBounds(shared, restarts={"f2": 1}))


@pytest.mark.parametrize(
    ("build", "numbers"),
    [
        (restarting, (2, 111, 1_000)),
        (partial(copies.defective, "moves:batches=1+0"), (3, 170, 100)),
    ],
)
def test_states_of_restarts_and_of_copies_are_those_with_numbers_too(
    build: Callable[[], Model], numbers: tuple[int, ...]
) -> None:
    """[RFR-28, HEA-9, HEA-17] And as many as the explicit search finds with real records."""
    model = replace(build(), progress=(), goals=())
    names = [f"{slot}.{each}" for slot in world_of(model).unknowns.slots for each in WORDS]
    values = dict(zip([*names, "segment_max_bytes"], numbers, strict=True))

    states = states_within(model, values)

    assert states == states_of(model, values)
    assert len(states) == search(world_of(model).known(values)).states


def test_a_batch_that_would_be_cut_in_two_is_refused() -> None:
    """[HEA-18] No world does, as segments end where batches do; what did would be no answer."""
    with on_unknowns():
        log = store.append_past_latch(Log(Offset(0)), counted_records("f1.1", 5, 500))

        assert cut_between_batches(store.cut, log, Offset(5)).end == 5
        assert cut_between_batches(store.cut, log, Offset(0)).end == 0
        with pytest.raises(NotSymbolicError, match="cut in two at 3"):
            cut_between_batches(store.cut, log, Offset(3))


def test_a_covered_state_is_dropped_and_counted() -> None:
    """Two batches of one frontend differ in whether the first has filled the segment."""
    result = search_all_integers(world("covered", Bounds(batches=((1, 1), ()), segments=2)))

    assert {law.verdict for law in result.report.laws} == {"holds"}
    assert result.covered > 0
    assert result.shapes < result.report.states
    assert result.regions > 1


def test_a_search_says_what_bounds_are_left() -> None:
    result = search_all_integers(world("bounds", replace(ONE_SEGMENT, roll_at=1)))

    told = {bound.name: (bound.text, bound.felt) for bound in result.report.bounds}

    assert told["batches"][0].startswith("f1.1, f2.1: each of any number of records")
    assert told["segments"] == ("at most 1", "hit")
    assert told["size roll"] == ("at any number of bytes from 1 on", "always")


def test_a_search_stops_at_a_number_of_states_and_at_a_size_of_memory() -> None:
    model = world("stopped", Bounds(segments=2))

    many = search_all_integers(model, Limits(max_states=300)).report
    large = search_all_integers(model, memory=1 << 20).report

    assert (many.verdict, many.stopped_by) == ("unfinished", "max_states")
    assert (large.verdict, large.stopped_by) == ("unfinished", "memory")


def test_what_needs_the_value_of_an_unknown_integer_is_refused() -> None:
    """Nothing is approximated: a rule that counts to an offset cannot be run."""

    def counting(front: Frontend, dispatch: Dispatch, last: Offset) -> tuple[Frontend, bool]:
        return REFERENCE.adopt_answer(front, dispatch, Offset(len(range(last)) + 0))

    model = world("counting", ONE_SEGMENT, Rules(adopt_answer=counting))

    with pytest.raises(NotSymbolicError, match="was asked for"):
        search_all_integers(model)


def test_a_fault_on_a_way_that_some_state_takes_is_raised() -> None:
    def failing(front: Frontend, dispatch: Dispatch, last: Offset) -> tuple[Frontend, bool]:
        if last >= MILLION:
            raise ArithmeticError(str(dispatch.count))
        return REFERENCE.adopt_answer(front, dispatch, last)

    model = world("failing", ONE_SEGMENT, Rules(adopt_answer=failing))

    with pytest.raises(Exception, match="ArithmeticError"):
        search_all_integers(model)


def test_sums_are_one_value_where_they_are_written_alike() -> None:
    one, same, other = unknown("n") + 1, 1 + unknown("n"), unknown("m") + 1

    with deciding(SPELLING):
        assert len({one, same, other}) == 2
        assert one == same
        assert one != other
    with pytest.raises(NotSymbolicError):
        hash(one)


def at_most(bound: int, name: str = "n") -> Atom:
    """That an unknown is at most so much."""
    return Atom(((name, 1),), "<=", bound)


def test_a_region_is_known_by_what_does_not_follow() -> None:
    regions = Regions((at_most(100),))

    low = regions.narrowed(EVERYWHERE, at_most(10))
    lower = regions.narrowed(low, at_most(5))

    assert regions.narrowed(EVERYWHERE, at_most(200)) == EVERYWHERE
    assert regions.narrowed(low, at_most(10).negated) == NOWHERE
    assert regions.atoms[lower] == (at_most(5),)
    assert regions.narrowed(EVERYWHERE, at_most(5)) == lower
    assert regions.met(low, lower) == lower


def test_a_region_is_covered_by_one_or_by_several_together() -> None:
    regions = Regions(())
    low = regions.narrowed(EVERYWHERE, at_most(10))
    high = regions.narrowed(EVERYWHERE, at_most(5).negated)
    far = regions.narrowed(EVERYWHERE, at_most(20).negated)

    assert regions.is_covered(far, (high,))
    assert regions.is_covered(EVERYWHERE, (low, high))
    assert not regions.is_covered(EVERYWHERE, (low, far))
    assert not regions.is_covered(low, (high,))


def test_the_integers_of_a_region_add_up_to_the_least() -> None:
    least = (at_most(6).negated, at_most(2, "m").negated)
    regions = Regions(least)

    region = regions.narrowed(EVERYWHERE, Atom((("m", 1), ("n", 1)), "<=", 99, holds=False))

    assert sum(regions.fewest(region).values()) == 100
    assert regions.fewest(EVERYWHERE) == {"m": 3, "n": 7}


def test_scopes_whose_numbers_are_batches_are_offered_and_others_say_why() -> None:
    offered = [scope.name for scope in SCOPES if refusal(scope) is None]

    assert {"roll", "faults", "batches", "age", "race", "recovery"} <= set(offered)
    assert {"recover", "expire-remembered", "failover", "doubts", "healing"} <= set(offered)
    assert scope_named("roll:faults=0") is not None
    for name in ("settling", "quiet", "served", "split", "read", "journal", "fencecore-2-1-1"):
        scope = scope_named(name)
        assert scope is not None
        assert refusal(scope), name


def test_the_size_of_a_search_is_the_same_each_time() -> None:
    """[RNG-2] No shape of the race has more than one region: nothing there depends on sizes."""
    scope = scope_named("race")
    assert scope is not None
    assert scope.size is not None

    result = search_all_integers(scope.build())

    report = result.report
    assert report.verdict == "holds"
    assert (report.states, report.transitions) == (scope.size.states, scope.size.transitions)
    assert result.shapes == report.states


def test_a_record_takes_at_least_its_name() -> None:
    chosen = world_of(world("named", ONE_SEGMENT))
    values = {"f1.1.records": 3, "f1.1.bytes": 3 * LEAST_BYTES + 9, "segment_max_bytes": 9999}
    values |= {"f2.1.records": 1, "f2.1.bytes": LEAST_BYTES}

    model = chosen.known(values)

    step = next(each for each in model.steps if each.name == "f1.1 is planned")
    records = getattr(step.rule, "__self__").records  # noqa: B009 - a method of a batch
    assert len({record.value for record in records}) == 3
    assert sum(map(producing.encoded_size, records)) == values["f1.1.bytes"]
    assert not any(type(record.value) is Number for record in records)
