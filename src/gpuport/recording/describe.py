"""A value as a description: dtype, shape, range and properties of arrays, never their contents.

Numbers and flags are kept; texts only where the program's own source holds them as literals;
objects by class and attributes. ``data=True`` keeps small arrays too.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Container, Mapping
from typing import Any

_DEPTH = 7
_FEWEST_TIMES = 2
_DAY = "2019-06-01 09:00"
_ITEMS = 40
_INSPECTED = 1_000_000
_KEPT_BYTES = 64 << 10


def describe(value: Any, texts: Container[str], data: bool = False) -> dict[str, Any]:
    """The node of one value.

    Parameters
    ----------
    value : object
    texts : container of str
        Texts that may be kept.
    data : bool
        Keep the bytes of arrays up to 64 KiB.
    """
    return _walk(value, texts, data, _DEPTH)


def _walk(value: Any, texts: Container[str], data: bool, depth: int) -> dict[str, Any]:
    import numpy as np

    if value is None:
        return {"none": True}
    if isinstance(value, bool):
        return {"bool": value}
    if type(value) is int:
        return {"int": value}
    if type(value) is float:
        return {"float": value.hex()}
    if type(value) is complex:
        return {"complex": [value.real.hex(), value.imag.hex()]}
    if isinstance(value, str):
        return {"text": value} if value in texts else {"secret": len(value)}
    if isinstance(value, np.ndarray):
        plain = type(value) is np.ndarray and value.dtype.kind in "biufc"
        return _array(value, data) if plain else _opaque(value)
    if isinstance(value, np.generic):
        return {"scalar": [str(value.dtype), _number(value)]}
    if isinstance(value, np.random.Generator):
        return {"generator": True}
    if depth == 0:
        return _opaque(value)
    if type(value) in (list, tuple):
        # of many that are alike some tell what all are
        alike = type(value) is list and len({type(item) for item in value}) == 1
        if len(value) > _ITEMS and not alike:
            return _opaque(value)
        items = [_walk(v, texts, data, depth - 1) for v in value[:_ITEMS]]
        return {type(value).__name__: items}
    if type(value) is dict:
        if len(value) > _ITEMS or not all(isinstance(k, str | int) for k in value):
            return _opaque(value)
        return {"dict": [[k, _walk(v, texts, data, depth - 1)] for k, v in value.items()]}
    return _other(value, texts, data, depth)


def _other(value: Any, texts: Container[str], data: bool, depth: int) -> dict[str, Any]:
    if type(value).__module__.partition(".")[0] == "pandas":
        return _table(value, texts, data) or _opaque(value)
    remade = _remade(value, texts, data, depth)
    if remade is not None:
        return remade
    place = _place(value)
    if callable(value) and hasattr(value, "__qualname__"):
        return {"callable": place} if place and "<" not in place else _opaque(value)
    attributes = getattr(value, "__dict__", None)
    place = _place(type(value))
    if not isinstance(attributes, Mapping) or not place or "<" in place:
        return _opaque(value)
    if len(attributes) > _ITEMS or place.startswith(("builtins:", "pathlib:", "threading:")):
        return _opaque(value)
    kept = {str(k): _walk(v, texts, data, depth - 1) for k, v in attributes.items()}
    made: dict[str, Any] = {"class": place, "attributes": kept}
    if isinstance(value, dict):
        if len(value) > _ITEMS or not all(isinstance(k, str) for k in value):
            return _opaque(value)
        made["items"] = [[k, _walk(v, texts, data, depth - 1)] for k, v in value.items()]
    return {"object": made}


def _remade(value: Any, texts: Container[str], data: bool, depth: int) -> dict[str, Any] | None:
    """A queue, and one of NumPy's older generators, by what makes one like it."""
    place = _place(type(value))
    if place == "collections:deque" and len(value) <= _ITEMS:
        most = {"none": True} if value.maxlen is None else {"int": value.maxlen}
        items = [_walk(v, texts, data, depth - 1) for v in value]
        arguments: dict[str, Any] = {"iterable": {"list": items}, "maxlen": most}
        return {"made": {"call": place, "arguments": arguments}}
    if place == "numpy.random.mtrand:RandomState":
        return {"made": {"call": place, "arguments": {"seed": {"int": 0}}}}
    return None


def _table(value: Any, texts: Container[str], data: bool) -> dict[str, Any] | None:
    """A series, frame or index of times of pandas by what makes one like it; None for others."""
    kind = _place(type(value)).rpartition(":")[2]
    if kind == "DatetimeIndex":
        step = value.freqstr or value.inferred_freq if len(value) > _FEWEST_TIMES else None
        zone = None if value.tz is None else str(value.tz)
        made = {
            "start": {"text": _DAY},
            "periods": {"int": len(value)},
            "freq": {"text": step or "h"},
        }
        made |= {"tz": {"none": True} if zone is None else {"text": zone}}
        return {"made": {"call": "pandas:date_range", "arguments": made}}
    if kind not in ("Series", "DataFrame"):
        return None
    index = _table(value.index, texts, data)
    if kind == "Series":
        if getattr(value.dtype, "kind", "O") not in "biufc":
            return None
        held: dict[str, Any] = _array(value.to_numpy(), data)
    else:
        if len(value.columns) > _ITEMS or any(not isinstance(c, str) for c in value.columns):
            return None
        columns = [(c, value.iloc[:, k]) for k, c in enumerate(value.columns)]
        if any(getattr(one.dtype, "kind", "O") not in "biufc" for _, one in columns):
            return None
        held = {"dict": [[c, _array(one.to_numpy(), data)] for c, one in columns]}
    arguments = {"data": held} if index is None else {"data": held, "index": index}
    return {"made": {"call": f"pandas:{kind}", "arguments": arguments}}


def _place(value: Any) -> str:
    """``package.module:Class`` of a class or function."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    return f"{module}:{name}" if module and name else ""


def _opaque(value: Any) -> dict[str, Any]:
    return {"opaque": f"{type(value).__module__}.{type(value).__qualname__}"}


def _number(value: Any) -> Any:
    plain = value.item()
    if isinstance(plain, complex):
        return [plain.real.hex(), plain.imag.hex()]
    return plain.hex() if isinstance(plain, float) else plain


def _array(value: Any, data: bool) -> dict[str, Any]:
    import numpy as np

    node: dict[str, Any] = {"dtype": str(value.dtype), "shape": list(value.shape)}
    if not value.flags.c_contiguous:
        node["order"] = "F" if value.flags.f_contiguous else "strided"
    if value.size and value.dtype.kind in "iuf":
        seen = value if value.size <= _INSPECTED else value.ravel()[:: value.size // _INSPECTED]
        if value.dtype.kind == "f":
            finite = seen[np.isfinite(seen)]
            node["finite"] = bool(finite.size == seen.size)
        else:
            finite = seen
        if finite.size:
            node["low"], node["high"] = float(finite.min()), float(finite.max())
            node |= _properties(seen, finite)
    if data and value.nbytes <= _KEPT_BYTES:
        node["data"] = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {"array": node}


def _properties(seen: Any, finite: Any) -> dict[str, Any]:
    """Properties of the values that a function may rely on; only those that hold."""
    import numpy as np

    found: dict[str, Any] = {}
    if seen.dtype.kind == "f" and bool((finite == np.floor(finite)).all()):
        found["integral"] = True
    if seen.ndim and seen.shape[-1] > 1 and bool((np.diff(seen, axis=-1) >= 0).all()):
        found["sorted"] = True
    if seen.dtype.kind == "f" and seen.ndim and finite.size == seen.size and finite.min() >= 0:
        sums = seen.sum(axis=-1)
        if bool(np.allclose(sums, 1.0, rtol=1e-6)) and not math.isclose(float(seen.max()), 1.0):
            found["sums"] = 1
    square = seen.ndim >= 2 and seen.shape[-1] == seen.shape[-2] and seen.shape[-1] <= 64
    if square and seen.dtype.kind == "f" and finite.size == seen.size:
        symmetric = bool(np.allclose(seen, seen.swapaxes(-1, -2)))
        if symmetric and bool((np.linalg.eigvalsh(seen) > 0).all()):
            found["definite"] = True
    return found
