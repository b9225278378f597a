"""The laws of `spec.laws`, bound to the parts of a world of views.

A step of a frontend reads the frontend first; a call reads its slot second and the control plane
third, an install reads the reads second.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from checker.search.model import Parts, Step, StepLaw
from checker.world.binding import of_steps
from checker.world.sharing.control import ControlPlane
from checker.world.views.bounds import Bounds
from checker.world.views.orders import Heal, Members, Open, Order, Racks
from checker.world.views.rules import Rules
from checker.world.views.sight import asked_in, catalog_of, known_by, viewed_in, wish_of
from reference.frontend import Frontend
from spec.commands import Command, RegisterSegment
from spec.laws import placing, ranges, recovering, refreshing
from spec.premises import Judgement
from spec.replies import Ok, Refusal
from spec.truth import Asked, Catalog, Known, Viewed

if TYPE_CHECKING:
    from checker.world.views.parts import Reads, Told
    from reference.vnodes import View

CALLS = {"command", "open"}
UNHEARD = {"command unheard", "open unheard", "command late", "open late"}
TELLING = CALLS | UNHEARD | {"operate", "land"}
"""The rules that may change the control plane."""


def step_laws(bounds: Bounds, rules: Rules) -> tuple[StepLaw, ...]:
    """What holds of every step, in both modes."""
    orders = {f"{slot} is {how}": each for _, slot, each in bounds.slots() for how in HOW}
    return (
        *_installing(),
        *_calling(orders, rules),
        *_telling(),
        *_placing(bounds, orders),
        *_counting(bounds, rules),
    )


HOW = ("called", "unheard", "late")


def authoritative_step_laws() -> tuple[StepLaw, ...]:
    """What holds of every step where the control plane's own view comes back."""
    return (
        of_steps(
            refreshing.a_command_changes_the_view_only_by_its_answer,
            CALLS,
            lambda law, step, before, after: law(
                _known(step, before), _known(step, after), _plane(after)
            ),
        ),
    )


def tempting_step_laws() -> tuple[StepLaw, ...]:
    """What looks as if it held of every step, and does not."""
    return (
        of_steps(
            refreshing.a_refresh_holds_what_it_read_but_for_later_commands,
            {"install"},
            lambda law, step, before, after: law(_read(step, before, after), _known(step, after)),
        ),
        of_steps(
            refreshing.what_was_commanded_since_the_read_survives_the_refresh,
            {"install"},
            lambda law, step, before, after: law(_read(step, before, after), _known(step, after)),
        ),
        of_steps(refreshing.a_refused_command_leaves_the_view, CALLS, _on_call),
        of_steps(
            refreshing.a_command_that_did_not_take_moves_no_head,
            {"command", "command unheard"},
            _on_call,
        ),
        of_steps(
            refreshing.what_lands_late_moves_no_position_back,
            {"land"},
            lambda law, _, before, after: law(_plane(before), _plane(after)),
        ),
        of_steps(
            refreshing.a_new_topic_has_no_positions,
            {"operate"},
            lambda law, _, before, after: law(_plane(before), _plane(after)),
        ),
        of_steps(
            refreshing.no_roll_is_owed_before_its_age,
            {"sweep"},
            lambda law, step, _, after: law(len(_front(step, after).rolling)),
        ),
    )


def _installing() -> tuple[StepLaw, ...]:
    installs = {"install"}
    return (
        of_steps(
            recovering.a_read_that_began_earlier_is_given_up,
            installs,
            lambda law, step, before, after: law(_under_way(step, before), _under_way(step, after)),
        ),
        of_steps(
            refreshing.a_refresh_commands_nothing,
            installs,
            lambda law, _, before, after: law(before.get("control"), after.get("control")),
        ),
        of_steps(refreshing.an_unread_vnode_keeps_what_was_held, installs, _on_install),
        of_steps(
            refreshing.a_refresh_with_nothing_to_replay_holds_what_it_read, installs, _on_install
        ),
        of_steps(
            refreshing.what_the_read_can_take_survives_the_refresh,
            installs,
            _on_install,
        ),
        of_steps(
            refreshing.a_refresh_moves_no_position_back,
            installs,
            lambda law, step, before, after: law(_read(step, before, after), _known(step, after)),
        ),
        of_steps(
            refreshing.a_refresh_empties_the_journal,
            installs,
            lambda law, step, _, after: law(_known(step, after)),
        ),
    )


def _calling(orders: dict[str, Order], rules: Rules) -> tuple[StepLaw, ...]:
    def on_heal(law: Judgement, step: Step, _: Parts, after: Parts) -> bool:
        return not isinstance(orders[step.name], Heal) or law(_asked(step, after))

    def on_open(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
        order = orders[step.name]
        return not isinstance(order, Open) or law(
            _known(step, before), order.topic, _asked(step, after).reply
        )

    return (
        of_steps(
            refreshing.a_command_without_an_answer_leaves_the_view,
            UNHEARD,
            lambda law, step, before, after: law(_known(step, before), _known(step, after)),
        ),
        of_steps(
            refreshing.the_journal_takes_what_changed_the_view,
            CALLS | UNHEARD,
            lambda law, step, before, after: law(
                _known(step, before),
                replace(
                    _asked(step, after), news=_news(rules, orders[step.name], step, before, after)
                ),
                _known(step, after),
            ),
        ),
        of_steps(
            refreshing.a_heal_is_answered_ok_only_if_every_command_took,
            {"command", "command unheard"},
            on_heal,
        ),
        of_steps(refreshing.a_topic_is_unknown_only_where_the_view_lists_none, {"open"}, on_open),
        of_steps(
            ranges.a_commit_that_is_answered_stands,
            {"command"},
            lambda law, step, _, after: law(_asked(step, after), _plane(after)),
        ),
    )


def _telling() -> tuple[StepLaw, ...]:
    return (
        of_steps(
            ranges.only_a_sealed_segment_is_removed,
            TELLING,
            lambda law, _, before, after: law(_plane(before), _plane(after)),
        ),
    )


def _placing(bounds: Bounds, orders: dict[str, Order]) -> tuple[StepLaw, ...]:
    def on_new(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
        order = orders[step.name]
        wish = wish_of(bounds, _front(step, before), getattr(order, "topic", None))
        return all(
            law(command.replica_set, wish)
            for command, reply in _asked(step, after).heard
            if isinstance(command, RegisterSegment) and isinstance(reply, Ok)
        )

    def on_refused(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
        order = orders[step.name]
        wish = wish_of(bounds, _front(step, before), getattr(order, "topic", None))
        return law(_asked(step, after).reply, wish)

    def on_member(law: Judgement, step: Step, _: Parts, after: Parts) -> bool:
        order, wish = orders[step.name], wish_of(bounds, _front(step, after), None)
        brokers = order.brokers if isinstance(order, Members) else None
        return law(brokers, order.attributes if isinstance(order, Racks) else None, wish)

    placed = (
        placing.a_new_segment_is_placed_on_brokers_that_are_there,
        placing.a_new_segment_has_the_replicas_asked_for_or_all_there_are,
        placing.a_new_segment_spans_as_many_domains_as_it_can,
        placing.a_hard_policy_places_nothing_thinly,
    )
    return (
        of_steps(placing.what_the_membership_says_is_taken_over, {"member"}, on_member),
        *(of_steps(law, {"open"}, on_new) for law in placed),
        of_steps(
            placing.a_placement_is_refused_only_where_domains_are_missing, {"open"}, on_refused
        ),
    )


def _counting(bounds: Bounds, rules: Rules) -> tuple[StepLaw, ...]:
    def on_front(law: Judgement, step: Step, _: Parts, after: Parts) -> bool:
        front = _front(step, after)
        wish = wish_of(bounds, front, None)
        return law(known_by(front), wish, rules.domain_violations(front))

    return (of_steps(placing.thin_segments_are_counted, {*CALLS, "install", "member"}, on_front),)


def _on_install(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    return law(_known(step, before), _read(step, before, after), _known(step, after))


def _on_call(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    return law(_known(step, before), _asked(step, after), _known(step, after))


def _front(step: Step, parts: Parts) -> Frontend:
    return cast("Frontend", parts[step.reads[0]])


def _known(step: Step, parts: Parts) -> Known:
    return known_by(_front(step, parts))


def _asked(step: Step, after: Parts) -> Asked:
    return asked_in(cast("Told", after[step.reads[1]]))


def _news(
    rules: Rules, order: Order, step: Step, before: Parts, after: Parts
) -> tuple[Command, ...]:
    """The commands of a call that brought another view than the one held, where it is kept.

    Each is told to the control plane of before once more, with the view that is held by then.
    """
    told = _asked(step, after)
    is_undone = isinstance(order, Open) and isinstance(told.reply, Refusal)
    if step.rule_name in UNHEARD or is_undone:
        return ()
    plane = ControlPlane(rules.plane, cast("View", before["control"]))
    held, news = _front(step, before).view, list[Command]()
    for command, _ in told.heard:
        came, _ = plane.tell(held, command)
        news += [command] if came != held else []
        held = came
    return tuple(news)


def _plane(parts: Parts) -> Catalog:
    return catalog_of(cast("View", parts["control"]))


def _under_way(step: Step, parts: Parts) -> tuple[Viewed, ...]:
    return tuple(map(viewed_in, cast("Reads", parts[step.reads[1]]).begun))


def _read(step: Step, before: Parts, after: Parts) -> Viewed:
    """The read that an install took: the last of those that are no longer under way."""
    begun, left = (cast("Reads", parts[step.reads[1]]).begun for parts in (before, after))
    return viewed_in(begun[len(begun) - len(left) - 1])
