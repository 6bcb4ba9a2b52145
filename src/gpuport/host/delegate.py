"""Functions with CuPy's exact signature whose body is NumPy's (or SciPy's) function."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.argumentchecks import Checks, checking_source
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import SCALAR_TYPES, SUPPORTED_CHARS, cast, check_dtype, is_supported
from gpuport.host.launches import SYNCS, launches
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.silence import quiet, restore
from gpuport.host.structured import check_kernel_type
from gpuport.host.ufuncs import operand

_INTEGERS = frozenset(
    {"shape", "axis", "n", "N", "M", "k", "num", "axes", "newshape", "kth", "decimals"}
    | {"axis1", "axis2", "source", "destination", "ndmin"}
)
_FROM_HOST = frozenset(
    {"q", "bins", "indices_or_sections", "pad_width", "repeats", "reps", "range"}
)
"""Parameters that may be a NumPy array next to a device array: CuPy moves it, or reads it."""
_READ_BACK = frozenset({"start", "stop", "step"})
_LITERALS = {"nan": np.nan, "inf": np.inf, "<no value>": None}

_EMPTY = "zero-size array to reduction operation"

Parameter = tuple[str, str, str | None]


def parameters(entry: dict[str, Any]) -> list[Parameter]:
    """Parameters of an API entry as (name, kind, default)."""
    rows = entry.get("parameters") or []
    return [(row[0], row[1], row[2] if len(row) > 2 else None) for row in rows]


def signature(rows: list[Parameter]) -> str:
    """Python text of a parameter list; defaults are names, bound by :func:`compile_function`."""
    parts: list[str] = []
    star = False
    for index, (name, kind, default) in enumerate(rows):
        if kind == "k" and not star:
            parts.append("*")
            star = True
        if kind in ("*", "**"):
            star = star or kind == "*"
            parts.append(kind + name)
            continue
        parts.append(name if default is None else f"{name}=_default_{index}")
        if kind == "p" and (index + 1 == len(rows) or rows[index + 1][1] != "p"):
            parts.append("/")
    return ", ".join(parts)


def default_value(text: str) -> Any:
    """The object that a default's text stands for; an opaque sentinel where it is no literal."""
    if text in _LITERALS:
        return _LITERALS[text]
    try:
        return eval(text, {"numpy": np, "np": np, "nan": np.nan, "inf": np.inf})
    except (SyntaxError, NameError, AttributeError, TypeError):
        kind = text.removeprefix("<class '").removesuffix("'>")
        short = kind.rpartition(".")[2]
        return getattr(np, short, getattr(builtins, short, None))


def compile_function(
    name: str,
    qualified: str,
    rows: list[Parameter],
    body: Callable[[dict[str, Any]], Any],
    checks: Checks | None = None,
) -> Any:
    """A function with the signature `rows` that hands its arguments as a dictionary to `body`.

    Arguments that CuPy rejects raise what it raises, first of all.
    """
    pairs = ", ".join(f"{row[0]!r}: {row[0]}" for row in rows)
    scope: dict[str, Any] = {"_body": body}
    defaults: dict[str, Any] = {}
    for index, row in enumerate(rows):
        if row[2] is not None:
            scope[f"_default_{index}"] = defaults[row[0]] = default_value(row[2])
    safe = name if name.isidentifier() else "function"
    tests = checking_source(checks, [(row[0], row[1]) for row in rows], defaults, scope)
    exec(f"def {safe}({signature(rows)}):\n{tests}    return _body({{{pairs}}})\n", scope)
    function = scope[safe]
    function.__module__ = qualified.rpartition(".")[0]
    return function


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
    if isinstance(value, (list, tuple)) and any(
        isinstance(x, (ndarray, np.ndarray, list, tuple)) for x in value
    ):
        parts = [convert(name, x, owners, moves) for x in value]
        return type(value)(parts) if type(value) in (list, tuple) else tuple(parts)
    if isinstance(value, np.ndarray):
        if not (name in _FROM_HOST if moves is None else moves):
            raise TypeError(f"Unsupported type {type(value)}")
        counters.h2d(value.nbytes)
    return value


def finish(result: Any, owners: list[ndarray], qualified: str) -> tuple[Any, bool]:
    """Device form of a result, and whether it is memory of its own (which took a launch)."""
    if isinstance(result, np.ndarray):
        if type(result) is not np.ndarray:
            result = np.asarray(result)
        if result.dtype.char not in SUPPORTED_CHARS and not _of_an_owner(result, owners):
            return result, False
        for owner in owners:
            if result is owner._a:
                return owner, False
        if result.base is not None:
            for owner in owners:
                if np.may_share_memory(result, owner._a) or descends(result, owner._a):
                    return wrap(_writable(result, owner), owner), False
        return wrap(result), True
    if isinstance(result, np.generic):
        return wrap(np.asarray(result)), True
    if isinstance(result, (list, tuple)):
        parts = [finish(part, owners, qualified) for part in result]
        values = [part for part, _ in parts]
        made = any(fresh for _, fresh in parts)
        if hasattr(result, "_fields"):
            return type(result)(*values), made
        return type(result)(values), made
    return result, True


def _of_an_owner(result: Any, owners: list[ndarray]) -> bool:
    return is_supported(result.dtype) or any(owner.dtype == result.dtype for owner in owners)


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
    rows = parameters(entry)
    defaults = {row[0]: default_value(row[2]) for row in rows if row[2] is not None}
    first = rows[0][0] if rows and rows[0][2] is None else None
    kernel, count, waits = qualified, launches(qualified), SYNCS.get(qualified, 0)
    moves = {row[0]: checks.takes_host_array(row[0]) if checks else None for row in rows}
    reads = {row[0]: checks is not None and checks.reads_device_array(row[0]) for row in rows}
    may_stay = checks is not None and checks.may_stay_on_host

    def body(given: dict[str, Any]) -> Any:
        hosted = may_stay and checks is not None and checks.stays_on_host(given)
        owners: list[ndarray] = []
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        out = None
        for parameter, kind, default in rows:
            value = given[parameter]
            if kind == "*":
                positional += [convert(parameter, x, owners, moves[parameter]) for x in value]
            elif kind == "**":
                keywords.update({k: convert(k, x, owners) for k, x in value.items()})
            elif default is None and kind != "k":
                if strict:
                    positional.append(operand(value))
                elif isinstance(value, np.ndarray) and (hosted or parameter == first):
                    if not hosted:
                        counters.h2d(value.nbytes)
                    positional.append(value)
                else:
                    label = "" if parameter == first == "M" else parameter
                    positional.append(
                        convert(label, value, owners, moves[parameter], reads[parameter])
                    )
            elif parameter == "out":
                out = value
            elif value is not defaults.get(parameter):
                if known is not None and parameter not in known:
                    raise NotImplementedError(
                        f"the host backend has no {parameter}= of {qualified} yet"
                    )
                keywords[parameter] = convert(
                    parameter, value, owners, moves[parameter], reads[parameter]
                )
        if hosted:
            return target(*positional, **keywords)
        token = quiet()
        try:
            result, fresh = finish(target(*positional, **keywords), owners, qualified)
        except ValueError as error:
            if _EMPTY not in str(error):
                raise
            raise ValueError(
                f"{_EMPTY} cupy_{name.removeprefix('a')} which has no identity"
            ) from None
        finally:
            restore(token)
        if fresh and count:
            KERNELS[kernel] += count
            if type(result) is ndarray and result._a.dtype.kind == "V":
                check_kernel_type(result._a.dtype)
        for _ in range(waits):
            counters.sync()
        return result if out is None else store(result, out)

    return compile_function(name, qualified, rows, body, checks)


def is_number(value: Any) -> bool:
    """Whether CuPy takes `value` as a scalar."""
    return type(value) in SCALAR_TYPES
