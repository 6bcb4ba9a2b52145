"""Arguments as CuPy's compiled functions declare them."""

from __future__ import annotations

from typing import Any

from gpuport.host.ndarray import ndarray


def typed(value: Any, name: str) -> Any:
    """Memory of an argument that CuPy declares to be an array.

    Raises
    ------
    TypeError
        For anything else.
    """
    if not isinstance(value, ndarray):
        raise TypeError(
            f"Argument '{name}' has incorrect type (expected cupy._core.core._ndarray_base, "
            f"got {type(value).__name__})"
        )
    return value._a
