"""What annotations say of parameters: numbers, arrays, and lists, tuples and dicts of arrays."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from gpuport.analysis.values.lattice import (
    NONE,
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Scalar,
    Sequence,
    Tuple,
    Value,
    is_container,
    parts,
)
from gpuport.source.annotations import (
    JAXTYPING,
    annotation,
    dtype_of,
    last_word,
    rank_of_axes,
    rank_of_shape,
    what_is_said,
)

_NUMBER_WORDS = frozenset({"int", "float", "bool", "complex", "str"})
_ARRAY_WORDS = ("ndarray", "NDArray")


def annotated(argument: ast.arg) -> Value:
    """What an annotation says of a parameter; `Unknown` where it says nothing of arrays."""
    return annotation_of(argument.arg, annotation(argument), False) or UNKNOWN


def annotation_of(name: str, written: ast.expr | None, optional: bool) -> Value | None:
    """What an annotation of a parameter says; None where it says nothing of arrays or numbers."""
    value = what_is_said(written, partial(_leaf, name), partial(_made, name))
    if isinstance(value, Array | Either) and optional:
        return replace(value, optional=True)
    apart = value is None or value == NONE or (optional and is_container(value))
    return None if apart else value


def _leaf(name: str, written: ast.expr) -> Value | None:
    """A number, an array, or None."""
    if isinstance(written, ast.Constant) and written.value is None:
        return NONE
    word = last_word(written)
    if word in _NUMBER_WORDS and isinstance(written, ast.Name):
        return Scalar(word)
    if word in _ARRAY_WORDS:
        return Array(sources=frozenset((name,)))
    return _of_dtype(name, written) if isinstance(written, ast.Subscript) else None


def _of_dtype(name: str, written: ast.Subscript) -> Value | None:
    """An array of which more is said."""
    word, inside = last_word(written.value), written.slice
    told = list(inside.elts) if isinstance(inside, ast.Tuple) else [inside]
    if word == "NDArray":
        return Array(dtype_of(inside), None, frozenset((name,)))
    if word == "ndarray":  # ``np.ndarray[tuple[int, int], np.dtype[np.float64]]``
        dtype = told[1] if len(told) == 2 else None
        inner = dtype.slice if isinstance(dtype, ast.Subscript) else None
        known = None if inner is None else dtype_of(inner)
        return Array(known, rank_of_shape(told[0]), frozenset((name,)))
    if word in JAXTYPING and len(told) == 2 and last_word(told[0]) in _ARRAY_WORDS:
        return Array(JAXTYPING[word], rank_of_axes(told[1]), frozenset((name,)))
    return None


def _made(name: str, kind: str, held: list[Value]) -> Value | None:
    """One of several, or a list, tuple or dict of arrays; None for those of anything else."""
    if kind == "union":
        return _union(name, held)
    optional = any(getattr(one, "optional", False) for one in held)
    if optional or any(one == NONE or isinstance(one, Either) for one in held):
        return None
    if kind == "tuple":
        return Tuple(tuple(held)) if any(map(_of_arrays, held)) else None
    if kind == "set" or not _of_arrays(held[0]):
        return None
    return Mapping(held[0]) if kind == "dict" else Sequence(held[0], list=kind == "list")


def _union(name: str, held: list[Value]) -> Value | None:
    known = [one for one in held if one != NONE]
    optional = len(known) < len(held)
    if len(known) == 1 and not optional:
        return known[0]
    if not known or not all(isinstance(one, Array | Scalar) for one in known):
        return None
    arrays = [one for one in known if isinstance(one, Array)]
    if len(arrays) == len(known) == 1:
        return replace(arrays[0], optional=True)
    sources = frozenset((name,))
    return Either(sources=sources, optional=optional, python=True) if arrays else Scalar()


def _of_arrays(value: Value) -> bool:
    return isinstance(value, Array) or any(map(_of_arrays, parts(value)))


__all__ = ["annotated", "annotation_of"]
