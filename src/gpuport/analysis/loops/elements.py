"""Whether a loop goes over the elements of arrays, and what it does to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from gpuport.analysis.functions.interest import mentions_arrays
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.modulelevel import global_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Unknown, is_arraylike
from gpuport.rules.loopfunctions import orders_of_their_own
from gpuport.source.syntax import bound_in, inside, walk


def works_on_elements(unit: Unit, node: ast.For | ast.While) -> bool:
    """Whether the loop subscripts arrays by what changes in it, or goes over an array."""
    memory = unit.project.remembered.compiled.elementwise
    names = memory.get(id(node))
    if names is None:
        names = memory[id(node)] = _taken_by_element(unit, node)
    for name in names:
        flow = _read(unit, name)
        if flow is not None and is_arraylike(flow.value):
            return True
    return False


def goes_over_unknown(unit: Unit, node: ast.For | ast.While) -> str | None:
    """A parameter that may be an array or not, with whose items the loop calculates."""
    if not isinstance(node, ast.For) or not mentions_arrays(unit.scope):
        return None
    items = set(bound_in(node.target))
    listed = getattr(unit.node, "args", None)
    given = {a.arg for a in ast.walk(listed) if isinstance(a, ast.arg)} if listed else set()
    for name in _gone_over(node.iter):
        flow = unit.env.get(name)
        if name in given and flow is not None and isinstance(flow.value, Unknown):
            return name if _calculates(node.body, items) else None
    return None


def _calculates(body: list[ast.stmt], names: set[str]) -> bool:
    """Whether statements add, multiply or subtract what names hold."""
    return any(
        isinstance(part, (ast.Sub, ast.Mult, ast.Div, ast.Pow)) and names & {
            one.id for one in walk(operation) if isinstance(one, ast.Name)
        }
        for statement in body
        for operation in inside(statement)
        if isinstance(operation, (ast.BinOp, ast.AugAssign))
        for part in (operation.op,)
    )  # fmt: skip


def order_of_its_own(unit: Unit, node: ast.For | ast.While) -> ast.Call | None:
    """The call of ``with np.nditer(x) as it`` where a loop goes over `it`."""
    if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Name):
        return None
    for item in unit.module.nodes.inside(unit.node, ast.withitem):
        target, call = item.optional_vars, item.context_expr
        named = isinstance(target, ast.Name) and target.id == node.iter.id
        if named and isinstance(call, ast.Call):
            return call if unit.scope.resolve(call.func) in orders_of_their_own() else None
    return None


def counted_through(unit: Unit, node: ast.For | ast.While) -> str | None:
    """The text ``x.flat`` where a loop subscripts that."""
    subscripts = unit.module.nodes.inside(node, ast.Subscript)
    found = (one.value for one in subscripts if _is_flat(one.value))
    return next(map(ast.unparse, found), None)


def _is_flat(node: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and node.attr == "flat"


def _taken_by_element(unit: Unit, node: ast.For | ast.While) -> frozenset[str]:
    """Names that the loop goes over, or subscripts by what changes in it."""
    changing = unit.project.bound_in(node)
    found: set[str] = set()
    for inner in unit.module.nodes.inside(node, ast.For, ast.Subscript):
        if isinstance(inner, ast.For):
            found |= set(_gone_over(inner.iter))
        else:
            named = inner.value.value if _is_flat(inner.value) else inner.value
            index = walk(inner.slice) if isinstance(named, ast.Name) else ()
            if any(isinstance(n, ast.Name) and n.id in changing for n in index):
                assert isinstance(named, ast.Name)
                found.add(named.id)
    return frozenset(found)


def _gone_over(node: ast.expr) -> Iterator[str]:
    """The arrays of ``x``, ``enumerate(zip(x, y[1:]))``, ``x.T``, ``x.flat``."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call):
        for argument in node.args:
            yield from _gone_over(argument)
    elif isinstance(node, ast.Attribute):
        if node.attr in ("T", "flat"):
            yield from _gone_over(node.value)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield from _gone_over(node.value)


def _read(unit: Unit, name: str) -> Flow | None:
    if name in unit.env or unit.scope.binds(name):
        return unit.env.get(name)
    return global_value(unit, name)
