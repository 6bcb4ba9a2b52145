"""Which loops gain by one call for the whole stack of their items: those of linear algebra."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Number, Scalar
from gpuport.parallel.items.calls import is_pure
from gpuport.parallel.items.records import Comprehension, Loop
from gpuport.rules.stacking import stacking
from gpuport.source.carried import left_over, own_names
from gpuport.source.stores import is_sum
from gpuport.source.syntax import dotted, inside

Region = Loop


class Source:
    """The names where a loop stands."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.scope = unit.scope

    def segment(self, node: ast.AST) -> str:
        return self.unit.module.segment(node)

    def resolve(self, node: ast.expr) -> str | None:
        return self.scope.resolve(node)

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        return own_function(self.unit, node)

    def inside(self, function: ast.FunctionDef) -> Inside:
        return Inside(self.unit, function)

    def properties(self, name: str) -> list[ast.FunctionDef]:
        found = (scope.functions.get(name) for scope in self.unit.project.root.children)
        return [one for one in found if isinstance(one, ast.FunctionDef) and one.decorator_list]

    def is_passed(self, name: str) -> bool:
        owner, root = self.scope.owner(name), self.unit.project.root
        if owner is None or self.resolve(ast.Name(name, ast.Load())) is not None:
            return False
        once = owner is root and root.bound.get(name) == 1
        if once and (name in root.functions or any(one.name == name for one in root.children)):
            return False
        value = self.unit.project.constant(name) if once else None
        assumed = isinstance(value, Scalar) and value.type == "assumed"
        return not isinstance(value, (Number, Scalar)) or assumed


class Inside(Source):
    """The names in a function of the module."""

    def __init__(self, unit: Unit, function: ast.FunctionDef) -> None:
        super().__init__(unit)
        self.scope = unit.project.scope_of(function)

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        root = self.unit.project.root
        if self.scope.owner(name) is not root or root.bound.get(name) != 1:
            return None
        found = root.functions.get(name)
        return found if isinstance(found, ast.FunctionDef) else None


def own_function(unit: Unit, node: ast.Call) -> ast.FunctionDef | None:
    """The function of the module that a call is of."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    found = unit.project.own_function(unit, name) if name else None
    return found if isinstance(found, ast.FunctionDef) else None


def names_read(unit: Unit, node: Region) -> frozenset[str]:
    """Names that a loop reads; none where it calls nothing of which stacks gain."""
    memory = unit.project.remembered.gaining
    found = memory.get(id(node))
    if found is None:
        found = memory[id(node)] = _read(unit, node)
    return found


def _read(unit: Unit, node: Region) -> frozenset[str]:
    nodes = unit.module.nodes
    parts = nodes.inside(node, ast.BinOp, ast.Call)
    if not any(_gains(unit, part) for part in parts) and not _adds_at_items(unit, node):
        return frozenset()
    return frozenset(part.id for part in nodes.inside(node, ast.Name))


def _adds_at_items(unit: Unit, node: Region) -> bool:
    """Whether a loop does nothing but add something at the places that its items are."""
    if not isinstance(node, ast.For):
        return False
    heads = {n.id for n in own_names(node.target)} - {one.id for one in _counters(unit, node)}
    return all(
        isinstance(one, ast.AugAssign)
        and isinstance(one.target, ast.Subscript)
        and dotted(one.target.value) != dotted(node.iter)
        and is_sum(one)
        and _reads(one.target.slice, heads)
        for one in node.body
    )


def _gains(unit: Unit, node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.MatMult)
    if not isinstance(node, ast.Call):
        return False
    if _called_gains(unit, node) or _is_product(node):
        return True
    functions = [node.func, *node.args[:1]] if isinstance(node.func, ast.Name) else [node.func]
    return any(_is_trigger(unit, function) for function in functions)


def _is_product(node: ast.Call) -> bool:
    """``a.dot(b)``, whatever `a` is."""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return method in stacking().products and len(node.args) == 1


def _called_gains(unit: Unit, node: ast.Call) -> bool:
    """Whether it calls a small function of the module that does linear algebra."""
    function = own_function(unit, node)
    return function is not None and _gains_itself(unit, function)


def called_gains(unit: Unit, function: ast.expr) -> bool:
    """Whether a function that is handed on, or a lambda, does linear algebra on its arguments."""
    if isinstance(function, ast.Lambda):
        return any(_gains(unit, part) for part in ast.walk(function.body))
    if _is_trigger(unit, function):
        return True
    return isinstance(function, ast.Name) and _called_gains(unit, ast.Call(function, [], []))


def _gains_itself(unit: Unit, function: ast.FunctionDef) -> bool:
    memory = unit.project.remembered.vectorisable
    if id(function) not in memory:
        memory[id(function)] = False  # one that calls itself
        source = Inside(unit, function)
        memory[id(function)] = is_pure(source, function) and any(
            (isinstance(part, ast.BinOp) and isinstance(part.op, ast.MatMult))
            or (isinstance(part, ast.Call) and _part_gains(unit, source, part))
            for part in inside(function)
        )
    return memory[id(function)]


def _part_gains(unit: Unit, source: Inside, node: ast.Call) -> bool:
    if source.resolve(node.func) in stacking().triggers:
        return True
    function = source.definition(node)
    return function is not None and _gains_itself(unit, function)


def _is_trigger(unit: Unit, function: ast.expr) -> bool:
    if not isinstance(function, (ast.Name, ast.Attribute)):
        return False
    path = unit.scope.resolve(function)
    return path is not None and path in stacking().triggers


def takes_items(unit: Unit, node: Region) -> bool:
    """Whether linear algebra is done on what the loop takes from iteration to iteration."""
    if isinstance(node, ast.Call):
        return False
    heads = _heads(node)
    tainted = {n.id for head in heads for n in ast.walk(head) if isinstance(n, ast.Name)}
    for statement in inside(node) if isinstance(node, ast.stmt) else ():
        if isinstance(statement, ast.Assign) and _reads(statement.value, tainted):
            tainted |= {
                n.id for t in statement.targets for n in ast.walk(t) if isinstance(n, ast.Name)
            }
    counters = {head.id for head in _counters(unit, node)}
    if isinstance(node, ast.For) and _decomposes_a_state(unit, node, tainted):
        return True
    return any(
        isinstance(part, ast.Call)
        and (
            _told_of(unit, part, tainted)
            or (_called_gains(unit, part) and any(
                _is_item(argument, tainted, counters) for argument in part.args
            ))
        )
        for part in inside(node)
    )  # fmt: skip


def _decomposes_a_state(unit: Unit, node: ast.For, items: set[str]) -> bool:
    """Whether what each item's iteration leaves to the next one is decomposed in it: a filter."""
    if not any(_reads(statement, items) for statement in node.body):
        return False  # it goes over no items: it repeats
    state = set(left_over(node.body))
    for statement in node.body if state else ():
        if isinstance(statement, ast.Assign) and _reads(statement.value, state):
            state |= {
                n.id for t in statement.targets for n in ast.walk(t) if isinstance(n, ast.Name)
            }
    return any(
        isinstance(part, ast.Call)
        and "decomposition" in stacking().advice.get(unit.scope.resolve(part.func) or "", ())
        and any(_reads(argument, state) for argument in part.args)
        for part in inside(node)
    )


def _told_of(unit: Unit, call: ast.Call, items: set[str]) -> bool:
    """Whether a call is linear algebra on what the loop takes from iteration to iteration."""
    return (
        _is_trigger(unit, call.func)
        and _is_told(unit.scope.resolve(call.func) or "")
        and any(_reads(argument, items) for argument in call.args)
    )


def _is_item(node: ast.expr, names: set[str], counters: set[str]) -> bool:
    """Whether an argument is an item, ``m`` or ``a[i]``, rather than its number."""
    if isinstance(node, ast.Subscript):
        return _reads(node.slice, names)
    if isinstance(node, ast.BinOp):
        return any(_is_item(one, names, counters) for one in (node.left, node.right))
    return isinstance(node, ast.Name) and node.id in names and node.id not in counters


def _counters(unit: Unit, node: ast.For | ast.While | Comprehension) -> Iterator[ast.Name]:
    """The names of a loop that hold numbers of items."""
    if isinstance(node, ast.While):
        yield from (head for head in _heads(node) if isinstance(head, ast.Name))
        return
    for loop in [node] if isinstance(node, ast.For) else node.generators:
        called = loop.iter.func if isinstance(loop.iter, ast.Call) else None
        path = None if called is None else unit.scope.resolve(called)
        first = loop.target
        if path == "builtins.enumerate" and isinstance(first, ast.Tuple) and first.elts:
            first = first.elts[0]
        if path in ("builtins.range", "builtins.enumerate") and isinstance(first, ast.Name):
            yield first


def _heads(node: ast.For | ast.While | Comprehension) -> list[ast.expr]:
    """What a loop binds for each item: of one that counts by hand, the counter."""
    if isinstance(node, ast.While):
        return [part.target for part in inside(node) if isinstance(part, ast.AugAssign)]
    return [head.target for head in ([node] if isinstance(node, ast.For) else node.generators)]


def _is_told(path: str) -> bool:
    return ".linalg." in path or path in stacking().told


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))


__all__ = ["Region", "Source", "called_gains", "names_read", "own_function", "takes_items"]
