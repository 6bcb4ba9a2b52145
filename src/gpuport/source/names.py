"""What a name means: imports under every form, aliases of functions, shadowing by locals.

The answer is a dotted path (``numpy.linalg.svd``) or None where the name is anything else.
A name that is bound by an import *and* by something else in the same scope has no meaning
that can be relied on, so it resolves to None.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from gpuport.source.syntax import children, walk

VENDORED = "_gpuport_runtime"
"""Module of the user's own code that is a copy of ``gpuport.runtime``."""

REPLACED = "<replaced>"
"""What the path of a name begins with that the project replaces: it is none of the library's."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | FunctionNode | ast.ClassDef | ast.Lambda

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""Nodes that open scopes of their own."""


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
    children : list of Scope
        The scopes directly inside of it, in source order.
    import_nodes : list
        Its import statements.
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
    elsewhere : dict
        Paths through other modules, and where they lead: ``common.np`` to ``numpy``. The same in
        all scopes of a module.
    replaced : set of str
        Paths of names of libraries that the project replaces, with all that is below them: nobody
        knows what they are. The same in all scopes of a module.
    stores : list
        Attributes and items that are stored into or deleted here.
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
    elsewhere: dict[str, str] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    stores: list[ast.expr] = field(default_factory=list)
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
            return path if path is None or not self.replaced else marked(path, self.replaced)
        attributes = ""
        while isinstance(node, ast.Attribute):
            attributes = f".{node.attr}{attributes}"
            node = node.value
        if self.values and self._is_of_value(path, attributes):
            return None
        whole = self.elsewhere.get(path + attributes, path + attributes)
        return marked(whole, self.replaced) if self.replaced else whole

    def _is_of_value(self, path: str, attributes: str) -> bool:
        """Whether a path goes through a name that is a value."""
        *between, _ = attributes.split(".")
        heads = (path + ".".join(between[:k]) for k in range(1, len(between) + 1))
        return any(head in self.values for head in heads)

    def _resolve_name(self, name: str, depth: int) -> str | None:
        owner = self.owner(name)
        if owner is None:
            return f"builtins.{name}" if name in BUILTINS else None
        paths = owner.imports.get(name)
        if paths is not None:
            return next(iter(paths)) if len(paths) == 1 and name not in owner.bound else None
        alias = owner.aliases.get(name)
        if alias is None or owner.bound.get(name) != 1 or depth > 8:
            return None
        path = owner.resolve(alias, depth + 1)
        # An alias of a function is followed; a copy of a constant is a value of its own.
        return path if path is not None and "." in path else None


def marked(path: str, replaced: Container[str]) -> str:
    """A path, marked where it is that of something that the project replaces."""
    above, known = path, False
    while above and not known:
        known = above in replaced
        above = above.rpartition(".")[0]
    return f"{REPLACED}.{path}" if known else path


_OPERATORS = frozenset(
    f"__{reflected}{word}__"
    for word in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul", "lshift",
        "rshift", "and", "or", "xor",
    )
    for reflected in ("", "r")
) | {"__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"}  # fmt: skip


def overloads(root: Scope, name: str, steps: int = 8) -> bool:
    """Whether a class of a module says what operators, or NumPy, do with its instances."""
    node = root.classes.get(name)
    scope = next((one for one in root.children if one.node is node), None)
    if not isinstance(node, ast.ClassDef) or scope is None or not steps:
        return False
    if any(one in _OPERATORS or one.startswith("__array_") for one in scope.bound):
        return True
    paths = (root.resolve(base) or "" for base in node.bases)
    named = (getattr(base, "id", "") for base in node.bases)
    known = any(path.startswith("numpy.") for path in paths)
    return known or any(overloads(root, base, steps - 1) for base in named)


BUILTINS = frozenset(dir(builtins))
"""Names that are there without an import."""


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


def walk_scopes(root: Scope) -> Iterator[Scope]:
    """The scope and all scopes below it, in source order."""
    yield root
    for child in root.children:
        yield from walk_scopes(child)
