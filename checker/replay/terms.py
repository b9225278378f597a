"""A term of a recording, and the few shapes it is made of.

What a recording says is checked where it is taken apart, and every complaint names the field.
"""

from typing import TypeAlias

Term: TypeAlias = "bool | int | str | list[Term] | dict[str, Term] | None"
"""JSON without floats."""

SHOWN = 60
"""Characters of an offending term that a complaint shows."""
BITS = 128


class MalformedError(Exception):
    """The recording is not what its format allows; the text says what, without the place."""


def whole(term: Term, name: str) -> int:
    """A whole number of a size that any broker can hold."""
    if isinstance(term, int) and not isinstance(term, bool):
        if term.bit_length() <= BITS:
            return term
        raise wrong(name, f"one of at most {BITS} bits", term)
    raise wrong(name, "a whole number", term)


def count(term: Term, name: str) -> int:
    """A whole number from 0."""
    if isinstance(term, int) and whole(term, name) >= 0:
        return term
    raise wrong(name, "a whole number from 0", term)


def text(term: Term, name: str) -> str:
    """A string that has a UTF-8 form, so that it can stand for bytes."""
    if not isinstance(term, str):
        raise wrong(name, "a string", term)
    if term.isascii():
        return term
    try:
        term.encode()
    except UnicodeEncodeError:
        raise MalformedError(f"{name} holds half a surrogate pair") from None
    return term


def flag(term: Term, name: str) -> bool:
    """True or false."""
    if isinstance(term, bool):
        return term
    raise wrong(name, "true or false", term)


def items(term: Term, name: str, size: int | None = None) -> list[Term]:
    """A list, of a given size where one is given."""
    if isinstance(term, list) and size in {None, len(term)}:
        return term
    raise wrong(name, "a list" if size is None else f"a list of {size}", term)


def fields(term: Term, name: str) -> dict[str, Term]:
    """An object."""
    if isinstance(term, dict):
        return term
    raise wrong(name, "an object", term)


def field(term: dict[str, Term], key: str, name: str) -> Term:
    """One field of an object."""
    if key not in term:
        raise MalformedError(f"{name}.{key} is missing" if name else f"{key} is missing")
    return term[key]


def only(term: dict[str, Term], names: frozenset[str], name: str) -> None:
    """Refuse fields that the format does not have."""
    unknown = term.keys() - names
    if unknown:
        raise MalformedError(f"{name} has the unknown field {shown(min(unknown))}")


def wrong(name: str, wanted: str, term: Term) -> MalformedError:
    """The complaint that a field is something else than it should be."""
    return MalformedError(f"{name} is {shown(term)}, not {wanted}")


def shown(term: Term) -> str:
    """A term in a few characters."""
    match term:
        case list():
            return f"a list of {len(term)}"
        case dict():
            return f"an object of {len(term)}"
        case str():
            return f'"{term}"' if len(term) <= SHOWN else f'"{term[:SHOWN]}..."'
        case True | False | None:
            return {True: "true", False: "false", None: "null"}[term]
        case int():
            return number(term)


def printable(line: str) -> str:
    """A line as it may stand on a terminal: what is no printable character is escaped."""
    if line.isprintable():
        return line
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in line
    )


def number(value: int) -> str:
    """A whole number, or only how long it is where it is very long."""
    return (
        str(value) if value.bit_length() < SHOWN * 3 else f"a number of {value.bit_length()} bits"
    )
