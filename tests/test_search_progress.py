"""Progress goals and dead ends: what must stay possible, what must come, where a world rests."""

import random
import time
from array import array
from dataclasses import replace
from itertools import chain, combinations

import networkx as nx
import pytest

from checker.models.fencecore import fencecore
from checker.models.toys import diners, locked_box, relay
from checker.search.components import backward, components, members
from checker.search.confirming import confirm_dead_end, confirm_lasso, confirm_lost
from checker.search.faults import InternalError, ModelError
from checker.search.model import Accepting, Model, Outcome, ProgressGoal, Step
from checker.search.plain import search
from checker.search.progress import judge
from checker.search.recording import record
from checker.search.report import Report, Trace
from checker.story import story
from tests.search_models import below, counters


def told(report: Report) -> str:
    """Answer the story of a report that has a trace."""
    assert report.trace is not None
    return story(report.trace)


def verdicts(report: Report) -> dict[str, str]:
    """Answer the verdict of each law."""
    return {law.name: law.verdict for law in report.laws}


@pytest.mark.parametrize("losses", [0, 1, 3])
def test_what_is_lost_only_so_often_arrives_at_last(losses: int) -> None:
    report = search(relay(losses))

    assert report.verdict == "holds"
    assert verdicts(report) == {"the_letter_arrives": "holds", "no_dead_end": "holds"}


def test_what_may_be_lost_for_ever_is_shown_as_a_lasso() -> None:
    report = search(relay(losses=None))

    assert verdicts(report) == {"the_letter_arrives": "broken", "no_dead_end": "holds"}
    assert report.failures == ("The letter arrives at last. (TOY-1)",)
    assert told(report) == (
        "And for ever:\n"
        "1. the letter is posted\n"
        "     post: empty -> full\n"
        "2. the letter is lost\n"
        "     post: full -> empty\n"
        "... and so on, from 1 again.\n"
        "This breaks the_letter_arrives [TOY-1]: The letter arrives at last."
    )


@pytest.mark.parametrize(
    ("fair", "moves"), [({"send"}, 1), ({"deliver"}, 0), ({"the letter is posted"}, 1), (set(), 0)]
)
def test_without_its_fairness_the_letter_may_lie_for_ever(fair: set[str], moves: int) -> None:
    report = search(replace(relay(1), fair=frozenset(fair)))

    assert verdicts(report)["the_letter_arrives"] == "broken"
    assert report.trace is not None
    assert (report.trace.loop, len(report.trace.moves)) == (moves, moves)
    assert "Nothing that may not be put off can happen here" in told(report)


def test_the_name_of_a_step_makes_that_step_alone_fair() -> None:
    by_steps = frozenset({"the letter is posted", "the post delivers"})

    assert search(replace(relay(2), fair=by_steps)).verdict == "holds"


def posted_arrives(model: Model, fair: str) -> Model:
    """Answer a relay that owes an arrival only once the letter is posted."""
    goal = replace(
        model.progress[0],
        reads=("post", "receiver"),
        reached=lambda _post, receiver: receiver == "served",
        owed=lambda post, _receiver: post == "full",
    )
    return replace(model, progress=(goal,), fair=frozenset({fair}))


def test_a_goal_is_owed_only_from_where_it_is_due() -> None:
    owing = search(posted_arrives(relay(0), "deliver"))
    unfair = search(posted_arrives(relay(0), "send"))
    losing = search(posted_arrives(relay(1), "deliver"))

    assert owing.verdict == "holds"
    assert unfair.trace is not None
    assert [move.step for move in unfair.trace.moves] == ["the letter is posted"]
    assert losing.trace is not None
    assert [move.step for move in losing.trace.moves] == ["the letter is posted", "the post loses"]


def test_a_goal_that_cannot_be_reached_any_more_is_shown_by_the_way_there() -> None:
    report = search(locked_box())

    assert told(report) == (
        "1. the key is laid into the box\n"
        "     key: outside -> inside\n"
        "2. the box is locked\n"
        "     lid: open -> locked\n"
        "From here no way leads to it any more.\n"
        "This breaks the_box_can_be_opened [TOY-3]: Whatever was done, the box can be opened again."
    )


def test_a_goal_that_stays_possible_holds_without_any_fairness() -> None:
    careful = search(locked_box(is_careful=True))

    assert careful.verdict == "holds"
    assert careful.states == 3


def test_a_possible_goal_is_missed_only_where_it_is_owed() -> None:
    model = locked_box()
    goal = replace(
        model.progress[0],
        reads=("lid", "key"),
        reached=lambda lid, _key: lid == "open",
        owed=lambda _lid, key: key == "outside",
    )

    assert search(replace(model, progress=(goal,))).verdict == "holds"


def test_a_dead_end_is_broken_unless_the_world_may_rest_there() -> None:
    starving, fed = search(diners()), search(diners(is_ordered=True))

    assert fed.verdict == "holds"
    assert told(starving) == (
        "1. Ada takes the left fork\n"
        "     left fork: free -> Ada\n"
        "2. Bo takes the right fork\n"
        "     right fork: free -> Bo\n"
        "From here no step leads on.\n"
        "This breaks no_dead_end [TOY-4]: Nobody starves."
    )


def test_a_state_that_steps_only_lead_back_to_is_a_dead_end() -> None:
    idle = Step("idle", "idle", ("left",), ("left",), lambda left: [Outcome("it idles", (left,))])
    rest = Accepting("T-1", "Both are full.", ("left", "right"), lambda *both: both == (3, 3))
    model = counters(steps=(*counters().steps[:2], idle), accepting=rest)
    nowhere = replace(rest, accepts=lambda *_both: False)

    assert search(model).verdict == "holds"
    assert "4. 0 goes up" in told(search(replace(model, accepting=nowhere)))


def test_progress_is_not_judged_where_a_law_is_broken_or_the_search_is_cut() -> None:
    goal = relay().progress[0]
    broken = search(
        counters(laws=(below(2),), progress=(replace(goal, reads=("left",)),), fair=frozenset())
    )
    cut = search(
        replace(fencecore(2, 2, 1), progress=(replace(goal, reads=("cp",)),)), max_states=9
    )

    assert verdicts(broken) == {"below_2": "broken", "the_letter_arrives": "unfinished"}
    assert verdicts(cut)["the_letter_arrives"] == "unfinished"


def test_a_fair_name_that_nothing_bears_is_refused() -> None:
    with pytest.raises(ModelError, match="relay: no step and no rule is called 'sned'"):
        search(replace(relay(), fair=frozenset({"sned"})))


def test_a_progress_goal_of_an_unknown_part_is_refused() -> None:
    goal = replace(relay().progress[0], reads=("letter",))

    with pytest.raises(ModelError, match="progress goal the_letter_arrives: the model has no part"):
        search(replace(relay(), progress=(goal,)))


def test_a_progress_goal_that_raises_is_named() -> None:
    goal = replace(relay().progress[0], reached=lambda _receiver: bool(1 // 0))

    with pytest.raises(ModelError, match="the progress goal the_letter_arrives raises ZeroDiv"):
        search(replace(relay(), progress=(goal,)))


def trace_of(model: Model) -> Trace:
    """Answer the trace of a model that breaks."""
    trace = search(model).trace
    assert trace is not None
    return trace


def test_a_lasso_that_the_rules_do_not_confirm_is_an_internal_error() -> None:
    model = relay(losses=None)
    goal, trace = model.progress[0], trace_of(model)
    early = replace(goal, reached=lambda receiver: receiver == "waits")
    never = replace(goal, owed=lambda _receiver: False)

    with pytest.raises(InternalError, match="the cycle of the trace does not close"):
        confirm_lasso(model, replace(trace, loop=1), goal)
    with pytest.raises(InternalError, match="the cycle of the trace comes to the_letter_arrives"):
        confirm_lasso(model, trace, early)
    with pytest.raises(InternalError, match="the_letter_arrives is not owed on the trace"):
        confirm_lasso(model, trace, never)
    with pytest.raises(InternalError, match="puts off the letter is posted"):
        confirm_lasso(model, replace(trace, moves=(), loop=0), goal)


def test_a_way_that_the_rules_do_not_confirm_as_the_end_is_an_internal_error() -> None:
    box, table = locked_box(), diners()
    lost, stuck, rest = trace_of(box), trace_of(table), table.accepting
    assert rest is not None

    with pytest.raises(InternalError, match="the_box_can_be_opened is reached after all"):
        confirm_lost(box, replace(lost, moves=lost.moves[:1]), box.progress[0])
    with pytest.raises(InternalError, match="the_box_can_be_opened is not owed"):
        confirm_lost(box, lost, replace(box.progress[0], owed=lambda _lid: False))
    with pytest.raises(InternalError, match="the trace ends where a step leads on"):
        confirm_dead_end(table, replace(stuck, moves=stuck.moves[:1]), rest)
    with pytest.raises(InternalError, match="the trace ends where the world may rest"):
        confirm_dead_end(table, stuck, replace(rest, accepts=lambda: True))


def random_model(seed: int) -> Model:
    """Answer a model of six states with three steps that lead anywhere, two of them fair."""
    draw = random.Random(seed)
    table = {
        (step, state): [draw.randrange(6) for _ in range(draw.randrange(3))]
        for step in range(3)
        for state in range(6)
    }
    goals = {state for state in range(6) if draw.random() < 0.3}
    due = {state for state in range(6) if draw.random() < 0.5}

    def rule_of(step: int) -> Step:
        return Step(
            f"step {step}",
            f"rule {step}",
            ("at",),
            ("at",),
            lambda at: [Outcome(f"to {to}", (to,)) for to in table[step, at]],
        )

    def goal(kind: str, *, is_owed: bool) -> ProgressGoal:
        return ProgressGoal(
            f"{kind} {is_owed}",
            "T-2",
            "It comes.",
            kind,  # type: ignore[arg-type] # one of the two kinds
            ("at",),
            goals.__contains__,
            due.__contains__ if is_owed else None,
        )

    return Model(
        f"random {seed}",
        {"at": 0},
        tuple(map(rule_of, range(3))),
        progress=tuple(
            goal(k, is_owed=o) for k in ("possible", "inevitable") for o in (False, True)
        ),
        fair=frozenset({"rule 0", "rule 1"}),
    )


def is_broken(model: Model, goal: ProgressGoal) -> bool:
    """Answer whether a goal is broken, by trying every set of states a run may stay in."""
    moves = {
        (step, at): {int(outcome.label[3:]) for outcome in model.steps[step].rule(at)} - {at}
        for step in range(3)
        for at in range(6)
    }
    graph = nx.DiGraph((at, to) for (_, at), targets in moves.items() for to in targets)
    graph.add_nodes_from(range(6))
    reachable = nx.descendants(graph, 0) | {0}
    due = {at for at in reachable if goal.owed is None or goal.owed(at)}
    missed = {at for at in reachable if not goal.reached(at)}
    if goal.kind == "possible":
        return any(not ({at} | nx.descendants(graph, at)) - missed for at in due)
    rest = graph.subgraph(missed)
    left = {at for start in due & missed for at in {start} | nx.descendants(rest, start)}
    for stay in map(set, chain.from_iterable(combinations(sorted(left), n) for n in range(1, 7))):
        is_fair = all(
            any(not moves[step, at] or moves[step, at] & stay for at in stay) for step in (0, 1)
        )
        if is_fair and nx.is_strongly_connected(graph.subgraph(stay)):
            return True
    return False


@pytest.mark.parametrize("seed", range(200))
def test_random_graphs_are_judged_as_every_set_of_states_says(seed: int) -> None:
    model = random_model(seed)

    found = judge(model)

    assert [finding.law.verdict == "broken" for finding in found] == [
        is_broken(model, goal) for goal in model.progress
    ]
    assert [finding.trace is not None for finding in found] == [
        finding.law.verdict == "broken" for finding in found
    ]


def test_the_recorded_graph_has_the_counts_of_the_search() -> None:
    graph, report = record(fencecore(2, 1, 1)), search(fencecore(2, 1, 1))

    assert len(graph.rows) == report.states
    assert len(graph.targets) == report.transitions
    assert len(graph.layers) - 1 == report.depth
    assert graph.is_whole


def test_a_graph_of_a_million_edges_is_cut_into_components_within_seconds() -> None:
    nodes, edges = 200_000, 1_200_000
    draw = random.Random(1)
    starts = array("q", range(0, edges + 1, edges // nodes))
    targets = array(
        "q", (min(nodes - 1, max(0, n // 6 + draw.randrange(-3, 300))) for n in range(edges))
    )
    started = time.process_time()

    component = components(starts, targets, bytearray(b"\1" * nodes))
    reach = backward(starts, targets, bytearray(nodes - 1) + b"\1")

    assert time.process_time() - started < 10
    assert sum(map(len, members(component))) == nodes
    assert sum(reach) == nodes
