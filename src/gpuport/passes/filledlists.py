"""Lists with a place for each item, written place by place, as lists that grow.

``found = [None] * len(mats)`` with ``found[i] = det(mats[i])`` in a loop is ``found = []`` with
``found.append(det(mats[i]))`` where the loop goes through all the places in their order: what is
known of lists that grow holds for it then. A port has them only where stacked code came of it:
the module is ported both ways.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gpuport.analysis.interpretation.unit import Unit
from gpuport.source.edits import Edit
from gpuport.source.syntax import bound_in, inside, walk

_QUIET = (ast.Assign, ast.AnnAssign)
"""Statements that may stand between the making of a list and the loop that fills it."""

_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await)


def _shadows(unit: Unit) -> bool:
    """Whether `range` and the like are the user's own here."""
    names = ("enumerate", "len", "range")
    given = (unit.scope.resolve(ast.Name(name, ast.Load())) for name in names)
    return [*given] != [f"builtins.{name}" for name in names]


def filled_lists(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    """The edits that make the lists of a function grow that could."""
    if _shadows(unit):
        return
    for block in _blocks(node):
        for position, statement in enumerate(block):
            name, length = _places(statement)
            loop = _next_loop(block[position + 1 :])
            if name is None or length is None or loop is None:
                continue
            between = block[position + 1 : block.index(loop)]
            stored = _stored(loop, name)
            if stored is None or not _is_own(node, name, [*between, loop]):
                continue
            if _works(loop) and _as_many(unit, node, length, loop):
                yield from _edits(unit, statement, stored, name)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a function, without those that an exception leaves with the rest undone."""
    for field, value in ast.iter_fields(node):
        if not isinstance(value, list) or not value or not isinstance(value[0], ast.stmt):
            continue
        if field in ("body", "orelse"):
            yield value
        for statement in value:
            if isinstance(statement, (ast.For, ast.While, ast.If)):
                yield from _blocks(statement)


def _places(node: ast.stmt) -> tuple[str | None, ast.expr | None]:
    """The name and the length of ``found = [None] * n``, ``[None for _ in range(n)]``."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None, None
    target, value = node.targets[0], node.value
    name = target.id if isinstance(target, ast.Name) else None
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        first, second = value.left, value.right
        if isinstance(second, ast.List):
            first, second = second, first
        if isinstance(first, ast.List) and [*map(type, first.elts)] == [ast.Constant]:
            return name, second
    if isinstance(value, ast.ListComp) and isinstance(value.elt, ast.Constant):
        (inner, *more) = value.generators
        if not (more or inner.ifs or inner.is_async):
            return name, _stop(inner.iter)
    return None, None


def _stop(node: ast.expr) -> ast.expr | None:
    """The end of ``range(n)``."""
    counts = isinstance(node, ast.Call) and ast.unparse(node.func) == "range"
    if not (counts and isinstance(node, ast.Call)) or len(node.args) != 1 or node.keywords:
        return None
    return node.args[0]


def _next_loop(statements: Sequence[ast.stmt]) -> ast.For | None:
    """The loop that comes next, with nothing but plain assignments before it."""
    for statement in statements:
        if isinstance(statement, ast.For):
            return None if statement.orelse else statement
        if not isinstance(statement, _QUIET):
            return None
    return None


def _stored(loop: ast.For, name: str) -> ast.Assign | None:
    """The one statement of a loop's body that has the name: ``found[i] = value``."""
    index = _index(loop)
    if index is None or any(isinstance(part, _LEAVING) for part in inside(loop)):
        return None
    stores = []
    for statement in loop.body:
        if any(isinstance(part, ast.Name) and part.id == name for part in walk(statement)):
            stores.append(statement)
        if index in bound_in(statement):
            return None
    if len(stores) != 1 or not isinstance(stores[0], ast.Assign) or len(stores[0].targets) != 1:
        return None
    if ast.unparse(stores[0].targets[0]) != f"{name}[{index}]":
        return None
    read = (part.id for part in walk(stores[0].value) if isinstance(part, ast.Name))
    return None if name in read else stores[0]


def _index(loop: ast.For) -> str | None:
    """The name that counts a loop's items: of ``enumerate``, of ``range``."""
    target, over = loop.target, loop.iter
    if isinstance(target, ast.Name) and _stop(over) is not None:
        return target.id
    if _counted(over) is not None and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        first, second = target.elts
        names = {part.id for part in walk(second) if isinstance(part, ast.Name)}
        if isinstance(first, ast.Name) and first.id not in names:
            return first.id
    return None


def _counted(node: ast.expr) -> ast.expr | None:
    """What ``enumerate(items)`` goes over."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "enumerate":
        return None
    return node.args[0] if len(node.args) == 1 and not node.keywords else None


def _is_own(function: ast.FunctionDef, name: str, statements: Sequence[ast.stmt]) -> bool:
    """Whether a name is the function's alone, and bound once before these statements."""
    for part in ast.walk(function):
        if isinstance(part, (ast.Global, ast.Nonlocal)) and name in part.names:
            return False
        inner = isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
        if inner and part is not function and _has(part, name):
            return False
    return not any(_has(one, name) for one in statements[:-1])


def _has(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _as_many(unit: Unit, function: ast.FunctionDef, length: ast.expr, loop: ast.For) -> bool:
    """Whether a loop goes through as many items as the list has places."""
    items, stop = _counted(loop.iter), _stop(loop.iter)
    if items is not None:
        stop = ast.Call(ast.Name("len", ast.Load()), [items], [])
    assert stop is not None
    counts = [_count(function, one) for one in (length, stop)]
    if None in counts or ast.dump(counts[0]) != ast.dump(counts[1]):  # type: ignore[arg-type]
        return False
    measured = {
        one.args[0].id for one in ast.walk(counts[0])  # type: ignore[arg-type]
        if isinstance(one, ast.Call) and isinstance(one.args[0], ast.Name)
    }  # fmt: skip
    return all(_keeps_length(unit, function, name, loop) for name in measured)


def _count(function: ast.FunctionDef, node: ast.expr) -> ast.expr | None:
    """How many that is, in words that two such expressions share; None where it may change."""
    if isinstance(node, ast.Name):
        if _bindings(function, node.id) != 1:
            return None
        behind = _value(function, node.id)
        found = None if behind is None else _count(function, behind)
        return node if found is None else found
    if isinstance(node, ast.Constant):
        return node
    if isinstance(node, ast.BinOp):
        left, right = _count(function, node.left), _count(function, node.right)
        return None if left is None or right is None else ast.BinOp(left, node.op, right)
    measured = _measured(node)
    if measured is None or _bindings(function, measured.id) != 1:
        return None
    return ast.Call(ast.Name("len", ast.Load()), [measured], [])


def _measured(node: ast.expr) -> ast.Name | None:
    """The name in ``len(mats)``, ``mats.shape[0]``."""
    inner: ast.expr | None = None
    if isinstance(node, ast.Call) and len(node.args) == 1 and ast.unparse(node.func) == "len":
        inner = node.args[0]
    elif isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "0":
        owner = node.value
        inner = owner.value if isinstance(owner, ast.Attribute) and owner.attr == "shape" else None
    return inner if isinstance(inner, ast.Name) else None


def _value(function: ast.FunctionDef, name: str) -> ast.expr | None:
    """What an assignment of its own binds a name to."""
    for part in ast.walk(function):
        if isinstance(part, ast.Assign) and [*map(ast.unparse, part.targets)] == [name]:
            return part.value
    return None


def _bindings(function: ast.FunctionDef, name: str) -> int:
    args = sum(isinstance(part, ast.arg) and part.arg == name for part in ast.walk(function))
    return args + sum(
        isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
        for part in ast.walk(function)
    )


def _keeps_length(unit: Unit, function: ast.FunctionDef, name: str, loop: ast.For) -> bool:
    """Whether nothing in a function can make what a name holds longer or shorter."""
    harmless: set[int] = {id(_counted(loop.iter))}
    for part in ast.walk(function):
        if isinstance(part, (ast.Subscript, ast.Attribute)):
            read = isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load)
            if read or (isinstance(part, ast.Attribute) and part.attr == "shape"):
                harmless.add(id(part.value))
        elif isinstance(part, ast.Call):
            path = unit.scope.resolve(part.func)
            if ast.unparse(part.func) == "len" or (path is not None and path.startswith("numpy.")):
                harmless |= {id(one) for one in part.args}
    return all(
        id(part) in harmless for part in ast.walk(function)
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
    )  # fmt: skip


def _works(loop: ast.For) -> bool:
    """Whether a loop calls something, or multiplies matrices: else nothing is to be stacked."""
    return any(
        isinstance(part, ast.Call)
        or (isinstance(part, ast.BinOp) and isinstance(part.op, ast.MatMult))
        for one in loop.body
        for part in inside(one)
    )


def _edits(unit: Unit, made: ast.stmt, stored: ast.Assign, name: str) -> Iterator[Edit]:
    """``found = []`` and ``found.append(value)``."""
    assert isinstance(made, ast.Assign)
    module = unit.module
    yield Edit(*module.extent(made.value), ("[]",))
    (start, _), (first, last) = module.extent(stored), module.extent(stored.value)
    yield Edit(start, first, (f"{name}.append(",))
    yield Edit(last, last, (")",))


__all__ = ["filled_lists"]
