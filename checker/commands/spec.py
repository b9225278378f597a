"""`malachi-model spec`: the chapters and clauses, read on a terminal."""

import sys
from collections.abc import Iterator, Sequence
from typing import Literal

import click

from checker.commands.exits import CommandError
from checker.commands.output import is_watched, say, write_json
from checker.lookup import PAGES, Found, UnknownNameError, find_all, names
from spec.clauses import Clause, clauses

Form = Literal["text", "json", "markdown", "html"]

WIDEST = 100
"""Longer lines are hard to read."""


@click.command("spec")
@click.argument("wanted", nargs=-1, metavar="[NAME...]")
@click.option("--trace", "is_trace", is_flag=True, help="Code, tests, laws and defects of each.")
@click.option(
    "--properties",
    "is_kept",
    is_flag=True,
    help="What keeps each property: laws of states, laws of steps, goals, or tests.",
)
@click.option(
    "--break",
    "is_break",
    is_flag=True,
    help="Look for a mutant that breaks each clause without one, and list it.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "html"]),
    default="text",
    show_default=True,
    help="Text for people, or one JSON object; Markdown and HTML are forms of --trace.",
)
def spec_command(
    wanted: tuple[str, ...], form: Form, *, is_trace: bool, is_break: bool, is_kept: bool
) -> int:
    """Show what the specification says of each NAME.

    NAME is a chapter (rolling), a clause (ROL-7), a property (S5), a function of the source
    (record_seal, awaiting_fence?), a command to the control plane, the word of a reply
    (already_sealed), or any word of a clause (latch) in any form. Several words (sealed segments)
    are looked for together: the clauses that have most of them, the nearest first. Without one,
    the chapters and the names are listed. --trace needs a checkout, and fails where a clause has
    no code, no test, or nothing that breaks it.
    """
    if is_kept:
        from checker.commands.trace import keep_properties  # noqa: PLC0415 - as below

        return keep_properties(wanted, form)
    if is_trace or is_break:
        # Only here: reading a chapter needs neither worlds nor mutants.
        from checker.commands.trace import break_clauses, trace_clauses  # noqa: PLC0415

        return break_clauses(wanted) if is_break else trace_clauses(wanted, form)
    if form in {"markdown", "html"}:
        raise CommandError(f"--format {form} is a form of --trace: add it")
    found = found_by(wanted)
    if form == "json":
        content = {"found": [as_json(each) for each in found], "names": list(names())}
        write_json("spec", content)
        return 0
    show("\n\n".join(text_of(each) for each in found) if found else contents())
    return 0


def found_by(wanted: Sequence[str]) -> tuple[Found, ...]:
    """What some names lead to; a name that leads nowhere is the user's error."""
    try:
        return find_all(wanted)
    except UnknownNameError as error:
        raise CommandError(str(error)) from None


def contents() -> str:
    """The pages, each with its number of clauses, and the names that clauses speak of."""
    lines = ["# The specification", ""]
    for name in PAGES:
        count = sum(clause.chapter == name for clause in clauses())
        lines.append(f"- `{name}`" + (f": {count} clauses" if count else ""))
    for kind in ("functions", "commands", "replies"):
        named = sorted({each for clause in clauses() for each in getattr(clause, kind)})
        lines += ["", f"{kind.capitalize()}: {_listed(named)}."]
    told = "`malachi-model spec NAME` shows a page, a clause, or what is said of a name or a word."
    return "\n".join([*lines, "", told])


def text_of(found: Found) -> str:
    """What was found, as Markdown."""
    if found.kind == "page":
        return found.text.strip()
    return "\n\n".join(_sections(found))


def _sections(found: Found) -> Iterator[str]:
    if found.kind != "clause":
        yield f"# {found.kind} `{found.name}`"
        if found.text:
            yield found.text
    for clause in found.clauses:
        yield from clause_sections(clause)


def clause_sections(clause: Clause) -> Iterator[str]:
    """A clause, as the paragraphs of a page."""
    yield f"## {clause.id} {clause.title}"
    yield clause.sentence
    if clause.why:
        yield clause.why
    trailers = (
        ("Functions", clause.functions),
        ("Commands", clause.commands),
        ("Replies", clause.replies),
        ("Properties", clause.properties),
    )
    said = " ".join(f"{name}: {_listed(words)}." for name, words in trailers if words)
    yield f"{said} Chapter: {clause.chapter}.".strip()


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)


def show(text: str) -> None:
    """Formatted on a terminal, as it is written in a pipe."""
    if not is_watched():
        say(text)
        return
    # Only here: whatever needs no formatting starts without it.
    from rich.console import Console  # noqa: PLC0415
    from rich.markdown import Markdown  # noqa: PLC0415

    console = Console(file=sys.stdout)
    console.print(Markdown(text), width=min(console.width, WIDEST))


def as_json(found: Found) -> dict[str, object]:
    """What was found, for programs."""
    return {
        "name": found.name,
        "kind": found.kind,
        "text": found.text,
        "clauses": [clause_json(each) for each in found.clauses],
    }


def clause_json(clause: Clause) -> dict[str, object]:
    """A clause for programs."""
    return {
        "id": clause.id,
        "title": clause.title,
        "sentence": clause.sentence,
        "why": clause.why,
        "chapter": clause.chapter,
        "functions": list(clause.functions),
        "commands": list(clause.commands),
        "replies": list(clause.replies),
        "properties": list(clause.properties),
    }
