"""The scopes of a module: what each of them binds, imports and reads, statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from gpuport.source.names import VENDORED, FunctionNode, Scope, ScopeNode, walk_scopes
from gpuport.source.syntax import children, walk


def build_scopes(tree: ast.Module) -> Scope:
    """Scope tree of a module.

    Parameters
    ----------
    tree : ast.Module

    Returns
    -------
    Scope
        The module's scope; functions, classes and lambdas are its ``children``.
    """
    root = Scope(tree, None, "")
    _Builder(root).statements(tree.body)
    for scope in walk_scopes(root):
        for name in scope.imports.keys() & scope.bound.keys():
            scope.bound[name] += 1
    return root


def always_imported(root: Scope, before: int | None = None) -> dict[str, set[str]]:
    """Names of a module, and what they stand for, by the imports that run whatever happens.

    Parameters
    ----------
    root : Scope
    before : int, optional
        Line above which the imports have to stand.
    """
    assert isinstance(root.node, ast.Module)
    always: list[ast.stmt] = [
        node
        for node in root.node.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        and (before is None or (node.end_lineno or node.lineno) < before)
    ]
    return build_scopes(ast.Module(always, [])).imports


class _Builder:
    """Fills one scope; opens a builder for each scope inside it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def statements(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def visit(self, node: ast.AST) -> None:
        kind = node.__class__
        if kind is ast.Constant:
            return
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, node)
            return
        loads = self.scope.loads
        for child in children(node):
            kind = child.__class__
            if kind is ast.Name and child.ctx.__class__ is ast.Load:  # type: ignore[attr-defined]
                loads.add(child.id)  # type: ignore[attr-defined]
            elif kind is not ast.Constant:
                self.visit(child)

    def bind(self, name: str) -> None:
        self.scope.bound[name] = self.scope.bound.get(name, 0) + 1

    def open(self, node: ScopeNode, name: str) -> _Builder:
        prefix = self.scope.name
        child = Scope(
            node, self.scope, f"{prefix}.{name}" if prefix else name,
            values=self.scope.values, elsewhere=self.scope.elsewhere,
            replaced=self.scope.replaced,
        )  # fmt: skip
        self.scope.children.append(child)
        return _Builder(child)

    def _function(self, node: FunctionNode) -> None:
        self.bind(node.name)
        self.scope.functions[node.name] = node
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._defaults(node.args)
        inner = self.open(node, node.name)
        inner._parameters(node.args)
        inner.statements(node.body)

    def _lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        inner = self.open(node, "<lambda>")
        inner._parameters(node.args)
        inner.visit(node.body)

    def _class(self, node: ast.ClassDef) -> None:
        self.bind(node.name)
        self.scope.classes[node.name] = node
        for outer in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(outer)
        self.open(node, node.name).statements(node.body)

    def _defaults(self, args: ast.arguments) -> None:
        for default in (*args.defaults, *args.kw_defaults):
            if default is not None:
                self.visit(default)

    def _parameters(self, args: ast.arguments) -> None:
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
            if arg is not None:
                self.bind(arg.arg)

    def _import(self, node: ast.Import) -> None:
        self.scope.import_nodes.append(node)
        for alias in node.names:
            if alias.asname:
                self.scope.imports.setdefault(alias.asname, set()).add(alias.name)
            else:
                top = alias.name.partition(".")[0]
                self.scope.imports.setdefault(top, set()).add(top)

    def _import_from(self, node: ast.ImportFrom) -> None:
        self.scope.import_nodes.append(node)
        module = "." * node.level + (node.module or "")
        if module.rpartition(".")[2] == VENDORED:
            module = "gpuport.runtime"
        for alias in node.names:
            if alias.name == "*":
                self.scope.stars.append(node)
                continue
            bound = alias.asname or alias.name
            separator = "" if module.endswith(".") else "."
            self.scope.imports.setdefault(bound, set()).add(f"{module}{separator}{alias.name}")

    def _assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)
        if len(node.targets) == 1:
            for name, value in _bound_one_by_one(node.targets[0], node.value):
                if isinstance(value, (ast.Name, ast.Attribute)):
                    self.scope.aliases[name] = value
                elif isinstance(value, (ast.IfExp, ast.Call)) and value is node.value:
                    self.scope.choices[name] = value

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.scope.loads.add(node.id)
        else:
            self.bind(node.id)

    def _part(self, node: ast.Attribute | ast.Subscript) -> None:
        if node.ctx.__class__ is not ast.Load:
            self.scope.stores.append(node)
        for child in children(node):
            self.visit(child)

    def _for(self, node: ast.For) -> None:
        over = node.iter.func if isinstance(node.iter, ast.Call) else None
        if isinstance(over, ast.Name) and isinstance(node.target, ast.Name) and over.id == "range":
            self.scope.counted.add(node.target.id)
        for child in children(node):
            self.visit(child)

    def _call(self, node: ast.Call) -> None:
        self.scope.calls.append(node)
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)

    def _binary(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.MatMult):
            self.scope.matrix_products = True
        self.visit(node.left)
        self.visit(node.right)

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> None:
        self.scope.yields = True
        if node.value is not None:
            self.visit(node.value)

    def _outside(self, node: ast.Global | ast.Nonlocal) -> None:
        self.scope.outside.update(node.names)
        if isinstance(node, ast.Global):
            root = self.scope
            while root.parent is not None:
                root = root.parent
            for name in node.names:  # rebound from a function: no single meaning
                root.bound[name] = root.bound.get(name, 0) + 2

        else:
            for name in node.names:  # whose names they are is settled when all are known
                outer = self.scope.parent
                while outer is not None and not isinstance(outer.node, ast.Module):
                    if outer.binds(name):
                        outer.bound[name] = outer.bound.get(name, 0) + 2
                    outer = outer.parent

    def _comprehension(self, node: ast.comprehension) -> None:
        for name in walk(node.target):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                self.scope.comprehended[name.id] = self.scope.comprehended.get(name.id, 0) + 1
        for child in children(node):
            self.visit(child)

    def _handler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.bind(node.name)
        for child in children(node):
            self.visit(child)

    def _match_rest(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.bind(node.rest)
        for child in children(node):
            self.visit(child)

    def _match_name(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self.bind(node.name)
        for child in children(node):
            self.visit(child)


_HANDLERS: dict[type[ast.AST], Callable[[_Builder, Any], None]] = {
    ast.FunctionDef: _Builder._function,
    ast.AsyncFunctionDef: _Builder._function,
    ast.Lambda: _Builder._lambda,
    ast.ClassDef: _Builder._class,
    ast.Import: _Builder._import,
    ast.ImportFrom: _Builder._import_from,
    ast.Assign: _Builder._assign,
    ast.Name: _Builder._name,
    ast.Attribute: _Builder._part,
    ast.Subscript: _Builder._part,
    ast.BinOp: _Builder._binary,
    ast.Call: _Builder._call,
    ast.For: _Builder._for,
    ast.Yield: _Builder._yield,
    ast.YieldFrom: _Builder._yield,
    ast.Global: _Builder._outside,
    ast.Nonlocal: _Builder._outside,
    ast.comprehension: _Builder._comprehension,
    ast.ExceptHandler: _Builder._handler,
    ast.MatchAs: _Builder._match_name,
    ast.MatchStar: _Builder._match_name,
    ast.MatchMapping: _Builder._match_rest,
}


def _bound_one_by_one(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Names of an assignment and what is written for each: ``U32, U64 = np.uint32, np.uint64``."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        every = (*target.elts, *value.elts)
        starred = any(isinstance(one, ast.Starred) for one in every)
        if len(target.elts) == len(value.elts) and not starred:
            for part, item in zip(target.elts, value.elts, strict=True):
                yield from _bound_one_by_one(part, item)


__all__ = ["always_imported", "build_scopes"]
