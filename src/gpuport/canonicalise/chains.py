"""Chains of operations on whole arrays, as maps over the extents of what leaves the chain.

A chain is what stands between two operations that may change memory. Each array that something
beyond the chain uses is a *root*, and becomes a map in its own place. Reductions and products stand
outside: inside a map each of its elements would compute them anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.canonicalise.arithmetic import arguments_of, callee_path, is_elementwise
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.grids import Grid
from gpuport.canonicalise.nests import INDEX_NAMES, ParallelRegion, finished
from gpuport.canonicalise.purity import is_silent, only_computes
from gpuport.canonicalise.totals import Totals
from gpuport.canonicalise.writer import Writer
from gpuport.facts.contexts import Context
from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.queries import mentioned, uses, walk
from gpuport.ir.structure import Function, Op, Region
from gpuport.ir.types import NUMBERS

OPERATORS = ("Binary", "Compare", "Unary")
VIEWS = ("GetItem", "GetAttr")


class Chain:
    """The operations between two that may change memory."""

    def __init__(self, function: Function, contexts: Iterable[Context], ops: list[Op]) -> None:
        self.function, self.contexts, self.ops = function, tuple(contexts), ops
        self.writer = Writer(function, self.contexts, ops[0].span)
        self.place = {op: k for k, op in enumerate(ops)}
        self.makers = [op for op in ops if self._makes(op)]
        self._uses = uses(function)

    def _makes(self, op: Op) -> bool:
        """Whether an operation makes a new array element by element."""
        t = self.writer.type(op.result) if op.results else None
        if t is None or t.kind != "array" or not t.shape:
            return False
        if op.kind in OPERATORS:
            return True
        if op.kind != "Call" or op.attributes["keywords"] or any(op.attributes["stars"]):
            return False
        path = callee_path(self.writer, op)
        return bool(path) and is_elementwise(path, len(arguments_of(op, path)))

    def is_lazy(self, op: Op) -> bool:
        """Whether an operation of the chain is computed where its elements are used."""
        if op not in self.place:
            return False
        of_array = bool(op.results) and self.writer.type(op.result).kind == "array"
        return of_array and (op in self._made or op.kind in VIEWS)

    @property
    def _made(self) -> set[Op]:
        return set(self.makers)

    def roots(self) -> list[Op]:
        """Operations whose arrays something beyond the chain uses."""
        return [
            op
            for op in self.makers
            if any(not self.is_lazy(user) for user, _ in self._uses.get(op.result, ()))
        ]

    def sweep(self) -> None:
        """Remove operations that nothing uses any more, once roots are maps."""
        kept = {value for op in walk(self.function.body) for value in mentioned(op)}
        for op in reversed(self.ops):
            left = self.is_lazy(op) and op in op.parent.ops
            if left and op.result not in kept and not uses(self.function).get(op.result):
                op.parent.ops.remove(op)


def chains_of(function: Function, contexts: Iterable[Context], region: Region) -> list[Chain]:
    """The chains of a region, without those of the regions inside it."""
    known = tuple(contexts)
    found: list[Chain] = []
    ops: list[Op] = []
    for op in [*region.ops, None]:
        if op is not None and not _may_change_memory(function, known, op):
            ops.append(op)
        elif ops:
            chain = Chain(function, known, ops)
            if chain.makers:
                found.append(chain)
            ops = []
    return found


def _may_change_memory(function: Function, contexts: tuple[Context, ...], op: Op) -> bool:
    effect = KINDS[op.kind].effect
    if effect in (Effect.PURE, Effect.READ):
        return False
    if effect is not Effect.WRITE:
        return True
    writer = Writer(function, contexts, op.span)
    if op.kind in (*OPERATORS, "GetItem", "GetAttr"):
        return not is_silent(writer, op)
    if op.kind == "InPlace":
        return writer.type(op.operands[0]).kind not in NUMBERS
    return not (op.kind == "Call" and only_computes(writer, op))


def map_of_root(chain: Chain, root: Op) -> ParallelRegion:
    """A root of a chain as a map, with all that is computed for it alone.

    Raises
    ------
    Blocked
        With the reason why it is none.
    """
    lazy = {op for op in chain.ops if chain.is_lazy(op)}
    elements = Elements(
        chain.function,
        chain.contexts,
        root.span,
        lazy.__contains__,
        has_size=lambda op: op.kind in VIEWS,
    )
    t = elements.type(root.result)
    if t.order != "C":
        raise Blocked(f"nothing tells the memory order of `{root.result.name}`", root.span)
    if t.dtype is None or t.shape is None:
        raise Blocked(f"nothing tells the dtype of `{root.result.name}`", root.span)
    prologue, body = elements.region, Region()
    sizes = [elements.size(extent) for extent in t.shape]
    target = elements.value("Alloc", sizes, root.result, root.span, dtype=t.dtype)
    target.name = root.result.name
    zero = elements.const(0)
    with elements.inside(body):
        indices = [
            elements.counter(body, name) for name, _ in zip(INDEX_NAMES, t.shape, strict=False)
        ]
        value = elements.element(root.result, indices)
        elements.emit("Store", [target, *indices, value], (), root.span)
        elements.end("Yield")
    grid = [Grid(index, zero, size, 1) for index, size in zip(indices, sizes, strict=True)]
    filled = Totals(results=((root.result, target),))
    made = finished(elements, (root,), prologue, body, grid, filled)
    made.vouch()  # each point fills an element of an array that nobody else has
    return made
