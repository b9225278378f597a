"""`malachi-model defects --only`: for each law the change that it alone notices."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from checker.commands.apart import Apart, apart_of
from checker.commands.exits import CommandError, Exit, unknown_name
from checker.commands.output import Format, complain, counted, say, write_json
from checker.commands.sideways import side_by_side, watched
from checker.explaining import KnownLaw
from checker.search.stopping import REQUEST
from checker.ties.gathering import is_checkout
from checker.world.alone.changes import Change, changes
from checker.world.alone.listing import PAGE, Entry, entries, problems, to_list, written
from checker.world.alone.trying import Tried, first_of_each, found, tried, worlds_of


@dataclass(frozen=True, slots=True)
class Row:
    """One law of the report."""

    law: KnownLaw
    entry: Entry | None
    tried: Tried | None
    """What came of it; none where there is no change to try, or nobody got to it."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it is listed."""
        if self.entry is None:
            return (f"{self.law.name} is not listed",)
        return () if self.tried is None else tuple(self.tried.problems())

    @property
    def words(self) -> str:
        """The change, or why the law stays without."""
        if self.entry is None:
            return "NOT LISTED"
        if self.entry.stays:
            return f"stays: {self.entry.stays}"
        return f"{self.entry.change} in {self.entry.scope}: {changes()[self.entry.change].words}"

    def as_json(self) -> dict[str, object]:
        """The same, for machines."""
        entry = self.entry or Entry(self.law.name)
        return {
            "law": self.law.name,
            "clause": self.law.clause,
            "change": entry.change or None,
            "scope": entry.scope or None,
            "states": entry.states or None,
            "stays": entry.stays or None,
            "problems": list(self.problems),
        }


def show_only(names: Sequence[str], form: Format) -> Exit:
    """Try what is listed for these laws again, or for all of them."""
    chosen = _chosen(names)
    listed, standing = entries(), apart_of(names)
    to_try = [each for law in chosen if (each := listed.get(law.name)) is not None and each.change]
    came: dict[str, Tried] = {}
    with REQUEST:
        for _, one in watched(side_by_side(tried, to_try, workers=2), len(to_try)):
            came[one.entry.law] = one
    rows = [Row(law, listed.get(law.name), came.get(law.name)) for law in chosen]
    unsearched = [each.law for each in to_try if each.law not in came]
    wrong = [*(each for row in rows for each in row.problems), *(() if names else problems())]
    if unsearched:
        complain(f"interrupted: {', '.join(unsearched)} not searched")
    if form == "json":
        content = {"defects": [], "survivors": [], "unsearched": unsearched}
        only = [row.as_json() for row in rows]
        write_json(
            "defects", content | {"only": only, "apart": [asdict(each) for each in standing]}
        )
    else:
        _write(rows, wrong, standing)
    if wrong:
        return Exit.BROKEN
    return Exit.UNFINISHED if unsearched else Exit.OK


def look() -> Exit:
    """Look for a change for each law that none is listed for, and write the list anew."""
    if not is_checkout():
        raise CommandError("--look writes a page of a checkout, and this is none")
    tasks = [(each, scope) for each in changes().values() for scope in worlds_of(each)]
    with REQUEST:
        came = [each for _, each in watched(side_by_side(_found, tasks, workers=2), len(tasks))]
    if len(came) < len(tasks):
        complain("interrupted: nothing is written")
        return Exit.UNFINISHED
    chosen = first_of_each([each for each in came if each is not None])
    kept = [chosen.get(law.name) or entries().get(law.name) for law in to_list()]
    PAGE.write_text(written([each for each in kept if each is not None]), "utf-8")
    missing = sum(each is None for each in kept)
    say(f"{counted(len(kept), 'law')}, {missing} without a change or a reason")
    return Exit.BROKEN if missing else Exit.OK


def _found(task: tuple[Change, str]) -> Entry | None:
    return found(*task)


def _chosen(names: Sequence[str]) -> tuple[KnownLaw, ...]:
    known = {law.name: law for law in to_list()}
    others = {each.law for each in apart_of(names)}
    for name in names:
        if name not in known and name not in others:
            raise unknown_name("law", name, list(known), "malachi-model defects --only")
    if not names:
        return tuple(known.values())
    return tuple(known[name] for name in dict.fromkeys(names) if name in known)


def _write(rows: Sequence[Row], wrong: Sequence[str], standing: Sequence[Apart]) -> None:
    for row in rows:
        say(f"[{row.law.clause}] {row.law.name}")
        say(f"  {row.words}")
    for each in wrong:
        say(f"  {each}")
    for why in dict.fromkeys(each.why for each in standing):
        say(f"apart, for {why}:")
        for one in standing:
            if one.why == why:
                say(f"  {one.law}: {one.see}")
    alone = sum(row.tried is not None and not row.problems for row in rows)
    staying = sum(row.entry is not None and bool(row.entry.stays) for row in rows)
    said = f"{alone} notice a change alone, {staying} stay for a reason"
    others = f", and {counted(len(standing), 'other')} apart" if standing else ""
    say(f"{counted(len(rows), 'law')}: {said}{others}")
