"""Products of vectors, of stacks of them."""

from __future__ import annotations

from typing import Any

from gpuport.runtime.fallback import loaded_cupy


def cross(first: Any, second: Any) -> Any:
    """``numpy.cross`` of each pair of vectors, one or both of which are rows of a stack.

    Parameters
    ----------
    first, second : cupy.ndarray, shape (n, 3) or (3,)

    Raises
    ------
    numpy.linalg.LinAlgError
        For vectors of two: their product is a number, which is no row of a stack.
    """
    cupy = loaded_cupy()
    if first.shape[-1:] != (3,) or second.shape[-1:] != (3,):
        raise cupy.linalg.LinAlgError("the vectors have other than three elements")
    return cupy.cross(first, second)


__all__ = ["cross"]
