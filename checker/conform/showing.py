"""The state that an adapter shows, beside the states that the reference may be in."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from immutables import Map

from checker.conform.lines import text_of
from checker.conform.messages import Capabilities, Message
from checker.conform.operations import Operation
from checker.conform.recalling import Recalled
from checker.conform.state import PARTS, State, StateReader, state_of, written, written_text
from checker.conform.transports.channel import Due
from checker.replay.terms import Term
from reference.controlplane import Metadata
from reference.frontend import Frontend


class Shown(Due):
    """A message that shows the state of a frontend: a snapshot, or a reply that comes with it."""

    def __init__(
        self, before: Message, name: str, front: Frontend, look_ahead: Callable[[], object]
    ) -> None:
        super().__init__({**before, name: written(front)})
        self._before, self._name, self._front = before, name, front
        self._look_ahead = look_ahead

    def line(self) -> bytes:
        """How we would write it: the parts of the state were mostly written before."""
        before, text = text_of(self._before)[:-1], written_text(self._front)
        return b'%b,"%b":%b}\n' % (before, self._name.encode(), text)

    def look_ahead(self) -> None:
        """Work out what the next call will need."""
        self._look_ahead()


class Showing:
    """Compares states, but for what the adapter says that it cannot show."""

    def __init__(self, capabilities: Capabilities) -> None:
        opaque = set(capabilities.opaque)
        if capabilities.clock == "opaque":
            opaque.add("opened_at")
        self._hidden = tuple(name for name in PARTS if name in opaque)
        self._opaque = frozenset(opaque)
        self._reader = StateReader(opaque)
        self._settled: Recalled[Operation] = Recalled(
            lambda one: replace(one, settle=self._settled_view)
        )

    def due(
        self, before: Message, name: str, front: Frontend, look_ahead: Callable[[], object]
    ) -> Shown | None:
        """The message that shows a frontend, as it should come; none where some part cannot be."""
        return None if self._opaque else Shown(before, name, front, look_ahead)

    def fitting(self, fronts: Sequence[Frontend], term: Term) -> tuple[tuple[Frontend, ...], State]:
        """The frontends whose state this is, and the state."""
        observed = self.read(term)
        found = tuple(front for front in fronts if self.shown(front) == observed)
        return found, observed

    def shown(self, front: Frontend) -> State:
        """A frontend's state, as far as it is compared."""
        return self._masked(state_of(front))

    def settled(self, operation: Operation) -> Operation:
        """The call, with a reply that shows a view compared as far as the adapter can show one."""
        if operation.name != "metadata" or not self._opaque:
            return operation
        return self._settled(operation)

    def _settled_view(self, reply: object) -> object:
        return self._view(reply) if isinstance(reply, Metadata) else reply

    def read(self, term: Term) -> State:
        """What was shown, as far as it is compared. Raises MalformedError."""
        parts = self._reader.read(term)
        hidden = dict.fromkeys(self._hidden)
        return self._masked(State(**{**parts, **hidden}))  # type: ignore[arg-type] # by their codecs

    def _masked(self, state: State) -> State:
        if not self._opaque:
            return state
        hidden = dict.fromkeys(self._hidden)
        masked = replace(state, **hidden)  # type: ignore[arg-type] # hidden on both sides alike
        if "view" in self._opaque:
            return masked
        return replace(masked, view=self._view(masked.view))

    def _view(self, view: Metadata) -> Metadata:
        if "migrating" in self._opaque:
            view = replace(view, migrating=frozenset())
        if "opened_at" in self._opaque:
            view = replace(
                view,
                segments=Map(
                    (one, replace(segment, opened_at=None))
                    for one, segment in view.segments.items()
                ),
            )
        return view
