"""What a function's parameters may hold: annotations, then docstring, then defaults, then use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from gpuport.verify.docstrings import documented_types, slots_from_text
from gpuport.verify.slots import Slot
from gpuport.verify.usage import (
    arrays,
    guessed,
    indexed,
    is_name,
    known_rank,
    literals_of,
    module_constants,
    repeated,
)

_DTYPES = frozenset(
    {"float64", "float32", "float16", "complex128", "complex64", "bool"}
    | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)
_ALIASES = {
    "bool_": "bool",
    "float_": "float64",
    "floating": "float64",
    "inexact": "float64",
    "number": "float64",
    "generic": "float64",
    "double": "float64",
    "single": "float32",
    "integer": "int64",
    "int_": "int64",
    "intp": "int64",
    "signedinteger": "int64",
    "complexfloating": "complex128",
    "float": "float64",
    "int": "int64",
    "complex": "complex128",
}
_JAXTYPING = {"Float": "float64", "Float32": "float32", "Float64": "float64", "Int": "int64"}
_JAXTYPING |= {"Int32": "int32", "Int64": "int64", "Bool": "bool", "Complex": "complex128"}
_JAXTYPING |= {"Shaped": "", "Num": "", "Inexact": "float64", "Real": ""}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter and what it may be filled with, likeliest first.

    ``source``: ``declared``, ``annotated``, ``documented``, ``default`` or ``guessed``.
    """

    name: str
    candidates: tuple[Slot, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Signature:
    """A function to verify.

    ``init`` are the constructor's parameters for a method; ``literals`` the numbers in its text.
    """

    name: str
    line: int
    parameters: tuple[Parameter, ...]
    init: tuple[Parameter, ...] | None = None
    literals: tuple[float, ...] = ()
    obstacle: str | None = None

    @property
    def source(self) -> str:
        """The weakest source among the parameters."""
        order = ("declared", "annotated", "default", "documented", "guessed")
        used = [p.source for p in (*self.parameters, *(self.init or ()))]
        return max(used, key=order.index, default="annotated")


Function = ast.FunctionDef | ast.AsyncFunctionDef


def signatures_of(tree: ast.Module) -> Iterator[Signature]:
    """Module-level functions, and methods of module-level classes, in the order of the source."""
    constants = module_constants(tree)
    for node in tree.body:
        if isinstance(node, Function):
            found = [(node, _signature(node, node.name, None))]
        elif isinstance(node, ast.ClassDef):
            found = list(_methods(node, tree))
        else:
            continue
        for definition, signature in found:
            yield replace(signature, literals=literals_of(definition, constants))


def _methods(owner: ast.ClassDef, tree: ast.Module) -> Iterator[tuple[Function, Signature]]:
    init = _constructor(_constructing(owner, tree))
    for node in owner.body:
        if not isinstance(node, Function):
            continue
        decorators = {ast.unparse(d) for d in node.decorator_list}
        name = f"{owner.name}.{node.name}"
        if node.name == "__init__":
            yield node, replace(_signature(node, name, (), bound=True), init=())
        elif "staticmethod" in decorators:
            yield node, _signature(node, name, None)
        elif "classmethod" in decorators:
            yield node, _signature(node, name, None, bound=True)
        elif any(d.endswith((".setter", ".deleter")) for d in decorators):
            continue
        else:
            yield node, _signature(node, name, init, bound=True)


def _constructing(owner: ast.ClassDef, tree: ast.Module, depth: int = 8) -> ast.ClassDef:
    """The class itself, or the first of its bases in the file, that has a constructor."""
    if (
        any(isinstance(n, ast.FunctionDef) and n.name == "__init__" for n in owner.body)
        or not depth
    ):
        return owner
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    bases = [classes[b.id] for b in owner.bases if isinstance(b, ast.Name) and b.id in classes]
    found = (_constructing(base, tree, depth - 1) for base in bases if base is not owner)
    return next(found, owner)


def _constructor(owner: ast.ClassDef) -> tuple[Parameter, ...]:
    for node in owner.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return _parameters(node, bound=True)
    if not any("dataclass" in ast.unparse(d) for d in owner.decorator_list):
        return ()
    fields = []
    for node in owner.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        text = ast.unparse(node)
        if "ClassVar" in text or "init=False" in text:
            continue
        argument = ast.arg(node.target.id, node.annotation)
        fields.append(_parameter(argument, node.value, False, owner, {}))
    return tuple(fields)


def _signature(
    node: Function, name: str, init: tuple[Parameter, ...] | None, bound: bool = False
) -> Signature:
    obstacle = None
    if isinstance(node, ast.AsyncFunctionDef):
        obstacle = "it is a coroutine"
    return Signature(name, node.lineno, _parameters(node, bound), init, obstacle=obstacle)


def _parameters(node: Function, bound: bool) -> tuple[Parameter, ...]:
    positional = [*node.args.posonlyargs, *node.args.args]
    gap = len(positional) - len(node.args.defaults)
    defaults: list[ast.expr | None] = [*([None] * gap), *node.args.defaults]
    rows = [(a, d, False) for a, d in zip(positional, defaults, strict=True)]
    rows = rows[1:] if bound else rows
    rows += [(a, d, True) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]
    documented = documented_types(ast.get_docstring(node) or "")
    return tuple(_parameter(a, d, k, node, documented) for a, d, k in rows)


def _parameter(
    argument: ast.arg,
    default: ast.expr | None,
    keyword: bool,
    scope: ast.AST,
    documented: dict[str, str],
) -> Parameter:
    name = argument.arg
    found, source = _annotated(name, argument.annotation), "annotated"
    if not found and name in documented:
        found, source = slots_from_text(name, documented[name]), "documented"
    if not found and default is not None:
        found, source = _from_default(name, default), "default"
    if not found:
        found, source = list(guessed(name, scope)), "guessed"
    if indexed(name, scope):
        whole = [replace(s, dtype="int64") for s in found if s.kind == "array" and not s.dtype]
        found = [*whole, *found]
    found = [_with_choices(slot, scope) for slot in found]
    candidates = [
        replace(slot, omit=slot.omit or default is not None, keyword=keyword) for slot in found
    ]
    ranked = _ranked(candidates, known_rank(name, scope))
    return Parameter(name, tuple(ranked), source)


def _ranked(candidates: list[Slot], rank: int | None) -> list[Slot]:
    """The rank that the function's own subscripts show comes first."""
    return sorted(
        candidates, key=lambda s: s.kind == "array" and rank is not None and len(s.dims) != rank
    )


def _annotated(name: str, node: ast.expr | None) -> list[Slot]:
    if node is None:
        return []
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return _annotated(name, ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(name, [node.left, node.right])
    if isinstance(node, ast.Subscript):
        return _subscripted(name, node)
    return _named(name, ast.unparse(node).rpartition(".")[2])


def _union(name: str, parts: list[ast.expr]) -> list[Slot]:
    nullable = any(isinstance(p, ast.Constant) and p.value is None for p in parts)
    slots = [slot for part in parts for slot in _annotated(name, part) if slot.kind != "none"]
    return [replace(slot, nullable=slot.nullable or nullable) for slot in slots]


def _named(name: str, kind: str) -> list[Slot]:
    if kind in ("int", "float", "bool", "complex", "str"):
        return [Slot(name, kind)]
    if kind in ("ndarray", "NDArray", "Array"):
        return arrays(name)
    if kind == "ArrayLike":
        return [*arrays(name, "float64"), Slot(name, "float")]
    if kind in _DTYPES or kind in _ALIASES:
        base = _ALIASES.get(kind, kind)
        families = {"f": "float", "i": "int", "u": "int", "c": "complex", "b": "bool"}
        return [Slot(name, families[base[0]])]
    if kind in ("Generator", "RandomState"):
        return [Slot(name, "generator")]
    if kind == "None":
        return [Slot(name, "none")]
    return []


def _subscripted(name: str, node: ast.Subscript) -> list[Slot]:
    head = ast.unparse(node.value).rpartition(".")[2]
    parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if head in _JAXTYPING:
        return _jaxtyped(name, head, parts)
    if head in ("NDArray", "ndarray"):
        return arrays(name, _dtype_in(parts[-1]))
    if head == "Optional":
        return [replace(slot, nullable=True) for slot in _annotated(name, parts[0])]
    if head == "Union":
        return _union(name, parts)
    if head == "Annotated":
        return _annotated(name, parts[0])
    if head == "Literal":
        return [Slot(name, "choice", choices=tuple(ast.literal_eval(p) for p in parts))]
    if head in ("list", "List", "Sequence", "Iterable", "Collection"):
        return [repeated(name, "list", inner, 3) for inner in _annotated(name, parts[0])[:2]]
    if head in ("tuple", "Tuple"):
        return _tuple(name, parts)
    return []


def _tuple(name: str, parts: list[ast.expr]) -> list[Slot]:
    if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
        return [repeated(name, "tuple", inner, 3) for inner in _annotated(name, parts[0])[:2]]
    items = [_annotated(f"{name}{i}", part)[:1] for i, part in enumerate(parts)]
    return [Slot(name, "tuple", items=tuple(i[0] for i in items))] if all(items) else []


def _dtype_in(node: ast.expr) -> str | None:
    text = ast.unparse(node)
    for piece in text.replace("[", " ").replace("]", " ").replace("|", " ").split():
        short = piece.rpartition(".")[2]
        if short in _DTYPES:
            return short
        if short in _ALIASES:
            return None if short in ("number", "generic") else _ALIASES[short]
    return None


def _jaxtyped(name: str, head: str, parts: list[ast.expr]) -> list[Slot]:
    shape = parts[-1]
    if not (isinstance(shape, ast.Constant) and isinstance(shape.value, str)):
        return []
    dims = []
    for axis, word in enumerate(shape.value.split()):
        if word in ("...",) or word.startswith("*") or not word.isidentifier():
            if not word.isdigit():
                return arrays(name, _JAXTYPING[head] or None)
            dims.append(f"={word}")
        else:
            dims.append(f"{name}.{axis}" if word == "_" else word)
    return [Slot(name, "array", _JAXTYPING[head] or None, tuple(dims))]


def _from_default(name: str, default: ast.expr) -> list[Slot]:
    try:
        value = ast.literal_eval(default)
    except ValueError:
        return []
    if isinstance(value, bool):
        return [Slot(name, "bool")]
    if isinstance(value, str):
        return [Slot(name, "choice", choices=(value,))]
    for kind, python in (("int", int), ("float", float), ("complex", complex)):
        if isinstance(value, python):
            return [Slot(name, kind)]
    if value is None:
        return []
    return [Slot(name, "choice", choices=(value,))] if isinstance(value, tuple) else []


def _with_choices(slot: Slot, scope: ast.AST) -> Slot:
    """Strings that the function compares the parameter with: they select its branches."""
    if slot.kind not in ("str", "choice"):
        return slot
    found: list[Any] = list(slot.choices)
    for node in ast.walk(scope):
        if isinstance(node, ast.Compare) and is_name(node.left, slot.name):
            for part in (p for c in node.comparators for p in ast.walk(c)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    found.append(part.value)
    return replace(slot, kind="choice", choices=tuple(dict.fromkeys(found)) or ("text",))
