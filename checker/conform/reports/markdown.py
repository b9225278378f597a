"""A run for the summary of a CI, and as annotations of GitHub."""

import re
from collections.abc import Iterator

from checker.conform.known import Weighed
from checker.conform.reports.summary import Summary, counted_line

ANNOTATIONS = 10
"""So many of a kind does GitHub show."""
SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~])")


def lines(summary: Summary) -> Iterator[str]:
    """The page."""
    verdict = "as expected" if summary.exit == 0 else f"exit code {int(summary.exit)}"
    yield f"## Conformance: {escaped(summary.implementation)}, {verdict}"
    yield ""
    yield f"{escaped(counted_line(summary))}."
    yield ""
    if summary.interruption:
        yield f"**The run was {summary.interruption}.**"
        yield ""
    yield f"Claim: **{escaped(summary.claim)}**"
    wrong = [each for each in summary.weighed if not each.is_expected]
    if wrong:
        yield ""
        yield "| scenario | outcome | clause | what happened |"
        yield "| --- | --- | --- | --- |"
        for each in wrong:
            yield row(each)


def row(weighed: Weighed) -> str:
    """One result that is not as expected."""
    finding = weighed.result.finding
    clause = "" if finding is None else finding.clause
    said = weighed.result.note if finding is None else f"{finding.op}: {finding.text}"
    cells = (weighed.result.scenario.id, weighed.complaint, clause, said)
    return f"| {' | '.join(escaped(cell) for cell in cells)} |"


def annotations(summary: Summary) -> Iterator[str]:
    """Commands that GitHub turns into annotations."""
    kinds: dict[str, int] = {}
    for weighed in summary.weighed:
        if weighed.is_expected:
            continue
        kind = "warning" if weighed.result.outcome == "unsupported" else "error"
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] <= ANNOTATIONS:
            finding = weighed.result.finding
            said = weighed.result.note if finding is None else f"{finding.op}: {finding.text}"
            title = f"{weighed.result.scenario.id}: {weighed.complaint}"
            yield f"::{kind} title={property_of(title)}::{data_of(said)}"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def data_of(text: str) -> str:
    """Text of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def property_of(text: str) -> str:
    """Text of a command's property."""
    return data_of(text).replace(":", "%3A").replace(",", "%2C")
