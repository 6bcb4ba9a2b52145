"""Items of dicts and tuples that loops over elements read get names of their own.

``bus["p"][i]`` in a loop becomes ``p[i]``, with ``p = bus["p"]`` in the line above the loop, and
``weights[0]`` is ``weights_0``. A port has such names only where a kernel came of it: the module
is ported both ways.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.methodbodies import held_by
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Mapping,
    Number,
    Sequence,
    Tuple,
    Value,
    is_number,
)
from gpuport.emit.lines import line_above
from gpuport.passes.listtexts import Loop, Names, outermost, starts_line
from gpuport.rules.libraries import library_of
from gpuport.source.constantkeys import Item, always_read, free_name, item_of
from gpuport.source.edits import Edit

_HARMLESS = frozenset(
    f"builtins.{name}" for name in
    ("abs", "bool", "complex", "enumerate", "float", "int", "len", "max", "min", "range", "round",
     "zip")
)  # fmt: skip
"""Builtins that store nothing in what they are given."""
_STORING = (ast.Yield, ast.YieldFrom, ast.Await, ast.Delete, ast.With, ast.Try)


def held_items(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    """The edits that name the items of dicts and tuples that the loops of a function read."""
    names, chosen = Names(unit), dict[Item, str]()

    def wanted(loop: Loop) -> bool:
        return bool(_items(unit, loop)) and starts_line(unit, loop) and _is_plain(unit, loop)

    for loop in outermost(unit, node.body, wanted):
        module = unit.module
        for item, parts in _items(unit, loop).items():
            if item not in chosen:
                chosen[item] = names.free(free_name(parts[0]))
            yield line_above(unit.module, loop, f"{chosen[item]} = {module.segment(parts[0])}")
            for part in parts:
                yield Edit(*module.extent(part), (chosen[item],))


def _items(unit: Unit, loop: Loop) -> dict[Item, list[ast.Subscript]]:
    """Items that a loop reads, where it does nothing else with what holds them.

    The function reads them in any case, so that they are there.
    """
    nodes = unit.module.nodes
    found: dict[Item, list[ast.Subscript]] = {}
    holders: set[int] = set()
    for part in nodes.inside(loop, ast.Subscript):
        item = item_of(part)
        if item is not None and _is_held(unit, part, item):
            found.setdefault(item, []).append(part)
            holders.add(id(part.value))
    if not found:
        return {}
    others = {n.id for n in nodes.inside(loop, ast.Name) if id(n) not in holders}
    kept = {item: parts for item, parts in found.items() if item[0] not in others}
    assert isinstance(unit.node, ast.FunctionDef)
    return kept if kept and kept.keys() <= always_read(unit.node) else {}


def _is_held(unit: Unit, part: ast.Subscript, item: Item) -> bool:
    """Whether an item is known to be an array or a number, and its holder bound once."""
    name, key = item
    if not isinstance(part.ctx, ast.Load) or unit.scope.bound.get(name) != 1:
        return False
    held = _item(held_by(unit, name), key)
    return isinstance(held, (Array, Number, Either)) or (held is not None and is_number(held))


def _item(holder: Value | None, key: str | int) -> Value | None:
    """What a dict holds under a text, or a tuple at a place."""
    if isinstance(holder, Mapping) and isinstance(key, str) and not holder.optional:
        return dict(holder.fields).get(key) if holder.fields is not None else holder.of
    if isinstance(holder, Tuple) and isinstance(key, int) and not holder.optional:
        return holder.items[key] if -len(holder.items) <= key < len(holder.items) else None
    plain = isinstance(holder, Sequence) and not holder.list and not holder.optional
    return holder.of if isinstance(holder, Sequence) and plain and isinstance(key, int) else None


def _is_plain(unit: Unit, loop: Loop) -> bool:
    """Whether a loop stores in arrays alone, and calls nothing that may store anywhere else."""
    nodes = unit.module.nodes
    if not unit.module.stands_alone(loop) or loop.orelse or [*nodes.inside(loop, *_STORING)]:
        return False
    for call in nodes.inside(loop, ast.Call):
        known = unit.work.operations.get(id(call))
        path = unit.scope.resolve(call.func) or (known.path if known is not None else None) or ""
        if not (library_of(path) or path.startswith("math.") or path in _HARMLESS):
            return False
    return all(
        isinstance(part.ctx, ast.Load) or _is_array(unit, part.value)
        for part in nodes.inside(loop, ast.Subscript)
    ) and all(isinstance(part.ctx, ast.Load) for part in nodes.inside(loop, ast.Attribute))


def _is_array(unit: Unit, node: ast.expr) -> bool:
    """Whether what is stored into is an array, by its name or as such an item."""
    item = item_of(node)
    if item is not None:
        return isinstance(_item(held_by(unit, item[0]), item[1]), (Array, Either))
    held = held_by(unit, node.id) if isinstance(node, ast.Name) else None
    return isinstance(held, (Array, Either))


__all__ = ["held_items"]
