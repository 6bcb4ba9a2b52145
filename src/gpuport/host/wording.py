"""NumPy's errors in the words of CuPy, where both refuse the same.

Recorded on CuPy 14.2.0's own front end.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

_EMPTY = "zero-size array to reduction operation"
_BOOLEAN_SUBTRACT = (
    "cupy boolean subtract, the `-` operator, is deprecated, use the bitwise_xor, the `^` "
    "operator, or the logical_xor function instead."
)
_SAME_SHAPE = "All arrays must have same shape except the axis to concatenate"
_UNEQUAL = (
    "indices_or_sections must divide the size along the axes.\n"
    "If you want to split the array into non-equally-sized arrays, use array_split instead."
)
_BROADCAST = "operands could not be broadcast together with"

Rule = tuple[re.Pattern[str], str, type[Exception] | None]


def _rule(pattern: str, words: str, kind: type[Exception] | None = None) -> Rule:
    return re.compile(pattern, re.DOTALL), words, kind


_WORDS = (
    _rule(r"numpy boolean subtract, .*", _BOOLEAN_SUBTRACT),
    _rule(r"array type (float16 is unsupported in linalg).*", r"\1"),
    _rule(r"m has more than 2 dimensions", "Input must be <= 2-d"),
    _rule(r"(Input must be >= \d-d)\.", r"\1"),
    _rule(r"order must be one of .*", "order not understood"),
    _rule(r"negative dimensions are not allowed", "Negative dimensions are not allowed"),
    _rule(r"(cannot reshape array of size \d+ into shape .*)", r"\1"),
    _rule(
        r"expected a sequence of integers or a single integer, got '[-\d.e+]+'",
        "'float' object cannot be interpreted as an integer",
    ),
    _rule(
        r"all the input arrays must have same number of dimensions, .*",
        "All arrays to concatenate must have the same ndim",
    ),
    _rule(r"need at least one array to (concatenate|stack)", "Cannot concatenate from empty tuple"),
    _rule(r"all input arrays must have the same shape", _SAME_SHAPE),
    _rule(r"all the input array dimensions except for the concatenation axis .*", _SAME_SHAPE),
    _rule(r"array split does not result in an equal division", _UNEQUAL),
    _rule(r"hsplit only works on arrays of .*", "Cannot hsplit a zero-dimensional array"),
    _rule(
        r"([vd]split) only works on arrays of (\d) or more dimensions",
        r"Cannot \1 an array with less than \2 dimensions",
    ),
    _rule(
        r"number sections must be larger than 0\.",
        "integer division or modulo by zero",
        ZeroDivisionError,
    ),
    _rule(r"kth\(=(-?\d+)\) out of bounds \((\d+)\)", r"kth(=\1) out of bounds \2"),
    _rule(r"sorter must only contain integers", "sorter must be of integer type"),
    _rule(r"'minlength' must not be negative", "minlength must be non-negative"),
    _rule(
        rf"{_BROADCAST} remapped shapes \[original->remapped\]: (\(.*\)) +and requested shape "
        r"(\(.*\))",
        rf"{_BROADCAST} shape \1 and requested shape \2",
    ),
    _rule(rf"({_BROADCAST} shapes .*?) *", r"\1"),
    _rule(
        r"shape mismatch: indexing arrays could not be broadcast together with shapes (.*?) *",
        rf"{_BROADCAST} shapes\1",
        ValueError,
    ),
    _rule(
        r'Invalid norm value (.*); should be "backward", ?"ortho" or "forward"\.',
        r'Invalid norm value \1, should be "backward", "ortho", or "forward".',
    ),
    _rule(r"(could not broadcast input array from shape .*)", r"\1"),
    _rule(
        r"integer argument expected, got float",
        "'float' object cannot be interpreted as an integer",
    ),
    _rule(
        r"Cannot cast ufunc '\w+' output from (\S+) to (\S+) with casting rule ('\w+')",
        r"Cannot cast output operand from \1 to \2 according to the rule \3",
        TypeError,
    ),
    _rule(r"'numpy\.int64' (object is not iterable)", r"'int' \1"),
    _rule(
        r"tuple indices must be integers or slices, not float",
        "'float' object cannot be interpreted as an integer",
    ),
    _rule(r"'numpy.ndarray' object is not callable", "'ndarray' object is not callable"),
    _rule(r"The numpy (boolean negative, .*)", r"The cupy \1"),
    _rule(r"size, footprint, or (structure must be specified)", r"size, footprint or \1"),
    _rule(r"no footprint provided", "must specify either weights array or sizes", ValueError),
    _rule(
        r"footprint\.ndim \(\d+\) must match len\(axes\) \(\d+\)",
        "footprint array has incorrect shape",
    ),
    _rule(r"(specified axis: \S+ is out of range)", r"\1", np.exceptions.AxisError),
    _rule(
        r"invalid number of data points \((\d+)\) specified",
        r"Invalid number of FFT data points (\1) specified.",
    ),
    _rule(
        r"Invalid norm value '(.*)', should be \"backward\", \"ortho\" or \"forward\"",
        r'Invalid norm value \1, should be "backward", "ortho", or "forward".',
    ),
    _rule(
        r"[Aa]cceptable mode flags are 'valid', 'same', or 'full'.*",
        'acceptable modes are "valid", "same", or "full"',
    ),
    _rule(r"slice step cannot be zero", "Slice step must be nonzero."),
    _rule(
        r"diff requires input that is at least one dimensional",
        "axis -1 is out of bounds for array of dimension 0",
        np.exceptions.AxisError,
    ),
    _rule(
        r"Shape of weights must be consistent with shape of a along specified axis\.",
        "Length of weights not compatible with specified axis.",
    ),
)
"""NumPy's words, CuPy's for the same, and the class of CuPy's exception where it is another."""
_OUTSIDE = r".*axis -?\d+ is out of bounds .*|'start' arg requires .*"
_LENGTH = r"must have length equal to input rank"
_BY_SIGMA = (
    "gaussian_filter", "gaussian_gradient_magnitude", "gaussian_laplace", "fourier_gaussian",
)  # fmt: skip
_WORDS_OF: dict[str, tuple[Rule, ...]] = {
    **{
        name: (_rule(rf"sequence argument ({_LENGTH})", rf"{argument} \1"),)
        for argument, names in (
            ("sigma", _BY_SIGMA),
            ("size", ("uniform_filter", "fourier_uniform", "fourier_ellipsoid")),
            ("zoom", ("zoom",)),
            ("shift", ("shift", "fourier_shift")),
        )
        for name in names
    },
    "split": (_rule(r"tuple index out of range", "Axis exceeds ndim"),),
    "array_split": (_rule(r"tuple index out of range", "Axis exceeds ndim"),),
    "delete": (_rule(r"index (-?\d+ is out of bounds .*)", r"Index \1"),),
    "flip": (_rule(r"repeated axis", "duplicate value in 'axis'"),),
    "rot90": (
        _rule(r"Axes must be different\.", "axes must be different"),
        _rule(r"len\(axes\) must be 2\.", "len(axes) must be 2"),
        _rule(r"Axes=.* out of range for array of ndim=(\d+)\.", r"axes must be >= -\1 and < \1"),
    ),
    "rollaxis": (_rule(_OUTSIDE, "Axis out of range", ValueError),),
    "swapaxes": (_rule(_OUTSIDE, "Axis out of range", ValueError),),
    "median": (_rule(r"axis -?\d+ is out of bounds .*", "Axis overrun", np.exceptions.AxisError),),
    "diagonal": (_rule(r"axis1 and axis2 cannot be the same", "repeated axis in transpose"),),
    "putmask": (
        _rule(
            r"Cannot cast array data from dtype\('(\w+)'\) to dtype\('(\w+)'\) (.*)",
            r"Cannot cast array data from \1 to \2 \3",
        ),
    ),
    "vdot": (_rule(r"cannot reshape .*", "Axis dimension mismatch"),),
    "inner": (_rule(r"shapes .* not aligned: .*", "Axis dimension mismatch"),),
    "tensordot": (
        _rule(r"shape-mismatch for sum", "Axis dimension mismatch"),
        _rule(r"tuple index out of range", "Axis dimension mismatch", ValueError),
    ),
    "einsum": (
        _rule(
            r"dimensions in operand (\d+) for collapsing index '(.)' don't match "
            r"\((\d+) != (\d+)\)",
            r"Size of label '\2' for operand \1 (\4) does not match previous terms (\3).",
        ),
    ),
    "norm": (
        _rule(r"Invalid norm order ('.*') for vectors", r"could not convert string to float: \1"),
    ),
    "choice": (_rule(r"a must be 1-dimensional", "a must be 1-dimensional or an integer"),),
    "convolve": (
        _rule(r"mode must be one of .*", "acceptable mode flags are `valid`, `same`, or `full`."),
        _rule(r"object too deep for desired array", "v cannot be multidimensional array"),
    ),
}
"""As above, of one function."""


_KERNELS = {"amax": "max", "amin": "min"}
"""Reductions whose kernel has another name than they have."""


def _spaced(message: str) -> str:
    """Shapes written as Python writes tuples."""
    return re.sub(r"\([\d, ]*\)", lambda m: re.sub(r",(?=\d)", ", ", m[0]), message)


def worded(name: str, error: Exception) -> Exception:
    """The exception of NumPy's function in the words of CuPy's `name`."""
    message = str(error)
    for pattern, words, kind in (*_WORDS_OF.get(name, ()), *_WORDS):
        if (match := pattern.fullmatch(message)) is not None:
            made: Any = type(error) if kind is None else kind
            found: Exception = made(_spaced(match.expand(words)))
            return found
    if isinstance(error, np.exceptions.AxisError):
        plain = re.sub(r"^\w+: (?=axis )", "", message)
        return error if plain == message else np.exceptions.AxisError(plain)
    if _EMPTY in message:
        return ValueError(f"{_EMPTY} cupy_{_KERNELS.get(name, name)} which has no identity")
    return error
