"""`malachi-model conform history`: what clients of a running cluster saw, judged from outside."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from checker.commands.exits import CommandError, Exit, worst
from checker.commands.output import say
from checker.conform.histories.events import HistoryError, events
from checker.conform.histories.judging import UnopenedError, Verdict, judge
from checker.conform.histories.streams import Kind
from checker.replay.terms import printable
from spec.clauses import sentence_of

TOLD = 10
"""So many anomalies of a kind are told one by one."""
CLAUSES: Mapping[Kind, str] = {
    "lost": "ROL-35",
    "duplicated": "RDG-14",
    "reordered": "RDG-14",
    "phantom": "RDG-35",
    "position": "RFR-33",
}
"""What each kind of anomaly breaks."""


@click.command("history")
@click.argument("path", type=click.Path(path_type=Path))
def history(path: Path) -> int:
    """Judge a history of clients: lost, duplicated, reordered and phantom records.

    PATH holds a line of JSON for each call of a client and for each answer;
    checker/conform/histories/README.md and `malachi-model schema history` say how.
    """
    try:
        verdict = judge(events(path))
    except UnopenedError as error:
        raise CommandError(f"{path}, {error}") from None
    except HistoryError as error:
        raise CommandError(str(error)) from None
    for line in told(verdict):
        say(printable(line))
    if verdict.cut:
        raise CommandError(verdict.cut, worst([exit_of(verdict), Exit.USAGE]))
    return exit_of(verdict)


def told(verdict: Verdict) -> Iterator[str]:
    """What came of it, for people."""
    counts = Counter(each.kind for each in verdict.anomalies)
    seen: Counter[Kind] = Counter()
    for each in verdict.anomalies:
        seen[each.kind] += 1
        if seen[each.kind] <= TOLD:
            yield f"line {each.line}: {each.kind}: {each.text}"
    for kind, count in sorted(counts.items()):
        if count > TOLD:
            yield f"and {count - TOLD:,} more {kind}"
        yield f"{kind} breaks {CLAUSES[kind]}: {sentence_of(CLAUSES[kind])}"
    if verdict.unplaced:
        pages = "page begins at a cursor" if verdict.unplaced == 1 else "pages begin at cursors"
        yield f"{verdict.unplaced:,} {pages} that nobody had been answered"
    if verdict.unread:
        records = "record was" if verdict.unread == 1 else "records were"
        yield f"{verdict.unread:,} acknowledged {records} never read: nobody read to the end"
    found = ", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items()))
    yield (
        f"{verdict.events:,} events: {verdict.produced:,} records sent, "
        f"{verdict.delivered:,} delivered; {found or 'no anomaly'}"
    )


def exit_of(verdict: Verdict) -> Exit:
    """The exit code for it."""
    if verdict.anomalies:
        return Exit.BROKEN
    if not verdict.produced and not verdict.delivered:
        return Exit.NOTHING
    return Exit.UNDETERMINED if verdict.unread else Exit.OK
