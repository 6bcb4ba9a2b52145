"""Conditions of the ``differs`` rules on operands: on their dtypes, axes and values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gpuport.analysis.values.contents import of_numbers
from gpuport.analysis.values.lattice import (
    PLACE,
    Array,
    Either,
    Number,
    Scalar,
    Tuple,
    Unknown,
    Value,
    is_arraylike,
)
from gpuport.analysis.values.lattice import Sequence as SequenceValue

if TYPE_CHECKING:
    import numpy as np

NUMBER = "number-operand"
_NUMBERS = frozenset({"int", "float", "complex", "bool", "number"})


def integer_arrays(parts: Sequence[Value | str]) -> bool:
    """Whether an entry of an index is, or may be, an integer array, or a number of the device."""
    return any(
        integer_arrays(p.items) if isinstance(p, Tuple)
        else p.of != PLACE if isinstance(p, SequenceValue)
        else isinstance(p, (Array, Either, Number, Unknown))
        and getattr(p, "dtype", None) != "bool"
        for p in parts
    )  # fmt: skip


def dtype_kind(value: Value) -> str | None:
    """``f``, ``i``, ``c`` or ``b``; None where it is not known."""
    name = getattr(value, "dtype", None)
    if isinstance(value, Scalar):
        return {"float": "f", "int": "i", "bool": "b", "complex": "c"}.get(value.type or "")
    if name is None:
        return None
    return {"f": "f", "c": "c", "b": "b"}.get(name[0], "i")


def narrows(base: Value, stored: Value) -> bool:
    """Whether a NumPy scalar stored in an array of signed integers may be too large for it.

    In an array of unsigned ones NumPy, too, wraps it around; Python's numbers of a list it does
    not.
    """
    import numpy as np

    target, source = (np.dtype(getattr(v, "dtype", None) or "O") for v in (base, stored))
    if isinstance(stored, (Tuple, SequenceValue)) and of_numbers(stored):
        return target.kind in "iu" and not _fit(stored, target)
    if target.kind != "i" or not isinstance(stored, (Number, Either)):
        return False
    if source.kind == "O":  # what is not known may be of the usual size
        return isinstance(stored, Number) and not np.can_cast("int64", target)
    return source.kind in "iu" and not np.can_cast(source, target)


def _fit(listed: Tuple | SequenceValue, dtype: np.dtype[Any]) -> bool:
    """Whether NumPy stores the numbers of a list as integers of a dtype, for all that is known."""
    import numpy as np

    if listed.literal is None:
        return np.can_cast("int64", dtype)
    try:
        np.array(ast.literal_eval(listed.literal), dtype)
    except (OverflowError, TypeError, ValueError):
        return False
    return True


def _float_operands(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    kinds = [dtype_kind(v) for v in values]
    return any(k in ("f", None) for k in kinds) or not arrays


def _integer_operands(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return all(dtype_kind(v) in ("i", "b", None) for v in values)


def _negative_exponent(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    if len(values) < 2:
        return False
    exponent = values[1]
    if isinstance(exponent, Scalar) and exponent.constant is not None:
        constant = exponent.constant
        return isinstance(constant, int) and constant < 0
    kinds = (dtype_kind(values[0]), dtype_kind(exponent))
    name = getattr(exponent, "dtype", None) or ""
    return kinds[0] in ("i", "b", None) and kinds[1] in ("i", None) and not name.startswith("u")


def _float_to_int(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    if not arrays or dtype_kind(arrays[0]) not in ("f", None):
        return False
    return any(_is_integer_dtype(v) for v in values[1:])


def _is_integer_dtype(value: Value) -> bool:
    import numpy as np

    if not isinstance(value, Scalar) or value.constant is None:
        return False
    if not isinstance(value.constant, (str, type)) or value.type not in ("dtype", "str"):
        return False
    try:
        return np.dtype(value.constant).kind in "iu"
    except TypeError:
        return False


def _single_precision(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return any(getattr(v, "dtype", None) in ("float32", "float16", "complex64") for v in arrays)


def _not_double(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return _single_precision(arrays, values) or any(
        getattr(v, "dtype", None) is None for v in arrays
    )


def _mixed_precision(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    """Whether one operand has the digits of float32 and another of float64, as far as is known.

    Integers of at most 16 bits are computed with in single precision, longer ones in double.
    """
    single = [
        None if (name := getattr(v, "dtype", None)) is None else name in _SINGLE for v in arrays
    ]
    known = {one for one in single if one is not None}
    return len(known) == 2 or (known == {True} and None in single)


_SINGLE = frozenset({"float32", "float16", "complex64", "bool", "int8", "uint8", "int16", "uint16"})


def _narrow_integers(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    narrow = ("bool", "int8", "uint8", "int16", "uint16")
    return any(getattr(v, "dtype", None) in narrow for v in arrays)


def _short_integers(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    names = [getattr(v, "dtype", None) or "" for v in arrays]
    return any(n.startswith(("int", "uint")) and n not in ("int64", "uint64") for n in names)


def _of_kind(kind: str) -> Callable[[Sequence[Value], Sequence[Value]], bool]:
    """Whether an operand is known to be of this kind of dtype."""
    return lambda arrays, values: any(dtype_kind(v) == kind for v in values)


def _square_of_truths(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    exponent = values[1] if len(values) > 1 else None
    return (
        isinstance(exponent, Scalar)
        and exponent.type in ("int", "number")
        and exponent.constant in (None, 2)
        and dtype_kind(values[0]) == "b"
    )


def _scatter_type(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    name = getattr(values[0], "dtype", None) if values else None
    return name is not None and name not in _SCATTERED


_SCATTERED = frozenset(f"{kind}{size}" for kind in ("int", "uint", "float") for size in (32, 64))
_SCATTERED |= {"complex64", "complex128"}


def _not_int32(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return not values or getattr(values[0], "dtype", None) not in ("int32", "uint32")


def _unknown_dtype(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return any(getattr(v, "dtype", None) is None for v in arrays)


def _number_operand(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return any(isinstance(v, Scalar) and v.type in _NUMBERS for v in values)


def _zero_dimensional(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    first = values[0] if values else None
    return isinstance(first, Number) or (isinstance(first, Array) and first.rank == 0)


def _is_no_vector(value: Value) -> bool:
    if isinstance(value, Array):
        return value.rank not in (None, 1)
    return isinstance(value, Number) or (isinstance(value, Scalar) and value.type in _NUMBERS)


def _is_perhaps_no_vector(value: Value) -> bool:
    return isinstance(value, (Either, Unknown)) or getattr(value, "rank", 1) is None


def _joined(value: Value) -> tuple[Value, ...]:
    """The arrays of a list that is given for them to be joined."""
    if isinstance(value, Tuple):
        return value.items
    return (value.of,) if isinstance(value, SequenceValue) else (value,)


def _has_more_axes(value: Value) -> bool:
    return any((getattr(one, "rank", None) or 0) > 2 for one in _joined(value))


def _has_perhaps_more_axes(value: Value) -> bool:
    return any(map(_is_perhaps_no_vector, _joined(value)))


def _is_no_image_or_volume(value: Value) -> bool:
    return isinstance(value, Array) and value.rank not in (None, 2, 3)


def _of_other_ranks(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    ranks = {getattr(value, "rank", None) or 0 for value in values[:2]}
    return len(ranks) == 2 and min(ranks) > 1


RANKS = {
    "not-vectors": _is_no_vector,
    "perhaps-not-vectors": _is_perhaps_no_vector,
    "more-than-matrices": _has_more_axes,
    "perhaps-more-than-matrices": _has_perhaps_more_axes,
    "not-images-or-volumes": _is_no_image_or_volume,
    "perhaps-not-images-or-volumes": _is_perhaps_no_vector,
}
"""Conditions on how many axes the positional arguments have."""


def _integer_result(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return any(_is_integer_dtype(v) for v in values[1:])


def _singular(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return bool(arrays)


CONDITIONS: dict[str, Callable[[Sequence[Value], Sequence[Value]], bool]] = {
    "always": lambda arrays, values: True,
    "float-operands": _float_operands,
    "integer-operands": _integer_operands,
    "negative-exponent": _negative_exponent,
    "float-to-int": _float_to_int,
    "single-precision": _single_precision,
    "not-double": _not_double,
    "mixed-precision": _mixed_precision,
    "narrow-integers": _narrow_integers,
    "short-integers": _short_integers,
    "truth-values": _of_kind("b"),
    "square-of-truths": _square_of_truths,
    "complex-operands": _of_kind("c"),
    "matrices-of-other-ranks": _of_other_ranks,
    "scatter-type": _scatter_type,
    "not-int32": _not_int32,
    "not-floats": lambda arrays, values: (
        not all(isinstance(v, Array) and v.dtype in ("float32", "float64") for v in values[::2])
    ),
    "unknown-dtype": _unknown_dtype,
    "untold-dtype": lambda arrays, values: any(
        is_arraylike(value) and dtype_kind(value) is None for value in values[:1]
    ),
    "whole-numbers": lambda arrays, values: any(dtype_kind(v) == "i" for v in values[:1]),
    "fractional-weights": lambda arrays, values: any(
        dtype_kind(v) not in ("i", "b") for v in values[1:2]
    ),
    NUMBER: _number_operand,
    "zero-dimensional": _zero_dimensional,
    "integer-result": _integer_result,
    "singular": _singular,
    "narrowed-number": lambda arrays, values: len(values) > 1 and narrows(values[0], values[1]),
    "device-argument": lambda arrays, values: bool(arrays),
}
