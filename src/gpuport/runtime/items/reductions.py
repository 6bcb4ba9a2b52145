"""Functions that reduce the axes of an item, or go along one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpuport.runtime.items.arithmetic import wrapped
from gpuport.runtime.items.containers import is_listed
from gpuport.runtime.items.forms import takes
from gpuport.runtime.items.item import Operand, is_stack
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace

_REDUCING = [
    "sum", "prod", "mean", "max", "min", "amax", "amin", "std", "var", "any", "all", "nansum",
    "nanprod", "nanmean", "nanmax", "nanmin", "nanstd", "nanvar", "ptp", "median",
    "nanmedian", "count_nonzero", "argmax", "argmin",
]  # fmt: skip
_ALONG = ["cumsum", "cumprod", "sort", "argsort"]
_FLAT = frozenset({"argmax", "argmin", "cumsum", "cumprod"})
"""What counts through the flattened item where no axis is given; `sort` takes the last axis."""


def operand(trace: Trace, value: Any) -> Any:
    """An argument of a function of arrays."""
    if is_listed(value):
        return trace.array_of(value)
    return value


def shifted(axis: int, rank: int) -> int:
    """An axis of an item, among those of the stack."""
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    return axis % rank + 1


def _reducing(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, value: Any, axis: Any = None, *rest: Any, **options: Any) -> Any:
        value = operand(trace, value)
        if rest or options.keys() - {"keepdims", "ddof", "dtype"}:
            refuse(f"`{name}` in this form")
        if not isinstance(value, Operand):
            refuse(f"`{name}` of something that is no array")
        data = trace.data_of(value)
        function = getattr(trace.cupy, name)
        if not is_stack(value):
            return wrapped(trace, function(data, axis=axis, **options), False, [value])
        if not value.ndim:
            refuse(f"`{name}` of a number")
        if axis is None and (name in _FLAT or value.ndim == 1):
            flat = data.reshape(trace.count, -1)
            keeps = bool(options.pop("keepdims", False))
            found = function(flat, axis=1, **options)
            if keeps:
                found = found.reshape(trace.count, *[1] * value.ndim)
            return wrapped(trace, found, True, [value])
        if axis is None:
            axes: Any = tuple(range(1, value.ndim + 1))
        elif isinstance(axis, tuple):
            axes = tuple(shifted(one, value.ndim) for one in axis)
        else:
            axes = shifted(axis.__index__(), value.ndim)
        return wrapped(trace, function(data, axis=axes, **options), True, [value])

    return takes(rule, "axis", "keepdims ddof dtype")


def _along(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, value: Any, axis: Any = ..., *rest: Any, **options: Any) -> Any:
        value = operand(trace, value)
        options.pop("kind", None)  # sorting is stable on the device, whatever is asked for
        if rest or options.keys() - {"dtype"} or not isinstance(value, Operand):
            refuse(f"`{name}` in this form")
        if axis is ...:
            axis = None if name in _FLAT else -1
        data = trace.data_of(value)
        function = getattr(trace.cupy, name)
        if not is_stack(value):
            return wrapped(trace, function(data, axis=axis, **options), False, [value])
        if axis is None:
            data, axis = data.reshape(trace.count, -1), 0
        place = shifted(axis, data.ndim - 1)
        return wrapped(trace, function(data, axis=place, **options), True, [value])

    return takes(rule, "axis", "kind dtype")


def _norm(
    trace: Trace, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    x = operand(trace, x)
    data = trace.data_of(x)
    norm = trace.cupy.linalg.norm
    if not is_stack(x):
        return wrapped(trace, norm(data, ord, axis, keepdims), False, [x])
    if isinstance(ord, Operand):
        refuse("the order of a norm that differs from item to item")
    if axis is None:
        if ord is None and x.ndim > 2:
            data = data.reshape(trace.count, -1)
            if keepdims:
                refuse("the norm of an item of several axes that are kept")
        elif x.ndim not in (1, 2) or (x.ndim == 1 and ord in ("fro", "nuc")):
            refuse("the norm of an item that is no vector and no matrix")
        axes: Any = 1 if data.ndim == 2 else (1, 2)
    elif isinstance(axis, tuple):
        axes = tuple(shifted(one, x.ndim) for one in axis)
    else:
        axes = shifted(axis, x.ndim)
    return wrapped(trace, norm(data, ord, axes, keepdims), True, [x])


def _diff(trace: Trace, a: Any, n: int = 1, axis: int = -1) -> Any:
    a = operand(trace, a)
    found = trace.data_of(a)
    stacked = is_stack(a)
    place = shifted(axis, a.ndim) if stacked else axis
    return wrapped(trace, trace.cupy.diff(found, n=n, axis=place), stacked, [a])


def _average(trace: Trace, a: Any, axis: Any = None, weights: Any = None) -> Any:
    if weights is None:
        return REDUCTIONS["mean"](trace, a, axis)
    a, weights = operand(trace, a), operand(trace, weights)
    if a.ndim != 1 or weights.ndim != 1 or a.shape != weights.shape:
        refuse("`average` of an item that is no vector")
    return REDUCTIONS["sum"](trace, a * weights) / REDUCTIONS["sum"](trace, weights)


REDUCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _reducing(name) for name in _REDUCING},
    **{name: _along(name) for name in _ALONG},
    "linalg.norm": _norm,
    "scipy.linalg.norm": _norm,
    "diff": _diff,
    "average": _average,
}

REDUCTIONS_OF_METHODS: dict[str, Callable[..., Any]] = {
    name: REDUCTIONS[name]
    for name in (
        "sum", "prod", "mean", "max", "min", "std", "var", "any", "all", "argmax", "argmin",
        "cumsum", "cumprod", "argsort",
    )
}  # fmt: skip
