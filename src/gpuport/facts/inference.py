"""One sparse fixpoint over the SSA of all modules of a program.

The worklist holds (context, operation): an operation is evaluated again only when the type of an
operand, or of a memory location that it read, has changed. A context is a function with the types
of its arguments. Memory (globals, cells, fields, contents of lists and dicts) is flow-insensitive:
one type a location, joined over all stores (sparse conditional propagation as in Wegman and Zadeck,
"Constant Propagation with Conditional Branches", TOPLAS 13(2), 1991, without the branches).
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable

from gpuport.facts.contexts import Context, Location, Parameter, Place
from gpuport.facts.evaluation import TRANSFERS, Evaluation
from gpuport.facts.evidence import believed
from gpuport.facts.index import Index
from gpuport.facts.probing import Prober
from gpuport.facts.scoping import SMALL_SIZE, placed, symbolised, told_at, widened
from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.queries import walk
from gpuport.ir.structure import Function, Module, Op, Value
from gpuport.ir.types import UNKNOWN, Type, join, timeless

#: Contexts of a function from which on extents and constants are forgotten, and then everything.
MANY_CONTEXTS, TOO_MANY_CONTEXTS = 10, 20
#: A site, where an array lives of which nobody knows where it does.
ANYTHING = "any array"
#: Operations whose operands need not all be known: a name that is not assigned yet adds nothing.
PARTIAL = frozenset({"For", "While", "Yield", "Continue", "Break"})


class Inference:
    """The state of the fixpoint.

    Attributes
    ----------
    contexts : dict
        By function, then by the types of its arguments.
    memory : dict
        The type of each location that has been stored to.
    evaluations : int
        How often an operation was evaluated.
    told : int
        Sizes and whole numbers up to this are known in a function that is called with them.
    """

    def __init__(self, modules: Iterable[Module], prober: Prober, told: int = SMALL_SIZE) -> None:
        self.told = told
        self.modules = {module.name: module for module in modules}
        self.index = Index(self.modules.values())
        self.prober = prober
        self.contexts: dict[Function, dict[tuple[Type, ...], Context]] = defaultdict(dict)
        self.memory: dict[Location, Type] = {}
        self.reshaped: set[object] = set()  #: sites of arrays that get another shape in place
        self.evaluations = 0
        self._readers: dict[Location, set[tuple[Context, Op]]] = defaultdict(set)
        self._queue: list[tuple[int, int, Context, Op]] = []
        self._queued: set[tuple[Context, Op]] = set()
        self._forced: set[tuple[Context, Op]] = set()
        self._likely: dict[Function, tuple[Type, ...]] = {}
        self._touched: set[Context] = set()  #: evaluated since nothing changed the last time

    @property
    def for_sizes(self) -> bool:
        """Whether sizes are asked for alone, of ports, too."""
        return self.told > SMALL_SIZE

    # -- driving

    def drain(self) -> None:
        """Evaluate until nothing changes."""
        while True:
            while self._queue:
                _, _, context, op = heapq.heappop(self._queue)
                self._queued.discard((context, op))
                self.evaluations += 1
                self._touched.add(context)
                self._evaluate(context, op)
            if not self._force():
                self._touched.clear()
                return

    def _force(self) -> bool:
        """Give up waiting: what nothing tells is unknown.

        Values wait in a circle where a function calls itself and nothing else returns, or where
        memory is read that nothing stores to. The first of each context only: the others may
        follow from it.
        """
        found = False
        for context in sorted(self._touched):
            op = self._stuck(context)
            if op is not None:
                found = True
                self._forced.add((context, op))
                self._give_up(context, op)
        return found

    def _stuck(self, context: Context) -> Op | None:
        for op in walk(context.function.body):
            if (
                any(result not in context.types for result in op.results)
                and all(operand in context.types for operand in op.operands)
                and KINDS[op.kind].effect is not Effect.CONTROL
                and op.kind != "Undef"
                and (context, op) not in self._forced
            ):
                return op
        return None

    def _give_up(self, context: Context, op: Op) -> None:
        called = context.calls.get(op)
        if op.kind == "Call" and called:
            if any(callee.function.is_generator for callee, _ in called):  # one that never yields
                self.learn(context, op.result, Type("iterator", element=UNKNOWN))
            return  # a call that never returns
        for result in op.results:
            self.learn(context, result, UNKNOWN)

    def enqueue(self, context: Context, op: Op) -> None:
        """Evaluate an operation (again)."""
        if (context, op) not in self._queued:
            self._queued.add((context, op))
            heapq.heappush(self._queue, (context.number, self.index.order[op], context, op))

    def _evaluate(self, context: Context, op: Op) -> None:
        operands = [context.types.get(value) for value in op.operands]
        known = [t for t in operands if t is not None]
        here = Evaluation(self, context, op)
        if op.kind in PARTIAL:
            TRANSFERS[op.kind](here, operands)
        elif len(known) == len(operands):
            answer = TRANSFERS[op.kind](here, known)
            if answer is not None:
                types = [answer] if isinstance(answer, Type) else answer
                here.give(op.results, types)

    # -- contexts

    def context(self, function: Function, parameters: tuple[Type, ...]) -> Context:
        """The context for arguments of these types; a new one is queued as a whole.

        Of a parameter of which nothing is known the likely type is believed.
        """
        known = self.contexts[function]
        if any(t.kind == "unknown" for t in parameters):
            parameters = self._believed(function, parameters)
        if parameters not in known and len(known) >= MANY_CONTEXTS:
            many = len(known) < TOO_MANY_CONTEXTS
            parameters = tuple(widened(t) if many else UNKNOWN for t in parameters)
        if parameters not in known:
            number = sum(map(len, self.contexts.values()))
            known[parameters] = made = Context(function, parameters, number)
            self._begin(made)
        return known[parameters]

    def _believed(self, function: Function, parameters: tuple[Type, ...]) -> tuple[Type, ...]:
        if function not in self._likely:
            places = range(len(function.parameters))
            self._likely[function] = tuple(believed(self, function, k) for k in places)
        return tuple(
            likely if t.kind == "unknown" else t
            for t, likely in zip(parameters, self._likely[function], strict=True)
        )

    def _begin(self, context: Context) -> None:
        function = context.function
        for place, value in enumerate(function.parameters):
            sites = frozenset([Parameter(function, place)])
            self.learn(context, value, placed(context.parameters[place], sites))
        for name, start in function.cells.items():
            if start is not None:
                owner = self.index.cell_named(function, name)
                value = function.parameters[start]
                self.store(Location(Place.CELL, owner), context.types[value])
        for op in walk(function.body):
            self.enqueue(context, op)

    # -- types of values

    def learn(self, context: Context, value: Value, t: Type) -> None:
        """A value may be of this type, too."""
        if t.kind == "array" and self.reshaped and not self._keeps_shape(t):
            t = Type("array", sites=t.sites, assumed=t.assumed)
        new = told_at(t, value)
        old = context.types.get(value)
        if old is not None:
            new = symbolised(join(old, new), value)
        if new != old:
            context.types[value] = new
            for op, _ in self.index.uses[context.function].get(value, ()):
                self.enqueue(context, op)

    def _keeps_shape(self, t: Type) -> bool:
        if ANYTHING in self.reshaped or t.sites is None:
            return False
        return self.reshaped.isdisjoint(t.sites)

    def reshape(self, t: Type) -> None:
        """An array gets another shape in place: all that lives at its sites is known less of."""
        told = t.kind == "array" and t.sites is not None
        sites: set[object] = {ANYTHING} if not told else set(t.sites or ())
        if any(isinstance(site, Parameter) for site in sites):
            sites = {ANYTHING}  # callers know the array by other sites
        if not sites <= self.reshaped and ANYTHING not in self.reshaped:
            self.reshaped |= sites
            for known in self.contexts.values():
                for context in known.values():
                    for value in context.function.parameters:
                        self.learn(context, value, context.types[value])
                    for op in walk(context.function.body):
                        self.enqueue(context, op)

    # -- memory

    def load(self, context: Context, op: Op, location: Location) -> Type | None:
        """What a location holds, None for nothing yet; the operation is told of changes."""
        self._readers[location].add((context, op))
        return self.memory.get(location)

    def store(self, location: Location, t: Type) -> None:
        """A location may hold this type, too."""
        new = timeless(t)
        old = self.memory.get(location)
        if old is not None:
            new = join(old, new)
        if new != old:
            self.memory[location] = new
            for context, op in self._readers[location]:
                self.enqueue(context, op)
