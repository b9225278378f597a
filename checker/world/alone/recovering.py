"""Changes of a world of restarts that have no number, each with a law that notices it."""

from checker.world.alone.nameless import Nameless
from checker.world.recovering.rules import Rules
from checker.world.recovering.scopes import built
from checker.world.sharing import rules as sharing
from reference import store
from reference.store import Log
from spec.replies import Appended, Sealed
from spec.vocabulary import Offset, Record


def answer_zero(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """A store that gives each batch the offset 0."""
    stored, reply = store.append(log, records)
    return stored, Appended(Offset(0)) if isinstance(reply, Appended) else reply


def change(
    name: str, words: str, law: str, rules: Rules, scope: str = "recover"
) -> Nameless[Rules]:
    """A change in one of these worlds."""
    return Nameless(name, words, law, rules, scope, built)


CHANGES: tuple[Nameless[Rules], ...] = (
    change(
        "answer_zero",
        "a store answers each batch as if it were the first of the range",
        "no_two_acknowledged_batches_share_an_offset",
        Rules(shared=sharing.Rules(append=answer_zero)),
    ),
)
