"""Questions about operations and regions that every later stage asks."""

from __future__ import annotations

from collections.abc import Iterator

from gpuport.ir.structure import Function, Module, Op, Region, Value

#: Terminators that leave the function, and with it every loop around them.
LEAVES_FUNCTION = ("Return", "Raise")


def walk(region: Region) -> Iterator[Op]:
    """All operations of a region and of the regions inside it, in the order of the text."""
    for op in region.ops:
        yield op
        for inner in op.regions:
            yield from walk(inner)


def uses(function: Function) -> dict[Value, list[tuple[Op, int]]]:
    """Where each value is used: the operation, and which operand of it."""
    found: dict[Value, list[tuple[Op, int]]] = {}
    for op in walk(function.body):
        for place, value in enumerate(op.operands):
            found.setdefault(value, []).append((op, place))
    return found


def exits(region: Region, kinds: tuple[str, ...]) -> Iterator[Op]:
    """Terminators of these kinds that leave the loop, or the function, that owns a region.

    ``Break`` and ``Continue`` of a loop inside are that loop's own; what leaves the function leaves
    every loop around it.
    """
    for op in region.ops:
        if op.kind in kinds:
            yield op
        for place, inner in enumerate(op.regions):
            if op.kind in ("MakeClass", "Map", "Reduce"):
                continue
            if op.kind in ("For", "While") and place < len(op.regions) - 1:
                yield from exits(inner, tuple(kind for kind in kinds if kind in LEAVES_FUNCTION))
            else:
                yield from exits(inner, kinds)


def arms(op: Op) -> list[Region]:
    """The regions of an ``If``, ``Try`` or ``With`` whose ``Yield`` gives the operation's results.

    A ``Try`` has the regions body, then for each handler that of its type and that of its block,
    then ``else`` and ``finally`` where it has them. With an ``else`` the values of the body go to
    its parameters.
    """
    if op.kind != "Try":
        return op.regions
    rest = 1 + 2 * op.attributes["handlers"]
    main = op.regions[rest] if op.attributes["orelse"] else op.regions[0]
    return [main, *op.regions[2:rest:2]]


def mentioned(op: Op) -> list[Value]:
    """Values that an operation reads beside its operands: those that what it needs is about."""
    return [
        part
        for _, *sides in op.attributes.get("needs", ())
        for side in sides
        for part in ([side] if isinstance(side, Value) else [s.source for s in side.symbols])
    ]


def tails(op: Op) -> list[tuple[Op, int]]:
    """The terminators that hand on what a loop carries, each with its first carried operand."""
    body, orelse = op.regions[-2], op.regions[-1]
    found = [(end, 0) for end in exits(body, ("Continue", "Break"))]
    if op.kind == "While" and op.regions[0].terminator.kind == "Yield":
        found.append((op.regions[0].terminator, 1))
    if orelse.terminator.kind == "Yield":
        found.append((orelse.terminator, 0))
    return found


def carried(op: Op, place: int) -> list[Value]:
    """Every value that stands for one carried value of a loop: a result, and parameters."""
    first = 1 if op.kind == "For" else 0
    test = [op.regions[0].parameters[place]] if op.kind == "While" else []
    return [
        op.results[place],
        *test,
        op.regions[-2].parameters[first + place],
        op.regions[-1].parameters[place],
    ]


def is_inside(op: Op | Region, region: Region) -> bool:
    """Whether an operation or a region stands in a region, at any depth."""
    here = op if isinstance(op, Region) else op.parent
    while here is not region:
        if isinstance(here.owner, Function):
            return False
        here = here.owner.parent
    return True


def opaque(module: Module) -> list[Op]:
    """The operations that lowering did not understand."""
    return [
        op for function in module.functions for op in walk(function.body) if op.kind == "Opaque"
    ]
