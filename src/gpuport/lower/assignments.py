"""Assignments, deletions and imports."""

from __future__ import annotations

import ast

from gpuport.ir import Value
from gpuport.lower.lowering import Lowering, statement
from gpuport.lower.operators import BINARY
from gpuport.lower.scopes import Kind


def store(at: Lowering, target: ast.expr, value: Value) -> None:
    """Assign to any target."""
    if isinstance(target, ast.Name):
        at.assign(target.id, value, target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        stars = [place for place, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
        star = stars[0] if stars else None
        parts = at.emit("Unpack", (value,), target, [""] * len(target.elts), star=star).results
        for one, part in zip(target.elts, parts, strict=True):
            store(at, one.value if isinstance(one, ast.Starred) else one, part)
    elif isinstance(target, ast.Attribute):
        name = at.scope.mangled(target.attr)
        at.emit("SetAttr", (at.expr(target.value), value), target, name=name)
    else:
        assert isinstance(target, ast.Subscript)
        at.emit("SetItem", (at.expr(target.value), at.expr(target.slice), value), target)


@statement(ast.Assign)
def _assign(at: Lowering, node: ast.Assign) -> None:
    pairs = _pairs(node)
    if pairs is not None:
        values = [at.expr(given) for _, given in pairs]
        for (target, _), value in zip(pairs, values, strict=True):
            store(at, target, value)
        return
    value = at.expr(node.value)
    for target in node.targets:
        store(at, target, value)


def _pairs(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]] | None:
    """The targets of `u, v = v, u` with their values, for which no tuple is made."""
    target, given = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, (ast.Tuple, ast.List)):
        return None
    if not isinstance(given, (ast.Tuple, ast.List)) or len(target.elts) != len(given.elts):
        return None
    if any(isinstance(one, ast.Starred) for one in (*target.elts, *given.elts)):
        return None
    return list(zip(target.elts, given.elts, strict=True))


@statement(ast.AnnAssign)
def _annotated(at: Lowering, node: ast.AnnAssign) -> None:
    """The annotation is evaluated after the assignment, and not at all inside functions."""
    target = node.target
    if node.value is not None:
        store(at, target, at.expr(node.value))
    elif isinstance(target, ast.Attribute):
        at.expr(target.value)
    elif isinstance(target, ast.Subscript):
        at.expr(target.value)
        at.expr(target.slice)
    if at.scope.kind is Kind.FUNCTION:
        return
    if not (isinstance(target, ast.Name) and node.simple):
        if "annotations" not in at.shared.futures:
            at.expr(node.annotation)
        return
    note = annotation(at, node.annotation)
    kind = "LoadName" if at.scope.kind is Kind.CLASS else "LoadGlobal"
    notes = at.value(kind, (), node, name="__annotations__")
    name = at.const(at.scope.mangled(target.id), node)
    at.emit("SetItem", (notes, name, note), node)


def annotation(at: Lowering, node: ast.expr) -> Value:
    """What is kept of an annotation."""
    if "annotations" in at.shared.futures:
        return at.const(ast.unparse(node), node)
    return at.expr(node)


@statement(ast.AugAssign)
def _augmented(at: Lowering, node: ast.AugAssign) -> None:
    """The parts of the target are evaluated once, before the value."""
    target = node.target
    if isinstance(target, ast.Name):
        old = at.read(target.id, target)
        at.assign(target.id, _changed(at, node, old), node)
    elif isinstance(target, ast.Attribute):
        owner, name = at.expr(target.value), at.scope.mangled(target.attr)
        old = at.value("GetAttr", (owner,), target, name=name)
        at.emit("SetAttr", (owner, _changed(at, node, old)), node, name=name)
    else:
        owner, index = at.expr(target.value), at.expr(target.slice)
        old = at.value("GetItem", (owner, index), target)
        at.emit("SetItem", (owner, index, _changed(at, node, old)), node)


def _changed(at: Lowering, node: ast.AugAssign, old: Value) -> Value:
    operator = BINARY[type(node.op)]
    return at.value("InPlace", (old, at.expr(node.value)), node, operator=operator)


@statement(ast.Delete)
def _delete(at: Lowering, node: ast.Delete) -> None:
    for target in node.targets:
        _delete_target(at, target)


def _delete_target(at: Lowering, target: ast.expr) -> None:
    if isinstance(target, ast.Name):
        at.delete(target.id, target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            _delete_target(at, one)
    elif isinstance(target, ast.Attribute):
        name = at.scope.mangled(target.attr)
        at.emit("DelAttr", (at.expr(target.value),), target, name=name)
    else:
        assert isinstance(target, ast.Subscript)
        at.emit("DelItem", (at.expr(target.value), at.expr(target.slice)), target)


@statement(ast.Import)
def _import(at: Lowering, node: ast.Import) -> None:
    for alias in node.names:
        value = at.value("Import", (), node, name=alias.name, top=alias.asname is None)
        at.assign(alias.asname or alias.name.split(".")[0], value, node)


@statement(ast.ImportFrom)
def _import_from(at: Lowering, node: ast.ImportFrom) -> None:
    module = node.module or ""
    if node.names[0].name == "*":
        at.emit("ImportStar", (), node, module=module, level=node.level)
        at.versions.clear()  # any name may be another one now
        return
    names = tuple([alias.name for alias in node.names])
    unnamed = [""] * len(names)
    found = at.emit(
        "ImportFrom", (), node, unnamed, module=module, names=names, level=node.level
    ).results
    for alias, value in zip(node.names, found, strict=True):
        at.assign(alias.asname or alias.name, value, node)
