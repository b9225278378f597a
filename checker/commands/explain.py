"""`malachi-model explain`: a law, a defect or a finding, from its sentence to its story."""

from collections.abc import Iterator
from io import StringIO
from itertools import pairwise
from typing import Literal

import click

from checker.citing import Place
from checker.commands.defects import pin_of as pin_of_defect
from checker.commands.exits import CommandError, Exit
from checker.commands.findings import pin_of as pin_of_finding
from checker.commands.output import is_watched, say, write_json
from checker.commands.pinned import Pin, scope_of, search_pinned
from checker.commands.reports import shown_by, trace_json
from checker.commands.telling import Row, Told, markdown, plain
from checker.differences import differences, shown
from checker.explaining import Explanation, explanation_of, known_names, laws_about
from checker.mermaid import sequence_diagram
from checker.nearest import unknown
from checker.scene import scene_of
from checker.search.report import Trace
from checker.world.kinds import Defect
from spec.clauses import clauses

Form = Literal["text", "json", "mermaid", "markdown"]


@click.command()
@click.argument("name")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "mermaid", "markdown"]),
    default="text",
    show_default=True,
    help="Text for people, one JSON object, the sequence diagram alone, or a page with all of it.",
)
def explain(name: str, form: Form) -> int:
    """Explain a law, a defect or a finding: NAME as the other commands print it.

    Of a clause that one law alone is about, that law.

    The clause that it is about, the functions that keep it, the change that breaks it, and the
    shortest counterexample as a story and as a sequence diagram in Mermaid.
    """
    found = explanation_of(name) or only_law_about(name)
    if found is None:
        raise nothing_named(name)
    pin = pin_of(found)
    searched = None if pin is None else search_pinned([pin])
    caught = searched.caught[0] if searched is not None and searched.caught else None
    told = told_of(found, pin, None if caught is None else caught.trace)
    match form:
        case "json":
            write_json("explain", as_json(found, pin, told))
        case "mermaid":
            say(told.diagram, nl=False)
        case "markdown":
            say(markdown(found, told), nl=False)
        case "text":
            write_text(found, told)
    return Exit.OK if searched is None else searched.exit


def only_law_about(name: str) -> Explanation | None:
    """The law that a clause or a property has, where that is one."""
    about = laws_about(name)
    return explanation_of(about[0]) if len(about) == 1 else None


def nothing_named(name: str) -> CommandError:
    """An error for what cannot be explained; of a clause or a property it names the laws."""
    about, wanted = laws_about(name), name.upper()
    if not about and any(wanted == each.id or wanted in each.properties for each in clauses()):
        return CommandError(
            f"no law is about {wanted}: `malachi-model spec {wanted}` shows its text, and"
            " `malachi-model spec --trace` the code and the tests that keep it"
        )
    if about:
        return CommandError(f"{name.upper()} is judged by laws, so name one: {', '.join(about)}")
    said = unknown("law, defect or finding", name, known_names())
    if "did you mean" in said:
        return CommandError(said)
    return CommandError(
        f"{said}: `malachi-model defects` and `malachi-model findings` tell those,"
        " and `malachi-model explain CLAUSE` names the laws about a clause"
    )


def pin_of(found: Explanation) -> Pin | None:
    """What is searched for the story; none where no named change breaks the law."""
    by = found.shown_by
    if by is None:
        return None
    return pin_of_defect(by) if isinstance(by, Defect) else pin_of_finding(by)


def told_of(found: Explanation, pin: Pin | None, trace: Trace | None) -> Told:
    """The story and the diagram of a counterexample; empty where there is none."""
    if pin is None or trace is None:
        return Told()
    scope, law = scope_of(pin), trace.law
    scene = scene_of(pin.build(), trace, scope.roles)
    notes = [f"breaks {law.name} [{law.clause}]"]
    notes += [] if trace.loop is None else [f"from step {trace.loop + 1} on it goes round for ever"]
    words = f"{pin.name} {pin.title}, in the scope {pin.scope}"
    return Told(
        words=words if found.kind == "law" else f"In the scope {pin.scope}",
        steps=tuple(rows(shown_by(scope, trace))),
        loop=trace.loop,
        remark=trace.remark,
        diagram=sequence_diagram(scene, notes),
        again=f"malachi-model {pin.kind}s {pin.name}",
        trace=trace_json(shown_by(scope, trace)),
    )


def rows(trace: Trace) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """For each step its phrase, and a row for each place that it changed."""
    states = [trace.initial, *(move.parts for move in trace.moves)]
    for move, (before, after) in zip(trace.moves, pairwise(states), strict=True):
        changed = (each for name in before for each in differences(before[name], after[name], name))
        yield (
            move.label,
            tuple(Row(each.path, shown(each.before), shown(each.after)) for each in changed),
        )


def write_text(found: Explanation, told: Told) -> None:
    """All of it, with tables that are drawn where somebody is watching."""
    if not is_watched():
        say("\n".join(plain(found, told)))
        return
    from rich.console import Console  # noqa: PLC0415 - not needed in a pipe, and slow to import

    from checker.commands.drawn import drawn  # noqa: PLC0415 - see above

    content = StringIO()
    console = Console(file=content, force_terminal=True)
    for piece in drawn(found, told):
        console.print(piece)
    say(content.getvalue(), nl=False)


def as_json(found: Explanation, pin: Pin | None, told: Told) -> dict[str, object]:
    """All of it, as one object."""
    clause, law_at = found.clause, found.law_at
    return {
        "kind": found.kind,
        "name": found.name,
        "title": found.title,
        "words": found.words,
        "law": {
            "name": found.law.name,
            "clause": found.law.clause,
            "sentence": found.law.sentence,
            "at": None if law_at is None else f"{law_at.file}:{law_at.line}",
            "scopes": list(found.law.scopes),
        },
        "clause": None
        if clause is None
        else {"id": clause.id, "title": clause.title, "sentence": clause.sentence},
        "properties": [{"id": one, "sentence": said} for one, said in found.properties],
        "code": [place_json(place) for place in found.code],
        "changed": [place_json(place) for place in found.changed],
        "facts": [{"what": what, "said": said} for what, said in found.facts],
        "shown_by": None if pin is None else pin.name,
        "trace": told.trace,
        "diagram": told.diagram,
    }


def place_json(place: Place) -> dict[str, object]:
    """A function, and where it stands."""
    said = {"file": place.file, "line": place.line}
    return {**said, "function": place.function, "said": place.said}
