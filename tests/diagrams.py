"""A small grammar of the sequence diagrams that are drawn here."""

import re

PARTICIPANT = re.compile(r" {4}participant (p\d+) as (\S.*)")
MESSAGE = re.compile(r" {4}(p\d+)(?:->>|-->>|--x)(p\d+): (\S.*)")
NOTE = re.compile(r" {4}Note over (p\d+)(?:,(p\d+))?: (\S.*)")
ESCAPED = re.compile(r"#\d+;")


def faults_of(diagram: str) -> list[str]:
    """The lines of a diagram that the grammar does not have, or that name nobody."""
    first, *lines = diagram.splitlines()
    known: set[str] = set()
    faults = [] if first == "sequenceDiagram" else [first]
    for line in lines:
        declared = PARTICIPANT.fullmatch(line)
        used = MESSAGE.fullmatch(line) or NOTE.fullmatch(line)
        if declared is not None:
            known.add(declared[1])
            text = declared[2]
        elif used is not None and {who for who in used.groups()[:2] if who} <= known:
            text = used[3]
        else:
            faults.append(line)
            continue
        bare = ESCAPED.sub("", text)
        if ";" in bare or "#" in bare or re.search(r'(?<!")\bend\b(?!")', bare):
            faults.append(line)
    return faults
