"""The questions that a proof asks its solver, as scripts that any solver reads.

Each is a set of conditions on integers and says what was answered. The proof of a step rests on
the answers `unsat`: on those it took no way, or found no integers for which a law is false.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

LOGIC = "(set-logic QF_LIA)"


@dataclass(slots=True)
class Scripts:
    """The questions of one obligation, each in a file of its own: `003-unsat.smt2`."""

    root: Path
    obligation: str
    """Its name becomes that of a folder, with a dash for what no file name should have."""
    count: int = field(default=0, init=False)

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self.root / re.sub(r"[^A-Za-z0-9.]+", "-", self.obligation)

    def hear(self, text: str, answer: str) -> None:
        """Write a question with its answer."""
        self.count += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self.count:03}-{answer}.smt2"
        path.write_text(script(self.obligation, text, answer), "utf-8")


def script(obligation: str, text: str, answer: str) -> str:
    """A question as any solver reads it: its logic, the answer that it got, its conditions."""
    lines = text.replace("(set-info :status unknown)", "").splitlines()
    kept = [line for line in lines if line.strip() and not line.startswith(";")]
    first = [f"; a question in the proof of: {obligation}", LOGIC, f"(set-info :status {answer})"]
    return "\n".join([*first, *kept, ""])
