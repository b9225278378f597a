"""The laws of restarts and of expiry, bound to the parts of the world."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, cast

from checker.search.model import Law, Parts, Step, StepLaw
from checker.world.binding import bound, of_steps
from checker.world.recovering.bounds import Bounds
from checker.world.recovering.rules import Rules
from checker.world.remembering import Remembering
from checker.world.sharing.parts import RANGE
from checker.world.sharing.sight import listing_of, seen_by, stored_in
from reference.frontend import Frontend
from spec.laws import producing, ranges, recovering
from spec.premises import Judgement
from spec.replies import Eof, ReadReply
from spec.truth import Acknowledged, Expired
from spec.vocabulary import START, Count

if TYPE_CHECKING:
    from checker.world.sharing.parts import Copies
    from reference.vnodes import View


def laws(bounds: Bounds, rules: Rules) -> tuple[Law, ...]:
    """What holds in every state."""
    fronts = bounds.shared.frontends
    found = [
        bound(producing.no_two_acknowledged_batches_share_an_offset, bounds.slots, _on_slots),
        bound(recovering.an_unrecovered_range_is_not_read, fronts, _on_reads(rules)),
    ]
    if bounds.retainer is not None:
        found.append(bound(ranges.an_expired_id_is_not_given_again, ("control", "gone"), _on_gone))
    return tuple(found)


def tempting_laws(bounds: Bounds, rules: Rules) -> tuple[Law, ...]:
    """What looks as if it held in every state, and does not."""
    law = recovering.a_range_whose_end_was_never_learned_is_not_read
    return (bound(law, bounds.shared.frontends, _on_reads(rules)),)


def step_laws() -> tuple[StepLaw, ...]:
    """What holds of every step."""
    return (
        of_steps(recovering.a_restart_keeps_nothing, {"restart"}, _on_restart),
        of_steps(recovering.a_recovery_learns_where_the_range_ends, {"recover"}, _on_recovery),
    )


def _on_slots(law: Judgement) -> Callable[..., bool]:
    return lambda *slots: law(
        tuple(slot for slot in slots if isinstance(slot, Acknowledged | Expired))
    )


def _on_gone(law: Judgement) -> Callable[..., bool]:
    return lambda view, gone: law(listing_of(view), gone)


def _on_reads(rules: Rules) -> Callable[[Judgement], Callable[..., bool]]:
    """Each frontend is asked for a page; a law looks at whether it is one, not at its records."""

    def nothing(*_: Hashable) -> ReadReply:
        return Eof()

    def show(law: Judgement) -> Callable[..., bool]:
        def holds_of(front: Frontend) -> bool:
            return law(seen_by(front), rules.read_consume(front, RANGE, START, Count(1), nothing))

        ask = Remembering(holds_of)
        return lambda *fronts: all(map(ask, fronts))

    return show


def _on_restart(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    view = cast("View", before["control"])
    return law(seen_by(cast("Frontend", after[step.reads[0]])), listing_of(view))


def _on_recovery(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    seen = seen_by(cast("Frontend", after[step.reads[0]]))
    copies = cast("Copies | None", before[f"s{seen.listing[-1][0].seq}"])
    return law(seen, None if copies is None else stored_in(copies))
