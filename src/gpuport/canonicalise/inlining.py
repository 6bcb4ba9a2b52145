"""Calls of small functions of the program, written out where they stand.

A loop that calls ``clamp(x[i])`` is then a loop over elements like any other.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.renaming import renamed
from gpuport.canonicalise.writer import Writer
from gpuport.facts.contexts import Context, Parameter
from gpuport.facts.scoping import Handing, told_outside
from gpuport.ir.queries import exits, walk
from gpuport.ir.structure import Function, Op, Passing, Region, Value
from gpuport.ir.types import join, mapped

#: Operations of a function that is written out at most.
MOST_OPERATIONS = 80
#: Operations that mean something else elsewhere: they belong to a frame, or change what others see.
BELONGS_TO_FRAME = frozenset(
    {"StoreGlobal", "StoreCell", "LoadCell", "NewCell", "DeleteCell", "DeleteGlobal", "Opaque"}
    | {"MakeFunction", "MakeClass", "GeneratorYield", "GeneratorDelegate", "Try", "With", "Raise"}
)


def inline_calls(function: Function, contexts: Iterable[Context], loop: Op) -> int:
    """Write out the calls in the body of a loop that can be; how many there were."""
    known = tuple(contexts)
    writer = Writer(function, known, loop.span)
    count = 0
    for op in list(walk(loop.regions[0])):
        if op.kind == "Call" and writer.type(op.operands[0]).kind == "function":
            try:
                _Inlined(function, known, op).put_in()
            except Blocked:
                continue
            count += 1
    return count


class _Inlined:
    """A copy of a callee's body, with values of the caller."""

    def __init__(self, function: Function, contexts: tuple[Context, ...], call: Op) -> None:
        self.function, self.contexts, self.call = function, contexts, call
        self.callee = self._callee()
        self.values: dict[Value, Value] = {}
        plain = not call.attributes["keywords"] and not any(call.attributes["stars"])
        arguments = call.operands[1:]
        by_place = all(
            p.passing in (Passing.POSITION, Passing.EITHER) for p in self.callee.signature
        )
        if not plain or not by_place or len(arguments) != len(self.callee.parameters):
            raise Blocked(f"`{self.callee.name}` is called with other arguments", call.span)
        self.values.update(zip(self.callee.parameters, arguments, strict=True))
        self._check()

    def _callee(self) -> Function:
        targets = {
            target
            for context in self.contexts
            if (t := context.types.get(self.call.operands[0])) is not None
            for target in t.targets
        }
        if len(targets) != 1:
            raise Blocked("the call may reach several functions", self.call.span)
        (callee,) = targets
        if not isinstance(callee, Function) or callee is self.function:
            raise Blocked("the function calls itself", self.call.span)
        return callee

    def _check(self) -> None:
        callee = self.callee
        inside = list(walk(callee.body))
        ends = list(exits(callee.body, ("Return",)))
        if callee.is_generator or callee.cells or callee.free or len(inside) > MOST_OPERATIONS:
            raise Blocked(f"`{callee.name}` is too large, or keeps a state", self.call.span)
        if callee.module != self.function.module and any(op.kind == "LoadGlobal" for op in inside):
            raise Blocked(f"`{callee.name}` reads names of another file", self.call.span)
        if any(op.kind in BELONGS_TO_FRAME for op in inside) or ends != [callee.body.terminator]:
            raise Blocked(f"`{callee.name}` does more than compute its result", self.call.span)

    def put_in(self) -> None:
        """Put the copy in the place of the call."""
        home, place = self.call.parent, self.call.parent.ops.index(self.call)
        returned = self.callee.body.terminator.operands[0]
        # The facts name sizes by the call's result ("as many rows as `q`"): the copy defines it.
        self.values.setdefault(returned, self.call.result)
        copies = [self._copy(op, home) for op in self.callee.body.ops[:-1]]
        home.ops[place : place + 1] = copies
        given = self._of(returned)
        for op in walk(self.function.body):
            op.operands = [given if v is self.call.result else v for v in op.operands]
        if not given.name:
            given.name = self.call.result.name
        self._tell_types()
        new = {self.call.result: given}
        for context in self.contexts:
            for value, t in list(context.types.items()):
                context.types[value] = mapped(t, lambda extent: renamed(extent, new))

    def _of(self, value: Value) -> Value:
        return self.values.get(value, value)

    def _fresh(self, value: Value, definition: Op | Region) -> Value:
        if value in self.values:
            self.values[value].definition = definition
        else:
            self.values[value] = self.function.fresh(value.name, definition)
        return self.values[value]

    def _copy(self, op: Op, parent: Region) -> Op:
        operands = [self._of(value) for value in op.operands]
        made = Op(op.kind, operands, dict(op.attributes), [], [], self.call.span, parent)
        for region in op.regions:
            inner = Region()
            inner.owner = made
            inner.parameters = [self._fresh(value, inner) for value in region.parameters]
            inner.ops = [self._copy(each, inner) for each in region.ops]
            made.regions.append(inner)
        made.results = [self._fresh(value, made) for value in op.results]
        return made

    def _tell_types(self) -> None:
        """Give the copies the types of their originals, in symbols of the caller."""
        arguments = self.call.operands[1:]
        for context in self.contexts:
            if any(value not in context.types for value in arguments):
                continue  # the call is not reached
            bound = [context.types[value] for value in arguments]
            handing = Handing(self.callee, bound)
            sites = {Parameter(self.callee, k): t.sites for k, t in enumerate(bound)}
            for callee, _ in context.calls.get(self.call, ()):
                for old, new in self.values.items():
                    if old in callee.types and new not in (*arguments, self.call.result):
                        t = told_outside(callee.types[old], handing.back, sites)
                        before = context.types.get(new)
                        context.types[new] = t if before is None else join(before, t)
