"""Covariances and correlations of stacks, which CuPy has for single matrices only."""

from __future__ import annotations

from typing import Any

from gpuport.runtime.fallback import loaded_cupy


def cov(stack: Any, rowvar: bool = True, bias: bool = False, ddof: int | None = None) -> Any:
    """``numpy.cov`` of each matrix of a stack.

    Parameters
    ----------
    stack : cupy.ndarray, shape (n, variables, observations)
        The last two the other way around where `rowvar` is false. There is more than one
        variable: of a single one NumPy gives a number.
    rowvar, bias, ddof
        As in ``numpy.cov``.

    Returns
    -------
    cupy.ndarray, shape (n, variables, variables)
        Of double precision at least, as NumPy has it.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where there is one variable: the port runs the loop over the items then.
    """
    cupy = loaded_cupy()
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    x = stack.astype(cupy.result_type(stack.dtype, cupy.float64))
    x = x if rowvar else x.swapaxes(-1, -2)
    if x.shape[-2] == 1:
        raise cupy.linalg.LinAlgError("cov of a single variable is a number")
    x = x - x.mean(axis=-1, keepdims=True)
    less = int(not bias) if ddof is None else int(ddof)
    degrees = max(x.shape[-1] - less, 0)
    product = cupy.matmul(x, x.conj().swapaxes(-1, -2))
    # NumPy multiplies by 1 / 0 where there are no degrees of freedom.
    return product * (1 / degrees if degrees else float("inf"))


def corrcoef(stack: Any, rowvar: bool = True) -> Any:
    """``numpy.corrcoef`` of each matrix of a stack; see :func:`cov`."""
    cupy = loaded_cupy()
    c = cov(stack, rowvar)
    deviations = cupy.sqrt(cupy.diagonal(c, axis1=-2, axis2=-1).real)
    c = c / deviations[:, :, None] / deviations[:, None, :]
    if c.dtype.kind != "c":
        return cupy.clip(c, -1, 1)
    return cupy.clip(c.real, -1, 1) + 1j * cupy.clip(c.imag, -1, 1)
