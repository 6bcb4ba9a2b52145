"""Functions with CuPy's exact signature whose body is NumPy's (or SciPy's) function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.argumentchecks import Checks, holds_numbers
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import SUPPORTED_CHARS, cast, check_dtype, is_supported
from gpuport.host.launches import FORM_ALONE, SYNCS, counted, waits
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import IMPLICIT, ndarray, wrap
from gpuport.host.operands import operand
from gpuport.host.promotion import RULE, by_value
from gpuport.host.refusals import CONDITIONS, no_loop_for_complex_numbers, worded
from gpuport.host.results import ADJUSTMENTS
from gpuport.host.shortcuts import SHORTCUTS
from gpuport.host.signatures import Parameter, compile_function, default_value, parameters
from gpuport.host.silence import quiet, restore
from gpuport.host.structured import check_kernel_type

_INTEGERS = frozenset(
    {"shape", "axis", "n", "N", "M", "k", "num", "axes", "newshape", "kth", "decimals"}
    | {"axis1", "axis2", "source", "destination", "ndmin"}
)
_FROM_HOST = frozenset(
    {"q", "bins", "indices_or_sections", "pad_width", "repeats", "reps", "range"}
)
"""Parameters that may be a NumPy array next to a device array: CuPy moves it, or reads it."""
_READ_BACK = frozenset({"start", "stop", "step"})
_NUMBERS = _INTEGERS | _READ_BACK
AXES_IN_A_LIST = frozenset(
    f"cupy.{name}"
    for name in (
        "sum", "prod", "max", "min", "amax", "amin", "all", "any", "mean", "ptp", "nansum",
        "nanprod", "nanmax", "nanmin", "nanmean", "count_nonzero",
    )
)  # fmt: skip
"""Reductions that take a list of axes, as NumPy's do not; source: ``_get_axis``, _reduction.pyx."""
OWN_DEFAULTS = {
    "cupy.linalg.pinv": frozenset({"rcond"}),
    "cupy.ravel_multi_index": frozenset({"mode"}),
    "cupyx.scipy.linalg.solve_triangular": frozenset({"check_finite"}),
    "cupyx.scipy.signal.group_delay": frozenset({"fs"}),
}
"""Parameters, by function, whose default in CuPy means something else than NumPy's or SciPy's."""


def convert(
    name: str,
    value: Any,
    owners: list[ndarray],
    moves: bool | None = None,
    reads: bool = False,
) -> Any:
    """NumPy's form of the argument called `name`; device arrays met are added to `owners`.

    `moves` tells whether CuPy moves a NumPy array that it is given there, where that is known;
    `reads` whether it reads a device array back where it wants a number.
    """
    if isinstance(value, ndarray):
        if name in _INTEGERS and not reads:
            raise TypeError("'ndarray' object cannot be interpreted as an integer")
        if name in _READ_BACK or name in _INTEGERS:
            return value.item()
        owners.append(value)
        return value._a
    if name == "dtype" and value is not None:
        return check_dtype(value)
    if (
        isinstance(value, (list, tuple))
        and not holds_numbers(value)
        and any(isinstance(x, (ndarray, np.ndarray, list, tuple)) for x in value)
    ):
        if any(isinstance(x, ndarray) for x in value) and any(
            isinstance(x, np.ndarray) for x in value
        ):
            raise TypeError(IMPLICIT)
        parts = [convert(name, x, owners, moves) for x in value]
        return type(value)(parts) if type(value) in (list, tuple) else tuple(parts)
    if isinstance(value, np.ndarray):
        if not (name in _FROM_HOST if moves is None else moves):
            raise TypeError(f"Unsupported type {type(value)}")
        counters.h2d(value.nbytes)
    return value


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


@dataclass(frozen=True)
class _Binding:
    """How the arguments of one function of CuPy become those of NumPy's.

    Attributes
    ----------
    qualified : str
        CuPy's name of the function.
    rows : list of Parameter
        Its parameters.
    defaults : dict
        Their defaults.
    known : set of str, optional
        Parameters of NumPy's function.
    strict : bool
        Whether the arguments can only be device arrays and numbers.
    moves, reads : dict
        By parameter: whether CuPy moves a NumPy array, and whether it reads a device array back.
    first : str, optional
        The required parameter at the front, which may be a NumPy array.
    passed : set of str
        Parameters whose default is passed on, as NumPy's is another.
    """

    qualified: str
    rows: list[Parameter]
    defaults: dict[str, Any]
    known: set[str] | None
    strict: bool
    moves: dict[str, bool | None]
    reads: dict[str, bool]
    first: str | None
    passed: frozenset[str]

    def compiled(self) -> Callable[[dict[str, Any], bool, list[ndarray]], _Passed]:
        """From the arguments to positional and named ones for NumPy's function.

        The function takes the arguments, whether CuPy answers on the host, and a list that device
        arrays join. It is compiled for its parameters, as it is part of what every call costs.
        """
        scope: dict[str, Any] = {
            "required": self._required, "optional": self._optional, "convert": convert,
            "defaults": self.defaults, "moves": self.moves, "array": ndarray,
        }  # fmt: skip
        lines = ["def bind(given, hosted, owners):", "    positional, keywords = [], {}"]
        for parameter, kind, default in self.rows:
            lines.append(f"    value = given[{parameter!r}]")
            lines += self._statements(parameter, kind, default)
        exec("\n".join([*lines, "    return positional, keywords"]), scope)
        made: Callable[[dict[str, Any], bool, list[ndarray]], _Passed] = scope["bind"]
        return made

    def _statements(self, parameter: str, kind: str, default: str | None) -> list[str]:
        """What one parameter's value comes to."""
        if kind == "*":
            moves = f"moves[{parameter!r}]"
            each = f"convert({parameter!r}, x, owners, {moves})"
            return [f"    positional += [{each} for x in value]"]
        if kind == "**":
            each = "k: convert(k, x, owners) for k, x in value.items()"
            return [f"    keywords.update({{{each}}})"]
        if default is None and kind != "k":
            general = f"positional.append(required({parameter!r}, value, hosted, owners))"
            if parameter in _NUMBERS:
                return [f"    {general}"]
            return [
                "    if type(value) is array:",
                "        owners.append(value)",
                "        positional.append(value._a)",
                "    else:",
                f"        {general}",
            ]
        if parameter == "out":
            return []
        assign = f"keywords[{parameter!r}] = optional({parameter!r}, value, owners)"
        if parameter in self.passed:
            return [f"    {assign}"]
        return [f"    if value is not defaults.get({parameter!r}):", f"        {assign}"]

    def _optional(self, parameter: str, value: Any, owners: list[ndarray]) -> Any:
        if self.known is not None and parameter not in self.known:
            raise NotImplementedError(
                f"the host backend has no {parameter}= of {self.qualified} yet"
            )
        return convert(parameter, value, owners, self.moves[parameter], self.reads[parameter])

    def _required(self, parameter: str, value: Any, hosted: bool, owners: list[ndarray]) -> Any:
        if self.strict:
            return operand(value)
        if isinstance(value, np.ndarray) and (hosted or parameter == self.first):
            if not hosted and self.qualified not in FORM_ALONE:
                counters.h2d(value.nbytes)
            return value
        label = "" if parameter == self.first == "M" else parameter
        return convert(label, value, owners, self.moves[parameter], self.reads[parameter])


_Passed = tuple[list[Any], dict[str, Any]]


def _bind(
    qualified: str,
    entry: dict[str, Any],
    known: set[str] | None,
    strict: bool,
    checks: Checks | None,
) -> _Binding:
    rows = parameters(entry)
    return _Binding(
        qualified,
        rows,
        {row[0]: default_value(row[2]) for row in rows if row[2] is not None},
        known,
        strict,
        {row[0]: checks.takes_host_array(row[0]) if checks else None for row in rows},
        {row[0]: checks is not None and checks.reads_device_array(row[0]) for row in rows},
        rows[0][0] if rows and rows[0][2] is None else None,
        OWN_DEFAULTS.get(qualified, frozenset()),
    )


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
    binding = _bind(qualified, entry, known, strict, checks)
    bind = binding.compiled()
    count, reads_back = counted(qualified), qualified in SYNCS
    may_stay = checks is not None and checks.may_stay_on_host
    arrange, condition = ADJUSTMENTS.get(qualified), CONDITIONS.get(qualified)
    if strict and condition is None:
        operands = [row[0] for row in binding.rows if row[2] is None]
        condition = no_loop_for_complex_numbers(name, entry.get("types", ""), operands)
    arranged = arrange is not None or any(row[0] == "order" for row in binding.rows)
    first = binding.first if binding.rows and binding.rows[0][1] not in ("*", "**") else None
    writes = any(row[0] == "out" for row in binding.rows)
    lists_axes = qualified in AXES_IN_A_LIST

    def computed(given: dict[str, Any]) -> Any:
        owners: list[ndarray] = []
        if condition is not None:
            condition(given)
        positional, keywords = bind(given, False, owners)
        if strict and RULE.by_value:
            positional = by_value(positional)
        token = quiet()
        try:
            result = target(*positional, **keywords)
            if arrange is not None:
                result = arrange(result, given)
            result, fresh = finish(result, owners, arranged)
        except (TypeError, ValueError) as error:
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
        if lists_axes and type(given["axis"]) is list:
            given["axis"] = tuple(given["axis"])
        if may_stay and not on_device and checks is not None and checks.stays_on_host(given):
            positional, keywords = bind(given, True, [])
            return target(*positional, **keywords)
        out = given["out"] if writes else None
        result = computed(given)
        return result if out is None else store(result, out)

    return compile_function(name, qualified, binding.rows, body, checks, SHORTCUTS.get(qualified))
