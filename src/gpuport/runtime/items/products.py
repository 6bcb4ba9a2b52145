"""Products: of numbers, vectors and matrices, by the axes that an item has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.arithmetic import elementwise, wrapped
from gpuport.runtime.items.item import Operand, is_stack
from gpuport.runtime.items.reductions import operand
from gpuport.runtime.items.signals import refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def stacks(trace: Trace, *given: Any) -> list[tuple[Any, bool, int]]:
    """The data of arguments, whether they are stacks, and how many axes an item has."""
    found = []
    for one in given:
        if not isinstance(one, Operand):
            refuse("a product of something that is no array")
        found.append((trace.data_of(one), is_stack(one), one.ndim))
    return found


def matmul(trace: Trace, a: Any, b: Any) -> Any:
    """``a @ b``."""
    a, b = operand(trace, a), operand(trace, b)
    (left, of_left, m), (right, of_right, n) = stacks(trace, a, b)
    if not m or not n:
        raise ValueError("matmul: Input operand does not have enough dimensions")
    if not of_left and not of_right:
        return wrapped(trace, trace.cupy.matmul(left, right), False, [a, b])
    if a.shape[-1] != b.shape[0 if n == 1 else -2]:
        raise ValueError("matmul: Input operand 1 has a mismatch in its core dimension 0")
    found = _multiplied(trace.cupy, left, right, of_left, of_right, m, n)
    return wrapped(trace, found, True, [a, b])


def _multiplied(
    cupy: Any, left: Any, right: Any, of_left: bool, of_right: bool, m: int, n: int
) -> Any:
    if m > 2 or n > 2:
        return _of_stacks(cupy, left, right, of_left, of_right, m, n)
    if m == n == 1:
        if of_left and of_right:
            return cupy.matmul(left[:, None, :], right[:, :, None])[:, 0, 0]
        return left @ right if of_left else right @ left
    if n == 1:
        if not of_right:
            return cupy.matmul(left, right)
        return right @ left.T if not of_left else cupy.matmul(left, right[:, :, None])[:, :, 0]
    if m == 1:
        if not of_left:
            return cupy.matmul(left, right)
        return left @ right if not of_right else cupy.matmul(left[:, None, :], right)[:, 0]
    return cupy.matmul(left, right)


def _of_stacks(
    cupy: Any, left: Any, right: Any, of_left: bool, of_right: bool, m: int, n: int
) -> Any:
    """The product of what has more than two axes: those in front of the last two broadcast."""
    left = left[..., None, :] if m == 1 else left
    right = right[..., None] if n == 1 else right
    rank = max(m, n, 2)
    if of_left:
        left = left.reshape(left.shape[0], *[1] * (rank + 1 - left.ndim), *left.shape[1:])
    if of_right:
        right = right.reshape(right.shape[0], *[1] * (rank + 1 - right.ndim), *right.shape[1:])
    found = cupy.matmul(left, right)
    found = found[..., 0, :] if m == 1 else found
    return found[..., 0] if n == 1 else found


def _dot(trace: Trace, a: Any, b: Any) -> Any:
    a, b = operand(trace, a), operand(trace, b)
    if not getattr(a, "ndim", 0) or not getattr(b, "ndim", 0):
        return trace.operate("multiply", a, b)
    if a.ndim > 2 or b.ndim > 2:
        refuse("`dot` of an item of more than two axes")
    return matmul(trace, a, b)


def _conjugated(trace: Trace, a: Any, b: Any) -> Any:
    a, b = operand(trace, a), operand(trace, b)
    if a.ndim != 1 or b.ndim != 1:
        refuse("`vdot` of an item that is no vector")
    first = elementwise(trace, "conj", a) if a.dtype.kind == "c" else a
    return matmul(trace, first, b)


def _inner(trace: Trace, a: Any, b: Any) -> Any:
    a, b = operand(trace, a), operand(trace, b)
    if a.ndim != 1 or b.ndim != 1:
        refuse("`inner` of an item that is no vector")
    return matmul(trace, a, b)


def _outer(trace: Trace, a: Any, b: Any) -> Any:
    a, b = operand(trace, a), operand(trace, b)
    if getattr(a, "ndim", 0) != 1 or getattr(b, "ndim", 0) != 1:
        refuse("`outer` of an item that is no vector")
    return trace.operate("multiply", a[:, None], b[None, :])


def _einsum(trace: Trace, subscripts: Any, *operands: Any, **options: Any) -> Any:
    if not isinstance(subscripts, str) or options.keys() - {"optimize"} or "." in subscripts:
        refuse("`einsum` in this form")
    given = [operand(trace, one) for one in operands]
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if not arrow:
        letters = sorted(set(inputs) - {","})
        output = "".join(one for one in letters if inputs.count(one) == 1)
    found = stacks(trace, *given)
    if len(terms) != len(found) or any(
        len(term) != rank for term, (_, _, rank) in zip(terms, found, strict=True)
    ):
        raise ValueError("einstein sum subscripts do not fit the operands")
    free = next(one for one in "ZYXWVUTSRQ" if one not in inputs)
    stacked = any(one for _, one, _ in found)
    terms = [f"{free}{t}" if one else t for t, (_, one, _) in zip(terms, found, strict=True)]
    text = f"{','.join(terms)}->{free if stacked else ''}{output}"
    made = trace.cupy.einsum(text, *(data for data, _, _ in found))
    return wrapped(trace, made, stacked, given)


def _tensordot(trace: Trace, a: Any, b: Any, axes: Any = 2) -> Any:
    a, b = operand(trace, a), operand(trace, b)
    if isinstance(axes, int):
        pairs = [(a.ndim - axes + k, k) for k in range(axes)]
    else:
        first, second = (
            list(one) if isinstance(one, (tuple, list)) else [one] for one in axes
        )  # fmt: skip
        pairs = [(j % a.ndim, k % b.ndim) for j, k in zip(first, second, strict=True)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    left, right = list(letters[: a.ndim]), list(letters[a.ndim : a.ndim + b.ndim])
    for j, k in pairs:
        right[k] = left[j]
    shared = {left[j] for j, _ in pairs}
    output = [one for one in (*left, *right) if one not in shared]
    text = f"{''.join(left)},{''.join(right)}->{''.join(output)}"
    return _einsum(trace, text, a, b)


def _kron(trace: Trace, a: Any, b: Any) -> Any:
    a, b = operand(trace, a), operand(trace, b)
    if a.ndim != 2 or b.ndim != 2:
        refuse("`kron` of an item that is no matrix")
    spread = trace.operate("multiply", a[:, None, :, None], b[None, :, None, :])
    shape = (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])
    return trace.call("numpy.reshape", spread, shape)


def _cross(trace: Trace, a: Any, b: Any) -> Any:
    a, b = operand(trace, a), operand(trace, b)
    if a.shape[-1:] != (3,) or b.shape[-1:] != (3,):
        refuse("`cross` of vectors that have other than three elements")
    rank = max(a.ndim, b.ndim)
    left, right = trace.aligned(a, rank), trace.aligned(b, rank)
    shape = np.broadcast_shapes(left.shape, right.shape)
    left, right = (trace.cupy.broadcast_to(one, shape) for one in (left, right))
    return wrapped(trace, trace.cupy.cross(left, right), is_stack(a) or is_stack(b), [a, b])


def _multi_dot(trace: Trace, arrays: Any) -> Any:
    first, *rest = arrays
    for one in rest:
        first = matmul(trace, first, one)
    return first


PRODUCTS: dict[str, Callable[..., Any]] = {
    "matmul": matmul,
    "dot": _dot,
    "vdot": _conjugated,
    "vecdot": _conjugated,
    "linalg.vecdot": _conjugated,
    "inner": _inner,
    "outer": _outer,
    "linalg.outer": _outer,
    "einsum": _einsum,
    "tensordot": _tensordot,
    "kron": _kron,
    "cross": _cross,
    "linalg.multi_dot": _multi_dot,
}

__all__ = ["PRODUCTS", "matmul", "np", "stacks"]
