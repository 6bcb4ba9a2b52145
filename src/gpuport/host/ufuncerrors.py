"""What CuPy's ufuncs say of operands that they cannot take."""

from __future__ import annotations

from typing import Any

import numpy as np

_NO_LOOP = ("not supported for the input types", "did not contain a loop", "No loop matching")
_BOOLEAN = {
    "cupy_positive": "The cupy boolean positive, the `+` operator, is not supported.",
    "cupy_gcd": "gcd cannot be computed with boolean arrays",
    "cupy_lcm": "lcm cannot be computed with boolean arrays",
}
_BOOLEAN_SUBTRACT = (
    "cupy boolean subtract, the `-` operator, is deprecated, use the bitwise_xor, the `^` "
    "operator, or the logical_xor function instead."
)


def kind_of(value: Any) -> str:
    """Kind of the element type of an operand."""
    dtype = getattr(value, "dtype", None)
    return str(np.dtype(type(value)).kind if dtype is None else dtype.kind)


def value_error(error: ValueError, values: list[Any]) -> ValueError:
    """The error of NumPy's function in CuPy's words."""
    message = str(error).rstrip()
    if message.startswith("operands could not be broadcast together"):
        shapes = " ".join(str(np.shape(value)) for value in values)
        message = f"operands could not be broadcast together with shapes {shapes}"
    return ValueError(message)


def check_shapes(values: list[Any]) -> None:
    """Raise for shapes that do not fit one another, which are told of before types."""
    try:
        np.broadcast_shapes(*map(np.shape, values))
    except ValueError as error:
        raise value_error(ValueError("operands could not be broadcast together"), values) from error


def type_error(name: str, error: TypeError, values: list[Any], dtype: Any) -> TypeError:
    """CuPy's words for what NumPy says of operands that it has no loop for."""
    message = str(error)
    if "boolean subtract" in message:
        return TypeError(_BOOLEAN_SUBTRACT)
    if "numpy boolean" in message:
        return TypeError(message.replace("numpy boolean", "cupy boolean"))
    if any(words in message for words in _NO_LOOP):
        if all(kind_of(value) == "b" for value in values) and name in _BOOLEAN:
            return TypeError(_BOOLEAN[name])
        return wrong_type(name, values, dtype)
    return error


def wrong_type(name: str, values: list[Any], dtype: Any = None) -> TypeError:
    """What CuPy says of operands for which it has no loop."""
    kinds = tuple(np.asarray(value).dtype for value in values) if dtype is None else dtype
    return TypeError(f"Wrong type ({kinds}) of arguments for {name}")
