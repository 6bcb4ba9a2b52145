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

__all__ = ["Masked", "masked"]
