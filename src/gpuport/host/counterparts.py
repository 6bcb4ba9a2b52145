"""Which function or value of NumPy's or SciPy's stands behind a name of CuPy's."""

from __future__ import annotations

import importlib
import inspect
from functools import cache
from typing import Any, cast

import numpy as np

from gpuport.host import signatures

NOTHING = object()


def counterpart(qualified: str, entry: dict[str, Any]) -> Any:
    """NumPy's or SciPy's object for CuPy's of that name; ``NOTHING`` where there is none."""
    if qualified in _OWN:
        return _OWN[qualified]
    same = entry.get("same_as")
    for path in filter(None, (same, _numpy_path(qualified))):
        module, _, name = path.rpartition(".")
        try:
            home = importlib.import_module(module)
        except ImportError:
            continue
        found = getattr(home, name, None)
        if found is not None or hasattr(home, name):
            return found
    value = entry.get("value")
    if value is not None:
        return signatures.default_value(value)
    alias = _OLD_NAMES.get(qualified.rpartition(".")[2])
    return getattr(np, alias, NOTHING) if alias else NOTHING


def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """``numpy.linalg.svd``, where LAPACK may search for minutes in a matrix with one infinity."""
    values, solver = np.asarray(a), cast(Any, np.linalg.svd)
    within = (-2, -1)
    searched = values.ndim > 1 and min(values.shape[-2:]) > 1
    wild: Any = ~np.isfinite(values).all(axis=within) if searched else np.False_
    if not wild.any():
        return solver(values, full_matrices, compute_uv)
    if np.isnan(values).any():
        raise np.linalg.LinAlgError("SVD did not converge")
    found = solver(np.where(wild[..., None, None], 0, values), full_matrices, compute_uv)
    parts = found if isinstance(found, tuple) else (found,)
    for part in parts:
        part[wild] = np.nan
    return parts if isinstance(found, tuple) else found


def _unique_values(x: Any) -> Any:
    """Sorted; NumPy's come in any order."""
    return np.unique(np.asarray(x), equal_nan=False)


def _angle(z: Any, deg: Any = False) -> Any:
    """Of a real number it is pi where that is not at least 0, NaN included."""
    values = np.asarray(z)
    if values.dtype.kind != "f":
        return np.angle(values, bool(deg))
    half = values.dtype.type(180 if deg else np.pi)
    return np.where(values >= 0, values.dtype.type(0), half)


_OWN: dict[str, Any] = {
    "cupy.linalg.svd": _svd,
    "cupy.unique_values": _unique_values,
    "cupy.angle": _angle,
}

_OLD_NAMES = {
    "alltrue": "all", "sometrue": "any", "product": "prod", "cumproduct": "cumprod",
    "round_": "round", "in1d": "isin", "trapz": "trapezoid", "row_stack": "vstack",
    "complex_": "complex128", "float_": "float64", "cfloat": "complex128",
    "singlecomplex": "complex64", "asfarray": "asarray", "Inf": "inf", "Infinity": "inf",
    "infty": "inf", "NaN": "nan", "NAN": "nan", "PINF": "inf",
}  # fmt: skip


def _numpy_path(qualified: str) -> str | None:
    if qualified.startswith("cupyx.scipy."):
        return qualified.removeprefix("cupyx.")
    if qualified.startswith("cupy.") and not qualified.startswith(("cupy.cuda", "cupy.testing")):
        return "numpy" + qualified.removeprefix("cupy")
    return None


@cache
def _known_cached(function: Any) -> frozenset[str] | None:
    try:
        found = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_KEYWORD for p in found.values()):
        return None
    return frozenset(found)


def known_parameters(function: Any) -> set[str] | None:
    """Names of a function's parameters; None where it takes any."""
    found = _known_cached(function)
    return None if found is None else set(found)
