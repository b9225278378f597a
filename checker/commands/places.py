"""The account of where findings were looked for, for `malachi-model findings --places`."""

from collections.abc import Iterator

from checker.commands.output import counted, say
from checker.world.assumptions import assumption_named
from checker.world.findings import finding_named
from checker.world.kinds import Scope
from checker.world.places import PLACES, Searched
from checker.world.scopes import scope_named


def write_places() -> None:
    """Each place, with what was found there and how far nothing else was."""
    for place in PLACES:
        for line in lines_of(place):
            say(line)
        say("")
    say(
        f"{counted(len(PLACES), 'place')}. `malachi-model check NAME` searches a world that is"
        " named whole, counts its states, and judges its laws again."
    )


def lines_of(place: Searched) -> Iterator[str]:
    """One place, line by line."""
    yield f"{place.name}: {place.sentence}"
    for name in place.findings:
        finding = finding_named(name)
        assert finding is not None, f"{name} is a finding"
        yield f"  found      {name} {finding.title}: {finding.meaning}"
    for name in place.assumptions:
        assumption = assumption_named(name)
        assert assumption is not None, f"{name} is an assumption"
        yield f"  rests on   {name} {assumption.title}: {assumption.sentence}"
    for sound in place.sound:
        scope = scope_of(sound.scope)
        assert scope.size is not None, f"{scope.name} is searched whole"
        yield f"  sound      {scope.name}, {counted(scope.size.states, 'state')}: {sound.what}"
        for bound, text in scope.build().bounds.items():
            yield f"               {bound}: {text}"


def scope_of(name: str) -> Scope:
    """The scope of a name."""
    scope = scope_named(name)
    if scope is None:
        raise LookupError(f"{name} is no scope")
    return scope


def places_json() -> list[dict[str, object]]:
    """The same for programs."""
    return [
        {
            "name": place.name,
            "sentence": place.sentence,
            "findings": list(place.findings),
            "assumptions": list(place.assumptions),
            "sound": [
                {"scope": each.scope, "what": each.what, **size_of(scope_of(each.scope))}
                for each in place.sound
            ],
        }
        for place in PLACES
    ]


def size_of(scope: Scope) -> dict[str, object]:
    """How large a world is, and within what."""
    states = None if scope.size is None else scope.size.states
    return {"states": states, "bounds": dict(scope.build().bounds)}
