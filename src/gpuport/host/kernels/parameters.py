"""Parameter lists of kernels, and the types that a call gives them.

The rules and messages are those of ``cupy/_core/_kernel.pyx`` in CuPy 14.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from gpuport.host.dtypes import check_dtype
from gpuport.host.ndarray import ndarray

TypeMap = tuple[tuple[str, np.dtype[Any]], ...]
_C_NAMES = {
    "?": "bool", "b": "signed char", "B": "unsigned char", "h": "short", "H": "unsigned short",
    "i": "int", "I": "unsigned int", "e": "float16", "f": "float", "d": "double",
    "F": "thrust::complex<float>", "D": "thrust::complex<double>",
}  # fmt: skip


def c_name(dtype: Any) -> str:
    """CuPy's C++ name of an element type."""
    found = np.dtype(dtype)
    if found.kind in "iu" and found.itemsize == 8:
        return "long long" if found.kind == "i" else "unsigned long long"
    if found.char not in _C_NAMES:
        raise NotImplementedError(f"the host backend runs no kernels on elements of type {found}")
    return _C_NAMES[found.char]


@dataclass(frozen=True, repr=False)
class ParameterInfo:
    """One parameter of a kernel.

    Attributes
    ----------
    name : str
        Its name in the kernel's text.
    dtype : numpy.dtype or None
        Its element type, where it is not a placeholder.
    ctype : str
        The type's name in C++: the placeholder itself, where it is one.
    raw : bool
        Whether the kernel indexes it itself.
    is_const : bool
        Whether the kernel must not write it.
    """

    name: str
    dtype: Any
    ctype: str | None
    raw: bool
    is_const: bool

    def __repr__(self) -> str:
        shown = " ".join(f"{key}={value!r}" for key, value in vars(self).items())
        return f"<ParameterInfo({shown})>"


def _parse(text: str, is_const: bool) -> ParameterInfo:
    words = text.split()
    if len(words) < 2:
        raise Exception(f"Syntax error: {text}")
    kind, name = words[-2:]
    dtype = None
    ctype: str | None = None
    if len(kind) == 1:
        ctype = kind
    elif kind != "CIndexer":
        dtype = check_dtype(kind)
        ctype = c_name(dtype)
    raw = False
    for word in words[:-2]:
        if word == "raw":
            raw = True
        elif word == "_non_const":
            is_const = False
        else:
            raise Exception(f'Unknown keyword "{word}"')
    return ParameterInfo(name, dtype, ctype, raw, is_const)


@cache
def parse_parameters(text: str, is_const: bool) -> tuple[ParameterInfo, ...]:
    """The parameters of a list such as ``"T x, raw float32 y"``.

    Raises
    ------
    Exception
        As CuPy: for a parameter without a type or with an unknown keyword.
    TypeError, ValueError
        For a type that NumPy or CuPy do not know.
    """
    if not text:
        return ()
    return tuple(_parse(part, is_const) for part in text.strip().split(","))


def is_valid_name(name: str) -> bool:
    """Whether a kernel may be called so."""
    return re.match("^[a-zA-Z_][a-zA-Z_0-9]*$", name) is not None


class Scalar:
    """A number given to a kernel; it takes its parameter's type."""

    __slots__ = ("dtype", "value")

    def __init__(self, value: Any) -> None:
        kind = type(value)
        if kind is int:
            self.dtype = np.dtype(np.uint64 if value >= 1 << 63 else np.int64)
        elif kind in (bool, float, complex):
            self.dtype = np.dtype(kind)
        elif isinstance(value, np.generic):
            self.dtype = check_dtype(value.dtype)
        else:
            raise TypeError(f"Unsupported type {kind}")
        self.value = np.array(value, self.dtype) if kind is int else value

    def as_type(self, dtype: Any) -> np.ndarray[Any, Any]:
        """The value as an array without axes; a Python integer out of range is an error."""
        given = self.value.item() if isinstance(self.value, np.ndarray) else self.value
        return np.array(given, np.dtype(dtype))


def preprocess(args: Any) -> list[Any]:
    """Arrays as they are, numbers as :class:`Scalar`.

    Raises
    ------
    TypeError
        For anything else, arrays of NumPy among it.
    """
    return [arg if isinstance(arg, ndarray) else Scalar(arg) for arg in args]


def decide_types(
    in_params: tuple[ParameterInfo, ...],
    out_params: tuple[ParameterInfo, ...],
    in_dtypes: tuple[Any, ...],
    out_dtypes: tuple[Any, ...],
) -> tuple[list[Any], list[Any], TypeMap]:
    """Types of all parameters from those of the arguments (None for a number).

    Raises
    ------
    TypeError
        Where an argument's type is not the declared one, or one placeholder gets two types.
    KeyError
        For a placeholder that only numbers were given for.
    """
    known: dict[Any, Any] = {}
    if out_dtypes:
        for p, found in zip(out_params, out_dtypes, strict=True):
            if found is None:
                raise TypeError("Output arguments must be cupy.ndarray")
            _match(p, found, known)
    for p, found in zip(in_params, in_dtypes, strict=True):
        if found is not None:
            _match(p, found, known)
    in_types = [known[p.ctype] if p.dtype is None else p.dtype for p in in_params]
    out_types = [known[p.ctype] if p.dtype is None else p.dtype for p in out_params]
    return in_types, out_types, tuple(sorted(known.items(), key=lambda pair: str(pair[0])))


def _match(p: ParameterInfo, found: Any, known: dict[Any, Any]) -> None:
    if p.dtype is not None:
        if found != p.dtype:
            raise TypeError(f"Type is mismatched. {p.name} {found} {p.dtype}")
    elif p.ctype in known:
        if known[p.ctype] != found:
            raise TypeError(f"Type is mismatched. {p.name} {found} {known[p.ctype]} {p.ctype}")
    else:
        known[p.ctype] = found


def broadcast(
    args: list[Any], params: tuple[ParameterInfo, ...], size_given: bool
) -> tuple[list[Any], tuple[int, ...]]:
    """Arguments with the arrays that are not raw broadcast against each other, and the shape.

    Raises
    ------
    ValueError
        Where shapes do not go together, or the size of the loop is given twice or not at all.
    """
    looped = [k for k, arg in enumerate(args) if isinstance(arg, ndarray) and not params[k].raw]
    if size_given and looped:
        raise ValueError("Specified 'size' can be used only if all of the ndarray are 'raw'.")
    if not size_given and not looped:
        raise ValueError("Loop size is undecided.")
    shapes = [args[k].shape for k in looped]
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        listed = " ".join(str(shape) for shape in shapes)
        raise ValueError(f"operands could not be broadcast together with shapes {listed}") from None
    result = list(args)
    for k in looped:
        if args[k].shape != shape:
            from gpuport.host.ndarray import wrap

            result[k] = wrap(np.broadcast_to(args[k]._a, shape), args[k])
    return result, shape


def output_arrays(
    given: list[Any],
    types: list[Any],
    shape: tuple[int, ...],
    params: tuple[ParameterInfo, ...],
    size_given: bool,
) -> list[ndarray]:
    """The output arguments: checked where given, else fresh.

    Raises
    ------
    TypeError
        For an output that is no device array.
    ValueError
        For one of another shape, or a raw one that is not given.
    """
    if not given:
        if any(p.raw for p in params) and not size_given:
            raise ValueError("Output array size is Undecided")
        return [ndarray(shape, dtype) for dtype in types]
    for p, arg in zip(params, given, strict=True):
        if not isinstance(arg, ndarray):
            raise TypeError("Output arguments type must be cupy.ndarray")
        if not p.raw and arg.shape != shape:
            raise ValueError("Out shape is mismatched")
    return given
