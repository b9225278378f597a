"""Calls at the edges of the conditions of a frontend's functions, as the prover found them.

A fault that moves an edge by one shows at the edge and nowhere else. Each case is a state, a call,
and what its commands are answered, in the terms of the protocol: a line of `edges.jsonl`, which
`python -m bench.edges` writes.
"""

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

from checker.conform.calls.table import OPERATIONS
from checker.conform.effects import ANSWERS, CommandAnswer
from checker.conform.learning import Heard, Learnt, Transition
from checker.conform.messages import load
from checker.conform.oracles import BLANK
from checker.conform.serving import frontend_told

EDGES = "edges"
"""What they are asked for by, as a scope is."""


def term_of(one: Transition) -> dict[str, Any]:
    """A case as it stands in the file."""
    told = load(0, "", one.before)
    answers = [CommandAnswer(each.reply, each.view) for each in one.heard]
    return {
        "op": one.op,
        **{name: told[name] for name in ("options", "state", "ring")},
        "args": OPERATIONS[one.op].encode(dict(one.args)),
        "heard": [ANSWERS["command"].encode(each) for each in answers],
    }


def read(line: str) -> Transition:
    """A case of the file."""
    term = json.loads(line)
    before = frontend_told(term, BLANK.options)
    args = OPERATIONS[term["op"]].decode(term["args"])
    answers = [ANSWERS["command"].decode(each, "heard") for each in term["heard"]]
    heard = tuple(Heard(each.reply, each.view) for each in answers)
    return Transition(term["op"], before, tuple(args.items()), heard, before)


@cache
def learnt_edges() -> Learnt:
    """All cases, as if a scope had them."""
    text = files("checker.conform").joinpath("edges.jsonl").read_text("utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Learnt(EDGES, tuple(map(read, text.splitlines())), digest)
