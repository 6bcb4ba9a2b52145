"""What annotations and defaults say that a parameter may hold."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.source.annotations import JAXTYPING
from gpuport.verify.signatures.tables import FRAME, INDEX, SERIES, tables
from gpuport.verify.signatures.usage import arrays, repeated
from gpuport.verify.slots import DIMENSION, ITERATED, Slot

_DTYPES = frozenset(
    {"float64", "float32", "float16", "complex128", "complex64", "bool"}
    | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)
_TABLES = {"Series": SERIES, "DataFrame": FRAME, "DatetimeIndex": INDEX}
_KEYS = ("b", "a", "c")
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
_LIKELY = {"Float": "float64", "Int": "int64", "Integer": "int64", "UInt": "uint64"}
_LIKELY |= {"Inexact": "float64", "Complex": "complex128"}
"""What is drawn where jaxtyping's word leaves the dtype open; nothing said for the others."""


def annotated(name: str, node: ast.expr | None) -> list[Slot]:
    """Slots for an annotation, quoted ones too; empty where it says nothing of use."""
    if node is None:
        return []
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return annotated(name, ast.parse(node.value, mode="eval").body)
        except SyntaxError:
            return []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(name, [node.left, node.right])
    if isinstance(node, ast.Subscript):
        return _subscripted(name, node)
    return _named(name, ast.unparse(node).rpartition(".")[2])


def _union(name: str, parts: list[ast.expr]) -> list[Slot]:
    nullable = any(isinstance(p, ast.Constant) and p.value is None for p in parts)
    slots = [slot for part in parts for slot in annotated(name, part) if slot.kind != "none"]
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
    if kind in _TABLES:
        return list(tables(name, (_TABLES[kind],)))
    if kind in ("Generator", "RandomState"):
        return [Slot(name, "generator")]
    if kind == "None":
        return [Slot(name, "none")]
    return []


def _subscripted(name: str, node: ast.Subscript) -> list[Slot]:
    head = ast.unparse(node.value).rpartition(".")[2]
    parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if head in JAXTYPING:
        return _jaxtyped(name, head, parts)
    if head in ("NDArray", "ndarray"):
        return arrays(name, _dtype_in(parts[-1]))
    if head == "Optional":
        return [replace(slot, nullable=True) for slot in annotated(name, parts[0])]
    if head == "Union":
        return _union(name, parts)
    if head == "Annotated":
        return annotated(name, parts[0])
    if head == "Literal":
        return [Slot(name, "choice", choices=tuple(ast.literal_eval(p) for p in parts))]
    if head in ("list", "List", "Sequence", "Iterable", "Collection"):
        return [repeated(name, "list", inner, 3) for inner in annotated(name, parts[0])[:2]]
    if head in ("Iterator", "Generator"):
        items = (repeated(name, "list", inner, 3) for inner in annotated(name, parts[0])[:2])
        return [replace(slot, traits=(ITERATED,)) for slot in items]
    if head in ("tuple", "Tuple"):
        return _tuple(name, parts)
    if head in ("dict", "Dict", "Mapping", "MutableMapping") and len(parts) == 2:
        return _mapping(name, parts)
    return []


def _mapping(name: str, parts: list[ast.expr]) -> list[Slot]:
    """Of texts; its keys are not in the order of the alphabet, which is none of a dictionary."""
    if ast.unparse(parts[0]) != "str":
        return []
    every = [annotated(key, parts[1]) for key in _KEYS]
    return [Slot(name, "dict", items=alike) for alike in zip(*every, strict=True)]


def _tuple(name: str, parts: list[ast.expr]) -> list[Slot]:
    if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
        return [repeated(name, "tuple", inner, 3) for inner in annotated(name, parts[0])[:2]]
    items = [annotated(f"{name}{i}", part)[:1] for i, part in enumerate(parts)]
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
        if word.isdigit():
            dims.append(f"={word}")
        elif DIMENSION.fullmatch(word):
            dims.append(f"{name}.{axis}" if word == "_" else word)
        else:  # any number of axes
            return arrays(name, JAXTYPING[head] or _LIKELY.get(head))
    return [Slot(name, "array", JAXTYPING[head] or _LIKELY.get(head), tuple(dims))]


def from_default(name: str, default: ast.expr) -> list[Slot]:
    """Slots of the type of a default that is a literal."""
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
