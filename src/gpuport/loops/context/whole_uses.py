"""What a body uses as whole numbers: as indices, in ranges, in what is stored in integers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from gpuport.loops.context.subscripted import names_of_residues
from gpuport.loops.facts import ArrayFact
from gpuport.loops.names import constant_int, dotted, subscript_indices, walk
from gpuport.loops.records import LoopPlan
from gpuport.parallel.typing import DEVICE_DTYPES, kind
from gpuport.source.syntax import children

_BITS = ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift | ast.RShift


def counting_names(
    plan: LoopPlan, body: Sequence[ast.stmt], bounds: Sequence[ast.expr]
) -> set[str]:
    """Numbers that end a loop: they are no larger than loops are long."""
    found = [bound for bound in bounds if isinstance(bound, ast.Name)]
    found += [argument for argument in _ranges(body) if isinstance(argument, ast.Name)]
    guarded = {m[1] for g in plan.guards if (m := re.fullmatch(r"(\w+) >=? \d+", g))}
    return {node.id for node in found} | guarded


def index_arrays(plan: LoopPlan, body: Sequence[ast.stmt]) -> set[str]:
    """Arrays of whole numbers: indices, ends of ranges, what bit operators are applied to, what is
    stored whole.

    A guess for arrays of which nothing is known; the launch makes sure of it.
    """
    places = [*_index_places(body), *_ranges(body)]
    named = {name for place in places for name in _index_names(place)}
    found = {dotted(n.value) for place in places for n in _elements(place)}
    stores = _whole_stores(plan, body)
    named |= {name for store in stores for name in _bare(store)}
    found |= {dotted(n.value) for store in stores for n in _elements(store)}
    bindings = list(_bindings(body))
    for _ in range(3):
        for name, value in bindings:
            if name in named:
                named |= _bare(value)
                found |= {dotted(n.value) for n in _elements(value)}
    for node in walk(body):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, _BITS):
            value = node.value if isinstance(node, ast.AugAssign) else node.left
            both = [value] if isinstance(node, ast.AugAssign) else [value, node.right]
            found |= {dotted(n.value) for n in walk(both) if isinstance(n, ast.Subscript)}
            named |= {n.id for n in both if isinstance(n, ast.Name)}
    for name, value in bindings:
        if name in named and isinstance(value, ast.Subscript):
            found.add(dotted(value.value))
    return {name for name in found if name is not None}


def _bindings(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Names with the values that assignments give them, those in tuples one by one."""
    for node in walk(body):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for one, value in zip(target.elts, node.value.elts, strict=False):
                    if isinstance(one, ast.Name):
                        yield one.id, value


def _whole_stores(plan: LoopPlan, body: Sequence[ast.stmt]) -> list[ast.expr]:
    """Values that are stored in arrays known to hold integers."""
    found = []
    for node in walk(body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            fact = plan.nest.facts.get(dotted(node.targets[0].value) or "")
            dtype = fact.dtype if isinstance(fact, ArrayFact) else None
            if dtype is not None and dtype in DEVICE_DTYPES and kind(dtype) in "iu":
                found.append(node.value)
    return found


def _index_names(node: ast.expr) -> set[str]:
    """Names that are whole numbers because an index is made of them."""
    found = _bare(node)
    ahead: list[ast.AST] = [node]
    while ahead:
        part = ahead.pop()
        if isinstance(part, ast.Call) and dotted(part.func) in ("abs", "max", "min"):
            found |= {name for argument in part.args for name in _index_names(argument)}
        elif not isinstance(part, ast.Call | ast.Subscript):
            ahead += ast.iter_child_nodes(part)
    return found


def _elements(node: ast.expr) -> list[ast.Subscript]:
    """Elements that an expression is made of by arithmetic alone."""
    if isinstance(node, ast.Subscript):
        return [node]
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Div):
        return [*_elements(node.left), *_elements(node.right)]
    if isinstance(node, ast.UnaryOp):
        return _elements(node.operand)
    if isinstance(node, ast.IfExp):
        return [*_elements(node.body), *_elements(node.orelse)]
    if isinstance(node, ast.Call) and dotted(node.func) in ("abs", "max", "min"):
        return [element for argument in node.args for element in _elements(argument)]
    return []


def _index_places(body: Sequence[ast.stmt]) -> list[ast.expr]:
    return [i for n in walk(body) if isinstance(n, ast.Subscript) for i in subscript_indices(n)]


def _ranges(body: Sequence[ast.stmt]) -> list[ast.expr]:
    """Where ranges begin and end, and their steps: Python takes no floating number there."""
    calls = (n for n in walk(body) if isinstance(n, ast.Call) and dotted(n.func) == "range")
    return [argument for call in calls for argument in call.args]


def whole_numbers(plan: LoopPlan, body: Sequence[ast.stmt]) -> set[str]:
    """Names that count or index, directly or through others: integers where nothing is known."""
    found = {axis.variable for axis in plan.grid}
    found |= names_of_residues(body, found)
    for place in (*_index_places(body), *_ranges(body)):
        found |= _index_names(place)
    for value in _whole_stores(plan, body):
        found |= _bare(value)
    counted = found | {
        t.id
        for n in walk(body)
        if isinstance(n, ast.Assign) and constant_int(n.value) is not None
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    for node in walk(body):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = [s.id for s in (node.left, *node.comparators) if isinstance(s, ast.Name)]
            if len(sides) == 2 and counted & set(sides):
                found |= set(sides)
    for node in walk(body):
        if isinstance(node, ast.BinOp) and isinstance(node.op, _BITS):
            found |= {n.id for n in (node.left, node.right) if isinstance(n, ast.Name)}
    size, bindings = -1, list(_bindings(body))
    while size != len(found):
        size = len(found)
        for name, value in bindings:
            if name in found:
                found |= _index_names(value)
    return found


def _bare(node: ast.expr) -> set[str]:
    """Names in an expression, those inside calls and subscripts left out."""
    found, ahead = set(), [node]
    for one in ahead:
        if isinstance(one, ast.Name):
            found.add(one.id)
        elif not isinstance(one, ast.Call | ast.Subscript):
            ahead += children(one)  # type: ignore[arg-type]
    return found
