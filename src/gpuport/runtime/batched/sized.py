"""CuPy's functions of stacks, by the algorithm that suits the size of the matrices."""

from __future__ import annotations

from typing import Any

from gpuport.runtime.batched.algorithms import algorithm
from gpuport.runtime.fallback import loaded_cupy
from gpuport.runtime.linalg import linalg_errors


class linalg:
    """Functions of ``cupy.linalg``, with its arguments and results, of stacks of matrices.

    Notes
    -----
    CuPy goes through a stack of large matrices one by one, or hands it to a routine that is made
    for small ones. The limits are in ``rules/linalg-sizes.json``, the error bounds in
    :mod:`gpuport.runtime.batched.algorithms`.
    """

    @staticmethod
    def svd(stack: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
        """Of tall matrices the triangular factor's, or the roots of the Gram matrix's values."""
        return _by_size("svd", stack, full_matrices=full_matrices, compute_uv=compute_uv)

    @staticmethod
    def inv(stack: Any) -> Any:
        """Of large matrices one by one."""
        return _by_size("inv", stack)

    @staticmethod
    def eigh(stack: Any, UPLO: str = "L") -> Any:
        """Of large matrices by divide and conquer."""
        return _by_size("eigh", stack, UPLO=UPLO)

    @staticmethod
    def eigvalsh(stack: Any, UPLO: str = "L") -> Any:
        """Of large matrices by divide and conquer."""
        return _by_size("eigvalsh", stack, UPLO=UPLO)


def _by_size(name: str, stack: Any, **options: Any) -> Any:
    cupy = loaded_cupy()
    with linalg_errors:  # also where no boundary asks for them
        if stack.ndim != 3 or not stack.size:
            return getattr(cupy.linalg, name)(stack, **options)
        return algorithm(cupy, name)(stack, **options)


__all__ = ["linalg"]
