"""Whether CuPy's functions give results of the same kinds as SciPy's, dtype by dtype.

On the device that computes nothing the values of a result mean nothing, but how many results there
are, their dtypes and their numbers of dimensions are CuPy's own. They are compared for the base
calls with their floating-point data cast to each dtype in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

DTYPES = (
    "float64",
    "float32",
    "float16",
    "int64",
    "int32",
    "int16",
    "uint8",
    "bool",
    "complex128",
    "complex64",
)
Kinds = Any


def kinds_of(value: Any, array: Any) -> Kinds:
    """What a result is: ``"float64 2"`` for an array, its Python type's name, lists of these.

    NumPy's scalars are the device's arrays of no dimension. An array of NumPy's that came from
    CuPy is one of the host.
    """
    if isinstance(value, array) or (array is np.ndarray and isinstance(value, np.generic)):
        return f"{value.dtype.name} {value.ndim}"
    if isinstance(value, np.ndarray | np.generic):
        return f"host {value.dtype.name} {value.ndim}"
    if isinstance(value, list | tuple):
        return [kinds_of(part, array) for part in value]
    if isinstance(value, dict):
        return {str(name): kinds_of(value[name], array) for name in sorted(value, key=str)}
    if isinstance(value, bool | int | float | complex):
        return type(value).__name__
    return "None" if value is None else "object"


def cast(value: Any, dtype: str) -> Any:
    """An argument, if it is floating-point data, in another dtype."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        if value.dtype.kind == "c":
            return value if dtype not in {"complex64", "complex128"} else value.astype(dtype)
        return value.astype(dtype)
    return value


def compare(
    bases: Iterable[tuple[Sequence[Any], dict[str, Any]]],
    host: Callable[..., Any],
    own: Callable[[list[Any], dict[str, Any]], Any],
    array: type,
) -> dict[str, Any]:
    """How the results compare, by dtype of the data.

    Parameters
    ----------
    bases : iterable of (args, kwargs)
        With NumPy arrays.
    host : callable
        SciPy's function.
    own : callable
        Calls CuPy's function with arguments moved to the device; raises what it raises.
    array : type
        CuPy's array type.

    Returns
    -------
    dict
        ``same``: dtypes whose results are of the same kinds in all calls. ``differs``: rows of
        dtypes, SciPy's kinds and CuPy's. ``raises``: rows of dtypes and CuPy's complaint.
        A dtype that SciPy takes in none of the calls, and one about which nothing was learnt
        because CuPy complained of the values that were never computed, is left out.
    """
    found: dict[str, Any] = {}
    for args, kwargs in bases:
        for dtype in DTYPES:
            given = [cast(a, dtype) for a in args]
            named = {k: cast(v, dtype) for k, v in kwargs.items()}
            try:
                expected = kinds_of(host(*given, **named), np.ndarray)
            except Exception:
                continue
            outcome = own(given, named)
            if isinstance(outcome, Unsettled):
                continue
            if isinstance(outcome, Raised):
                found.setdefault(dtype, f"{outcome.error}")
                continue
            kinds = kinds_of(outcome, array)
            if kinds != expected:
                found[dtype] = [expected, kinds]
            else:
                found.setdefault(dtype, True)
    return _grouped(found)


def _grouped(found: dict[str, Any]) -> dict[str, Any]:
    """Outcomes turned round: the dtypes by what came of them."""
    same = [dtype for dtype, outcome in found.items() if outcome is True]
    differs: dict[str, list[Any]] = {}
    raises: dict[str, list[Any]] = {}
    for dtype, outcome in found.items():
        if isinstance(outcome, list):
            differs.setdefault(str(outcome), [[], *outcome])[0].append(dtype)
        elif isinstance(outcome, str):
            raises.setdefault(outcome, [[], outcome])[0].append(dtype)
    listed = {"same": same, "differs": [*differs.values()], "raises": [*raises.values()]}
    return {word: rows for word, rows in listed.items() if rows}


class Unsettled:
    """CuPy complained of values that the stand-in made up."""


class Raised:
    """CuPy refused the call, with this complaint."""

    def __init__(self, error: str) -> None:
        self.error = error
