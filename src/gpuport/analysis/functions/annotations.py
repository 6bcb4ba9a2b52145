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
from gpuport.source.annotations import (
    JAXTYPING,
    annotation,
    dtype_of,
    last_word,
    rank_of_axes,
    rank_of_shape,
    unquoted,
)

_NUMBER_WORDS = {"int": "int", "float": "float", "bool": "bool", "complex": "complex", "str": "str"}
_ARRAY_WORDS = ("ndarray", "NDArray")


def annotated(argument: ast.arg) -> Value:
    """What an annotation says of a parameter; `Unknown` where it says nothing of arrays."""
    return annotation_of(argument.arg, annotation(argument), False) or UNKNOWN


def annotation_of(name: str, written: ast.expr | None, optional: bool) -> Value | None:
    """What an annotation of a parameter says; None where it says nothing of arrays or numbers."""
    if written is None:
        return None
    written = unquoted(written)
    if isinstance(written, ast.BinOp) and isinstance(written.op, ast.BitOr):
        return _union(name, written.left, written.right, optional)
    word = last_word(written)
    if word in _NUMBER_WORDS and isinstance(written, ast.Name):
        return Scalar(_NUMBER_WORDS[word])
    if word in _ARRAY_WORDS:
        return Array(sources=frozenset((name,)), optional=optional)
    if isinstance(written, ast.Subscript):
        return _generic(name, written, optional)
    return None


def _union(name: str, left: ast.expr, right: ast.expr, optional: bool) -> Value | None:
    sides = [annotation_of(name, side, optional) for side in (left, right)]
    none = [isinstance(s, ast.Constant) and s.value is None for s in (left, right)]
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


def _generic(name: str, written: ast.Subscript, optional: bool) -> Value | None:
    word, inside = last_word(written.value), written.slice
    parts = list(inside.elts) if isinstance(inside, ast.Tuple) else [inside]
    if word == "NDArray":
        return Array(dtype_of(inside), None, frozenset((name,)), optional)
    if word == "ndarray":  # ``np.ndarray[tuple[int, int], np.dtype[np.float64]]``
        dtype = parts[1] if len(parts) == 2 else None
        inner = dtype.slice if isinstance(dtype, ast.Subscript) else None
        known = None if inner is None else dtype_of(inner)
        return Array(known, rank_of_shape(parts[0]), frozenset((name,)), optional)
    if word in JAXTYPING and len(parts) == 2 and last_word(parts[0]) in _ARRAY_WORDS:
        return Array(JAXTYPING[word], rank_of_axes(parts[1]), frozenset((name,)), optional)
    if word == "Optional":
        found = annotation_of(name, inside, True)
        return Scalar() if isinstance(found, Scalar) else found
    if word == "Annotated":
        return annotation_of(name, parts[0], optional)
    if word == "Union" and len(parts) == 2:
        return _union(name, parts[0], parts[1], optional)
    return None if optional else _annotated_container(name, word, inside)


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


__all__ = ["annotated", "annotation_of"]
