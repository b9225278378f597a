"""What stands between a frontend and the control plane: reads under way, calls that were made."""

from dataclasses import dataclass

from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply
from spec.vocabulary import VnodeId


@dataclass(frozen=True, slots=True)
class Told:
    """What became of an order: each command with its answer, and what the caller was answered."""

    heard: tuple[tuple[Command, CommandReply], ...]
    reply: CommandReply


@dataclass(frozen=True, slots=True)
class Begun:
    """A read of the control plane that has begun and is not installed yet."""

    view: View
    """What it read, with nothing in the vnodes that did not answer."""
    unread: frozenset[VnodeId] = frozenset()
    since: tuple[Command, ...] = ()
    """The own commands that took since it began, oldest first."""


@dataclass(frozen=True, slots=True)
class Reads:
    """One frontend's reads of the control plane."""

    left: int
    """How many more it may begin."""
    begun: tuple[Begun, ...] = ()
    """Those under way, in the order in which they began."""
