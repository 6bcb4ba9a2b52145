"""What annotations say of parameters: numbers, arrays, and lists, tuples and dicts of arrays."""

from __future__ import annotations

import ast

from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Scalar,
    Sequence,
    Tuple,
    Value,
)

_NUMBER_WORDS = {"int": "int", "float": "float", "bool": "bool", "complex": "complex", "str": "str"}
_ARRAY_WORDS = ("ndarray", "NDArray")


def annotated(argument: ast.arg) -> Value:
    """What an annotation says of a parameter; `Unknown` where it says nothing of arrays."""
    return annotation_of(argument.arg, argument.annotation, False) or UNKNOWN


def annotation_of(name: str, annotation: ast.expr | None, optional: bool) -> Value | None:
    """What an annotation of a parameter says; None where it says nothing of arrays or numbers."""
    if annotation is None:
        return None
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return _union(name, annotation, optional)
    word = annotation.id if isinstance(annotation, ast.Name) else ""
    if isinstance(annotation, ast.Attribute):
        word = annotation.attr
    if word in _NUMBER_WORDS and isinstance(annotation, ast.Name):
        return Scalar(_NUMBER_WORDS[word])
    if word in _ARRAY_WORDS:
        return Array(sources=frozenset((name,)), optional=optional)
    if isinstance(annotation, ast.Subscript):
        return _genericannotation_of(name, annotation, optional)
    return None


def _union(name: str, annotation: ast.BinOp, optional: bool) -> Value | None:
    sides = [annotation_of(name, side, optional) for side in (annotation.left, annotation.right)]
    none = [
        isinstance(s, ast.Constant) and s.value is None for s in (annotation.left, annotation.right)
    ]
    if any(none):
        known = sides[0] if none[1] else sides[1]
        if isinstance(known, Array):
            return Array(known.dtype, known.rank, known.sources, optional=True)
        return Scalar() if isinstance(known, Scalar) else None
    if all(isinstance(s, (Array, Scalar)) for s in sides):
        if any(isinstance(s, Array) for s in sides):
            return Either(sources=frozenset((name,)), optional=optional, python=True)
        return Scalar()
    return None


def _genericannotation_of(name: str, annotation: ast.Subscript, optional: bool) -> Value | None:
    head = annotation.value
    word = head.attr if isinstance(head, ast.Attribute) else getattr(head, "id", "")
    if word in _ARRAY_WORDS:
        return Array(_dtype_of(annotation.slice), None, frozenset((name,)), optional)
    if word == "Optional":
        inner = annotation_of(name, annotation.slice, True)
        return Scalar() if isinstance(inner, Scalar) else inner
    return None if optional else _annotated_container(name, word, annotation.slice)


def _annotated_container(name: str, word: str, inner: ast.expr) -> Value | None:
    """A list, tuple or dict of arrays; None for those of anything else."""
    parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
    many = word in ("tuple", "Tuple") and isinstance(parts[-1], ast.Constant)
    if many and len(parts) == 2 and parts[1].value is Ellipsis:  # type: ignore[attr-defined]
        word, parts = "Sequence", parts[:1]
    values = [annotation_of(name, part, False) for part in parts]
    if not all(isinstance(v, (Array, Sequence, Tuple, Mapping, Scalar)) for v in values):
        return None
    found = [v for v in values if v is not None]
    if any(isinstance(v, Array) and v.optional for v in found):
        return None
    if word in ("list", "List", "Sequence") and len(found) == 1 and _of_arrays(found[0]):
        return Sequence(found[0], list=word != "Sequence")
    if word in ("tuple", "Tuple") and any(map(_of_arrays, found)):
        return Tuple(tuple(found))
    if word in ("dict", "Dict", "Mapping") and len(found) == 2 and _of_arrays(found[1]):
        return Mapping(found[1])
    return None


def _of_arrays(value: Value) -> bool:
    if isinstance(value, (Sequence, Mapping)):
        return _of_arrays(value.of)
    if isinstance(value, Tuple):
        return any(map(_of_arrays, value.items))
    return isinstance(value, Array)


_DTYPES = frozenset(
    ("float64", "float32", "complex128", "complex64", "int64", "int32", "int16", "int8", "uint64",
     "uint32", "uint16", "uint8")
)  # fmt: skip


def _dtype_of(node: ast.expr) -> str | None:
    """``float64`` of ``NDArray[np.float64]``."""
    word = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return "bool" if word == "bool_" else word if word in _DTYPES else None


__all__ = ["annotated", "annotation_of"]
