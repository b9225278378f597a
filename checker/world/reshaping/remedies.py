"""The smallest rules that close the findings, each an overlay on the reference, off by default."""

from checker.world.sharing.rules import NOW
from reference import refreshing, vnodes
from reference.frontend import Frontend
from reference.vnodes import View
from spec.commands import Command, MergeRanges, SplitRange
from spec.replies import CommandReply


def install_no_reshape(front: Frontend, view: View) -> Frontend:
    """[RFR-3] Install a read, and replay what was journaled but for splits and merges."""
    taken, emptied = refreshing.take_journal(front)
    kept = [each for each in taken if not isinstance(each, SplitRange | MergeRanges)]
    renewed = refreshing.replay_journal(refreshing.put_cache(emptied, view), kept)
    return refreshing.drop_stale_active_segments(renewed)


def take_what_the_log_took(
    _newest: View, held: View, request: Command, reply: CommandReply
) -> View:
    """[RNG-43] In the mode raft: apply a command where the own view agrees with the log."""
    applied, own = vnodes.command(held, request, NOW)
    return applied if own == reply else held
