"""Mistakes about produces, plans, answers, and what comes back with a command."""

from dataclasses import replace

from checker.conform.operations import Answered, Arguments, Effects, Run
from checker.conform.wrong.twists import Through, counter_of, right, with_counter
from reference import producing, vnodes
from reference.frontend import Frontend
from reference.vnodes import View
from spec.commands import Command
from spec.replies import Appended, CommandReply, Failed, Ok, Planned, Refusal, ReplicateReply
from spec.vocabulary import Dispatch, Offset


class Strict(Through):
    """Takes an answer that differs from the plan for an error."""

    def replicate(self, dispatch: Dispatch) -> ReplicateReply:
        """Send a batch."""
        reply = self.effects.replicate(dispatch)
        if isinstance(reply, Appended) and reply.last != dispatch.last:
            return Failed("offset_mismatch")
        return reply


def offset_mismatch_fails(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[PRD-31] Take an answer that differs from the plan for an error."""
    return right("produce", front, args, Strict(effects))


def adopt_unguarded(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """[PRD-24] Adopt an answer whichever segment it is of."""
    raised = producing.raise_counter(front, args["range"], Offset(args["last"] + 1))
    return replace(raised, unrecovered=front.unrecovered - {args["range"]}), Ok()


def adopt_sets(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[PRD-23] Set the counter to an answer in place of raising it."""
    adopted, reply = right("adopt_offsets", front, args, effects)
    head = front.heads.get(args["range"])
    if head is None or head.id != args["segment"]:
        return adopted, reply
    return with_counter(adopted, args["range"], Offset(args["last"] + 1)), reply


def answer_leaves_unrecovered(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[PRD-25] Let an answer not end the wait for a recovery."""
    adopted, reply = right("adopt_offsets", front, args, effects)
    return replace(adopted, unrecovered=front.unrecovered), reply


def plan_leaks(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[PRD-17] Keep what a failed plan reserved before it failed."""
    groups = producing.route(front, args["topic"], args["records"])
    if isinstance(groups, Refusal):
        return front, groups
    planned = Planned((), ())
    for group in groups:
        front, reply = producing.plan_groups(front, [group], effects.command, effects.policy)
        if isinstance(reply, Refusal):
            return front, reply
        planned = Planned(
            planned.placements + reply.placements, planned.dispatches + reply.dispatches
        )
    return front, planned


def offsets_given_back(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[PRD-18] Lower the counter by a batch that failed."""
    produced, reply = right("produce", front, args, effects)
    if not isinstance(reply, Failed):
        return produced, reply
    groups = producing.route(front, args["topic"], args["records"])
    assert not isinstance(groups, Refusal)
    for range_id, batch in groups:
        lowered = Offset(max(0, counter_of(produced, range_id) - len(batch)))
        produced = with_counter(produced, range_id, lowered)
    return produced, reply


class Gullible(Through):
    """Applies to the view what the control plane refused."""

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane."""
        newest, reply = self.effects.command(view, command)
        if isinstance(reply, Refusal):
            return vnodes.command(view, command)[0], reply
        return newest, reply


def refused_applied_locally(op: str) -> Run:
    """[RNG-42] Apply to the view what the control plane refused."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        return right(op, front, args, Gullible(effects))

    return run


class Noting(Through):
    """Notes every command that was sent."""

    def __init__(self, effects: Effects) -> None:
        super().__init__(effects)
        self.sent: tuple[Command, ...] = ()

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane."""
        self.sent = (*self.sent, command)
        return self.effects.command(view, command)


def journal_keeps_failed(op: str) -> Run:
    """[RFR-6] Journal commands whether or not they took."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        noting = Noting(effects)
        answered, reply = right(op, front, args, noting)
        if front.journal is None or answered.journal != front.journal:
            return answered, reply
        return replace(answered, journal=front.journal + noting.sent), reply

    return run
