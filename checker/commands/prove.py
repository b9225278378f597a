"""`malachi-model prove`: whether each step keeps the laws, for every integer."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from checker.commands.exits import CommandError, Exit, unknown_name
from checker.commands.folders import own
from checker.commands.output import (
    Format,
    counted,
    format_option,
    progress_line,
    say,
    write_json,
)
from checker.commands.proved import Outcome, write_text
from checker.commands.searching import Seconds
from checker.explaining import laws as known_laws
from checker.nearest import unknown
from checker.prove import keeping
from checker.prove.known import clause_of_law, law_names
from checker.prove.named import has_rules, rules_of
from checker.prove.obligations import obligations
from checker.prove.pages import LAW_NAMES
from checker.prove.reaching import MOST_STATES, reach
from checker.prove.running import run_all
from checker.prove.shapes import TAKEN_OUT
from checker.prove.tasks import Asked, Plain
from checker.world.defects import defect_named
from checker.world.sharing.rules import REFERENCE

MOST_SEGMENTS = 8
"""For slips of the hand: shapes multiply with each."""


@click.command()
@click.argument("names", nargs=-1, metavar="[LAW...]")
@click.option(
    "--segments",
    type=click.IntRange(min=1, max=MOST_SEGMENTS),
    default=3,
    show_default=True,
    help="How many segments a range lists at most. Frontends and messages are any number.",
)
@click.option("--defect", metavar="DEFECT", help="Put a named defect into the machine first.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=300,
    show_default=True,
    help="Seconds of a processor for each step, the drawing of its shapes included; what is not"
    " decided by then is unknown.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="How many processes work at once.",
)
@click.option("--fresh", is_flag=True, help="Prove anew what was proved before.")
@click.option(
    "--list",
    "is_listed",
    is_flag=True,
    help="Prove nothing; list every law, whether it is proved, and how many scopes search it.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="LAW",
    help="Do not take this law for granted: see what rests on it. May be given several times.",
)
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=MOST_STATES,
    show_default=True,
    help="How many states of each world to search for a run that breaks a refuted law.",
)
@click.option(
    "--smtlib",
    "scripts",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write every question to the solver into this folder, for another solver.",
)
@format_option
def prove(
    names: tuple[str, ...],
    segments: int,
    defect: str | None,
    timeout: float,
    jobs: int,
    fresh: bool,
    is_listed: bool,
    without: tuple[str, ...],
    max_states: int,
    scripts: Path | None,
    form: Format,
) -> int:
    """Prove that every step keeps each LAW, or all of them, whatever the integers are.

    About 40 seconds on two cores the first time, and one once everything is proved: what was
    proved is kept until the code changes. One law takes as long, as all are proved at once.

    A step that does not is shown on a state with numbers. What the solver could not decide is
    unknown, and no proof.
    """
    if is_listed:
        list_laws(names, form)
        return Exit.OK
    laws = laws_named(names)
    asked = Asked(segments, timeout, without=taken_out(without), scripts=folder_of(scripts))
    changed = None if defect is None else rules_named(defect)
    results = worked(asked, changed, jobs, is_fresh=fresh or scripts is not None)
    outcome = Outcome([limited(result, laws) for result in results])
    if outcome.refuted:
        broken = {str(law["law"]) for _, law in outcome.refuted} - LAW_NAMES
        outcome.reach = reach(rules_of(changed), broken, segments, max_states)
    if form == "json":
        about = {"segments": segments, "defect": changed, "without": sorted(asked.without)}
        write_json("prove", {**outcome.as_json(), **about})
    else:
        write_text(outcome, asked, is_long=bool(names))
    return outcome.exit


def taken_out(names: Sequence[str]) -> frozenset[str]:
    """The laws that states need not fulfil."""
    known = [law.__name__ for law in TAKEN_OUT]
    for name in names:
        if name not in known:
            near = unknown("law", name, known)
            if name not in law_names() and "did you mean" in near:
                raise CommandError(near)
            raise CommandError(
                f"no law {name} can be left out; these can, as states can be drawn without them:"
                f" {', '.join(known)}"
            )
    return frozenset(names)


def folder_of(path: Path | None) -> str | None:
    """A folder that is made, or holds nothing but earlier questions."""
    return None if path is None else str(own(path, "smtlib"))


def laws_named(names: Sequence[str]) -> frozenset[str] | None:
    """The laws that were asked for; none where that is all of them."""
    known = law_names()
    for name in names:
        if name not in known:
            raise CommandError(not_proved(name))
    return frozenset(names) or None


def not_proved(name: str) -> str:
    """Why a law is not proved: the search alone judges it, or there is none of that name."""
    law = known_laws().get(name)
    if law is None:
        return unknown("law", name, known_laws(), "malachi-model prove --list")
    where = f"in {', '.join(law.scopes)}" if law.scopes else "in findings"
    return f"{name} is not proved: the search alone judges it, {where}"


def list_laws(names: Sequence[str], form: Format) -> None:
    """Every law, or those named: by whom it is judged."""
    for name in names:
        if name not in known_laws() and name not in law_names():
            raise CommandError(not_proved(name))
    chosen = [law for law in judged_laws() if not names or law["law"] in names]
    if form == "json":
        write_json("laws", {"laws": chosen})
        return
    width = max(len(str(law["law"])) for law in chosen)
    for law in chosen:
        by = ["proved"] if law["is_proved"] else []
        scopes: Any = law["scopes"]
        by += [f"searched in {counted(len(scopes), 'scope')}"] if scopes else []
        say(f"{law['law']:<{width}}  {law['clause']:<7} {', '.join(by) or 'searched for findings'}")
    proved = sum(bool(law["is_proved"]) for law in chosen)
    both = sum(bool(law["is_proved"] and law["scopes"]) for law in chosen)
    say(
        f"{counted(len(chosen), 'law')}: {proved} proved, {both} of them searched too,"
        f" {len(chosen) - proved} searched alone"
    )


def judged_laws() -> list[Plain]:
    """Every law of the search and of the prover, by name."""
    searched, proved = known_laws(), law_names()
    return [
        {
            "law": name,
            "clause": searched[name].clause if name in searched else clause_of_law(name),
            "is_proved": name in proved,
            "scopes": list(searched[name].scopes) if name in searched else [],
        }
        for name in sorted({*searched, *proved})
    ]


def rules_named(defect: str) -> str:
    """The name of a defect that changes a rule which is proved."""
    found = defect_named(defect)
    if found is None:
        raise unknown_name("defect", defect.upper(), [], "malachi-model defects")
    if not has_rules(found.name):
        raise CommandError(
            f"{found.name} changes nothing that is proved: see its world with"
            f" malachi-model defects {found.name}"
        )
    return found.name


def worked(asked: Asked, defect: str | None, jobs: int, *, is_fresh: bool) -> list[Plain]:
    """What came of every obligation, in their order: kept from before, or worked on now."""
    names = list(obligations(REFERENCE, asked.segments))
    results: dict[str, Plain] = {}
    for name in names:
        found = None if is_fresh else keeping.kept(name, asked, defect)
        if found is not None:
            results[name] = found
    left = [name for name in names if name not in results]
    with progress_line() as show:

        def done(result: Plain) -> None:
            name = str(result["step"])
            results[name] = result
            keeping.keep(name, asked, defect, result)
            if show is not None:
                show(f"{len(results)} of {len(names)} steps, last: {name}")

        run_all(left, asked, defect, jobs, done)
    return [results[name] for name in names]


def limited(result: Plain, laws: frozenset[str] | None) -> Plain:
    """What came of an obligation for these laws; all are worked on, and kept, at once."""
    found: Any = result["laws"]
    return {**result, "laws": [law for law in found if laws is None or law["law"] in laws]}
