"""Learned tables that are closed under a model's symmetries.

A value is never known without all that it becomes by renaming, and a rule's answer never without
those of its counterparts, which must answer the same with the names exchanged. So whoever learns
through these tables finds out at once that a symmetry is none.
"""

from collections.abc import Iterator, Sequence

from checker.search.contract import call
from checker.search.exchanges import Declared, Exchange, Group, carried, group_of
from checker.search.faults import ModelError
from checker.search.model import Guard, Model, Outcome, Symmetry
from checker.search.tables import Change, Row, Tables

Reading = tuple[int, Row]
"""A step, and the ids that it reads."""


class ClosedTables(Tables):
    """The interned values of a model with symmetries, and what its rules said of them."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        names = sorted({name for each in model.symmetries for name in each.names})
        declared = tuple(_declared(self, symmetry, names) for symmetry in model.symmetries)
        self.group: Group = group_of(model, declared)
        self._ahead: list[dict[Row, tuple[Change, ...]]] = [{} for _ in model.steps]
        """By step: answers that counterparts were held to, and that nobody has asked for yet."""
        self._declared = tuple(
            (each, self.group.is_undone_by_itself(number)) for number, each in enumerate(declared)
        )
        """With whether an exchange made twice changes nothing."""
        self._close([(part, 0) for part in range(len(self.names))])
        for each in declared:
            if each.exchange.row(self.initial) != self.initial:
                raise ModelError(f"the symmetry {each.symmetry.name} changes the initial state")

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All exchanges but the one that changes nothing."""
        return self.group.exchanges[1:]

    def images(self, row: Row) -> list[Row]:
        """Answer a row and all renamed ones, some of which may be equal."""
        return [row, *(each.row(row) for each in self.exchanges)]

    def standing_for(self, row: Row) -> Row:
        """Answer the one of all renamed rows that stands for all of them."""
        return min(self.images(row))

    def readings(self, step: int, read_ids: Row) -> Iterator[Reading]:
        """Answer a step with what it reads, and all its counterparts with what they read."""
        reads = self.step_reads[step]
        for each in self.group.exchanges:
            other = each.steps[step]
            yield other, carried(each.carrying(reads, self.step_reads[other]), read_ids)

    def _close(self, fresh: list[tuple[int, int]]) -> None:
        """Rename new values, each a part and an id, in all ways."""
        most = len(fresh) * len(self.group.exchanges)
        for part, own in fresh:
            for each, _ in self._declared:
                target = each.exchange.parts[part]
                before = len(self.values[target])
                new = self._renamed(each, part, own)
                each.exchange.known[part].append(new)
                if new == before:
                    fresh.append((target, new))
                if len(fresh) > most:
                    raise _unruly(each.symmetry, self.names[part])
        for part, own in fresh:
            self._put_together(part, own)

    def _renamed(self, by: Declared, part: int, own: int) -> int:
        symmetry, name = by.symmetry, self.names[part]
        who = f"the symmetry {symmetry.name}"
        value = call(who, symmetry.renamed, name, self.values[part][own])
        return super().intern(by.exchange.parts[part], value, who)

    def _put_together(self, part: int, own: int) -> None:
        """Enter what an id becomes by each exchange, and refuse exchanges that do not agree."""
        exchanges, made_of, products = self.group
        exchanges[0].known[part].append(own)

        def after(first: int, then: int) -> int:
            before = exchanges[first]
            known = self._declared[then][0].exchange.known[before.parts[part]]
            return known[before.known[part][own]]

        for exchange, (first, then) in zip(exchanges[1:], made_of[1:], strict=True):
            exchange.known[part].append(after(first, then))
        for first, both in enumerate(products):
            for then, product in enumerate(both):
                if exchanges[product].known[part][own] != after(first, then):
                    raise _unruly(self._declared[then][0].symmetry, self.names[part])

    def is_shut(self, index: int, read_ids: Row) -> bool:
        """Answer whether the guard of a step, as those of its counterparts, spares its rule."""
        is_shut = super().is_shut(index, read_ids)
        if is_shut:
            for each, _ in self._declared:
                other = each.exchange.steps[index]
                if not super().is_shut(other, carried(each.reads[index], read_ids)):
                    raise self._refusal(each, index, "the guard of ")
        return is_shut

    def learn(self, index: int, read_ids: Row) -> tuple[Change, ...]:
        """Run a rule on values it has not seen, and hold its counterparts to what it answers."""
        ahead = self._ahead[index].pop(read_ids, None)
        return self._learn_all(index, read_ids) if ahead is None else ahead

    def _learn_all(self, index: int, read_ids: Row) -> tuple[Change, ...]:
        first = index, read_ids
        found = {first: super().learn(index, read_ids)}
        waiting, held = [first], set[Reading]()
        for asked in waiting:
            step, ids = asked
            for each, is_undone in self._declared:
                other = each.exchange.steps[step], carried(each.reads[step], ids)
                if is_undone and other in held:
                    continue
                if other not in found:
                    found[other] = super().learn(*other)
                    waiting.append(other)
                self._compare(each, step, found[asked], found[other])
            held.add(asked)
        changes = found.pop(first)
        for (step, ids), answer in found.items():
            self._ahead[step][ids] = answer
        return changes

    def _compare(
        self, by: Declared, step: int, mine: tuple[Change, ...], its: tuple[Change, ...]
    ) -> None:
        if not mine and not its:
            return
        carrying = by.writes[step]
        expected = [carried(carrying, change.ids) for change in mine]
        found = [change.ids for change in its]
        if expected != found and sorted(expected) != sorted(found):
            raise self._refusal(by, step)

    def _changes(self, index: int, outcomes: Sequence[Outcome]) -> tuple[Change, ...]:
        changes, closed = super()._changes(index, outcomes), self.group.exchanges[0].known
        fresh = [
            (part, own)
            for part in self.step_writes[index]
            for own in range(len(closed[part]), len(self.values[part]))
        ]
        if fresh:
            self._close(fresh)
        return changes

    def _refusal(self, by: Declared, step: int, whose: str = "") -> ModelError:
        mine, its = (self.model.steps[each].name for each in (step, by.exchange.steps[step]))
        return ModelError(
            f"the symmetry {by.symmetry.name} does not hold: {whose}{its} does not do what"
            f" {whose}{mine} does with the names exchanged"
        )


def _unruly(symmetry: Symmetry, part: str) -> ModelError:
    return ModelError(
        f"the symmetry {symmetry.name} does not hold: made again and again, or among others, it"
        f" renames values of {part} otherwise than its exchange of parts, steps and names lets"
        " expect"
    )


def _declared(tables: Tables, symmetry: Symmetry, names: Sequence[str]) -> Declared:
    """Answer one symmetry by places, and refuse what cannot be one."""
    model = tables.model
    steps = {step.name: place for place, step in enumerate(model.steps)}
    part_names = [symmetry.parts.get(name, name) for name in tables.names]
    step_names = [symmetry.steps.get(step.name, step.name) for step in model.steps]
    if sorted(part_names) != sorted(tables.names) or sorted(step_names) != sorted(steps):
        raise ModelError(f"the symmetry {symmetry.name} does not exchange parts and steps")
    if set(symmetry.names) != set(symmetry.names.values()):
        raise ModelError(f"the symmetry {symmetry.name} does not exchange names")
    exchange = Exchange(tables.positions_of(part_names), tuple(steps[name] for name in step_names))
    for step, other in enumerate(exchange.steps):
        if any(
            {exchange.parts[part] for part in mine} != set(its)
            for mine, its in zip(_touched(tables, step), _touched(tables, other), strict=True)
        ):
            raise ModelError(
                f"the symmetry {symmetry.name}: {model.steps[other].name} does not read and"
                f" write what {model.steps[step].name} does"
            )
    pairs = tuple(enumerate(exchange.steps))

    def carrying(parts: list[tuple[int, ...]]) -> tuple[tuple[tuple[int, list[int]], ...], ...]:
        return tuple(exchange.carrying(parts[step], parts[other]) for step, other in pairs)

    return Declared(
        symmetry,
        exchange,
        carrying(tables.step_reads),
        carrying(tables.step_writes),
        tuple(names.index(symmetry.names.get(name, name)) for name in names),
    )


def _touched(tables: Tables, step: int) -> tuple[tuple[int, ...], ...]:
    """Answer what a step reads, what it writes, and what its guard reads."""
    guard: Guard | None = tables.model.steps[step].guard
    guarded = tables.positions_of(guard.reads) if guard else ()
    return tables.step_reads[step], tables.step_writes[step], guarded
