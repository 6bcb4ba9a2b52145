"""What functions of NumPy's and SciPy's are for the items of a stack: a rule for each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from gpuport.runtime.items.arithmetic import elementwise
from gpuport.runtime.items.creation import CREATIONS, CREATIONS_OF_METHODS
from gpuport.runtime.items.forms import accepts, takes
from gpuport.runtime.items.joining import JOININGS
from gpuport.runtime.items.matrices import MATRICES
from gpuport.runtime.items.products import PRODUCTS
from gpuport.runtime.items.reductions import REDUCTIONS, REDUCTIONS_OF_METHODS
from gpuport.runtime.items.shapes import (
    SHAPES,
    SHAPES_OF_METHODS,
    matrix_turned,
    refused,
    turned,
)
from gpuport.runtime.items.whereabouts import WHEREABOUTS

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace

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
    def rule(trace: Trace, *given: Any, dtype: Any = None) -> Any:
        options = {} if dtype is None else {"dtype": dtype}
        return elementwise(trace, name, *given, **options)

    return rule


def _clip() -> Rule:
    def rule(trace: Trace, a: Any, a_min: Any = None, a_max: Any = None, **ends: Any) -> Any:
        return elementwise(trace, "clip", a, ends.get("min", a_min), ends.get("max", a_max))

    return rule


_FUNCTIONS: dict[str, Rule] = {
    **{name: _elementwise(name) for name in _ELEMENTWISE},
    **REDUCTIONS,
    **MATRICES,
    **PRODUCTS,
    **SHAPES,
    **JOININGS,
    **CREATIONS,
    **WHEREABOUTS,
    "clip": takes(_clip(), "a_min a_max", "min max"),
}

METHODS_OF_ARRAYS: Mapping[str, Rule] = {
    **{name: _elementwise(name) for name in ("conj", "conjugate")},
    "clip": takes(_clip(), "min max"),
    **REDUCTIONS_OF_METHODS,
    **SHAPES_OF_METHODS,
    **CREATIONS_OF_METHODS,
    "dot": PRODUCTS["dot"],
    "trace": SHAPES["trace"],
    "diagonal": SHAPES["diagonal"],
}
"""Methods of arrays and numbers."""

ATTRIBUTES_OF_ARRAYS: Mapping[str, Rule] = {
    "T": turned,
    "mT": matrix_turned,
    "real": _elementwise("real"),
    "imag": _elementwise("imag"),
    "flat": refused,
}
"""Attributes of arrays, but for those that an item has itself."""

_OWN: Mapping[str, Rule] = {
    "elements": JOININGS["array"],
    "remainder": _elementwise("remainder"),
    "floor_divide": _elementwise("floor_divide"),
}
"""Functions of the runtime that ported functions call."""

_HEADS = {"numpy": "", "cupy": "", "scipy": "scipy.", "cupyx.scipy": "scipy."}


def rule_of(path: str) -> Rule | None:
    """The rule for a function, by a path such as ``numpy.linalg.inv``; None where none is known."""
    for head, short in _HEADS.items():
        if path.startswith(f"{head}."):
            return _FUNCTIONS.get(short + path[len(head) + 1 :])
    return None


def own_rule_of(name: str) -> Rule | None:
    """The rule for a function of the runtime."""
    return _OWN.get(name)


def has_form(path: str, given: tuple[int, Collection[str]] | None) -> bool:
    """Whether a function, or a method ``.sum``, may be called for all items with such arguments.

    Parameters
    ----------
    path : str
    given : tuple of (int, collection of str), optional
        How many arguments stand there without a name, of a method its array among them; and the
        names of the others. None where that is not known.
    """
    rule = METHODS_OF_ARRAYS.get(path[1:]) if path.startswith(".") else rule_of(path)
    return rule is None or given is None or accepts(rule, *given)


def known_functions() -> frozenset[str]:
    """The paths of all functions with a rule, by NumPy's and SciPy's names."""
    return frozenset(
        name if name.startswith("scipy.") else f"numpy.{name}" for name in _FUNCTIONS
    )  # fmt: skip


__all__ = [
    "ATTRIBUTES_OF_ARRAYS", "METHODS_OF_ARRAYS", "has_form", "known_functions", "own_rule_of",
    "rule_of",
]  # fmt: skip
