"""The figures of one race as a table for a terminal."""

from collections.abc import Mapping, Sequence

COLUMNS = {
    "states": "{:,}",
    "transitions": "{:,}",
    "seconds": "{:.2f}",
    "cpu s": "{:.2f}",
    "states/s": "{:,.0f}",
    "peak MB": "{:,.0f}",
    "to ours": "{:.1f}",
    "runs": "{}",
    "build s": "{:.1f}",
}
"""How a figure is written, in the order of the columns."""


def shown(title: str, rows: Sequence[Mapping[str, object]]) -> str:
    """Lay out the rows; a row without figures shows its note in their place."""
    cells = [["", *COLUMNS]]
    cells += [[str(row["name"]), *_figures(row)] for row in rows if "seconds" in row]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    widths[0] = max(len(str(row["name"])) for row in rows)
    figures = {line[0]: line for line in cells[1:]}
    lines = [title, _line(cells[0], widths)]
    for row in rows:
        name = str(row["name"])
        if name in figures:
            lines.append(_line(figures[name], widths))
        if row["note"]:
            lines.append(f"{name:<{widths[0]}}  {_first_line(row['note'])}")
    return "\n".join(lines) + "\n"


def _figures(row: Mapping[str, object]) -> list[str]:
    return [
        "-" if row.get(name) is None else form.format(row[name]) for name, form in COLUMNS.items()
    ]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    name = f"{cells[0]:<{widths[0]}}"
    return "  ".join([name, *(f"{c:>{w}}" for c, w in zip(cells[1:], widths[1:], strict=True))])


def _first_line(note: object) -> str:
    return str(note).strip().splitlines()[0]
