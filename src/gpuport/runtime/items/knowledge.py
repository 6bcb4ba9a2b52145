"""What functions of NumPy's and SciPy's are for the items of a stack: a rule for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpuport.runtime.batched.grouping import _together as together
from gpuport.runtime.items import (
    creation,
    joining,
    matrices,
    products,
    reductions,
    shapes,
    whereabouts,
)
from gpuport.runtime.items.arithmetic import elementwise

Rule = Callable[..., Any]

_ELEMENTWISE = [
    "abs", "absolute", "add", "angle", "arccos", "arccosh", "arcsin", "arcsinh", "arctan",
    "arctan2", "arctanh", "bitwise_and", "bitwise_or", "bitwise_xor", "cbrt", "ceil", "clip",
    "conj", "conjugate", "copysign", "cos", "cosh", "deg2rad", "degrees", "divide", "equal",
    "exp", "exp2", "expm1", "fabs", "floor", "floor_divide", "fmax", "fmin", "fmod",
    "greater", "greater_equal", "heaviside", "hypot", "imag", "invert", "isfinite", "isinf",
    "isnan", "left_shift", "less", "less_equal", "log", "log10", "log1p", "log2", "logaddexp",
    "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "mod",
    "multiply", "nan_to_num", "negative", "nextafter", "not_equal", "positive", "power",
    "rad2deg", "radians", "real", "reciprocal", "remainder", "right_shift", "rint", "sign",
    "signbit", "sin", "sinc", "sinh", "sqrt", "square", "subtract", "tan", "tanh",
    "true_divide", "trunc", "where",
]  # fmt: skip


def _elementwise(name: str) -> Rule:
    return lambda trace, *given, **options: elementwise(trace, name, *given, **options)


_RULES: dict[str, Rule] = {
    **{name: _elementwise(name) for name in _ELEMENTWISE},
    **reductions.RULES,
    **matrices.RULES,
    **products.RULES,
    **shapes.RULES,
    **joining.RULES,
    **creation.RULES,
    **whereabouts.RULES,
}

METHODS: Mapping[str, Rule] = {
    **{name: _elementwise(name) for name in ("clip", "conj", "conjugate")},
    **reductions.METHODS,
    **shapes.METHODS,
    **creation.METHODS,
    "dot": products.RULES["dot"],
    "trace": shapes.RULES["trace"],
    "diagonal": shapes.RULES["diagonal"],
}
"""Methods of arrays and numbers."""

ATTRIBUTES: Mapping[str, Rule] = {
    "T": shapes.turned,
    "mT": shapes.matrix_turned,
    "real": _elementwise("real"),
    "imag": _elementwise("imag"),
    "flat": shapes.refused,
}
"""Attributes of arrays, but for those that an item has itself."""

_HEADS = {"numpy": "", "cupy": "", "scipy": "scipy.", "cupyx.scipy": "scipy."}


def rule_of(path: str) -> Rule | None:
    """The rule for a function, by a path such as ``numpy.linalg.inv``; None where none is known."""
    for head, short in _HEADS.items():
        if path.startswith(f"{head}."):
            return _RULES.get(short + path[len(head) + 1 :])
    return None


def known_functions() -> frozenset[str]:
    """The paths of all functions with a rule, by NumPy's and SciPy's names."""
    return frozenset(
        name if name.startswith("scipy.") else f"numpy.{name}" for name in _RULES
    )  # fmt: skip


__all__ = ["ATTRIBUTES", "METHODS", "known_functions", "rule_of", "together"]
