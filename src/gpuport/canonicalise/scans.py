"""Running totals: ``s += x[i]; y[i] = s``.

A carried value that an iteration reads becomes an array of its own, with what it is before each
point and after the last. A ``Scan`` makes it before the map, which loads from it (loop fission:
Kennedy and McKinley, "Loop distribution with arbitrary control flow", Supercomputing 1990).
"""

from __future__ import annotations

from gpuport.canonicalise.accumulation import Accumulated
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.sweeping import sweep
from gpuport.canonicalise.totals import Total
from gpuport.canonicalise.writer import Writer
from gpuport.facts.contexts import Context, Parameter
from gpuport.ir.queries import is_inside, walk
from gpuport.ir.reductions import PLAIN
from gpuport.ir.structure import Op, Region, Value
from gpuport.ir.types import Type, strong_dtype

#: What may put a value together with another.
PUTS = ("Binary", "InPlace", "Call")


class Scans:
    """The carried values of a loop that its iterations read.

    Parameters
    ----------
    elements : Elements
    loop : Op
    index, low : Value
        The index of the loop, and where it begins.
    step : int
    """

    def __init__(self, elements: Elements, loop: Op, index: Value, low: Value, step: int) -> None:
        self.elements, self.loop, self.index, self.low, self.step = elements, loop, index, low, step
        self.made: dict[Value, Op] = {}
        self._terms: dict[Value, Value] = {}
        self._ways: dict[Value, set[Value]] = {}

    def place(self, start: Value) -> int:
        """Which of the carried values one is."""
        parameters = self.loop.regions[0].parameters[1:]
        if start not in parameters:
            raise Blocked(f"`{start.name}` goes from one iteration to the next")
        return parameters.index(start)

    def changes(self, start: Value, value: Value) -> bool:
        """Whether a value of the program is on the way to the carried one of the next iteration."""
        if start not in self._ways:
            end = self.loop.regions[0].terminator.operands[self.place(start)]
            self._ways[start] = _ways_to(end, self.loop.regions[0])
        return value in self._ways[start]

    def read(self, found: Accumulated) -> Value:
        """A carried value as it is here: before the iteration put something to it, or after."""
        end = self.loop.regions[0].terminator.operands[self.place(found.start)]
        if found.start not in self.made:
            self._declare(found.start, end)
        array = self.made[found.start].results[0]
        position = self._position()
        if found.is_untouched:
            if not self.elements.contexts_agree(found.start, end):
                raise Blocked(f"`{found.start.name}` begins as a number of another type")
            return self.elements.value("Load", [array, position], found.start)
        known = self._terms.setdefault(found.start, found.term) if found.term else None
        if found.operator not in PLAIN or known is not found.term or found.leader:
            raise Blocked(f"`{found.start.name}` goes from one iteration to the next")
        after = self.elements.sum(position, self.elements.const(1))
        return self.elements.value("Load", [array, after], end)

    def _position(self) -> Value:
        """Which point of the loop an iteration is."""
        elements, step = self.elements, self.step
        first = elements.index("-", self.index, self.low) if step > 0 else None
        distance = first or elements.index("-", self.low, self.index)
        if abs(step) == 1:
            return distance
        return elements.index("//", distance, elements.const(abs(step)))

    def _declare(self, start: Value, end: Value) -> None:
        """The array of what a carried value is; how it is made is told at the end."""
        elements = self.elements
        with elements.inside(Region()):
            dtype = elements.dtype_everywhere(end)
            if dtype is None:
                raise Blocked(f"nothing tells the dtype of `{start.name}`")
            op = elements.emit("Scan", (), (end, end), self.loop.span, (Region(),), dtype=dtype)
        op.results[0].name = f"{start.name}_all"
        self.made[start] = op
        for context in elements.contexts:
            context.types[op.results[0]] = _array(context, end, op)
            context.types[op.results[1]] = context.types[self.loop.results[self.place(start)]]

    # -- once the iteration is rewritten

    def finish(
        self, prologue: Region, body: Region, high: Value, found: list[Total]
    ) -> tuple[list[Total], tuple[tuple[Value, Value], ...]]:
        """Emit the scans, and give the totals that are left, and what scans give in their place."""
        totals = {total.places[0]: total for total in found if len(total.places) == 1}
        for start, op in self.made.items():
            total = totals.get(self.place(start))
            if total is None or total.how not in PLAIN:
                raise Blocked(f"`{start.name}` goes from one iteration to the next")
            if self._terms.get(start, total.terms[0]) is not total.terms[0]:
                raise Blocked(f"`{start.name}` is read between two changes")
            op.operands = [
                self.low,
                high,
                self.elements.number(self.loop.operands[1 + self.place(start)]),
            ]
            op.attributes.update(operator=total.how, step=self.step)
            self._fill(op, body, total.terms[0])
        taken = {self.place(start) for start in self.made}
        left = [total for total in found if taken.isdisjoint(total.places)]
        for op in self._in_order():
            op.parent = prologue
            prologue.ops.append(op)
        results = [
            (self.loop.results[self.place(start)], op.results[1]) for start, op in self.made.items()
        ]
        return left, tuple(results)

    def _fill(self, scan: Op, body: Region, term: Value) -> None:
        """The region of a scan: what of the iteration its term needs."""
        elements, region = self.elements, scan.regions[0]
        region.owner = scan
        values: dict[Value, Value] = {}
        index = elements.counter(region, self.index.name, self.index in elements.naturals)
        values[self.index] = index
        needed = _needed(body, term)
        region.ops = [copied(elements, op, region, values) for op in body.ops if op in needed]
        for op in list(walk(region)):
            if op.kind in ("Store", "Update"):  # nothing here reads what is stored
                op.parent.ops.remove(op)
        with elements.inside(region):
            elements.end("Yield", [values.get(term, term)])
        sweep(region)
        self._check_stores(region, body)

    def _check_stores(self, region: Region, body: Region) -> None:
        """Refuse where what a scan reads is changed by an iteration: scans come before."""
        stored = {op.operands[0] for op in walk(body) if op.kind in ("Store", "Update")}
        for op in walk(region):
            if op.kind != "Load":
                continue
            for target in stored:
                one = self.elements.type(op.operands[0]).sites
                other = self.elements.type(target).sites
                if one is None or other is None or one & other:
                    raise Blocked(f"`{target.name}` is changed where a running total reads it")
                if any(isinstance(site, Parameter) for site in one | other):
                    first, second = sorted((op.operands[0], target), key=lambda v: v.index)
                    self.elements.apart.add(("apart", first, second))

    def _in_order(self) -> list[Op]:
        """The scans, each behind those that it reads.

        Raises
        ------
        Blocked
            Where one rests on itself.
        """
        arrays = {op.results[0] for op in self.made.values()}
        order: list[Op] = []
        done: set[Value] = set()
        while len(order) < len(self.made):
            ready = [
                op
                for op in self.made.values()
                if op not in order and _read(op.regions[0], arrays) <= done
            ]
            if not ready:
                start = next(start for start, op in self.made.items() if op not in order)
                raise Blocked(f"`{start.name}` goes from one iteration to the next")
            order += ready
            done |= {op.results[0] for op in ready}
        return order


def _ways_to(end: Value, body: Region) -> set[Value]:
    """The values that a value is put together from in a region."""
    found: set[Value] = set()
    todo = [end]
    while todo:
        value = todo.pop()
        op = value.definition
        if value in found or not isinstance(op, Op) or not is_inside(op, body):
            continue
        found.add(value)
        if op.kind == "If":
            place = op.results.index(value)
            ends = [region.terminator for region in op.regions]
            todo += [end.operands[place] for end in ends if end.kind == "Yield"]
        elif op.kind in PUTS:
            todo += op.operands
    return found


def _array(context: Context, end: Value, op: Op) -> Type:
    known = context.types.get(end)
    dtype = strong_dtype(known) if known is not None else None
    if dtype is None:
        raise Blocked(f"nothing tells the dtype of `{end.name}`")
    return Type("array", dtype, shape=(None,), order="C", sites=frozenset({op}))


def _read(region: Region, arrays: set[Value]) -> set[Value]:
    return {op.operands[0] for op in walk(region) if op.kind == "Load"} & arrays


def _needed(body: Region, term: Value) -> set[Op]:
    """The operations of an iteration that a term needs."""
    made = {value: op for op in body.ops for value in op.results}
    needed: set[Op] = set()
    todo = [term]
    while todo:
        op = made.get(todo.pop())
        if op is None or op in needed:
            continue
        needed.add(op)
        todo += op.operands
        for each in (inner for region in op.regions for inner in walk(region)):
            todo += each.operands
    return needed


def copied(writer: Writer, op: Op, parent: Region, values: dict[Value, Value]) -> Op:
    """A copy of a new operation, on other values."""
    operands = [values.get(value, value) for value in op.operands]
    made = Op(op.kind, operands, dict(op.attributes), [], [], op.span, parent)

    def fresh(value: Value, home: Op | Region) -> Value:
        values[value] = writer.function.fresh(value.name, home)
        writer.like[values[value]] = writer.like[value]
        return values[value]

    for region in op.regions:
        inner = Region()
        inner.owner = made
        inner.parameters = [fresh(value, inner) for value in region.parameters]
        inner.ops = [copied(writer, each, inner, values) for each in region.ops]
        made.regions.append(inner)
    made.results = [fresh(value, made) for value in op.results]
    return made
