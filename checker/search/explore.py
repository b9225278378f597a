"""The way in: one search, whichever engine it takes.

A small world is searched in plain Python with nothing to compile. A search that grows beyond
PLAIN_STATES goes on in machine code; verdict, counts and traces are the same.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Literal

from checker.search.checkpoints import Keeper, State, read_calls, read_rows, read_state
from checker.search.faults import CheckpointError, ModelError
from checker.search.model import Model
from checker.search.pausing import collector_paused
from checker.search.plain import Limits, Search
from checker.search.reduced import PATIENCE, Reduced
from checker.search.report import ProgressFun, Report
from checker.search.results import Tally, report_of
from checker.search.symmetric import Symmetric

if TYPE_CHECKING:
    from checker.search.compiled import Compiled

PLAIN_STATES = 50_000
"""A search with more states than this goes on in machine code."""
FIRST_STATES = 2_500
"""So many states are searched in plain Python where a large world is expected."""

Engine = Literal["auto", "plain", "compiled"]


@dataclass(frozen=True, slots=True)
class Options:
    """How to search. None of it changes what is found."""

    engine: Engine = "auto"
    workers: int = 2
    expected_states: int | None = None
    """How many states the model is thought to have."""
    plain_states: int | None = None
    """How many states are searched in plain Python before machine code takes over."""
    memory: int | None = None
    """How many bytes of memory to hold; more rows than fit go to the disk."""
    spill: Path | None = None
    """The folder for these; the system's own for temporary files where nobody says."""
    checkpoint: Path | None = None
    """A folder to keep checkpoints in, from which a search of the same model goes on."""
    checkpoint_seconds: float = 30.0
    resume: bool = False
    """Whether to go on from the checkpoint in that folder, where there is one."""
    symmetry: bool = False
    """Whether to search only one of the states that differ in names alone."""
    reduction: bool = False
    """Whether to leave out orders of steps that commute, as long as there are any; in plain
    Python."""
    warn: Callable[[str], None] | None = None
    """Hears what is not as it should be, and does no harm."""


def search(
    model: Model,
    *,
    max_states: int | None = None,
    max_seconds: float | None = None,
    progress: ProgressFun | None = None,
    options: Options = Options(),
) -> Report:
    """Search every reachable state of a model, breadth first.

    Ends with `holds`, with `broken` and a shortest trace at the first layer where a law breaks,
    or with `unfinished` where a limit is passed or the memory used up. States are counted between
    rounds, so a search ends with somewhat more than `max_states`. Raises ModelError where the
    model breaks its contract, InternalError where the replay of a trace does not confirm it.
    """
    limits = Limits(max_states, max_seconds, progress)
    if options.symmetry and options.reduction:
        raise ModelError(f"{model.name}: search up to symmetry or with reduction, not both")
    if options.reduction:
        report = with_reduction(model, limits, options.warn)
        if report is not None:
            return report
    begun = Symmetric(model, limits) if options.symmetry else Search(model, limits)
    state = _state(model, options)
    most = _most_in_python(options, begun) if state is None else state.plain_states
    with collector_paused():
        if begun.run(most):
            if state is not None and begun.stopped_by is None:
                raise CheckpointError(_refusal(model, options))
            return begun.report()
        try:
            return _in_machine_code(begun, options, most or 0, state)
        except MemoryError:
            begun.run_out_of_memory()
        return begun.report()


def with_reduction(
    model: Model, limits: Limits, warn: Callable[[str], None] | None
) -> Report | None:
    """Search with orders of steps left out; answer nothing where none can be."""
    run = Reduced(model, limits)
    with collector_paused():
        if run.run(PATIENCE):
            if warn is not None and not run.has_left_out and run.stopped_by is None:
                warn(f"{model.name}: no order of steps could be left out: all states are searched")
            return run.report()
    if warn is not None:
        warn(
            f"{model.name}: no order of steps was left out in the first {PATIENCE:,} states;"
            " it is searched whole"
        )
    return None


def _most_in_python(options: Options, begun: Search) -> int | None:
    """Answer how many states plain Python may search; None where it searches all.

    Up to symmetry each state is renamed in all ways, so that it stands for as many.
    """
    if options.engine == "plain":
        return None
    if options.plain_states is not None:
        return options.plain_states
    is_large = options.expected_states is not None and options.expected_states > PLAIN_STATES
    ways = len(begun.closed.group.exchanges) if isinstance(begun, Symmetric) else 1
    most = max(1, PLAIN_STATES // ways)
    return min(FIRST_STATES, most) if is_large or options.engine == "compiled" else most


def _folder(model: Model, options: Options) -> Path | None:
    """Answer the folder for the checkpoints of one model among others, searched in one way."""
    if options.checkpoint is None:
        return None
    way = " up to symmetry" if options.symmetry else ""
    return options.checkpoint / re.sub(r"[^A-Za-z0-9]+", "-", model.name + way).strip("-")


def _state(model: Model, options: Options) -> State | None:
    folder = _folder(model, options)
    if folder is None or not options.resume:
        return None
    state = read_state(folder, model, is_reduced=options.symmetry)
    if state is None and options.warn is not None:
        options.warn(f"no checkpoint in {folder}: the search begins anew")
    return state


def _refusal(model: Model, options: Options) -> str:
    return (
        f"{_folder(model, options)} is of other rules than those of {model.name} now; "
        "remove it to begin anew"
    )


def _in_machine_code(begun: Search, options: Options, most: int, state: State | None) -> Report:
    from checker.search.tracing import trace_of  # noqa: PLC0415 - large worlds only

    run = _taking_over(begun, options)
    try:
        _go_on(run, options, most, state)
        run.run(goes_on=state is not None)
        report = report_of(
            run.tables,
            run.judges,
            Tally(run.states, run.transitions, run.depth),
            engine=run.engine,
            seconds=run.limits.seconds(),
            stopped_by=run.stopped_by,
            trace=trace_of(run),
        )
        return replace(report, is_reduced=begun.is_reduced)
    finally:
        run.close()


def _taking_over(begun: Search, options: Options) -> "Compiled":
    from checker.search.budgets import NO_BUDGET, Budget  # noqa: PLC0415 - large worlds only
    from checker.search.compiled import Compiled  # noqa: PLC0415 - large worlds only

    budget = NO_BUDGET
    if options.memory is not None:
        budget = Budget(options.memory, options.spill or Path(gettempdir()))
    if isinstance(begun, Symmetric):
        from checker.search.turning import Turned  # noqa: PLC0415 - where it is asked for

        return Turned(begun, options.workers, options.warn, budget)
    return Compiled(begun, options.workers, options.warn, budget)


def _go_on(run: "Compiled", options: Options, most: int, state: State | None) -> None:
    """Bring a search to where its checkpoint is, and let it keep new ones."""
    model = run.tables.model
    folder = _folder(model, options)
    if folder is None:
        return
    seconds = options.checkpoint_seconds
    keeper = Keeper(folder, model, most, seconds, is_reduced=options.symmetry)
    if state is not None:
        rows = [read_rows(folder, state, owner) for owner in range(len(state.counts))]
        if not run.go_on_from(state, read_calls(folder, state), rows):
            raise CheckpointError(_refusal(model, options))
        keeper.went_on_from(state)
    run.keep_with(keeper)
