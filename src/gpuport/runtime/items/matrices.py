"""Functions of matrices: CuPy's of stacks, by the algorithm that suits their size."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.batched.moments import corrcoef, cov
from gpuport.runtime.batched.sized import linalg
from gpuport.runtime.batched.sizes import sizes
from gpuport.runtime.batched.systems import exponentials, least_squares
from gpuport.runtime.items.arithmetic import wrapped
from gpuport.runtime.items.forms import takes
from gpuport.runtime.items.item import Operand, is_stack
from gpuport.runtime.items.later import Later
from gpuport.runtime.items.reductions import operand
from gpuport.runtime.items.signals import Split, refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace

_SIZED = frozenset({"inv", "eigh", "eigvalsh", "svd"})
_IGNORED = frozenset({"overwrite_a", "overwrite_b", "check_finite"})


def matrix(trace: Trace, value: Any) -> Any:
    """An argument that is a matrix."""
    value = operand(trace, value)
    if not isinstance(value, Operand):
        refuse("a function of matrices of something that is none")
    if value.ndim != 2:
        refuse("a function of matrices of an item that is none")
    if is_stack(value):
        _see_small(trace, value)
    return value


def _see_small(trace: Trace, value: Any) -> None:
    """A batched routine takes so many elements; of more, the items go in several runs."""
    if trace.count > 1 and value.size * trace.count > sizes().elements:
        raise Split(np.arange(trace.count) >= trace.count // 2)


def _of_matrix(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, value: Any, *given: Any, **options: Any) -> Any:
        value = matrix(trace, value)
        if any(isinstance(one, Operand) for one in (*given, *options.values())):
            refuse(f"`{name}` with options that differ from item to item")
        stacked = is_stack(value)
        function = getattr(linalg if name in _SIZED and stacked else trace.cupy.linalg, name)
        found = function(trace.data_of(value), *given, **options)
        made = wrapped(trace, found, stacked, [value])
        return _named(name, made, options) if isinstance(made, tuple) else made

    return rule


def _named(name: str, parts: tuple[Any, ...], options: Any) -> Any:
    """Several results in the named tuple that NumPy gives."""
    like = getattr(np.linalg, name)(np.eye(1), **options)
    make = getattr(type(like), "_make", tuple)
    return make(parts)


def _svdvals(trace: Trace, value: Any) -> Any:
    return MATRICES["linalg.svd"](trace, value, compute_uv=False)


def _of_scipy(name: str) -> Callable[..., Any]:
    def rule(trace: Trace, value: Any, *given: Any, **options: Any) -> Any:
        options = {key: one for key, one in options.items() if key not in _IGNORED}
        if name == "cholesky" and (given or not options.pop("lower", False) or options):
            refuse("SciPy's `cholesky` of an upper factor")
        found = MATRICES[f"linalg.{name}"](trace, value, *given, **options)
        return tuple(found) if isinstance(found, tuple) else found

    return rule


def _solve(trace: Trace, a: Any, b: Any, **options: Any) -> Any:
    if options.keys() - _IGNORED:
        refuse("`solve` with options")
    a, b = matrix(trace, a), operand(trace, b)
    if b.ndim not in (1, 2):
        refuse("right sides of an item with more than two axes")
    solve = trace.cupy.linalg.solve
    left, right = trace.data_of(a), trace.data_of(b)
    of_left, of_right = (is_stack(one) for one in (a, b))
    if not of_left and not of_right:
        return wrapped(trace, solve(left, right), False, [a, b])
    if not of_left:
        if b.ndim == 1:
            return wrapped(trace, solve(left, right.T).T, True, [a, b])
        left = trace.cupy.broadcast_to(left, (trace.count, *left.shape))
    if not of_right:
        right = trace.cupy.broadcast_to(right, (trace.count, *right.shape))
    if b.ndim == 1:
        return wrapped(trace, solve(left, right[..., None])[..., 0], True, [a, b])
    return wrapped(trace, solve(left, right), True, [a, b])


def _least_squares(trace: Trace, a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = matrix(trace, a), operand(trace, b)
    if isinstance(rcond, (str, Operand)) or b.ndim not in (1, 2):
        refuse("`lstsq` in this form")
    of_left, of_right = (is_stack(one) for one in (a, b))
    left, right = trace.data_of(a), trace.data_of(b)
    if not of_left and not of_right:
        refuse("`lstsq` of what is the same for all items: it belongs before the loop")
    if not of_right:
        right = trace.cupy.broadcast_to(right, (trace.count, *right.shape))
    found = least_squares(left if of_left else left[None], right, rcond=rcond)
    x, _, rank, s = found
    if not bool(trace.cupy.isfinite(s).all()):
        raise np.linalg.LinAlgError("SVD did not converge in Linear Least Squares")
    made = wrapped(trace, (x, rank, s), True, [a, b])

    def residuals() -> Any:
        rows, columns = a.shape
        if rows <= columns or not trace.uniform(made[1].numbers() == columns):
            return trace.cupy.zeros((trace.count, 0), s.dtype)
        rest = trace.call("numpy.subtract", b, trace.call("numpy.matmul", a, made[0]))
        squares = (trace.cupy.abs(rest.data) ** 2).sum(axis=1)
        return squares if squares.ndim == 2 else squares[:, None]

    return made[0], Later(trace, residuals), made[1], made[2]


def _exponential(trace: Trace, a: Any) -> Any:
    a = matrix(trace, a)
    stacked = is_stack(a)
    data = trace.data_of(a)
    found = exponentials(data if stacked else data[None])
    return wrapped(trace, found if stacked else found[0], stacked, [a])


def _moment(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def rule(trace: Trace, m: Any, y: Any = None, rowvar: bool = True, **options: Any) -> Any:
        if y is not None and not rowvar:
            refuse(f"`{name}` of two arrays with their variables along the columns")
        m = matrix(trace, m if y is None else trace.call("numpy.vstack", [m, y]))
        if not is_stack(m):
            refuse(f"`{name}` of what is the same for all items: it belongs before the loop")
        found = function(trace.data_of(m), rowvar, **options)
        return wrapped(trace, found, True, [m])

    return rule


def _power(trace: Trace, a: Any, n: Any) -> Any:
    a = matrix(trace, a)
    stacked = is_stack(a)
    data, n = trace.data_of(a), n.__index__()
    cupy = trace.cupy
    if n == 0:
        found = cupy.broadcast_to(cupy.eye(a.shape[0], dtype=a.dtype), data.shape).copy()
        return wrapped(trace, found, stacked, [a])
    if n < 0:
        return _power(trace, MATRICES["linalg.inv"](trace, a), -n)
    return wrapped(trace, _squared(cupy, data, n), stacked, [a])


def _squared(cupy: Any, data: Any, n: int) -> Any:
    """By squaring, in NumPy's order of products."""
    if n <= 3:
        found = data
        for _ in range(n - 1):
            found = cupy.matmul(found, data)
        return found if n > 1 else data.copy()
    power = result = None
    while n > 0:
        power = data if power is None else cupy.matmul(power, power)
        n, bit = divmod(n, 2)
        if bit:
            result = power if result is None else cupy.matmul(result, power)
    return result


_OF_MATRIX = {
    "inv": "", "pinv": "rcond", "cholesky": "", "det": "", "slogdet": "", "eigh": "UPLO",
    "eigvalsh": "UPLO", "svd": "full_matrices compute_uv", "qr": "mode", "matrix_rank": "tol",
    "cond": "p",
}  # fmt: skip
"""Functions of CuPy's, and what they may be given beside a matrix."""

MATRICES: dict[str, Callable[..., Any]] = {
    **{f"linalg.{name}": takes(_of_matrix(name), more) for name, more in _OF_MATRIX.items()},
    **{
        f"scipy.linalg.{name}": _of_scipy(name)
        for name in ("inv", "det", "cholesky", "eigh", "eigvalsh", "svd")
    },
    "linalg.svdvals": _svdvals,
    "scipy.linalg.svdvals": _svdvals,
    "linalg.solve": _solve,
    "scipy.linalg.solve": _solve,
    "linalg.lstsq": _least_squares,
    "scipy.linalg.expm": _exponential,
    "cov": _moment("cov", cov),
    "corrcoef": _moment("corrcoef", corrcoef),
    "linalg.matrix_power": _power,
}
