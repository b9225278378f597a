"""The state that an adapter shows, beside the states that the reference may be in."""

from collections.abc import Sequence
from dataclasses import replace

from immutables import Map

from checker.conform.messages import Capabilities
from checker.conform.operations import Operation
from checker.conform.state import PARTS, State, StateReader, state_of, written
from checker.replay.terms import Term
from reference.controlplane import Metadata
from reference.frontend import Frontend


class Showing:
    """Compares states, but for what the adapter says that it cannot show."""

    def __init__(self, capabilities: Capabilities) -> None:
        opaque = set(capabilities.opaque)
        if capabilities.clock == "opaque":
            opaque.add("opened_at")
        self._hidden = tuple(name for name in PARTS if name in opaque)
        self._opaque = frozenset(opaque)
        self._reader = StateReader(opaque)

    def fitting(
        self, fronts: Sequence[Frontend], term: Term
    ) -> tuple[tuple[Frontend, ...], State | None]:
        """The frontends whose state this is; where there is none, the state that was shown."""
        # Terms are written one way, so mostly they are the same, and nothing has to be read.
        if not self._opaque and written(state_of(fronts[0])) == term:
            return (fronts[0],), None
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
        return replace(operation, settle=self._settled_view)

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
