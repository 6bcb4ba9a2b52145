"""NumPy's ufuncs with ``out`` and ``where``: CuPy's take no ``where``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy


class Masked:
    """The ufuncs by their names: ``masked.divide(x, y, out=z, where=y != 0)``."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """One of them.

        Raises
        ------
        AttributeError
            If NumPy has no ufunc of that name.
        """
        ufunc = getattr(np, name, None)
        if not isinstance(ufunc, np.ufunc):
            raise AttributeError(f"NumPy has no ufunc `{name}`")

        def call(*operands: Any, out: Any, where: Any, **options: Any) -> Any:
            """`out`, with results where `where` is true and what it held elsewhere.

            On the device it is computed for all elements and copied for those: two launches. The
            dtype of the results is that of the operands, and casts to that of `out` as
            ``same_kind`` allows, as NumPy has it.

            Raises
            ------
            TypeError
                If `where` holds anything but truth values, or the results do not cast.
            """
            cupy = loaded_cupy()
            if cupy is None or not isinstance(out, cupy.ndarray):
                return ufunc(*operands, out=out, where=where, **options)
            if getattr(where, "dtype", type(where)) not in (np.bool_, bool):
                raise TypeError(f"{name}: `where` has to hold truth values")
            result = getattr(cupy, name)(*operands, **options)
            if isinstance(where, (bool, np.bool_)):
                where = cupy.full((), where)
            cupy.copyto(out, result, where=where)
            return out

        return call


masked = Masked()


def put_where(target: Any, places: Any, value: Any) -> None:
    """``target[places] = value``, where a mask is in `places`: for one number without waiting.

    Parameters
    ----------
    target : cupy.ndarray or numpy.ndarray
        Changed in place.
    places : array of bool, or a tuple of one, of slices and of int
        As between the brackets.
    value : number, or array without axes
        What NumPy cannot store in an array of this dtype raises as it does there.

    Notes
    -----
    One launch on the device, which is not asked how often the mask is true. Whatever else is given
    is stored as ``target[places] = value`` is.
    """
    cupy = loaded_cupy()
    found = None if cupy is None or np.ndim(value) else _spread(cupy, target, places)
    warns = getattr(value, "dtype", None) is not None and value.dtype.kind == "c"
    if found is None or (warns and target.dtype.kind != "c"):
        target[places] = value
        return
    assert cupy is not None
    if not isinstance(value, cupy.ndarray):
        number = np.empty((), target.dtype)
        number[()] = value
        value = number.item()
    part, mask = found
    cupy.copyto(part, value, "unsafe", where=mask)


def _spread(cupy: Any, target: Any, places: Any) -> tuple[Any, Any] | None:
    """A view of an array, and a mask that broadcasts to it; None where another index is given."""
    given = places if isinstance(places, tuple) else (places,)
    masks = [at for at, one in enumerate(given) if isinstance(one, cupy.ndarray)]
    if len(masks) != 1 or not isinstance(target, cupy.ndarray) or target.dtype.kind not in "bifcu":
        return None
    before, mask, after = given[: masks[0]], given[masks[0]], given[masks[0] + 1 :]
    plain = all(type(one) in (slice, int) for one in (*before, *after))
    if not plain or mask.dtype != np.bool_ or not mask.ndim:
        return None
    if len(before) + mask.ndim + len(after) > target.ndim or cupy.may_share_memory(target, mask):
        return None
    part = target[(*before, *[slice(None)] * mask.ndim, *after)]
    first = sum(isinstance(one, slice) for one in before)
    if part.shape[first : first + mask.ndim] != mask.shape:
        return None
    further = part.ndim - first - mask.ndim
    return part, mask.reshape(mask.shape + (1,) * further)


__all__ = ["Masked", "masked", "put_where"]
