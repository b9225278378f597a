"""What becomes of a batch beside the usual: its frontend restarts, its segment expires."""

from dataclasses import dataclass

from spec.vocabulary import Dispatch


@dataclass(frozen=True, slots=True)
class Orphan:
    """A batch on its way whose frontend has restarted: nobody waits for the answer."""

    dispatch: Dispatch
