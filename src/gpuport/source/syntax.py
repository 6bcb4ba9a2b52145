"""Walking syntax trees, faster than the standard library does."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Tree = TypeVar("Tree", bound=ast.AST)

_NO_NODES = frozenset(
    (
        "ctx", "op", "ops", "id", "attr", "arg", "name", "names", "level", "module", "asname",
        "kind", "kwd_attrs", "type_comment", "type_ignores", "conversion", "is_async", "simple",
    )
)  # fmt: skip
"""Fields that hold no expression, statement or clause."""

_WITH_GAPS = frozenset(("keys", "kw_defaults"))
"""Lists in which None may stand for what is not written."""


def children(node: ast.AST) -> list[ast.AST]:
    """The expressions, statements and clauses right below a node, in source order.

    As `ast.iter_child_nodes`, without operators, contexts and aliases of imports.
    """
    read = _BELOW.get(node.__class__)
    return read(node) if read is not None else _any_below(node)


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all that is below it, as `ast.walk` orders them.

    Operators, contexts and aliases of imports are left out, as `children` does.
    """
    found = [node]
    read, name, constant = _BELOW.get, ast.Name, ast.Constant
    for one in found:
        kind = one.__class__
        if kind is not name and kind is not constant:
            found += read(kind, _any_below)(one)
    return found


Kinds = defaultdict[type[ast.AST], list[Any]]
"""Nodes by their classes, those of one class in the order in which they came."""


def by_kind(nodes: Iterable[ast.AST]) -> Kinds:
    """Nodes by their classes."""
    found: Kinds = defaultdict(list)
    for node in nodes:
        found[node.__class__].append(node)
    return found


def together(several: Iterable[Kinds]) -> Kinds:
    """The nodes of several modules."""
    first, *others = several
    if not others:
        return first
    found: Kinds = defaultdict(list)
    for kinds in (first, *others):
        for kind, nodes in kinds.items():
            found[kind] += nodes
    return found


def _any_below(node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for field in _fields(node.__class__):
        value = getattr(node, field, None)
        if value.__class__ is list:
            found += value if field not in _WITH_GAPS else [v for v in value if v is not None]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


def _fields(cls: type[ast.AST]) -> tuple[str, ...]:
    found = _FIELDS.get(cls)
    if found is None:
        found = _FIELDS[cls] = tuple(f for f in cls._fields if f not in _NO_NODES)
    return found


_BELOW: dict[type[ast.AST], Callable[[Any], list[ast.AST]]] = {
    ast.Constant: lambda node: [],
    ast.Name: lambda node: [],
    ast.Attribute: lambda node: [node.value],
    ast.Call: lambda node: [node.func, *node.args, *node.keywords],
    ast.keyword: lambda node: [node.value],
    ast.BinOp: lambda node: [node.left, node.right],
    ast.UnaryOp: lambda node: [node.operand],
    ast.Compare: lambda node: [node.left, *node.comparators],
    ast.BoolOp: lambda node: node.values.copy(),
    ast.Subscript: lambda node: [node.value, node.slice],
    ast.Tuple: lambda node: node.elts.copy(),
    ast.List: lambda node: node.elts.copy(),
    ast.Starred: lambda node: [node.value],
    ast.Expr: lambda node: [node.value],
    ast.Assign: lambda node: [*node.targets, node.value],
    ast.AugAssign: lambda node: [node.target, node.value],
    ast.If: lambda node: [node.test, *node.body, *node.orelse],
    ast.For: lambda node: [node.target, node.iter, *node.body, *node.orelse],
    ast.While: lambda node: [node.test, *node.body, *node.orelse],
    ast.IfExp: lambda node: [node.test, node.body, node.orelse],
    ast.Return: lambda node: [] if node.value is None else [node.value],
    ast.Slice: lambda node: [v for v in (node.lower, node.upper, node.step) if v is not None],
    ast.Assert: lambda node: [node.test] if node.msg is None else [node.test, node.msg],
    ast.With: lambda node: [*node.items, *node.body],
    ast.JoinedStr: lambda node: node.values.copy(),
    ast.arg: lambda node: [] if node.annotation is None else [node.annotation],
    ast.arguments: lambda node: _arguments_below(node),
}
"""How the kinds of nodes that there are most of are read: several times faster than the rest."""
if sys.version_info >= (3, 12):
    # the one kind whose name is a node
    _BELOW[ast.TypeAlias] = lambda node: [node.name, *node.type_params, node.value]


def _arguments_below(node: ast.arguments) -> list[ast.AST]:
    found: list[ast.AST] = [*node.posonlyargs, *node.args]
    if node.vararg is not None:
        found.append(node.vararg)
    found += node.kwonlyargs
    found += [value for value in node.kw_defaults if value is not None]
    if node.kwarg is not None:
        found.append(node.kwarg)
    found += node.defaults
    return found


def copied(node: Tree) -> Tree:
    """A copy that shares only operators and contexts with the tree; as `copy.deepcopy`, faster."""
    # Not by a call: without its fields Python 3.15 makes no node.
    made = node.__class__.__new__(node.__class__)
    fields = made.__dict__
    for name, value in node.__dict__.items():
        if value.__class__ is list:
            fields[name] = [copied(item) if isinstance(item, ast.AST) else item for item in value]
        elif isinstance(value, ast.AST) and value.__dict__:
            fields[name] = copied(value)
        else:
            fields[name] = value
    return made


DEFINITIONS = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
"""What has names of its own."""

LOOPS = (ast.For, ast.AsyncFor, ast.While)
"""Statements that run others time after time."""


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and all that is in it, in source order, inner functions left out."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        kind = one.__class__
        if kind is not ast.Name and kind is not ast.Constant:
            read = _BELOW.get(kind)
            below = read(one) if read is not None else _any_below(one)
            below.reverse()
            waiting += [c for c in below if c.__class__ not in DEFINITIONS]


def bound_in(node: ast.AST) -> frozenset[str]:
    """Names that a statement binds, inner functions left out."""
    return frozenset(
        inner.id for inner in inside(node)
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)
    )  # fmt: skip


def dotted(node: ast.AST) -> str | None:
    """``u`` or ``self.u`` for a name or a chain of attributes of one; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return None if owner is None else f"{owner}.{node.attr}"
    return None


def handed_on(node: ast.AST) -> list[ast.expr]:
    """What ``enumerate``, ``zip`` or ``islice`` go over, as whoever goes over them does."""
    name = (dotted(node.func) or "").rpartition(".")[2] if isinstance(node, ast.Call) else ""
    return node.args if isinstance(node, ast.Call) and name in _HANDING_ON else []


_HANDING_ON = frozenset(("enumerate", "zip", "islice"))


def is_name(node: ast.AST | None, name: str) -> bool:
    """Whether an expression is just this name."""
    return isinstance(node, ast.Name) and node.id == name


def has_star(node: ast.Call) -> bool:
    """Whether a call spreads a sequence or mapping into its arguments."""
    return any(isinstance(a, ast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    )
