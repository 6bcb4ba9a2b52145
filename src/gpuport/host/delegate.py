"""Functions with CuPy's exact signature whose body is NumPy's (or SciPy's) function."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from gpuport.host import counters
from gpuport.host.argumentchecks import Checks
from gpuport.host.binding import Bind, Binding, binding
from gpuport.host.conversions import COMPUTATIONS, ELEMENTS, OUTPUTS
from gpuport.host.counters import KERNELS
from gpuport.host.filters import FILTERS
from gpuport.host.finishing import finish, store
from gpuport.host.launches import SYNCS, counted, waits
from gpuport.host.ndarray import ndarray
from gpuport.host.promotion import RULE, by_value
from gpuport.host.refusals import (
    CONDITIONS,
    NO_FLOATING_POINT_OF_THE_HOST,
    no_loop_for_complex_numbers,
    refuse_floating,
)
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
    qualified : str
    entry : dict
        What the API table says of it.
    target : callable
        NumPy's or SciPy's function.
    known : set of str, optional
        Parameters of `target`; others can only keep their default.
    strict : bool
        Whether its arguments can only be device arrays and numbers, as those of a ufunc.
    checks : Checks, optional
        What CuPy rejects of its arguments.
    """
    bound = binding(qualified, entry, known, strict, checks)
    bind = bound.compiled()
    may_stay = checks is not None and checks.may_stay_on_host
    first = bound.first if bound.rows and bound.rows[0][1] not in ("*", "**") else None
    unanswered = qualified in NO_FLOATING_POINT_OF_THE_HOST
    writes = any(row[0] == "out" for row in bound.rows)
    lists_axes = qualified in AXES_IN_A_LIST
    called = _computation(name, qualified, entry, target, bound, bind)
    around = COMPUTATIONS.get(qualified) or FILTERS.get(qualified)
    output = OUTPUTS.get(qualified)
    computed = called if around is None else partial(around, called)

    def body(given: dict[str, Any]) -> Any:
        on_device = first is not None and type(given[first]) is ndarray
        if lists_axes:
            if type(given["axis"]) is list:
                given["axis"] = tuple(given["axis"])
            if given.get("keepdims", False) is None:
                given["keepdims"] = False
        if may_stay and not on_device and checks is not None and checks.stays_on_host(given):
            if unanswered:
                refuse_floating(given)
            positional, keywords = bind(given, True, [])
            return target(*positional, **keywords)
        out = given["out"] if writes else None
        if out is not None and output is not None:
            return output(computed, given)
        result = computed(given)
        return result if out is None else store(result, out)

    return compile_function(name, qualified, bound.rows, body, checks, SHORTCUTS.get(qualified))


def _computation(
    name: str,
    qualified: str,
    entry: dict[str, Any],
    target: Any,
    bound: Binding,
    bind: Bind,
) -> Callable[[dict[str, Any]], Any]:
    """What computes the result on the device, by its arguments, and counts what that takes.

    A closure, as what never changes from call to call is part of what each of them costs.
    """
    count, reads_back = counted(qualified), qualified in SYNCS
    arrange, condition = ADJUSTMENTS.get(qualified), CONDITIONS.get(qualified)
    if bound.strict and condition is None:
        operands = [row[0] for row in bound.rows if row[2] is None]
        condition = no_loop_for_complex_numbers(name, entry.get("types", ""), operands)
    arranged = arrange is not None or any(row[0] == "order" for row in bound.rows)
    compute = _without_warnings(target) if qualified in _NUMPY_WARNS else target
    strict, convert = bound.strict, ELEMENTS.get(qualified)

    def computed(given: dict[str, Any]) -> Any:
        owners: list[ndarray] = []
        if condition is not None:
            condition(given)
        positional, keywords = bind(given, False, owners)
        if strict and RULE.by_value:
            positional = by_value(positional)
        token = quiet()
        try:
            if convert is not None:
                convert(positional, keywords)
            result = compute(*positional, **keywords)
            if arrange is not None:
                result = arrange(result, given)
            result, fresh = finish(result, owners, arranged)
        except (TypeError, ValueError, IndexError, RuntimeError) as error:
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

    return computed


def _without_warnings(function: Any) -> Any:
    def silent(*args: Any, **kwargs: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return function(*args, **kwargs)

    return silent
