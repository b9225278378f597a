"""Breadth-first search in machine code, over packed rows and the same learned tables.

It takes over a search that the plain engine began. Two owners share the rows between them, and
work goes round by round: both expand some rows of the layer; the rules in Python answer what no
table knew; each owner takes in what it was handed. What happens in which order does not depend
on how many threads there are, so counts and traces do not either.
"""

from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import chain, pairwise, starmap

from checker.search import places as k
from checker.search.answers import Questions, Rules
from checker.search.budgets import NO_BUDGET, Budget
from checker.search.checkpoints import Keeper, Place
from checker.search.faults import ModelError
from checker.search.grouped import Grouped
from checker.search.grouping import groups_for
from checker.search.lookups import Crowded, Lookups
from checker.search.machinecode import machine_for
from checker.search.memory import FULL_WORD, WORD, Block
from checker.search.moving import Move, fields_between, fields_from_ids
from checker.search.owners import OWNERS, Buffers, Owner, deal
from checker.search.packing import Layout, layout_for
from checker.search.plain import Search
from checker.search.report import Progress

CHUNK = 1 << 14
"""How many rows an owner expands in one round."""
ROOM = 1 << 17
"""How many successors a worker may make for an owner in one round."""
SMALL = 256
"""Rounds of fewer rows are not worth a thread."""
YOUNGER = 4
"""Parts that grew since there were so many times fewer states are thought to grow on."""

Bounds = tuple[int, ...]
"""By owner: a place in its log."""


class Compiled:
    """A search under way in machine code."""

    engine = "compiled"

    def __init__(
        self,
        begun: Search,
        workers: int,
        warn: Callable[[str], None] | None,
        budget: Budget = NO_BUDGET,
    ) -> None:
        self.tables, self.judges, self.limits = begun.tables, begun.judges, begun.limits
        self.stopped_by: str | None = None
        self.bounds: list[Bounds] = []
        """Where each layer starts."""
        self.foreign = len(begun.layers) - 1
        """So many layers were expanded out of other tables, by plain Python or another process."""
        self._lookups, self._misses = begun.lookups, begun.tables.rule_calls
        """How often the tables of the steps were asked, and did not know."""
        self._warn = warn
        self._transitions = begun.transitions
        self._pool = ThreadPoolExecutor(1) if workers > 1 else None
        some = begun.rows[: max(1, len(begun.rows) // YOUNGER)]
        self._ages = [(len(some), [max(ids) + 1 for ids in zip(*some, strict=True)])]
        """How many ids each part had when so many states were known."""
        self.layout = self._new_layout(1, len(begun.rows))
        self.machine = machine_for(self.layout.words, warn)
        groups = groups_for(self.tables.step_reads, begun.rows)
        self._rules = Rules(begun, self.layout)
        self._asked = Questions(self.judges, self.layout)
        each_step = Lookups(self.machine, self.layout, self.tables.step_reads, self._rules)
        self.steps = Grouped(each_step, groups)
        parts = [question.parts for question in self._asked.all]
        self.questions = Lookups(self.machine, self.layout, parts, self._asked)
        self._room = ROOM
        """How many rows and pairs the buffers of a worker hold."""
        self._keeper: Keeper | None = None
        self._budget = budget
        self.is_torn = False
        """Whether a change of the layout failed midway: nothing can be looked up any more."""
        self._settle(0)
        self._take_over(begun)
        self._firsts, self._to = self.bounds[-1], self.ends()
        """The rows of the layer that are still to be expanded."""

    @property
    def states(self) -> int:
        """How many distinct states are known."""
        return sum(owner.count for owner in self.owners)

    @property
    def transitions(self) -> int:
        """How many outcomes were counted."""
        return self._transitions + sum(each.context.view[k.TRANSITIONS] for each in self.buffers)

    @property
    def depth(self) -> int:
        """The last layer that holds a state."""
        is_open = self.stopped_by is not None or self.ends() == self.bounds[-1]
        return len(self.bounds) - 1 - is_open

    def run(self, *, goes_on: bool = False) -> None:
        """Search layer by layer until a law breaks, a limit is passed or nothing is left.

        A search that goes on from a checkpoint is in the midst of a layer.
        """
        if goes_on and not self._expand_layer():
            return
        while not self._judge(self.bounds[-1], self.ends()) and not self.tables.breaches:
            self._firsts, self._to = self.bounds[-1], self.ends()
            if self._firsts == self._to or not self._expand_layer():
                return

    def _settle(self, rows: int) -> None:
        """Make room for rows of the layout, so many of them to begin with."""
        words = self.layout.words
        askers = len(self.steps.reads) + len(self.questions.reads)
        self.owners = self._budget.new_owners(words, rows)
        self.buffers = [Buffers(words, self._room, askers) for _ in range(OWNERS)]
        self._keeps = Block(words * len(self.tables.step_writes))
        for step, writes in enumerate(self.tables.step_writes):
            kept = [word ^ FULL_WORD for word in self.layout.mask(writes)]
            self._keeps.put(step * words, kept)

    def _take_over(self, begun: Search) -> None:
        move, stride = Move(fields_from_ids(self.layout)), len(self.tables.names) + 1
        ends = [*begun.layers[1:], len(begun.rows)]
        for start, end in zip(begun.layers, ends, strict=True):
            self.bounds.append(self.ends())
            flat = array("q", chain.from_iterable((*row, 1) for row in begun.rows[start:end]))
            source = (flat.buffer_info()[0], stride, end - start)
            deal(self.machine, self.owners, self.buffers[0], move, source)

    def ends(self) -> Bounds:
        """Answer the places behind all rows."""
        return tuple(owner.count for owner in self.owners)

    def _both(self, work: Callable[[int], None], rows: int) -> None:
        """Do some work for both owners, on two threads where there are two and it is worth it."""
        if self._pool is None or rows < SMALL:
            for owner in range(OWNERS):
                work(owner)
            return
        other = self._pool.submit(work, 1)
        try:
            work(0)
        finally:
            other.result()

    def _judge(self, firsts: Bounds, ends: Bounds) -> bool:
        """Judge some rows; answer whether any of them breaks a law."""
        laws, broken = self.judges.begin_layer(), set[int]()
        while firsts != ends:
            goals = [laws + goal for goal in self.judges.open_goals()]
            self.questions.active = [*range(laws), *goals]
            firsts = self.sweep(self.questions, self.machine.ask, firsts, ends)
            for each in self.buffers:
                broken |= {who for who, count in self.questions.learn(each.context) if count}
                self.questions.tally_misses(each.context)
            self.judges.count(lambda goal: sum(each.tallied(laws + goal) for each in self.buffers))
        hit = sorted(who for who in broken if who < laws)
        self.judges.violations = {self.judges.law_places[who]: 0 for who in hit}
        return bool(hit)

    def sweep(
        self,
        lookups: Lookups,
        kernel: Callable[[int], None],
        firsts: Bounds,
        ends: Bounds,
        prepare: Callable[[int, memoryview], None] | None = None,
    ) -> Bounds:
        """Run a kernel over a chunk of each owner's rows; answer where the next ones start."""
        most = min(CHUNK, self._room // (len(lookups.active) + 1))
        self._budget.let_go(self.owners)
        margin = sum(lookups.most)
        if margin > self._room:
            raise ModelError(f"{self.tables.model.name}: a state may have {margin} outcomes")
        lasts = tuple(min(first + most, end) for first, end in zip(firsts, ends, strict=True))
        for number, each in enumerate(self.buffers):
            view = each.context.view
            each.clear()
            lookups.attach(each.context)
            view[k.ROWS], view[k.KEEPS] = self.owners[number].log, self._keeps.address
            view[k.FIRST], view[k.LAST], view[k.NEXT] = firsts[number], lasts[number], lasts[number]
            view[k.OUT_MARGIN] = margin
            if prepare is not None:
                prepare(number, view)
        self._both(
            lambda number: kernel(self.buffers[number].context.address), sum(lasts) - sum(firsts)
        )
        return tuple(each.context.view[k.NEXT] for each in self.buffers)

    def _expand_layer(self) -> bool:
        while self._firsts != self._to:
            self.stopped_by = self.limits.passed(self.states) or self._memory_passed()
            if self.stopped_by is not None:
                return self._stop()
            self._speak(sum(self._to) - sum(self.bounds[-1]))
            if self._keeper is not None and self._keeper.is_due():
                self._keep()
            counted = self.transitions
            try:
                self._round(counted)
            except KeyboardInterrupt:
                self._transitions -= self.transitions - counted
                self._stop()
                raise
            except (OSError, MemoryError) as error:
                self._transitions -= self.transitions - counted
                self.stopped_by = "memory" if isinstance(error, MemoryError) else "disk"
                self._say(f"no room for more rows: {error}")
                return self._stop()
        self.bounds.append(self._to)
        self._ages.append((self.states, [len(values) for values in self.tables.values]))
        return True

    def _round(self, counted: int) -> None:
        nexts = self.sweep(self.steps, self._expand, self._firsts, self._to)
        self._lookups += (sum(nexts) - sum(self._firsts)) * len(self.steps.active)
        self._misses += sum(each.context.view[k.MISS_COUNT] for each in self.buffers)
        if self._learn_and_take_in():
            self._finish_round()
            self._firsts = nexts
        else:
            self._transitions -= self.transitions - counted
            self._firsts, self._to = self._widen(self._firsts, self._to)

    def _stop(self) -> bool:
        """Keep what was found, and close the layer as it is."""
        if self._keeper is not None and not self.is_torn:
            try:
                self._keep()
            except OSError as error:
                self._say(f"the last checkpoint stands, a new one cannot be written: {error}")
        self.bounds.append(self._to)
        return False

    def _say(self, what: str) -> None:
        if self._warn is not None:
            self._warn(what)

    def _memory_passed(self) -> str | None:
        stop = self._budget.passed(self.owners)
        if stop is None:
            return None
        self._say(stop.sentence)
        return stop.reason

    def _expand(self, context: int) -> None:
        self.machine.expand(context)

    def _answer_misses(self, context: int) -> None:
        self.machine.answer_misses(context)

    def images(self, row: Sequence[int]) -> Sequence[Sequence[int]]:
        """Answer a row and all that it stands for."""
        return (row,)

    def _learn_and_take_in(self) -> bool:
        """Let the rules answer the misses while the owners take in what was made without them.

        Answer whether all ids fit the layout; where not, the round is to be gone through again.
        """
        fits, waiting = True, list(range(OWNERS))
        begun = (
            [self._pool.submit(self._take_in, number) for number in waiting] if self._pool else []
        )
        try:
            for each in self.buffers:
                self.steps.learn(each.context)
        except Crowded:
            fits = False
        except BaseException:
            wait([task for task in begun if not task.cancel()])
            raise
        for number in reversed(waiting):
            if not begun or begun[number].cancel():
                self._take_in(number)
            else:
                begun[number].result()
        return fits

    def _finish_round(self) -> None:
        """Make what the misses make now that they are known, and let the owners take it in."""
        waiting, counts = [0] * OWNERS, [each.context.view[k.MISS_COUNT] for each in self.buffers]
        while waiting != counts:
            for owner, start, each in zip(self.owners, waiting, self.buffers, strict=True):
                view = each.context.view
                self.steps.attach(each.context)
                view[k.OUT_COUNT] = view[k.OUT_COUNT + 1] = 0
                view[k.ROWS], view[k.FIRST] = owner.log, start
                view[k.OUT_MARGIN] = sum(self.steps.most)
            size = sum(counts) - sum(waiting)
            self._both(
                lambda number: self._answer_misses(self.buffers[number].context.address),
                size,
            )
            waiting = [each.context.view[k.NEXT] for each in self.buffers]
            self._both(self._take_in, size)

    def _take_in(self, number: int) -> None:
        for each in self.buffers:
            self.owners[number].take_in(self.machine, each.out(number))

    def _widen(self, firsts: Bounds, ends: Bounds) -> tuple[Bounds, Bounds]:
        """Go over to a layout in which all ids fit; answer where the same rows stand in it."""
        old, owners, bounds = self.layout, self.owners, self.bounds
        try:
            self._move(self._new_layout(old.words, self.states))
            return self._relaid(old, owners, [*bounds, firsts, ends])
        except BaseException:
            self.owners, self.bounds, self.is_torn = owners, bounds, True
            raise

    def _relaid(
        self, old: Layout, owners: Sequence[Owner], places: Sequence[Bounds]
    ) -> tuple[Bounds, Bounds]:
        """Copy rows between these places to the new layout; answer where the last two are then."""
        move, self.bounds = Move(fields_between(old, self.layout)), []
        for start, end in pairwise([*places, tuple(owner.count for owner in owners)]):
            self.bounds.append(self.ends())
            for owner, first, last in zip(owners, start, end, strict=True):
                source = (owner.log + first * old.words * 8, old.words, last - first)
                deal(self.machine, self.owners, self.buffers[0], move, source)
        ends, firsts = self.bounds.pop(), self.bounds.pop()
        return firsts, ends

    def _move(self, layout: Layout) -> None:
        """Carry tables over to another layout, and make room for its rows."""
        self._transitions = self.transitions
        if layout.words != self.layout.words:
            self.machine = machine_for(layout.words, self._warn)
        self.layout = self._asked.layout = self._rules.layout = layout
        for lookups in (self.steps, self.questions):
            lookups.move(self.machine, layout, self.buffers[0].context)
        self._settle(self.states)

    def _new_layout(self, words: int, states: int) -> Layout:
        while len(self._ages) > 1 and self._ages[1][0] * YOUNGER <= states:
            del self._ages[0]
        return layout_for([len(values) for values in self.tables.values], self._ages[0][1], words)

    def close(self) -> None:
        """Let the second thread go."""
        if self._pool is not None:
            self._pool.shutdown()

    def keep_with(self, keeper: Keeper) -> None:
        """Write checkpoints from now on."""
        self._keeper = keeper

    def _keep(self) -> None:
        assert self._keeper is not None
        place = Place(
            layout=self.layout,
            bounds=tuple(self.bounds),
            firsts=self._firsts,
            ends=self._to,
            counts=self.ends(),
            transitions=self.transitions,
            answer_sum=self._rules.answer_sum(),
        )
        self._keeper.keep(
            place,
            lambda owner, start, end: self.owners[owner].rows(start, end),
            self._rules.calls,
        )

    def go_on_from(self, place: Place, calls: "array[int]", rows: Sequence[bytes]) -> bool:
        """Come to where another process was; answer whether the rules answer as they did."""
        if not self._rules.run_again(calls) or self._rules.answer_sum() != place.answer_sum:
            return False
        self._move(place.layout)
        for owner, data in zip(self.owners, rows, strict=True):
            kept = Block(max(1, len(data) // WORD))
            kept.view[: len(data) // WORD] = memoryview(data).cast("Q")
            owner.take_in(self.machine, (kept.address, len(data) // (WORD * place.layout.words)))
        self.bounds, self._transitions = list(place.bounds), place.transitions
        self._firsts, self._to = place.firsts, place.ends
        judged, self.foreign = self.foreign, len(place.bounds)
        return not any(starmap(self._judge, pairwise([*self.bounds[judged:], self._to])))

    def _speak(self, frontier: int) -> None:
        self.limits.speak(
            lambda seconds: Progress(
                model=self.tables.model.name,
                layer=len(self.bounds) - 1,
                states=self.states,
                transitions=self.transitions,
                frontier=frontier,
                rule_calls=self.tables.rule_calls,
                lookups=self._lookups,
                misses=self._misses,
                seconds=seconds,
            )
        )
