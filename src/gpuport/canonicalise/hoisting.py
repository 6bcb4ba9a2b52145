"""Loads that give the same in each iteration stand before the loop.

``self.u`` in a loop is then an array from outside, as a parameter or a local name is (loop
invariant code motion: Aho, Lam, Sethi and Ullman, "Compilers", 2nd ed., section 9.1).
"""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.canonicalise.purity import is_silent
from gpuport.canonicalise.renaming import renamed
from gpuport.canonicalise.writer import Writer
from gpuport.facts.contexts import Context
from gpuport.facts.index import fields_from_start
from gpuport.ir.queries import is_inside, walk
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.ir.types import mapped

LOADS = frozenset({"GetAttr", "LoadGlobal", "LoadCell"})
#: What changes what each kind of load reads.
CHANGES = {"GetAttr": "SetAttr", "LoadGlobal": "StoreGlobal", "LoadCell": "StoreCell"}
CHANGING = frozenset({*CHANGES.values(), "SetItem", "Collect", "For", "While", "Try", "If", "With"})
#: Operations that run code which may change anything.
RUNS_CODE = frozenset({"Opaque", "GeneratorYield", "GeneratorDelegate", "With", "MakeClass"})


def hoist(function: Function, contexts: Iterable[Context], loop: Op) -> tuple[Op, ...]:
    """Move loads of a loop before it, and give them.

    A load moves where what it reads is known to be there, though the loop may never run, and
    nothing in the loop may change it. Two that read the same become one.
    """
    body = loop.regions[0]
    writer = Writer(function, contexts, loop.span)
    inside = list(walk(body))
    source = loop.operands[0].definition
    if not isinstance(source, Op) or not is_silent(writer, source):
        return ()
    if any(op.kind in RUNS_CODE or not is_silent(writer, op) for op in inside):
        return ()
    changed = {(op.kind, op.attributes["name"]) for op in inside if op.kind in CHANGES.values()}
    moved = {_read(op): op for op in _before(writer, loop) if op.kind in LOADS}
    for op in inside:
        if op.kind not in LOADS or (CHANGES[op.kind], op.attributes["name"]) in changed:
            continue
        known = writer.type(op.result).kind != "unknown" and _is_there(writer, op)
        if not known or any(_is_made_in(value, body) for value in op.operands):
            continue
        first = moved.setdefault(_read(op), op)
        if first is op:
            _move_before(op, loop)
        else:
            _replace(writer, op, first, body)
    return tuple(moved.values())


def _read(op: Op) -> tuple[object, ...]:
    """What a load reads: two that read the same, with nothing between that changes it, are one."""
    return op.kind, op.attributes["name"], *op.operands


def _before(writer: Writer, loop: Op) -> list[Op]:
    """What stands right before a loop and changes nothing: its head among it."""
    ops = loop.parent.ops
    found: list[Op] = []
    for op in reversed(ops[: ops.index(loop)]):
        if op.kind in CHANGING | RUNS_CODE or not is_silent(writer, op):
            break
        found.append(op)
    return found


def _is_there(writer: Writer, op: Op) -> bool:
    """Whether what an operation loads is there before the loop, whatever the loop does."""
    name = op.attributes["name"]
    if op.kind != "GetAttr":
        return name in writer.function.bound
    owner = writer.type(op.operands[0])
    if owner.kind not in ("record", "class"):
        return True
    return all(name in fields_from_start(cls) for cls in owner.targets)


def _is_made_in(value: Value, region: Region) -> bool:
    made = value.definition
    return isinstance(made, (Op, Region)) and (made is region or is_inside(made, region))


def _move_before(op: Op, loop: Op) -> None:
    op.parent.ops.remove(op)
    home = loop.parent
    home.ops.insert(home.ops.index(loop), op)
    op.parent = home


def _replace(writer: Writer, op: Op, first: Op, body: Region) -> None:
    """Let one load take the place of another; extents that are read from that are read from it."""
    op.parent.ops.remove(op)
    for user in walk(body):
        user.operands = [first.result if value is op.result else value for value in user.operands]
    new = {op.result: first.result}
    for context in writer.contexts:
        for value, t in list(context.types.items()):
            context.types[value] = mapped(t, lambda extent: renamed(extent, new))
