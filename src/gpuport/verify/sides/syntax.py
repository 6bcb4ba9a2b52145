"""Small questions to a syntax tree about one name, or one attribute of a name."""

from __future__ import annotations

import ast

ARRAY_ATTRIBUTES = frozenset(
    [
        "shape",
        "ndim",
        "T",
        "dtype",
        "size",
        "sum",
        "mean",
        "std",
        "var",
        "min",
        "max",
        "argmax",
        "argmin",
        "copy",
        "reshape",
        "astype",
        "ravel",
        "flatten",
        "dot",
        "cumsum",
        "transpose",
        "conj",
        "real",
        "imag",
        "sort",
        "any",
        "all",
        "fill",
        "swapaxes",
        *("argpartition", "argsort", "clip", "compress", "conjugate", "cumprod", "diagonal"),
        *("flags", "flat", "item", "itemsize", "mT", "nbytes", "nonzero", "partition", "prod"),
        *("put", "repeat", "round", "searchsorted", "squeeze", "strides", "take", "tobytes"),
        *("tolist", "trace", "view"),
    ]
)
GENERATOR_METHODS = frozenset(
    [
        "integers",
        "normal",
        "standard_normal",
        "choice",
        "permutation",
        "shuffle",
        "uniform",
        "random",
    ]
)
TEXT_METHODS = frozenset(
    ["split", "strip", "lower", "upper", "startswith", "endswith", "format", "encode", "join"]
)

MUTATORS = frozenset(
    {
        *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add"),
        *("discard", "update", "setdefault", "popitem", "fill", "put", "resize", "appendleft"),
    }
)
"""Methods of containers and arrays that change them in place."""


_SPELLING = ("lower", "upper", "casefold", "strip")


def is_name(node: ast.AST, name: str) -> bool:
    """Whether this expression is just that name, or that attribute of a name (``p.scale``)."""
    owner, dot, attribute = name.rpartition(".")
    if dot:
        held = isinstance(node, ast.Attribute) and node.attr == attribute
        return held and is_name(node.value, owner)  # type: ignore[attr-defined]
    return isinstance(node, ast.Name) and node.id == name


def compared_texts(name: str, scope: ast.AST) -> tuple[str, ...]:
    """Strings that the name is compared with, or looked up among: they select branches."""
    found: dict[str, None] = {}
    others = _same_texts(name, scope)

    def means(node: ast.AST) -> bool:
        text = plain_text(node)
        return any(is_name(text, one) for one in (name, *others))

    for node in ast.walk(scope):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare) and means(node.left):
            parts = node.comparators
        elif isinstance(node, ast.Subscript) and means(node.slice):
            parts = node.value.keys if isinstance(node.value, ast.Dict) else []  # type: ignore[assignment]
        elif isinstance(node, ast.Match) and means(node.subject):
            parts = [p for case in node.cases for p in ast.walk(case.pattern)]  # type: ignore[misc]
        for part in (p for held in parts if held is not None for p in ast.walk(held)):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                found[part.value] = None
    return tuple(found)


def _same_texts(name: str, scope: ast.AST) -> tuple[str, ...]:
    """Other names of the same text in small or capital letters: ``kind = mode.lower()``."""
    return tuple(
        node.targets[0].id
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        and isinstance(node.targets[0], ast.Name) and is_name(plain_text(node.value), name)
    )  # fmt: skip


def plain_text(node: ast.AST) -> ast.AST:
    """The text of which this is another spelling."""
    called = node.func if isinstance(node, ast.Call) else None
    spelt = isinstance(called, ast.Attribute) and called.attr in _SPELLING
    return called.value if spelt else node  # type: ignore[union-attr]


def attributes_of(name: str, scope: ast.AST) -> tuple[str, ...]:
    """Attributes that are read of the name, in order."""
    found: dict[str, None] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Attribute) and is_name(node.value, name):
            found[node.attr] = None
    return tuple(found)


def arities(name: str, scope: ast.AST) -> tuple[int, ...]:
    """With how many positional arguments the name is called."""
    calls = (n for n in ast.walk(scope) if isinstance(n, ast.Call) and is_name(n.func, name))
    return tuple(dict.fromkeys(len(call.args) for call in calls))


def definition(tree: ast.AST | None, name: str) -> ast.AST | None:
    """The function or method of a module's tree that has this qualified name."""
    for part in name.split("."):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        body = getattr(tree, "body", ())
        tree = next((n for n in body if isinstance(n, kinds) and n.name == part), None)
    return tree
