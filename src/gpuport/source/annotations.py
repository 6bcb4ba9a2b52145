"""Annotations with the aliases of their module written out: ``Matrix = NDArray[np.float64]``."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from gpuport.source.syntax import bound_in, copied, walk

T = TypeVar("T")

_WRITTEN_OUT = "written_out"
"""Attribute of a node: what its annotation says without aliases."""

JAXTYPING: dict[str, str | None] = {
    **{f"Float{bits}": f"float{bits}" for bits in (32, 64)},
    **{f"{sign}Int{bits}": f"{sign.lower()}int{bits}" for sign in ("", "U")
       for bits in (8, 16, 32, 64)},
    **{f"Complex{bits}": f"complex{bits}" for bits in (64, 128)}, "Bool": "bool",
    **dict.fromkeys(("Float", "Int", "UInt", "Integer", "Complex", "Inexact", "Real", "Num",
                     "Shaped")),
}  # fmt: skip
"""The words of jaxtyping, with the dtype of those that say one."""

_CONTAINERS: dict[str, str] = {
    **dict.fromkeys(("list", "List"), "list"),
    **dict.fromkeys(("tuple", "Tuple"), "tuple"),
    **dict.fromkeys(("set", "Set", "frozenset", "FrozenSet", "AbstractSet"), "set"),
    "Sequence": "many",
    **dict.fromkeys(("dict", "Dict", "Mapping", "MutableMapping"), "dict"),
}  # fmt: skip
"""The generic types of what holds others, with what is made of these."""

_DTYPES = frozenset(
    ("float64", "float32", "complex128", "complex64", "int64", "int32", "int16", "int8", "uint64",
     "uint32", "uint16", "uint8")
)  # fmt: skip

_SYNONYMS = {"bool_": "bool", "double": "float64", "single": "float32"}

_ONLY_CHECKED = ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def annotation(node: ast.arg | ast.AnnAssign) -> ast.expr | None:
    """The annotation of a parameter or field, aliases written out where `write_out` found any."""
    found: ast.expr | None = node.__dict__.get(_WRITTEN_OUT, node.annotation)
    return found


def what_is_said(
    written: ast.expr | None,
    leaf: Callable[[ast.expr], T | None],
    made: Callable[[str, list[T]], T | None],
) -> T | None:
    """What an annotation says of a value and of what that holds; None where a part says nothing.

    Parameters
    ----------
    written : ast.expr, optional
    leaf : callable
        What is said by a type that holds no others.
    made : callable
        What is said by ``list``, ``tuple`` (of so many), ``many`` (a list or a tuple), ``set``,
        ``dict`` (of what is under its keys) or ``union`` of these parts; None where it is nothing.
    """
    written = None if written is None else unquoted(written)
    kind, parts = _generic(written)
    if kind is None:
        return leaf(written) if written is not None else None
    found = [what_is_said(one, leaf, made) for one in parts]
    told = [one for one in found if one is not None]
    return made(kind, told) if told and len(told) == len(found) else None


def _generic(written: ast.expr | None) -> tuple[str | None, list[ast.expr]]:
    """What a generic type is made of, and how; None for a type that is none."""
    if isinstance(written, ast.BinOp) and isinstance(written.op, ast.BitOr):
        return "union", [written.left, written.right]
    if not isinstance(written, ast.Subscript):
        return None, []
    inside = written.slice
    parts = list(inside.elts) if isinstance(inside, ast.Tuple) else [inside]
    word = last_word(written.value)
    if word in ("Annotated", "Final", "ReadOnly"):
        return "union", parts[:1]
    if word in ("Optional", "Union"):
        return "union", parts + [ast.Constant(None)] * (word == "Optional")
    kind = _CONTAINERS.get(word)
    if kind == "tuple" and _is_ellipsis(parts[-1]):
        return "many", parts[:1]
    return kind, parts[-1:] if kind == "dict" else parts


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def last_word(node: ast.expr) -> str:
    """``ndarray`` of ``np.ndarray``."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def rank_of_shape(node: ast.expr) -> int | None:
    """How many axes ``tuple[int, int]`` stands for."""
    if not isinstance(node, ast.Subscript) or last_word(node.value) not in ("tuple", "Tuple"):
        return None
    lengths = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    plain = all(isinstance(one, (ast.Name, ast.Attribute, ast.Subscript)) for one in lengths)
    return len(lengths) if plain else None


def rank_of_axes(node: ast.expr) -> int | None:
    """How many axes ``"rows columns"`` stands for; None with ``...`` or ``*batch`` among them."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return None
    axes = node.value.split()
    return None if any("..." in axis or "*" in axis for axis in axes) else len(axes)


def dtype_of(node: ast.expr) -> str | None:
    """``float64`` of ``NDArray[np.float64]``."""
    word = last_word(node)
    return _SYNONYMS.get(word, word if word in _DTYPES else None)


def annotated_in(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.expr | None:
    """What a parameter is annotated as."""
    args = function.args
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    return next((annotation(one) for one in every if one.arg == name), None)


def write_out(tree: ast.Module) -> None:
    """Keep beside each annotation that names an alias of the module what that stands for.

    An alias is a name that the module binds once, by ``Name = ...``, ``Name: TypeAlias = ...`` or
    ``type Name = ...``. The tree itself stays as it was parsed.
    """
    aliases = _aliases(tree)
    if not aliases:
        return
    for node in walk(tree):
        if isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation is not None:
            written = _written_out(unquoted(node.annotation), aliases)
            if written is not None:
                node.__dict__[_WRITTEN_OUT] = written


def unquoted(node: ast.expr) -> ast.expr:
    """An annotation that is written in quotes without them."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return node
    try:
        return ast.parse(node.value, mode="eval").body
    except SyntaxError:
        return node


def _written_out(node: ast.expr, aliases: Mapping[str, ast.expr]) -> ast.expr | None:
    """A copy of an annotation without aliases; None where it names none."""
    if not any(isinstance(one, ast.Name) and one.id in aliases for one in walk(node)):
        return None
    written: ast.expr = _Aliases(aliases).visit(copied(node))
    return written


class _Aliases(ast.NodeTransformer):
    """Puts what aliases stand for in their places; one that stands for itself stays."""

    def __init__(self, aliases: Mapping[str, ast.expr]) -> None:
        self._aliases = aliases

    def visit_Name(self, node: ast.Name) -> ast.expr:
        meant = self._aliases.get(node.id)
        if meant is None:
            return node
        others = {name: value for name, value in self._aliases.items() if name != node.id}
        found: ast.expr = _Aliases(others).visit(copied(meant))
        return found


def _aliases(tree: ast.Module) -> dict[str, ast.expr]:
    statements = list(_at_the_top(tree.body))
    found = {
        name: value for name, value in filter(None, map(_named, statements))
        if isinstance(value, (ast.Subscript, ast.Attribute, ast.BinOp))
    }  # fmt: skip
    if not found:
        return {}
    bound = Counter(name for statement in statements for name in _names_bound(statement))
    return {name: value for name, value in found.items() if bound[name] == 1}


def _at_the_top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        checked = isinstance(statement, ast.If) and ast.unparse(statement.test) in _ONLY_CHECKED
        if isinstance(statement, ast.If) and checked and not statement.orelse:
            yield from statement.body
        else:
            yield statement


def _names_bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from (one.asname or one.name.partition(".")[0] for one in statement.names)
    elif type(statement).__name__ == "TypeAlias":  # ``type Name = ...``, from Python 3.12 on
        yield statement.name.id  # type: ignore[attr-defined]
    else:
        yield from bound_in(statement)


def _named(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name and the meaning of what may be an alias."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr | None = statement.targets[0]
        value: ast.expr | None = statement.value
    elif isinstance(statement, ast.AnnAssign) and "TypeAlias" in ast.dump(statement.annotation):
        target, value = statement.target, statement.value
    elif type(statement).__name__ == "TypeAlias":
        target, value = getattr(statement, "name", None), getattr(statement, "value", None)
    else:
        return None
    return (target.id, value) if isinstance(target, ast.Name) and value is not None else None


__all__ = [
    "JAXTYPING", "annotated_in", "annotation", "dtype_of", "last_word", "rank_of_axes",
    "rank_of_shape", "unquoted", "what_is_said", "write_out",
]  # fmt: skip
