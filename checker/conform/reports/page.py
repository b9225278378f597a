"""A run as one page of HTML that needs nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from checker.conform.known import Weighed
from checker.conform.operations import PROFILES
from checker.conform.outcomes import brief
from checker.conform.recorder import Line
from checker.conform.reports.summary import Summary, counted_line, reproduction
from checker.conform.reports.terminal import story
from spec.clauses import sentence_of

LAST = 40
"""So many messages before the first one that departs are drawn."""
WIDTH = 300


@dataclass(frozen=True, slots=True)
class Arrow:
    """A message in a sequence diagram."""

    is_from_harness: bool
    kind: str
    text: str
    is_wrong: bool


def html(summary: Summary) -> str:
    """The page. Whatever an adapter said stands in it as text."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("checker.conform.reports").joinpath("page.html.jinja").read_text("utf-8")
    return environment.from_string(source).render(
        summary=summary,
        counted=counted_line(summary),
        profiles=PROFILES,
        matrix=list(matrix(summary)),
        wrong=[details(summary, each) for each in summary.weighed if not each.is_expected],
    )


def matrix(summary: Summary) -> Iterator[tuple[str, str, list[str]]]:
    """A row for each scenario: its id, its outcome, and where it counts."""
    for weighed in summary.weighed:
        counts = weighed.result.scenario.spoken_for
        yield (
            weighed.result.scenario.id,
            weighed.result.outcome,
            [weighed.result.level or "-" if one in counts else "" for one in PROFILES],
        )


def details(summary: Summary, weighed: Weighed) -> dict[str, object]:
    """All that is told of a result that is not as expected."""
    result = weighed.result
    finding = result.finding
    return {
        "id": result.scenario.id,
        "about": result.scenario.about,
        "complaint": weighed.complaint,
        "note": result.note,
        "again": reproduction(summary.command, weighed),
        "steps": list(story(result.steps)),
        "text": "" if finding is None else f"{finding.op}: {finding.text}",
        "clause": "" if finding is None else finding.clause,
        "sentence": sentence_of(finding.clause) if finding and finding.clause else "",
        "observed": "" if finding is None or finding.observed is None else brief(finding.observed),
        "allowed": [] if finding is None else [brief(each) for each in finding.allowed],
        "places": []
        if finding is None
        else [(each.path, brief(each.before), brief(each.after)) for each in finding.places],
        "arrows": list(arrows(result.lines)),
        "complaints": result.complaints.decode(errors="replace"),
    }


def arrows(lines: Sequence[Line]) -> Iterator[Arrow]:
    """The last messages, the one that departs last; what the harness says after it is left out."""
    said = [line for line in lines if line[1].get("type") not in {"reset", "ready"}]
    while said and said[-1][0] == ">":
        said.pop()
    for at, (who, message) in enumerate(said[-LAST:], 1):
        text = brief({name: each for name, each in message.items() if name != "type"})
        shortened = text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."
        is_last = at == min(LAST, len(said))
        yield Arrow(who == ">", str(message.get("type")), shortened, is_last)
