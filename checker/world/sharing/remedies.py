"""The smallest rules that close the findings of a shared range. None is on by default."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from checker.world.sharing.rules import NOW, install
from checker.world.sharing.sight import listing_of
from reference import refreshing, vnodes
from reference.frontend import Frontend
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, Refusal, Unexpected
from spec.truth import edge_of
from spec.vocabulary import Offset, RangeId, Sequence


def journaling_what_took(call: Callable[..., Any]) -> Callable[..., Any]:
    """[RFR-6] Keep of a call only the commands that were answered with success.

    A command that was refused was not done, whatever view came with the answer, and there is
    nothing in it to be done again.
    """

    def called(front: Frontend, *given: object) -> tuple[Frontend, Any]:
        *before, tell = given
        assert callable(tell), "a call is given its command_fun last"
        refused: set[Command] = set()

        def listening(view: View, command: Command) -> tuple[View, CommandReply]:
            brought, reply = tell(view, command)
            refused.update({command} if isinstance(reply, Refusal | Unexpected) else set())
            return brought, reply

        after, reply = call(front, *before, listening)
        if after.journal is None or front.journal is None:
            return after, reply
        added = after.journal[len(front.journal) :]
        took = tuple(command for command in added if command not in refused)
        return replace(after, journal=(*front.journal, *took)), reply

    return called


def overtaken_read_dropped(front: Frontend, view: View) -> Frontend:
    """[RFR-4] Install no read once an answer has come since the last one: its view is newer."""
    taken, emptied = refreshing.take_journal(front)
    if taken:
        return refreshing.drop_stale_active_segments(emptied)
    return install(front, view)


def bring_what_is_listed(newest: View, held: View, request: Command, reply: CommandReply) -> View:
    """[RNG-43] Apply to the own view what took, and behind a refusal take over what is listed.

    A refusal alone does not say which segment is open or where the last one ends. A frontend that
    only left its view as it was would be refused again until it refreshed, and wrote nothing.
    """
    return newest if isinstance(reply, Refusal) else vnodes.command(held, request, NOW)[0]


def seated_recovery(front: Frontend, range_id: RangeId, end: Offset, floor: Sequence) -> Frontend:
    """[RFR-29] Sit at the edge of the last segment that is known, where it is sealed.

    A frontend that has had a later segment knows better than the view that it has read, and one
    that caches a head writes to it.
    """
    seeded = refreshing.seed_range_state(front, range_id, end, floor)
    listing = listing_of(front.view)
    edge = edge_of(listing[-1][1]) if listing else None
    knows_more = seeded.sequences.get(range_id, floor) > floor
    if edge is None or range_id in front.heads or knows_more:
        return seeded
    return replace(seeded, offsets=seeded.offsets.set(range_id, edge))
