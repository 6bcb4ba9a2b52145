"""What a name means: imports under every form, aliases of functions, shadowing by locals.

The answer is a dotted path (``numpy.linalg.svd``) or None where the name is anything else.
A name that is bound by an import *and* by something else in the same scope has no meaning
that can be relied on, so it resolves to None.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from gpuport.source.syntax import children, walk

VENDORED = "_gpuport_runtime"
"""Module of the user's own code that is a copy of ``gpuport.runtime``."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | FunctionNode | ast.ClassDef | ast.Lambda


@dataclass(slots=True, eq=False)
class Scope:
    """One namespace: the module, a function, a class body or a lambda.

    Attributes
    ----------
    node : ast.AST
        What opens the scope.
    parent : Scope or None
    name : str
        Qualified name without ``<locals>``; empty for the module.
    imports : dict
        Local name -> dotted paths that imports in this scope bind to it.
    bound : dict
        Local name -> number of bindings by anything but an import, and one more where an import
        binds it too: it may be either.
    aliases : dict
        Local name -> the expression of its single plain assignment.
    choices : dict
        Local name -> the condition or call that it is assigned from.
    outside : set
        Names declared ``global`` or ``nonlocal``.
    stars : list
        ``from m import *`` statements.
    functions, classes : dict
        Definitions directly in this scope.
    loads : set
        Names read here (inner scopes not counted).
    calls : list
        Calls made here, in source order.
    yields : bool
        Whether it is the scope of a generator.
    matrix_products : bool
        Whether ``@`` is used.
    counted : set of str
        Variables of loops over ``range``.
    comprehended : dict
        Local name -> how many of its bindings are variables of comprehensions, outside of which
        the name may be one of a function around.
    values : set of str
        Paths of names of other modules that are values: what stands behind their dots is none of
        a module. The same in all scopes of a module.
    """

    node: ScopeNode
    parent: Scope | None
    name: str
    imports: dict[str, set[str]] = field(default_factory=dict)
    bound: dict[str, int] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)
    choices: dict[str, ast.expr] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)
    stars: list[ast.ImportFrom] = field(default_factory=list)
    functions: dict[str, FunctionNode] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    children: list[Scope] = field(default_factory=list)
    import_nodes: list[ast.Import | ast.ImportFrom] = field(default_factory=list)
    loads: set[str] = field(default_factory=set)
    calls: list[ast.Call] = field(default_factory=list)
    yields: bool = False
    matrix_products: bool = False
    counted: set[str] = field(default_factory=set)
    comprehended: dict[str, int] = field(default_factory=dict)
    values: set[str] = field(default_factory=set)
    _paths: dict[str, str | None] = field(default_factory=dict, repr=False)
    _code: ast.FunctionDef | None = field(default=None, repr=False)

    @property
    def code(self) -> ast.Module | FunctionNode | ast.ClassDef:
        """What opens the scope; of a lambda, the definition that does the same."""
        node = self.node
        if not isinstance(node, ast.Lambda):
            return node
        if self._code is None:
            body = ast.copy_location(ast.Return(node.body), node.body)
            made = ast.FunctionDef("<lambda>", node.args, [body], decorator_list=[])
            self._code = ast.copy_location(made, node)
        return self._code

    def owners(self, name: str) -> Iterator[Scope]:
        """The scopes in which reads of ``name`` here find their bindings.

        Two where comprehensions alone bind it here, and it is read beside them too.
        """
        own = name not in self.outside and self.binds(name)
        if own:
            yield self
        if own and (self.lasting(name) or not self._reads_beside(name)):
            return
        found = self.around(name)
        if found is not None:
            yield found

    def around(self, name: str) -> Scope | None:
        """The scope around this one in which a name that is not bound here is bound."""
        inner, scope = self, self.parent
        while scope is not None:
            visible = not isinstance(scope.node, ast.ClassDef) and name not in scope.outside
            if visible and scope.binds(name):
                beside = _beside_comprehensions(scope.node, name)
                if scope.lasting(name) or not any(node is inner.node for node in beside):
                    return scope
            inner, scope = scope, scope.parent
        return None

    def _reads_beside(self, name: str) -> bool:
        """Whether a name is read outside of the comprehensions whose variable it is."""
        return any(
            isinstance(node, ast.Name) and node.id == name
            for node in _beside_comprehensions(self.node, name)
        )

    def lasting(self, name: str) -> int:
        """How often a name is bound here, by variables of comprehensions not counted."""
        bound = self.bound.get(name, 0) - self.comprehended.get(name, 0)
        return bound + (name in self.imports)

    def owner(self, name: str) -> Scope | None:
        """The scope in which a read of ``name`` here finds its binding; None for builtins."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            skipped = isinstance(scope.node, ast.ClassDef) and not first
            if not skipped and name not in scope.outside and scope.binds(name):
                return scope
            first = False
            scope = scope.parent
        return None

    def binds(self, name: str) -> bool:
        """Whether this very scope binds ``name``."""
        return name in self.imports or name in self.bound

    def resolve(self, node: ast.expr, depth: int = 0) -> str | None:
        """Dotted path that a name or attribute chain stands for, or None.

        Builtins resolve to ``builtins.<name>``.
        """
        head = node
        while isinstance(head, ast.Attribute):
            head = head.value
        if not isinstance(head, ast.Name):
            return None
        name = head.id
        if depth:
            path = self._resolve_name(name, depth)
        elif name in self._paths:
            path = self._paths[name]
        else:
            path = self._paths[name] = self._resolve_name(name, 0)
        if path is None or head is node:
            return path
        attributes = ""
        while isinstance(node, ast.Attribute):
            attributes = f".{node.attr}{attributes}"
            node = node.value
        return None if self.values and self._is_of_value(path, attributes) else path + attributes

    def _is_of_value(self, path: str, attributes: str) -> bool:
        """Whether a path goes through a name that is a value."""
        *between, _ = attributes.split(".")
        heads = (path + ".".join(between[:k]) for k in range(1, len(between) + 1))
        return any(head in self.values for head in heads)

    def _resolve_name(self, name: str, depth: int) -> str | None:
        owner = self.owner(name)
        if owner is None:
            return f"builtins.{name}" if name in _BUILTINS else None
        paths = owner.imports.get(name)
        if paths is not None:
            return next(iter(paths)) if len(paths) == 1 and name not in owner.bound else None
        alias = owner.aliases.get(name)
        if alias is None or owner.bound.get(name) != 1 or depth > 8:
            return None
        path = owner.resolve(alias, depth + 1)
        # An alias of a function is followed; a copy of a constant is a value of its own.
        return path if path is not None and "." in path else None


_BUILTINS = frozenset(dir(builtins))


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


def _beside_comprehensions(root: ast.AST, name: str) -> Iterator[ast.AST]:
    """What stands in a scope outside of the comprehensions that bind a name; of them the first
    thing that they go through, which is worked out outside."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        generators: list[ast.comprehension] = getattr(node, "generators", [])
        targets = [inner for one in generators for inner in walk(one.target)]
        if any(isinstance(inner, ast.Name) and inner.id == name for inner in targets):
            waiting.append(generators[0].iter)
        elif node is root or not isinstance(node, SCOPES):
            waiting += children(node)


SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""Nodes that open scopes of their own."""


def walk_scopes(root: Scope) -> Iterator[Scope]:
    """The scope and all scopes below it, in source order."""
    yield root
    for child in root.children:
        yield from walk_scopes(child)


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
            node, self.scope, f"{prefix}.{name}" if prefix else name, values=self.scope.values
        )
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
