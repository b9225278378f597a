"""From a long run that breaks a law to a short one that breaks it too."""

from collections.abc import Sequence

from checker.search.model import Accepting, Law, StepLaw
from checker.search.recording import Entries
from checker.search.sentry import Broken, Choice, Question, Sentry, moved
from checker.search.tables import Row

MOST_MOVES = 1_000_000
"""How many moves are tried in all before the shortest run so far is taken."""


class Shrinker:
    """Leaves moves out as long as what remains still breaks the law.

    What cannot happen any more without them is left out too, and so is a way round that comes
    back to a state. In the end no single move can be left out, if the budget lasts.
    """

    def __init__(self, sentry: Sentry, broken: Broken) -> None:
        self._sentry, self._broken = sentry, broken
        self._law = (
            Question(sentry.tables, f"the law {broken.name}", broken.holds, broken.reads)
            if isinstance(broken, Law)
            else None
        )
        self._moves_left = MOST_MOVES

    def shrink(self, run: Sequence[Choice]) -> list[Choice]:
        """Answer a shorter run that breaks the same law, or this one without its detours."""
        best = self._attempt(run)
        assert best is not None, "a run that broke a law breaks it again"
        size = max(1, len(best) // 2)
        while size and self._moves_left > 0:
            shorter = self._without_one(best, size)
            if shorter is None:
                size //= 2
            else:
                best, size = shorter, min(size, max(1, len(shorter) // 2))
        return best

    def _without_one(self, run: list[Choice], size: int) -> list[Choice] | None:
        for start in range(0, len(run), size):
            shorter = self._attempt([*run[:start], *run[start + size :]])
            if shorter is not None and len(shorter) < len(run):
                return shorter
            if self._moves_left <= 0:
                break
        return None

    def _attempt(self, run: Sequence[Choice]) -> list[Choice] | None:
        """Walk what can be walked of a run, without ways round, up to where it breaks the law."""
        path = Path(self._sentry)
        for choice in run:
            if self._is_broken_in(path.row, path.entries):
                return path.choices
            if choice[1] < len(path.entries[choice[0]]):
                if self._is_broken_by(path.row, choice):
                    return [*path.choices, choice]
                self._moves_left -= 1
                path.go(choice)
        return path.choices if self._is_broken_in(path.row, path.entries) else None

    def _is_broken_in(self, row: Row, entries: Entries) -> bool:
        if isinstance(self._broken, Accepting):
            return self._sentry.is_stuck(row, entries)
        return self._law is not None and not self._law.answer(row)

    def _is_broken_by(self, row: Row, choice: Choice) -> bool:
        if not isinstance(self._broken, StepLaw):
            return False
        reads = self._sentry.tables.step_reads[choice[0]]
        read_ids = tuple(row[part] for part in reads)
        return any(
            (breach.step, breach.outcome, breach.read_ids) == (*choice, read_ids)
            and self._sentry.tables.model.step_laws[breach.law] is self._broken
            for breach in self._sentry.tables.breaches
        )


class Path:
    """A run that never comes twice to a state: where it would, it forgets the way round."""

    def __init__(self, sentry: Sentry) -> None:
        self._expander = sentry.expander
        self.row = sentry.tables.initial
        self.entries = self._expander.entries(self.row)
        self.choices: list[Choice] = []
        self._rows = [self.row]
        self._places = {self.row: 0}

    def go(self, choice: Choice) -> None:
        """Take one of the outcomes here."""
        self.row = moved(self.row, self.entries, choice)
        self.entries = self._expander.entries(self.row, self.entries, choice[0])
        self.choices.append(choice)
        place = self._places.get(self.row)
        if place is None:
            self._places[self.row] = len(self._rows)
            self._rows.append(self.row)
            return
        for forgotten in self._rows[place + 1 :]:
            del self._places[forgotten]
        del self._rows[place + 1 :], self.choices[place:]
