"""The table of ties: each clause with its code, tests, laws and what breaks it; and its holes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from checker.citing import Place
from checker.lookup import properties
from checker.ties import breaking
from checker.ties.breaking import Broken
from checker.ties.gathering import (
    ROOT,
    by_code,
    by_laws,
    by_tests,
    cited_anywhere,
    needs_checkout,
)
from spec.clauses import Clause, clauses
from spec.commands import Command, OtherCommand
from spec.replies import Refusal

FUNCTIONS = (
    *("active_range_ids", "active_roll", "adopt_offsets", "apply_heal", "apply_heal_reply"),
    *("bind_topic_policy", "commit_offset", "committed_offsets", "create_topic"),
    *("delete_segment", "domain_violations", "drop_stale_active_segments", "due_rolls"),
    *("fences_to_send", "forget_fence", "forget_sealed", "is_awaiting_fence", "is_unrecovered"),
    *("journal", "merge_ranges", "metadata", "open", "produce", "produce_plan", "put_cache"),
    *("range_awaiting_fence", "read", "read_consume", "read_history", "record_fence"),
    *("record_seal", "replay_journal", "request_rolls", "seed_range_state"),
    *("seed_unrecovered_range", "set_broker_attributes", "set_brokers", "split_range"),
    *("stream_history", "take_journal", "topic_policy_name", "topics_bound_to"),
)
"""Those of a frontend; one of them, domain_violations, has two forms, which makes 43."""


@dataclass(frozen=True, slots=True)
class Row:
    """A clause, and all that it is tied to."""

    clause: Clause
    code: tuple[Place, ...]
    tests: tuple[Place, ...]
    laws: tuple[Place, ...]
    defects: tuple[str, ...]
    """The named defects that break it."""
    mutant: Broken | None
    """The mutant that breaks it, where no named defect does."""

    @property
    def broken_by(self) -> tuple[str, ...]:
        """What breaks it, by name."""
        return self.defects + (() if self.mutant is None else (self.mutant.mutant,))

    def holes(self) -> Iterator[str]:
        """What is missing, a line for each."""
        if not self.code:
            yield f"{self.clause.id}: no code cites it"
        if not self.tests:
            yield f"{self.clause.id}: no test cites it"
        if not self.broken_by:
            yield f"{self.clause.id}: no defect and no listed mutant breaks it"


def rows(root: Path = ROOT) -> tuple[Row, ...]:
    """A row for each clause, in reading order. Raises `NoCheckoutError` where tests are missing."""
    needs_checkout("spec --trace", root)
    code, tests, laws = by_code(root), by_tests(root), by_laws(root)
    defects, mutants = breaking.by_defects(), {each.clause: each for each in breaking.listed()}
    return tuple(
        Row(
            clause,
            code.get(clause.id, ()),
            tests.get(clause.id, ()),
            laws.get(clause.id, ()),
            defects.get(clause.id, ()),
            mutants.get(clause.id),
        )
        for clause in clauses()
    )


def holes(table: tuple[Row, ...], root: Path = ROOT) -> tuple[str, ...]:
    """Everything that is not tied, a line for each."""
    return (
        *(hole for row in table for hole in row.holes()),
        *unwritten(cited_anywhere(root), {row.clause.id for row in table}),
        *uncovered(tuple(row.clause for row in table)),
        *breaking.problems(root),
    )


def unwritten(cited: Mapping[str, str], written: set[str]) -> Iterator[str]:
    """The ids that are cited and stand in no chapter."""
    for each in sorted(cited.keys() - written):
        yield f"{each}: cited in {cited[each]}, and written in no chapter"


def uncovered(told: tuple[Clause, ...]) -> Iterator[str]:
    """The properties, functions, commands and errors that no clause speaks of."""
    tags = [each.tag for each in get_args(Command) if each is not OtherCommand]
    for kind, names, spoken in (
        ("property", list(properties()), {each for c in told for each in c.properties}),
        ("function", list(FUNCTIONS), {each for c in told for each in c.functions}),
        ("command", tags, {each for c in told for each in c.commands}),
        ("reply", sorted(set(refusals())), {each for c in told for each in c.replies}),
    ):
        for name in names:
            if name not in spoken:
                yield f"{name}: no clause speaks of this {kind}"


def refusals(kind: type[Refusal] = Refusal) -> Iterator[str]:
    """The words of all the errors."""
    for each in kind.__subclasses__():
        yield each.name
        yield from refusals(each)
