"""Functions with CuPy's exact signature whose body is NumPy's (or SciPy's) function."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.argumentchecks import Checks
from gpuport.host.binding import binding
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import SUPPORTED_CHARS, cast, is_supported
from gpuport.host.launches import SYNCS, counted, waits
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.promotion import RULE, by_value
from gpuport.host.refusals import CONDITIONS, no_loop_for_complex_numbers
from gpuport.host.results import ADJUSTMENTS
from gpuport.host.shortcuts import SHORTCUTS
from gpuport.host.signatures import compile_function
from gpuport.host.silence import quiet, restore
from gpuport.host.structured import check_kernel_type
from gpuport.host.wording import worded

AXES_IN_A_LIST = frozenset(
    f"cupy.{name}"
    for name in (
        "sum", "prod", "max", "min", "amax", "amin", "all", "any", "mean", "ptp", "nansum",
        "nanprod", "nanmax", "nanmin", "nanmean", "count_nonzero",
    )
)  # fmt: skip
"""Reductions that take a list of axes, as NumPy's do not; source: ``_get_axis``, _reduction.pyx."""


def finish(result: Any, owners: list[ndarray], arranged: bool) -> tuple[Any, bool]:
    """Device form of a result, and whether it is memory of its own (which took a launch).

    Memory of its own is in C order, where it has not been `arranged` otherwise.
    """
    if isinstance(result, np.ndarray):
        if type(result) is not np.ndarray:
            result = np.asarray(result)
        if result.dtype.char not in SUPPORTED_CHARS and not _of_an_owner(result, owners):
            raise ValueError(f"Unsupported dtype {result.dtype}")
        for owner in owners:
            if result is owner._a:
                return owner, False
        if result.base is not None:
            holder = _holder(result)
            for owner in owners:
                if holder.base is None and _holder(owner._a) is not holder:
                    continue
                if np.may_share_memory(result, owner._a) or descends(result, owner._a):
                    return wrap(_writable(result, owner), owner), False
        return wrap(result if arranged else in_c_order(result)), True
    if isinstance(result, np.generic):
        return wrap(np.asarray(result)), True
    if isinstance(result, (list, tuple)):
        parts = [finish(part, owners, arranged) for part in result]
        values = [part for part, _ in parts]
        made = any(fresh for _, fresh in parts)
        if hasattr(result, "_fields"):
            return type(result)(*values), made
        return type(result)(values), made
    return result, True


def _of_an_owner(result: Any, owners: list[ndarray]) -> bool:
    return is_supported(result.dtype) or any(owner.dtype == result.dtype for owner in owners)


def _holder(values: Any) -> Any:
    """The array at the end of a chain of views: two that hold their own memory share none."""
    while type(values.base) is np.ndarray:
        values = values.base
    return values


def descends(view: Any, origin: Any) -> bool:
    """Whether an array without elements is a view of `origin`: it shares no memory to tell by."""
    base = view if view.size == 0 else None
    while base is not None and base is not origin:
        base = getattr(base, "base", None)
    return base is origin


def _writable(view: Any, owner: ndarray) -> Any:
    """CuPy's views can always be written to."""
    if view.flags.writeable:
        return view
    try:
        view.flags.writeable = True
    except ValueError:
        return np.lib.stride_tricks.as_strided(view, view.shape, view.strides, writeable=True)
    return view


def store(result: Any, out: Any) -> Any:
    """Write a finished result into `out`, as every ``out=`` of CuPy does."""
    if not isinstance(out, ndarray):
        raise TypeError(f"Unsupported type {type(out)}")
    values = result._a if isinstance(result, ndarray) else np.asarray(result)
    if values.shape != out.shape:
        raise ValueError("Out shape is mismatched")
    out._a[...] = values if values.dtype == out.dtype else cast(values, out.dtype)
    return out


_NUMPY_WARNS = frozenset(
    f"cupy.{nan}{name}" for nan in ("", "nan") for name in ("mean", "std", "var", "median")
)
"""Functions whose counterpart warns of having nothing to divide by; on a GPU nobody looks."""


def delegated(
    name: str,
    qualified: str,
    entry: dict[str, Any],
    target: Any,
    known: set[str] | None,
    strict: bool = False,
    checks: Checks | None = None,
) -> Any:
    """The function `qualified` of CuPy, computed by `target`.

    Parameters
    ----------
    name : str
        CuPy's own ``__name__`` of it, as its error messages show it.
    known : set of str, optional
        Parameters of `target`; others can only keep their default.
    strict : bool
        Whether its arguments can only be device arrays and numbers, as those of a ufunc.
    checks : Checks, optional
        What CuPy rejects of its arguments.
    """
    bound = binding(qualified, entry, known, strict, checks)
    bind = bound.compiled()
    count, reads_back = counted(qualified), qualified in SYNCS
    may_stay = checks is not None and checks.may_stay_on_host
    arrange, condition = ADJUSTMENTS.get(qualified), CONDITIONS.get(qualified)
    if strict and condition is None:
        operands = [row[0] for row in bound.rows if row[2] is None]
        condition = no_loop_for_complex_numbers(name, entry.get("types", ""), operands)
    arranged = arrange is not None or any(row[0] == "order" for row in bound.rows)
    first = bound.first if bound.rows and bound.rows[0][1] not in ("*", "**") else None
    writes = any(row[0] == "out" for row in bound.rows)
    lists_axes, warns = qualified in AXES_IN_A_LIST, qualified in _NUMPY_WARNS

    def computed(given: dict[str, Any]) -> Any:
        owners: list[ndarray] = []
        if condition is not None:
            condition(given)
        positional, keywords = bind(given, False, owners)
        if strict and RULE.by_value:
            positional = by_value(positional)
        token = quiet()
        try:
            if warns:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)
                    result = target(*positional, **keywords)
            else:
                result = target(*positional, **keywords)
            if arrange is not None:
                result = arrange(result, given)
            result, fresh = finish(result, owners, arranged)
        except (TypeError, ValueError, IndexError) as error:
            raise worded(name, error) from None
        finally:
            restore(token)
        if fresh and count and not (type(result) is ndarray and result.size == 0):
            KERNELS[qualified] += count if isinstance(count, int) else count(given)
            if type(result) is ndarray and result._a.dtype.kind == "V":
                check_kernel_type(result._a.dtype)
        if reads_back:
            counters.sync(waits(qualified, given))
        return result

    def body(given: dict[str, Any]) -> Any:
        on_device = first is not None and type(given[first]) is ndarray
        if lists_axes:
            if type(given["axis"]) is list:
                given["axis"] = tuple(given["axis"])
            if given.get("keepdims", False) is None:
                given["keepdims"] = False
        if may_stay and not on_device and checks is not None and checks.stays_on_host(given):
            positional, keywords = bind(given, True, [])
            return target(*positional, **keywords)
        out = given["out"] if writes else None
        result = computed(given)
        return result if out is None else store(result, out)

    return compile_function(name, qualified, bound.rows, body, checks, SHORTCUTS.get(qualified))
