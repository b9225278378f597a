"""The account of where findings were looked for, for `malachi-model findings --places`."""

from collections.abc import Iterator

from checker.commands.output import counted, say
from checker.world.assumptions import assumption_named
from checker.world.findings import finding_named
from checker.world.kinds import Scope
from checker.world.places import PLACES, Searched, Sound
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
        closed = f" with the rule that closes {sound.closed_by}" if sound.closed_by else ""
        states = counted(states_of(sound), "state")
        yield f"  sound      {scope.name}{closed}, {states}: {sound.what}"
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
                {
                    "scope": each.scope,
                    "what": each.what,
                    "closed_by": each.closed_by,
                    "states": states_of(each),
                    "bounds": dict(scope_of(each.scope).build().bounds),
                }
                for each in place.sound
            ],
        }
        for place in PLACES
    ]


def states_of(sound: Sound) -> int:
    """How large a world is."""
    if sound.states is not None:
        return sound.states
    size = scope_of(sound.scope).size
    assert size is not None, f"{sound.scope} is searched whole"
    return size.states
