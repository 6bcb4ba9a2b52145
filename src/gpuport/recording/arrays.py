"""Arrays as descriptions: dtype, shape, range and what a function may rely on of the values."""

from __future__ import annotations

import base64
import math
from typing import Any

_INSPECTED = 1_000_000
_KEPT_BYTES = 64 << 10


def number(value: Any) -> Any:
    """A NumPy scalar as plain data; floats in hexadecimal."""
    plain = value.item()
    if isinstance(plain, complex):
        return [plain.real.hex(), plain.imag.hex()]
    return plain.hex() if isinstance(plain, float) else plain


def array(value: Any, data: bool) -> dict[str, Any]:
    """The node of an array; `data` keeps the bytes of small ones."""
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
