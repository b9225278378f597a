"""`malachi-model scopes`: the worlds that can be searched."""

import click

from checker.commands.output import Format, format_option, say, write_json
from checker.world.kinds import Level, Scope
from checker.world.scopes import SCOPES

MARKS: dict[Level | None, str] = {
    Level.QUICK: "*",
    Level.DEEP: "+",
    Level.EXHAUSTIVE: "x",
    None: " ",
}


@click.command()
@format_option
def scopes(form: Format) -> None:
    """List the scopes, with the exact size of each."""
    if form == "json":
        write_json("scopes", {"scopes": [described(scope) for scope in SCOPES]})
        return
    width = max(len(scope.name) for scope in SCOPES)
    for scope in SCOPES:
        marks = MARKS[scope.level] + "s" * bool(scope.build().symmetries) + "d" * is_symbolic(scope)
        say(f"{marks:<2} {scope.name:<{width}}  {size_of(scope)}  {scope.sentence}")
    say("* searched by a bare `malachi-model check`, + with --deep too, x with --exhaustive too")
    say(
        "s has symmetries: it goes with --symmetry; d goes with --data symbolic; --reduction leaves"
        " nothing out in any of these"
    )


def is_symbolic(scope: Scope) -> bool:
    """Whether a scope can be searched with unknown integers."""
    from checker.symbolic.offered import refusal  # noqa: PLC0415 - the solver is slow to import

    return refusal(scope) is None


def size_of(scope: Scope) -> str:
    """The pinned size of a scope, as a column."""
    if scope.size is None:
        return f"{'size not known':>38}"
    size = scope.size
    return f"{size.states:>12,} states {size.transitions:>12,} steps, depth {size.depth:>2}"


def described(scope: Scope) -> dict[str, object]:
    """A scope for the JSON listing."""
    size = scope.size
    return {
        "name": scope.name,
        "sentence": scope.sentence,
        "default": scope.is_searched_at(Level.QUICK),
        "level": scope.level,
        "needs": dict(scope.needs),
        "symmetries": [symmetry.name for symmetry in scope.build().symmetries],
        "symbolic": is_symbolic(scope),
        "states": None if size is None else size.states,
        "transitions": None if size is None else size.transitions,
        "depth": None if size is None else size.depth,
    }
