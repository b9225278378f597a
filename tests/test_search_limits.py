"""What a search says of the bounds that make a model finite: which of them were felt."""

import json
from dataclasses import replace

import pytest

from checker.commands.main import run
from checker.models.fencecore import fencecore
from checker.models.toys import relay
from checker.search.audit import audit
from checker.search.contract import check_contract
from checker.search.explore import Options, search
from checker.search.faults import ModelError
from checker.search.model import Law, Limit, Model
from checker.search.report import Felt, Report
from checker.world.scopes import scope_named
from tests.search_models import below, counters


def felt(report: Report) -> dict[str, Felt]:
    """Answer by bound how it was felt."""
    return {bound.name: bound.felt for bound in report.bounds}


def bounded(*limits: Limit, laws: tuple[Law, ...] = ()) -> Model:
    """Answer two counters with a bound on each, and one on their sum that they never come to."""
    names = ("counters", "left", "right", "sum")
    return counters(bounds={name: f"the {name}" for name in names}, limits=limits, laws=laws)


LEFT = Limit("left", ("left",), lambda left: left == 3)
RIGHT = Limit("right", ("right",), lambda right: right == 2)
SUM = Limit("sum", ("left", "right"), lambda left, right: left + right > 6)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_bound_is_hit_or_not_or_what_the_model_is_made_of(engine: str) -> None:
    options = Options(engine="plain" if engine == "plain" else "compiled", plain_states=2)

    report = search(bounded(LEFT, RIGHT, SUM), options=options)

    assert report.engine == engine
    expected = {"counters": "always", "left": "hit", "right": "hit", "sum": "not hit"}
    assert felt(report) == expected


def test_one_of_the_limits_of_a_bound_is_enough_to_hit_it() -> None:
    never = replace(SUM, bound="left")

    report = search(bounded(never, LEFT, never))

    assert felt(report)["left"] == "hit"


def test_nobody_asks_a_limit_once_its_bound_is_hit() -> None:
    asked = []

    def noted(left: int) -> bool:
        asked.append(left)
        return left == 1

    search(bounded(Limit("left", ("left",), noted), Limit("left", ("left",), noted)))

    assert asked == [0, 0, 1]


def test_a_bound_that_a_part_of_the_states_does_not_hit_is_unknown() -> None:
    stopped = search(bounded(LEFT, SUM), max_states=1)
    broken = search(bounded(LEFT, SUM, laws=(below(1),)))

    assert felt(stopped)["sum"] == felt(stopped)["left"] == "unknown"
    assert felt(broken)["sum"] == "unknown"


def test_a_search_that_leaves_states_out_does_not_say_that_a_bound_is_not_hit() -> None:
    report = search(bounded(LEFT, SUM), options=Options(reduction=True))

    assert felt(report)["sum"] == "unknown"


def test_a_search_up_to_symmetry_feels_what_a_whole_one_feels() -> None:
    model = fencecore(2, 1, 1)
    only_last = replace(model, limits=tuple(each for each in model.limits if "f1" in each.reads[0]))

    assert felt(search(only_last, options=Options(symmetry=True))) == felt(search(only_last))
    assert felt(search(model)) == {"frontends": "always", "segments": "hit", "batches": "hit"}


def test_a_limit_of_no_bound_is_refused() -> None:
    with pytest.raises(ModelError, match="the limit of width: counters has no such bound"):
        check_contract(bounded(replace(LEFT, bound="width")))


def test_a_limit_that_reads_no_part_is_refused() -> None:
    with pytest.raises(ModelError, match="the limit of left: the model has no part 'top'"):
        check_contract(bounded(replace(LEFT, reads=("top",))))


def test_the_audit_asks_limits_too() -> None:
    said = iter(range(1000))
    model = bounded(replace(LEFT, is_hit=lambda _left: next(said) % 2 == 1))

    complaints = audit(model)

    assert "the limit of left" in {complaint.who for complaint in complaints}


def test_the_losses_of_a_toy_are_felt_where_nothing_may_be_lost() -> None:
    assert felt(search(relay(0))) == {"losses": "hit"}


@pytest.mark.parametrize(
    ("scope", "not_hit"), [("race", set()), ("roll:batches=1+0,faults=0", {"segments", "fences"})]
)
def test_a_world_says_which_of_its_bounds_were_felt(scope: str, not_hit: set[str]) -> None:
    found = scope_named(scope)
    assert found is not None

    report = search(found.build())

    assert {name for name, how in felt(report).items() if how == "not hit"} == not_hit
    assert felt(report)["memory"] == "always"


def test_check_tells_people_and_programs_which_bounds_were_hit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["check", "fencecore-2-1-1"])
    text = capsys.readouterr().out
    run(["check", "fencecore-2-1-1", "--format", "json"])
    content = json.loads(capsys.readouterr().out)

    assert "  hit        the bound segments: at most 1 segment\n" in text
    assert "  always     the bound frontends: 2 frontends\n" in text
    bounds = content["scopes"][0]["bounds"]
    assert bounds[1] == {"name": "segments", "text": "at most 1 segment", "felt": "hit"}
