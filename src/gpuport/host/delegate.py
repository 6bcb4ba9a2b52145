"""Functions with CuPy's exact signature whose body is NumPy's (or SciPy's) function."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import SCALAR_TYPES, SUPPORTED_CHARS, cast, check_dtype
from gpuport.host.launches import SYNCS, launches
from gpuport.host.ndarray import ndarray, wrap
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


@cache
def rejections() -> dict[str, dict[str, list[str]]]:
    """What each function raises for a list, a NumPy array or a number where it wants an array.

    Recorded from CuPy's own front end, which checks before it touches the device.
    """
    text = resources.files("gpuport.host").joinpath("data/rejections.json").read_text()
    found: dict[str, dict[str, list[str]]] = json.loads(text)
    return found


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
    name: str, qualified: str, rows: list[Parameter], body: Callable[[dict[str, Any]], Any]
) -> Any:
    """A function with the signature `rows` that hands its arguments as a dictionary to `body`."""
    pairs = ", ".join(f"{row[0]!r}: {row[0]}" for row in rows)
    scope: dict[str, Any] = {"_body": body}
    for index, row in enumerate(rows):
        if row[2] is not None:
            scope[f"_default_{index}"] = default_value(row[2])
    safe = name if name.isidentifier() else "function"
    exec(f"def {safe}({signature(rows)}):\n    return _body({{{pairs}}})\n", scope)
    function = scope[safe]
    function.__module__ = qualified.rpartition(".")[0]
    return function


def convert(name: str, value: Any, owners: list[ndarray]) -> Any:
    """NumPy's form of the argument called `name`; device arrays met are added to `owners`."""
    if isinstance(value, ndarray):
        if name in _INTEGERS:
            raise TypeError("'ndarray' object cannot be interpreted as an integer")
        if name in _READ_BACK:
            return value.item()
        owners.append(value)
        return value._a
    if name == "dtype" and value is not None:
        return check_dtype(value)
    if isinstance(value, (list, tuple)) and any(
        isinstance(x, (ndarray, np.ndarray, list, tuple)) for x in value
    ):
        parts = [convert(name, x, owners) for x in value]
        return type(value)(parts) if type(value) in (list, tuple) else tuple(parts)
    if isinstance(value, np.ndarray):
        if name not in _FROM_HOST:
            raise TypeError(f"Unsupported type {type(value)}")
        counters.h2d(value.nbytes)
    return value


def finish(result: Any, owners: list[ndarray], qualified: str) -> tuple[Any, bool]:
    """Device form of a result, and whether it is memory of its own (which took a launch)."""
    if isinstance(result, np.ndarray):
        if type(result) is not np.ndarray:
            result = np.asarray(result)
        if result.dtype.char not in SUPPORTED_CHARS:
            return result, False
        for owner in owners:
            if result is owner._a:
                return owner, False
        if result.base is not None:
            for owner in owners:
                if np.may_share_memory(result, owner._a):
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


def _writable(view: Any, owner: ndarray) -> Any:
    """CuPy's views can always be written to."""
    if view.flags.writeable:
        return view
    try:
        view.flags.writeable = True
    except ValueError:
        return np.lib.stride_tricks.as_strided(view, view.shape, view.strides, writeable=True)
    return view


def stays_on_host(table: dict[str, list[str]], value: Any) -> bool:
    """Whether CuPy answers with NumPy's result where the first argument is no device array.

    Raises
    ------
    Exception
        What CuPy raises for such an argument, where it does.
    """
    if isinstance(value, (list, tuple)) and any(isinstance(x, ndarray) for x in value):
        return False
    kind = {list: "list", tuple: "list", float: "float", int: "float"}.get(type(value))
    if isinstance(value, np.ndarray):
        kind = "ndarray"
    found = table.get(kind or "")
    if found is None:
        return False
    if found[0] == "host":
        return True
    error: Any = getattr(builtins, found[0], getattr(np.linalg, found[0], TypeError))
    shown = type(value).__name__
    message = found[1].replace("'list'", f"'{shown}'").replace("got list", f"got {shown}")
    raise error(message.replace("'float'", f"'{shown}'").replace("got float", f"got {shown}"))


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
    """
    rows = parameters(entry)
    defaults = {row[0]: default_value(row[2]) for row in rows if row[2] is not None}
    first = rows[0][0] if rows and rows[0][2] is None else None
    kernel, count, waits = qualified, launches(qualified), SYNCS.get(qualified, 0)
    table = rejections().get(qualified)

    def body(given: dict[str, Any]) -> Any:
        hosted = False
        if first is not None and table and not isinstance(given[first], ndarray):
            hosted = stays_on_host(table, given[first])
        owners: list[ndarray] = []
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        out = None
        for parameter, kind, default in rows:
            value = given[parameter]
            if kind == "*":
                positional += [convert(parameter, x, owners) for x in value]
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
                    positional.append(convert(label, value, owners))
            elif parameter == "out":
                out = value
            elif value is not defaults.get(parameter):
                if known is not None and parameter not in known:
                    raise NotImplementedError(
                        f"the host backend has no {parameter}= of {qualified} yet"
                    )
                keywords[parameter] = convert(parameter, value, owners)
        if hosted:
            return target(*positional, **keywords)
        try:
            with np.errstate(all="ignore"):
                result, fresh = finish(target(*positional, **keywords), owners, qualified)
        except ValueError as error:
            if _EMPTY not in str(error):
                raise
            raise ValueError(
                f"{_EMPTY} cupy_{name.removeprefix('a')} which has no identity"
            ) from None
        if fresh and count:
            KERNELS[kernel] += count
        for _ in range(waits):
            counters.sync()
        return result if out is None else store(result, out)

    return compile_function(name, qualified, rows, body)


def is_number(value: Any) -> bool:
    """Whether CuPy takes `value` as a scalar."""
    return type(value) in SCALAR_TYPES
