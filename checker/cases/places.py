"""Places inside values, by the paths that stories and differences print."""

from collections.abc import Iterator, Mapping

from checker.differences import ABSENT, content_of, shown
from checker.nearest import unknown
from checker.replay.comparing import KEYED, by_key
from checker.replay.terms import MalformedError, Term


def said_at(parts: Mapping[str, object], path: str) -> str:
    """What stands at a path of a shown state, as text. The first name of the path has to be known.

    A place deeper inside that is not there is `nothing`.
    """
    roots = [name for name in parts if path == name or path.startswith((f"{name}.", f"{name}["))]
    if not roots:
        raise MalformedError(unknown("part called", path, parts))
    root = max(roots, key=len)
    return shown(value_at(parts[root], path.removeprefix(root)))


def value_at(value: object, path: str) -> object:
    """The value at a path such as `.heads[t.0].end`."""
    while path:
        content = content_of(value)
        names = [] if content is None else [name for name in content.members if leads(name, path)]
        if content is None or not names:
            return ABSENT
        name = max(names, key=len)
        value, path = content.members[name], path.removeprefix(name)
    return value


def leads(name: str, path: str) -> bool:
    """Whether a path goes through a member."""
    rest = path.removeprefix(name)
    return path.startswith(name) and (not rest or rest[0] in ".[")


def expected_text(term: Term) -> str:
    """An expected value as a shown state writes it."""
    return shown(term)


def places(term: Term, path: str = "") -> Iterator[tuple[str, Term]]:
    """Every place of a term with its path: `offsets[t.0]`, `journal[1]`."""
    yield path, term
    if isinstance(term, dict):
        for key, each in term.items():
            yield from places(each, f"{path}.{key}" if path else key)
    elif isinstance(term, list):
        rows = by_key(term) if path.rpartition(".")[2] in KEYED else None
        keyed = dict(enumerate(term)) if rows is None else rows
        for name, each in keyed.items():
            yield from places(each, f"{path}[{name}]")


def term_at(term: Term, path: str) -> tuple[bool, Term]:
    """Whether a term has such a place, and what stands there."""
    for name, each in places(term):
        if name == path:
            return True, each
    return False, None
