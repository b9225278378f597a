"""Changes of a world of restarts that have no number, each for the law that notices it."""

from dataclasses import dataclass

from checker.world.recovering.rules import Rules
from checker.world.sharing import rules as sharing
from reference import store
from reference.store import Log
from spec.replies import Appended, Sealed
from spec.vocabulary import Offset, Record


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change, and the law that notices it."""

    law: str
    rules: Rules
    scope: str = "recover"


def answer_zero(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """A store that gives each batch the offset 0."""
    stored, reply = store.append(log, records)
    return stored, Appended(Offset(0)) if isinstance(reply, Appended) else reply


MUTANTS = (
    Mutant(
        "no_two_acknowledged_batches_share_an_offset",
        Rules(shared=sharing.Rules(append=answer_zero)),
    ),
)
