"""Views on the wire: as a value, or as the commands that lead to it."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from checker.conform.codecs import Codec, kept, many, map_of, named, tuple_of
from checker.conform.nouns import BOOK, command, metadata, millis, plain_integer, vnode
from checker.conform.variants import option, variant, whole_record
from reference import vnodes
from reference.controlplane import Metadata
from reference.vnodes import View
from spec import commands
from spec.commands import Command
from spec.vocabulary import (
    Millis,
    VnodeId,
)


@dataclass(frozen=True, slots=True)
class LoggedView:
    """A view told as the commands that lead to it, for who cannot be handed one."""

    ring: tuple[tuple[int, VnodeId], ...]
    commands: tuple[tuple[Command, Millis | None], ...]
    """Each with the clock it was given. Where several vnodes are there, each routes itself."""


ring = many(tuple_of(lambda token, one: (token, one), plain_integer, vnode))


view: Codec[View | LoggedView] = kept(
    named(
        "View",
        variant(
            whole_record("value", View, ring=ring, vnodes=map_of(vnode, metadata)),
            whole_record(
                "log",
                LoggedView,
                ring=ring,
                commands=many(tuple_of(lambda one, other: (one, other), command, option(millis))),
            ),
        ),
        BOOK,
    )
)


def as_view(told: View | LoggedView) -> View:
    """The view that a value or a log stands for."""
    if isinstance(told, View):
        return told
    view = vnodes.sharded((one, token) for token, one in told.ring)
    for one, now in told.commands:
        if isinstance(one, commands.BeginMigration | commands.EndMigration):
            owner = vnodes.route(view, one.topic)
            view = view if owner is None else vnodes.submit_to(view, owner, one)[0]
        else:
            view = vnodes.command(view, one, now)[0]
    return view


def blanked(view: View, log: LoggedView, unread: Collection[VnodeId]) -> tuple[View, LoggedView]:
    """A view, as a value and as a log, in which some vnodes stand empty."""
    blank = {one: Metadata() for one in unread if one in view.vnodes}
    kept = tuple(pair for pair in log.commands if owner_of(view, pair[0]) not in blank)
    return replace(view, vnodes=view.vnodes.update(blank)), replace(log, commands=kept)


def owner_of(view: View, command: Command) -> VnodeId | None:
    """The vnode that a command goes to."""
    if isinstance(command, commands.BeginMigration | commands.EndMigration):
        return vnodes.route(view, command.topic)
    topic = vnodes.topic_of(command)
    return None if topic is None else vnodes.route(view, topic)
