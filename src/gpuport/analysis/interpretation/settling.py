"""What can only be decided once the whole body of a function has been read.

Elements that a function returns of an array which ends with it.

``v = np.sin(x); v += 1; return v[0]``: NumPy copies the element and CuPy gives a view of ``v``, to
which nothing writes any more.

Elements that are kept under a name for a few statements, in which nothing writes their array.

NumPy copies a single element and CuPy gives a view of it. That is seen only where the array is
written while the name is still read: ``h = u[0]``, two formulas with ``h``, and no store between.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.analysis.differences import interleaving
from gpuport.analysis.differences.interleaving import changes_by_calls
from gpuport.analysis.differences.orders import settle
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.rules.numpynames import as_numpy
from gpuport.source.syntax import children, walk

_WORKED_OUT = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Slice, ast.Starred)
"""What makes something of its parts at once, or is a part of one that does."""

LATER = (ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda, ast.GeneratorExp, ast.FunctionDef,
          ast.AsyncFunctionDef, ast.ClassDef, ast.Try)  # fmt: skip
"""Where other code runs between two statements, or these statements run at another time."""

_PLAIN = ("numpy.", "scipy.", "math.", "builtins.")


def dies_unchanged(unit: Unit, kept: ast.AST, array: Node) -> bool:
    """Whether the names that elements of an array are bound to are last read before it changes.

    Parameters
    ----------
    unit : Unit
    kept : ast.AST
        The element that is bound to a name, or the names that an array is unpacked to.
    array : Node
        The array.
    """
    if not isinstance(unit.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    found = _block_of(unit.node, kept)
    if found is None:
        return False
    statement, later = found
    names = _names(statement.targets[0])
    span = _read_in(unit, names, statement, later)
    return span is not None and _leaves_alone(unit, array.root(), statement, span)


def _block_of(function: ast.AST, kept: ast.AST) -> tuple[ast.Assign, Sequence[ast.stmt]] | None:
    """The assignment that binds what is kept, with the statements behind it in its block."""
    for node in walk(function):
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if not isinstance(block, list):
                continue
            for k, one in enumerate(block):
                if isinstance(one, ast.Assign) and (one.value is kept or kept in one.targets):
                    return (one, block[k + 1 :]) if len(one.targets) == 1 else None
    return None


def _names(target: ast.expr) -> list[str] | None:
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return names if len(names) == len(parts) else None


def _read_in(
    unit: Unit, names: list[str] | None, statement: ast.Assign, later: Sequence[ast.stmt]
) -> Sequence[ast.stmt] | None:
    """The statements up to the last that reads the names; None where another place does."""
    if names is None or not unit.scope.outside.isdisjoint(names):
        return None
    mentions = [n for n in walk(unit.node) if isinstance(n, ast.Name) and n.id in names]
    inside = [{id(n) for n in walk(one)} for one in later]
    last = 0
    for name in mentions:
        if not isinstance(name.ctx, ast.Load):
            if not any(name is n for n in walk(statement.targets[0])):
                return None
            continue
        holders = [k for k, ids in enumerate(inside) if id(name) in ids]
        if not holders or not _is_only_read(unit, name, later[holders[0]]):
            return None
        last = max(last, holders[0] + 1)
    return later[:last]


def _is_only_read(unit: Unit, name: ast.Name, statement: ast.stmt) -> bool:
    """Whether what is made of a name is something new, whoever keeps it."""
    parents = {id(child): node for node in walk(statement) for child in children(node)}
    node: ast.AST = name
    made = False
    while node is not statement:
        above = parents[id(node)]
        if isinstance(above, LATER):
            return False
        if isinstance(above, ast.Call):
            made = made or computes(unit, above)
        made = made or isinstance(above, (ast.BinOp, ast.Compare))
        if not made and not isinstance(above, _WORKED_OUT) and not _tests(above, node):
            return False
        node = above
    return True


def _tests(above: ast.AST, node: ast.AST) -> bool:
    """Whether a statement, or a conditional expression, asks for its truth alone."""
    return getattr(above, "test", None) is node


def computes(unit: Unit, call: ast.Call) -> bool:
    """Whether a function of NumPy's gives something new of what it is given."""
    path = _path(unit, call)
    if path is None or any(k.arg in ("out", None) for k in call.keywords):
        return False
    if path.startswith("math."):
        return True
    effect = unit.knowledge.rules.effect(path)
    new = effect is None or (not effect.view and set(effect.mutates) <= {"out"})
    return path.startswith("numpy.") and id(call) in unit.work.operations and new


def _path(unit: Unit, call: ast.Call) -> str | None:
    found = unit.scope.resolve(call.func)
    done = unit.work.operations.get(id(call))
    if found is not None:
        return as_numpy(found)
    return None if done is None else done.path


def _leaves_alone(unit: Unit, array: Node, statement: ast.Assign, span: Sequence[ast.stmt]) -> bool:
    """Whether nothing in a row of statements writes an array before its last one stores."""
    if not span:
        return True
    for one in span:
        if any(isinstance(node, LATER) for node in walk(one)):
            return False
        if not all(_is_known(unit, call) for call in walk(one) if isinstance(call, ast.Call)):
            return False
    called = {id(node) for one in span for node in walk(one)}
    if any(
        id(call) in called and any(node.root() is array for node in changed)
        for call, changed in changes_by_calls(unit)
    ):
        return False
    end = _end(span[-1])
    if isinstance(span[-1], ast.Assign) and _alone(statement, span):
        end = span[-1].lineno - 1  # what is stored has been worked out by then
    writes = (*unit.memory.written, *unit.calls.given)
    written = [line for node, line in writes if node.root() is array]
    return not any(statement.lineno <= line <= end for line in written)


def _alone(statement: ast.stmt, span: Sequence[ast.stmt]) -> bool:
    """Whether the last of some statements has lines of its own."""
    before = [statement, *span[:-1]]
    return all(_end(one) < span[-1].lineno for one in before)


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _is_known(unit: Unit, call: ast.Call) -> bool:
    """Whether it is known what a call changes."""
    path = _path(unit, call)
    followed = any(one is call for one, _ in unit.calls.followed.values())
    return followed or (path is not None and path.startswith(_PLAIN))


_MEASURES = ("shape", "size", "ndim", "dtype")
"""Attributes that hold nothing of an array."""


def ends_with_function(unit: Unit, kept: ast.AST) -> bool:
    """Whether what is kept is an element that is returned, of an array that nothing else holds.

    Parameters
    ----------
    unit : Unit
    kept : ast.AST
        The element.
    """
    name = kept.value if isinstance(kept, ast.Subscript) else None
    if not isinstance(name, ast.Name) or not isinstance(unit.node, ast.FunctionDef):
        return False
    if unit.memory.made.get(name.id) is not True or name.id in unit.scope.outside:
        return False
    parts = [part for part in walk(unit.node) if part is not unit.node]
    if any(isinstance(part, LATER) for part in parts):
        return False
    parents = {id(child): part for part in walk(unit.node) for child in children(part)}
    mentions = (part for part in parts if isinstance(part, ast.Name) and part.id == name.id)
    return _is_returned(kept, parents) and all(_holds_nothing(unit, m, parents) for m in mentions)


def _is_returned(node: ast.AST, parents: dict[int, ast.AST]) -> bool:
    """Whether a part of a statement is what that returns, or one of its items."""
    above = parents[id(node)]
    while not isinstance(above, ast.Return):
        if not isinstance(above, (ast.Tuple, ast.List)):
            return False
        above = parents[id(above)]
    return True


def _holds_nothing(unit: Unit, name: ast.Name, parents: dict[int, ast.AST]) -> bool:
    """Whether nothing that outlives the function holds the array where it is mentioned."""
    above = parents[id(name)]
    if not isinstance(name.ctx, ast.Load):
        return isinstance(above, (ast.Assign, ast.AnnAssign, ast.AugAssign))
    node: ast.AST = name
    while isinstance(above, ast.Subscript) and above.value is node:
        if not isinstance(above.ctx, ast.Load):
            return True
        node, above = above, parents[id(above)]
    if node is not name and _is_returned(node, parents):
        return True
    while not isinstance(above, ast.stmt):
        if isinstance(above, (ast.BinOp, ast.Compare)):
            return True
        if isinstance(above, ast.Attribute) and above.attr in _MEASURES:
            return True
        if isinstance(above, ast.Call) and computes(unit, above):
            return True
        node, above = above, parents[id(above)]
    return getattr(above, "test", None) is node


def finish(unit: Unit) -> None:
    """Decide what of a unit stays on the host, once it is known what is written and when."""
    settle_elements(unit)
    _settle_lent(unit)


def _settle_taken(unit: Unit) -> None:
    """Numbers that loops take stay with their array where that is changed."""
    for numbers, array in unit.memory.taken:
        if array.root().mutated:
            unit.graph.unite(numbers, array)


def _settle_lent(unit: Unit) -> None:
    """Keep on the host what is read later and written meanwhile, or given by a caller."""
    for origin, line, reason in unit.memory.lent:
        root = origin.root()
        if root.mutated and any(at >= line for n, at in unit.memory.written if n.root() is root):
            unit.graph.pin(root, reason)
            unit.parameters.escaped |= root.parameters
        elif root.parameters:
            unit.graph.pin(root, Reason("GP402", reason.message, reason.node, "host-sink"))
            unit.parameters.lent |= root.parameters


def settle_elements(unit: Unit) -> None:
    """Elements and views that are not sure to be any: harmless unless their array is written."""
    _settle_taken(unit)
    memory = unit.memory
    asked = memory.reshaped or memory.ordered or memory.laid_out
    if asked or unit.project.program.asks_for_order(unit.node):
        settle(unit)
    interleaving.settle(unit)
    for (kind, _), rewrite in list(unit.work.rewrites.items()):
        if kind != "shared" or not rewrite.graph_node.root().mutated:
            continue
        if ends_with_function(unit, rewrite.node):
            continue
        if not dies_unchanged(unit, rewrite.node, rewrite.graph_node):
            unit.pin(
                rewrite.graph_node,
                "GP907",
                "may alias: an element of the array is kept here and the array is changed; NumPy "
                "copies elements, CuPy does not",
                rewrite.node,
                "may-alias",
                help="copy the element: `x[i].copy()`",
            )


__all__ = ["finish", "settle_elements"]
