"""No law holds idly: each is broken by a named defect, or by a mutant written here."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import pytest
from immutables import Map

from checker.cases.kinds import World
from checker.explaining import of_finding
from checker.search.model import Model
from checker.search.plain import search
from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS, finding_named
from checker.world.kinds import Finding, Level
from checker.world.scopes import SCOPES
from checker.world.sharing import mutations
from checker.world.sharing.judging import tempting_laws
from checker.world.sharing.moving import tempting_step_laws
from checker.world.sharing.parts import RANGE, TOPIC
from checker.world.sharing.rules import Rules, install
from checker.world.sharing.scopes import bounds_named, defective
from checker.world.sharing.sight import listing_of
from reference import producing, refreshing, rolling, store, vnodes
from reference.frontend import CommandFun, Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec import laws
from spec.clauses import clause_of
from spec.commands import Command, RegisterSegment, SealSegment
from spec.laws import placing as placing_laws
from spec.laws import producing as producing_laws
from spec.laws import ranges as range_laws
from spec.laws import recovering as recovering_laws
from spec.laws import refreshing as refreshing_laws
from spec.laws import rolling as rolling_laws
from spec.replies import (
    ActiveSegmentExists,
    Appended,
    CommandReply,
    Ok,
    Planned,
    Refusal,
    Sealed,
    SegmentOverlap,
)
from spec.truth import edge_of
from spec.vocabulary import (
    ByteSize,
    Dispatch,
    Millis,
    Offset,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    TopicName,
)
from tests.mutants_of_copies import MUTANTS as MUTANTS_OF_COPIES
from tests.mutants_of_recovering import MUTANTS as MUTANTS_OF_RECOVERING
from tests.pictured import stale_pictures
from tests.written_cases import verdict_of

DEFAULT = [scope for scope in SCOPES if scope.is_searched_at(Level.QUICK)]


def judged(model: Model, law: str) -> Model:
    """The same world, judged by one law alone."""
    return replace(
        model,
        laws=tuple(each for each in model.laws if each.name == law),
        step_laws=tuple(each for each in model.step_laws if each.name == law),
    )


def names_of(model: Model) -> set[str]:
    """The laws that judge a world."""
    return {law.name for law in model.laws} | {law.name for law in model.step_laws}


def registers_despite(
    refusal: type[Refusal],
) -> Callable[[View, Command], tuple[View, CommandReply]]:
    """A control plane that makes one check too few."""

    def command(view: View, request: Command) -> tuple[View, CommandReply]:
        answered, reply = vnodes.command(view, request, Millis(0))
        if not isinstance(reply, refusal) or not isinstance(request, RegisterSegment):
            return answered, reply
        segment = Segment(RANGE, request.replica_set, request.start_offset)
        metadata = metadata_of(view, TOPIC)
        listed = replace(metadata, segments=metadata.segments.set(request.segment_id, segment))
        return replace(view, vnodes=Map(dict.fromkeys(view.vnodes, listed))), Ok()

    return command


def append_past_the_latch(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """A store that looks at the latch after it has stored."""
    longer = store.append_past_latch(log, records)
    return longer, Appended(Offset(longer.end - 1))


def append_elsewhere(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """A store that answers one offset too high."""
    stored, reply = store.append(log, records)
    return stored, Appended(Offset(reply.last + 1)) if isinstance(reply, Appended) else reply


def fence_one_short(log: Log) -> tuple[Log, Offset, ByteSize]:
    """A fence that does not count the last record."""
    closed, end, byte_size = store.fence(log)
    return closed, Offset(max(log.start, end - 1)), byte_size


def fence_always(
    front: Frontend, now: Millis, _retry_after: Millis
) -> tuple[Frontend, tuple[Roll, ...]]:
    """A frontend that knows no window."""
    return rolling.fences_to_send(front, now, Millis(0))


def plan_without_reserving(
    front: Frontend, topic: TopicName, records: tuple[Record, ...], tell: CommandFun
) -> tuple[Frontend, Planned | Refusal]:
    """A plan that leaves the counter where it was."""
    planned, reply = producing.produce_plan(front, topic, records, tell)
    return replace(planned, offsets=front.offsets), reply


def adopt_for_any_segment(
    front: Frontend, dispatch: Dispatch, last: Offset
) -> tuple[Frontend, bool]:
    """An adoption that asks for no segment, and sets."""
    return replace(front, offsets=front.offsets.set(dispatch.range_id, Offset(last + 1))), True


def recover_silently(front: Frontend, range_id: RangeId, end: Offset, floor: Sequence) -> Frontend:
    """A recovery that does not end the wait."""
    seeded = refreshing.seed_range_state(front, range_id, end, floor)
    return replace(seeded, unrecovered=front.unrecovered)


def serve_unknown_end(front: Frontend, range_id: RangeId, floor: Sequence) -> Frontend:
    """A mute primary that makes no range wait."""
    seeded = refreshing.seed_unrecovered_range(front, range_id, floor)
    return replace(seeded, unrecovered=front.unrecovered)


def second_seal_counts(
    move: Callable[[Segment], Segment],
) -> Callable[[View, Command], tuple[View, CommandReply]]:
    """A control plane that lets an equal seal move what it recorded."""

    def command(view: View, request: Command) -> tuple[View, CommandReply]:
        answered, reply = vnodes.command(view, request, Millis(0))
        if not isinstance(request, SealSegment) or not isinstance(reply, Ok) or answered != view:
            return answered, reply
        metadata = metadata_of(view, TOPIC)
        segment = move(metadata.segments[request.segment_id])
        listed = replace(metadata, segments=metadata.segments.set(request.segment_id, segment))
        return replace(view, vnodes=Map(dict.fromkeys(view.vnodes, listed))), reply

    return command


def fence_forgets_bytes(log: Log) -> tuple[Log, Offset, ByteSize]:
    """A fence whose answer tells the bytes only once."""
    closed, end, byte_size = store.fence(log)
    return closed, end, ByteSize(0) if log.fenced else byte_size


def forget_every_roll(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, end: Offset
) -> Frontend:
    """A refusal that clears whatever roll the range owes."""
    seated = rolling.forget_sealed(front, range_id, segment_id, end)
    return seated if seated is front else replace(seated, rolling=Map())


def fences_move_the_counter(
    front: Frontend, now: Millis, retry_after: Millis
) -> tuple[Frontend, tuple[Roll, ...]]:
    """A fence that takes the offsets back of what is still under way."""
    marked, rolls = rolling.fences_to_send(front, now, retry_after)
    moved = marked.offsets.update({roll.range_id: roll.start_offset for roll in rolls})
    return replace(marked, offsets=moved), rolls


def requests_move_the_counter(
    front: Frontend, segments: Iterable[tuple[SegmentId, Segment]]
) -> Frontend:
    """A request for a roll that takes the listed start for the end."""
    listed = tuple(segments)
    moved = {segment.range_id: segment.start_offset for _, segment in listed}
    owing = rolling.request_rolls(front, listed)
    return replace(owing, offsets=owing.offsets.update(moved))


def refresh_moves_the_counter(front: Frontend, view: View) -> Frontend:
    """A refresh that raises the counter to the last edge it reads."""
    ends = [end for _, segment in listing_of(view) if (end := edge_of(segment)) is not None]
    installed = install(front, view)
    return producing.raise_counter(installed, RANGE, ends[-1]) if ends else installed


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change that has no number, and the law that notices it."""

    law: str
    rules: Rules
    scope: str = "roll"


MUTANTS = (
    Mutant("a_fence_answers_where_the_log_ends", Rules(fence=fence_one_short)),
    Mutant(
        "a_fence_is_sent_at_once_and_again_only_past_the_window",
        Rules(fences_to_send=fence_always),
    ),
    Mutant("a_fenced_copy_never_changes", Rules(append=append_past_the_latch)),
    Mutant("a_plan_raises_the_counter_by_its_batch", Rules(produce_plan=plan_without_reserving)),
    Mutant(
        "a_range_has_at_most_one_head",
        Rules(command=registers_despite(ActiveSegmentExists)),
        "race",
    ),
    *(
        Mutant("a_seal_that_comes_second_moves_nothing", Rules(command=second_seal_counts(move)))
        for move in (
            lambda segment: replace(segment, byte_size=ByteSize(1)),
            lambda segment: replace(segment, sealed_at=Millis(7)),
            lambda segment: replace(segment, replica_set=segment.replica_set[1:]),
        )
    ),
    Mutant("a_fence_of_a_closed_log_answers_as_the_first", Rules(fence=fence_forgets_bytes)),
    Mutant("a_refusal_drops_only_what_it_names", Rules(forget_sealed=forget_every_roll), "race"),
    Mutant(
        "a_step_without_a_cause_moves_no_counter", Rules(fences_to_send=fences_move_the_counter)
    ),
    Mutant(
        "a_step_without_a_cause_moves_no_counter",
        Rules(request_rolls=requests_move_the_counter),
        "race",
    ),
    Mutant(
        "a_refresh_moves_the_counter_only_behind_a_sealed_head",
        Rules(install=refresh_moves_the_counter),
    ),
    Mutant(
        "a_recovery_that_learns_the_end_ends_the_wait",
        Rules(seed_range_state=recover_silently),
        "recovery",
    ),
    Mutant(
        "acknowledged_records_lie_below_the_edge",
        Rules(record_fence=mutations.length_from_counter),
    ),
    Mutant("an_acknowledged_record_stands_where_it_was_placed", Rules(append=append_elsewhere)),
    Mutant(
        "an_answer_for_another_segment_changes_nothing",
        Rules(adopt_answer=adopt_for_any_segment),
        "batches",
    ),
    Mutant("an_unknown_end_is_admitted", Rules(seed_unrecovered_range=serve_unknown_end)),
    Mutant(
        "the_segments_of_a_range_tile_its_offsets",
        Rules(record_fence=mutations.seal_keeps_max, command=registers_despite(SegmentOverlap)),
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.law)
def test_a_law_without_a_named_defect_is_broken_by_a_mutant(mutant: Mutant) -> None:
    report = search(judged(defective(mutant.scope, mutant.rules), mutant.law), max_states=200_000)

    assert report.verdict == "broken"
    assert report.trace is not None
    assert report.trace.law.name == mutant.law


def test_every_mutant_is_caught_in_a_default_scope() -> None:
    default = {scope.name for scope in DEFAULT}

    elsewhere = {defect.name for defect in DEFECTS if defect.scope not in default}

    assert {mutant.scope for mutant in MUTANTS} <= default
    assert elsewhere == {"D18"}, "only a batch that meets an id that was used before shows it"


def test_every_law_of_the_default_scopes_has_a_defect_or_a_mutant() -> None:
    judging = set().union(*(names_of(scope.build()) for scope in DEFAULT))

    broken = {defect.caught_by for defect in DEFECTS} | {mutant.law for mutant in MUTANTS}
    broken |= {mutant.law for mutant in (*MUTANTS_OF_COPIES, *MUTANTS_OF_RECOVERING)}

    assert judging - broken == set()


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_a_finding_shows_at_its_known_length(finding: Finding) -> None:
    report = search(finding.build())

    assert report.trace is not None
    assert (report.trace.law.name, len(report.trace.moves)) == (finding.law, finding.steps)
    assert verdict_of(report.trace, World(finding.scope, finding=finding.name)) == "as expected"
    assert stale_pictures(of_finding(finding), report.trace) == [], "run malachi-model draw"


def test_every_tempting_law_is_a_finding() -> None:
    bounds = bounds_named("roll")
    assert bounds is not None

    tempting = {law.name for law in (*tempting_laws(bounds),)}
    tempting |= {law.name for law in tempting_step_laws()}

    assert tempting <= {finding.law for finding in FINDINGS}


def test_a_finding_is_found_by_its_name_and_by_its_title() -> None:
    found = [finding_named(name) for name in ("f2", "REFUSAL-ABOVE-THE-EDGE", "F99")]

    assert [each and each.name for each in found] == ["F2", "F2", None]


@pytest.mark.parametrize(
    "chapter",
    [range_laws, placing_laws, producing_laws, rolling_laws, recovering_laws, refreshing_laws],
)
def test_each_law_cites_a_clause_that_is_written_and_the_property_it_keeps(
    chapter: object,
) -> None:
    cited = re.findall(r'"""\[([A-Z]+-\d+)\] [^"]*?\(([SP]\d+[^)]*)\)', _source(chapter))

    assert cited
    assert all(clause_of(clause).sentence for clause, _ in cited)


def _source(chapter: object) -> str:
    with open(str(getattr(chapter, "__file__", laws.__file__)), encoding="utf-8") as page:  # noqa: PTH123 - a module's own file
        return page.read()
