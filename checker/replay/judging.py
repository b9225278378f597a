"""One call, run by the reference and compared with what was recorded of it."""

from dataclasses import dataclass

from checker.replay import recorded
from checker.replay.arguments import Arguments
from checker.replay.calls.table import entry_of
from checker.replay.comparing import Difference, differences
from checker.replay.effects import Effects
from checker.replay.faults import faults
from checker.replay.machine import Entry, Machine, Turn
from checker.replay.terms import MalformedError, Term
from checker.replay.trace import Call
from reference.frontend import Frontend


@dataclass(slots=True)
class Seen:
    """The control plane and the store as they were shown last."""

    authority: Term = None
    store: Term = None
    agreed: tuple[Term, Term] = (None, None)
    """The terms of both that were found to be as shown, until something new is shown."""

    def update(self, call: Call) -> None:
        """Take over what a line shows. The first line shows both."""
        if call.authority is not None:
            self.authority, self.agreed = call.authority, (None, None)
        if call.store is not None:
            self.store, self.agreed = call.store, (None, None)
        if self.authority is None:
            raise MalformedError("authority is missing in the first call")
        if self.store is None:
            raise MalformedError("store is missing in the first call")

    def is_as_shown(self, authority: Term, store: Term) -> bool:
        """Whether both are as they were shown. The same terms are not compared again."""
        if authority is self.agreed[0] and store is self.agreed[1]:
            return True
        if authority != self.authority or store != self.store:
            return False
        self.agreed = authority, store
        return True


def judge(machine: Machine, call: Call, seen: Seen) -> tuple[Difference, ...]:
    """Every difference of a call. Where there is one, the machine goes on as it was recorded."""
    entry = entry_of(call.call)
    entry.check(call.args)
    seen.update(call)
    script = faults(call.args["fault"]) if "fault" in call.args else {}
    effects = Effects(machine.world, call.effects, script, call.has_flags)
    reply = run(entry, Turn(machine, call.frontend, Arguments(call.args), effects))
    state, authority, store = shown_after(machine, call.frontend)
    found = [*effects.differences, *effects.left_over()]
    if (
        not found
        and not call.has_flags
        and type(reply) is type(call.reply)
        and reply == call.reply
        and state == call.state
        and seen.is_as_shown(authority, store)
    ):
        return ()
    found += differences("reply", reply, call.reply)
    found += differences("state", state, call.state)
    found += differences("authority", authority, seen.authority)
    found += differences("store", store, seen.store)
    if found:
        go_on_as_recorded(machine, call, seen)
    return tuple(found)


def run(entry: Entry, turn: Turn) -> Term:
    """The reply. The reference raises for no recorded call, so an exception is one that differs."""
    try:
        return entry.run(turn)
    except MalformedError:
        raise
    except Exception as error:  # noqa: BLE001 # whatever it is, the other calls are still judged
        return {"raise": f"{type(error).__name__} in the reference: {error}"}


def shown_after(machine: Machine, name: str) -> tuple[Term, Term, Term]:
    """What a recording shows of a frontend, the control plane and the store."""
    front = machine.frontends.get(name)
    return (
        None if front is None else machine.shown.state(front),
        machine.shown.view(machine.world.authority),
        machine.shown.store(machine.world.store),
    )


def go_on_as_recorded(machine: Machine, call: Call, seen: Seen) -> None:
    """Give the machine what was recorded, wherever it holds something else."""
    world = machine.world
    state, authority, store = shown_after(machine, call.frontend)
    # A frontend whose state is not shown goes on with its own.
    if call.state is not None and (state != call.state or call.has_flags):
        held = machine.frontends.get(call.frontend)
        running = held or Frontend(machine.options(call.frontend), machine.empty)
        machine.frontends[call.frontend] = recorded.frontend(call.state, running)
    if authority != seen.authority or call.has_flags:
        world.authority = recorded.view(seen.authority, world.authority, "authority")
    if store != seen.store or call.has_flags:
        world.store = recorded.store(seen.store, world.store)
