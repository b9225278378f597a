"""A run as JUnit writes it."""

from pathlib import Path

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from checker.conform.known import Weighed
from checker.conform.reports.summary import Summary
from checker.conform.reports.terminal import told


def write(summary: Summary, path: Path) -> None:
    """Write the file."""
    suite = TestSuite("malachi-model conform")
    suite.add_property("implementation", clean(summary.implementation))
    suite.add_property("level", summary.level)
    suite.add_property("claim", summary.claim)
    suite.add_property("whole", str(summary.is_whole).lower())
    if summary.interruption:
        suite.add_property("interrupted", summary.interruption)
    for weighed in summary.weighed:
        suite.add_testcase(case_of(weighed))
    xml = JUnitXml()
    xml.add_testsuite(suite)
    xml.write(str(path), pretty=True)


def case_of(weighed: Weighed) -> TestCase:
    """One result."""
    result = weighed.result
    case = TestCase(result.scenario.id, classname="+".join(result.scenario.spoken_for), time=0)
    said = "\n".join(clean(line) for line in told(weighed))
    if weighed.is_expected and weighed.known is not None:
        case.result = [Skipped(clean(f"known: {weighed.known.reason} ({weighed.known.issue})"))]
    elif result.outcome == "unsupported":
        case.result = [Skipped(clean(result.note))]
    elif result.outcome.startswith("error/"):
        case.result = [with_text(Error(weighed.complaint, result.outcome), said)]
    elif not weighed.is_expected:
        case.result = [with_text(Failure(clean(weighed.complaint), result.outcome), said)]
    return case


def with_text(entry: Error | Failure, text: str) -> Error | Failure:
    """An entry with its text."""
    entry.text = text
    return entry


def clean(text: str) -> str:
    """A text without the characters that XML does not know."""
    return "".join(one if one.isprintable() or one in "\n\t" else "?" for one in text)
