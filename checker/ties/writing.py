"""The table of ties as text, JSON, Markdown and HTML."""

from collections.abc import Sequence
from html import escape

from checker.citing import Place
from checker.ties.table import Row

STYLE = ":root{color-scheme:light dark}td,th{text-align:left;vertical-align:top}"
HEAD = ("clause", "code", "tests", "laws", "broken by")


def cells(row: Row) -> tuple[str, *tuple[tuple[str, ...], ...]]:
    """What stands in the columns of a row."""
    return (
        f"{row.clause.id} {row.clause.title}",
        tuple(place.text() for place in row.code),
        tuple(f"{place.file}:{place.line}: {place.function}" for place in row.tests),
        tuple(place.function for place in row.laws),
        row.broken_by,
    )


def as_text(table: Sequence[Row], holes: Sequence[str]) -> str:
    """Lines for a terminal: a clause, and below it what it is tied to."""
    lines: list[str] = []
    for row in table:
        title, *columns = cells(row)
        lines.append(title)
        for name, found in zip(HEAD[1:], columns, strict=True):
            lines += [f"  {name:<10}{each}" for each in found] or [f"  {name:<10}-"]
    return "\n".join([*lines, "", *holes, summary(table, holes)])


def summary(table: Sequence[Row], holes: Sequence[str]) -> str:
    """How much there is."""
    defects = sum(bool(row.defects) for row in table)
    word = "hole" if len(holes) == 1 else "holes"
    return (
        f"{len(table)} clauses, {defects} broken by named defects, "
        f"{sum(row.mutant is not None for row in table)} by mutants; {len(holes)} {word}"
    )


def as_markdown(table: Sequence[Row], holes: Sequence[str]) -> str:
    """A table."""
    lines = [f"| {' | '.join(HEAD)} |", f"|{' --- |' * len(HEAD)}"]
    for row in table:
        title, *columns = cells(row)
        shown = ["<br>".join(f"`{each}`" for each in found) or "-" for found in columns]
        lines.append(f"| {' | '.join([title, *shown])} |")
    return "\n".join([*lines, "", *(f"- {hole}" for hole in holes), summary(table, holes)])


def as_html(table: Sequence[Row], holes: Sequence[str]) -> str:
    """A page of its own, with nothing but the table."""
    head = "".join(f'<th scope="col">{name}</th>' for name in HEAD)
    body = []
    for row in table:
        title, *columns = cells(row)
        shown = ["<br>".join(map(escape, found)) or "-" for found in columns]
        data = "".join(f"<td>{each}</td>" for each in shown)
        body.append(f'<tr id="{row.clause.id}"><th scope="row">{escape(title)}</th>{data}</tr>')
    listed = "".join(f"<li>{escape(hole)}</li>" for hole in holes)
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Traceability</title>',
            f"<style>{STYLE}</style>",
            f"<p>{escape(summary(table, holes))}</p><ul>{listed}</ul>",
            f"<table><thead><tr>{head}</tr></thead><tbody>",
            *body,
            "</tbody></table></html>",
        ]
    )


def as_json(table: Sequence[Row], holes: Sequence[str]) -> dict[str, object]:
    """One object for programs."""
    return {
        "clauses": [
            {
                "id": row.clause.id,
                "title": row.clause.title,
                "code": [place_json(place) for place in row.code],
                "tests": [place_json(place) for place in row.tests],
                "laws": [place_json(place) for place in row.laws],
                "defects": list(row.defects),
                "mutant": None
                if row.mutant is None
                else {
                    "name": row.mutant.mutant,
                    "change": row.mutant.change,
                    "test": row.mutant.test,
                },
            }
            for row in table
        ],
        "holes": list(holes),
    }


def place_json(place: Place) -> dict[str, object]:
    """A function, and where it stands."""
    return {"file": place.file, "line": place.line, "function": place.function}
