"""What the text of a function binds its names to."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from gpuport.source.syntax import walk

_NAMES: dict[type[ast.AST], str] = {
    ast.arg: "arg", ast.FunctionDef: "name", ast.AsyncFunctionDef: "name", ast.ClassDef: "name",
    ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name", ast.MatchMapping: "rest",
}  # fmt: skip
"""What binds a name, by the field where that stands."""


class Item(ast.expr):
    """What a loop takes from something, time after time."""

    def __init__(self, of: ast.expr) -> None:
        super().__init__()
        self.of = of


@lru_cache(maxsize=4)
def sources_of(function: ast.AST) -> dict[str, list[ast.expr | None]]:
    """What binds the names of a function; None for what is not looked into."""
    return bound_in_text(function)


def bound_in_text(function: ast.AST) -> dict[str, list[ast.expr | None]]:
    """The same as `sources_of`, for who keeps it."""
    found: dict[str, list[ast.expr | None]] = {}
    known: set[int] = set()
    every = walk(function)
    for node in every:
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [pair for target in node.targets for pair in _pairs(target, node.value)]
        elif isinstance(node, (ast.For, ast.comprehension)):
            pairs = _items(node.target, node.iter)
        for target, value in pairs:
            if isinstance(target, ast.Name):
                known.add(id(target))
                found.setdefault(target.id, []).append(value)
    for node in every:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in known:
            found.setdefault(node.id, []).append(None)
    return found


def _items(target: ast.expr, iterated: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What a loop binds to what: ``i`` of ``for i, x in enumerate(xs)`` is of `range`."""
    call = isinstance(iterated, ast.Call) and getattr(iterated.func, "id", "") == "enumerate"
    if not call or not isinstance(target, ast.Tuple) or len(target.elts) != 2:
        return [(target, Item(iterated))]
    assert isinstance(iterated, ast.Call)
    if len(iterated.args) != 1 or iterated.keywords:
        return []
    length = ast.Call(ast.Name("len", ast.Load()), iterated.args, [])
    counted = ast.Call(ast.Name("range", ast.Load()), [length], [])
    return [(target.elts[0], Item(counted)), (target.elts[1], Item(iterated.args[0]))]


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What an assignment binds to what: ``a, b = x, y`` is two of them."""
    both = (ast.Tuple, ast.List)
    if isinstance(target, both) and isinstance(value, ast.Attribute) and value.attr == "shape":
        load = ast.Load()
        return [
            (one, ast.Subscript(value, ast.Constant(k), load)) for k, one in enumerate(target.elts)
        ]
    if isinstance(target, both) and isinstance(value, both):
        starred = any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts))
        if len(target.elts) == len(value.elts) and not starred:
            return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def each_bound(statement: ast.stmt) -> dict[str, ast.expr]:
    """What an assignment binds to names, each to a value of its own: ``a, b = [], []``.

    Nothing where it binds anything else besides, or one value to several names.
    """
    pairs: list[tuple[ast.expr, ast.expr]]
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        pairs = [(statement.target, statement.value)]
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        pairs = _pairs(statement.targets[0], statement.value)
    else:
        return {}
    found = {one.id: value for one, value in pairs if isinstance(one, ast.Name)}
    return found if len(found) == len(pairs) else {}


def statements_before(function: ast.AST, node: ast.stmt) -> list[ast.stmt]:
    """The statements before one in its own block."""
    for parent in walk(function):
        for block in vars(parent).values():
            if block.__class__ is list and any(one is node for one in block):
                return block[: [one is node for one in block].index(True)]
    return []


def value_set(block: Sequence[ast.stmt], name: str) -> ast.expr | None:
    """What the last of some statements that may bind a name gives it; None where none tells."""
    for statement in reversed(block):
        if any(_may_bind(part, name) for part in walk(statement)):
            alone = isinstance(statement, ast.Assign) and len(statement.targets) == 1
            pairs = _pairs(statement.targets[0], statement.value) if alone else []  # type: ignore[attr-defined]
            values = [v for target, v in pairs if getattr(target, "id", None) == name]
            return values[0] if len(values) == 1 else None
    return None


def _may_bind(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return name in node.names
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        named = [one.asname or one.name.partition(".")[0] for one in node.names]
        return name in named or "*" in named
    return getattr(node, "name", None) == name  # a function, a class, an exception, a pattern


def is_empty_list(node: ast.expr) -> bool:
    """``[]``."""
    return isinstance(node, ast.List) and not node.elts


def bound_once(function: ast.AST) -> frozenset[str]:
    """The names that a function binds at one place: a parameter, a loop, an assignment."""
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return frozenset()
    counts = Counter(name for node in ast.walk(function) for name in _bound(node))
    return frozenset(name for name, count in counts.items() if count == 1)


def _bound(node: ast.AST) -> list[str]:
    """The names that one piece of syntax binds; those of other scopes twice."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.Global | ast.Nonlocal):
        return node.names * 2
    if isinstance(node, ast.alias):
        return [node.asname or node.name.partition(".")[0]]
    name = getattr(node, _NAMES.get(type(node), ""), None)
    return [name] if isinstance(name, str) else []


__all__ = [
    "Item", "each_bound", "is_empty_list", "sources_of", "statements_before", "value_set",
]  # fmt: skip
